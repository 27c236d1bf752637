internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A sheet as JSON has it.
struct JSONSheet: Codable {
    struct Tile: Codable {
        let index: Int
        let requested: JSONTime?
        /// `nil` where there is no picture.
        let actual: JSONTime?
        let exact: Bool
        let label: String
        let title: String?
        let damaged: Bool
        let gap: String?
        let representative: JSONChoice?
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    let source: String
    let file: String
    let state: String
    let width: Int
    let height: Int
    let omitted: Int
    let missingCharacters: Int
    /// The container's time of the asset's zero.
    let origin: JSONTime?
    /// What labels count from.
    let times: String
    let tiles: [Tile]

    init(source: String, file: String, _ sheet: ContactSheet, times: PreviewTimeline) {
        (origin, self.times) = (JSONTime(sheet.origin), times.rawValue)
        (self.source, self.file, state) = (source, file, "made")
        (width, height) = (sheet.image.width, sheet.image.height)
        (omitted, missingCharacters) = (sheet.omittedCount, sheet.missingCharacterCount)
        tiles = sheet.tiles.enumerated().map { index, tile in
            Tile(
                index: index + 1, requested: JSONTime(tile.requestedTime), actual: JSONTime(tile.actualTime),
                exact: tile.isExact, label: tile.label, title: tile.title, damaged: tile.damage != nil, gap: tile.gap,
                representative: tile.choice.map { JSONChoice($0) }, x: tile.x, y: tile.y, width: tile.width,
                height: tile.height)
        }
    }
}

/// A sheet that was left as it is, as JSON has it.
struct JSONKeptSheet: Codable {
    let source: String
    let file: String
    let state: String
    let upToDate: Bool

    init(source: String, file: String) {
        (self.source, self.file, state, upToDate) = (source, file, "upToDate", true)
    }
}

/// What `sheet --json` prints.
enum JSONSheetDocument: ResultDocument {
    case made(JSONSheet)
    case kept(JSONKeptSheet)
    case piece(JSONPiece)

    var json: any Encodable {
        switch self {
        case .made(let sheet): sheet
        case .kept(let sheet): sheet
        case .piece(let piece): piece
        }
    }
}
