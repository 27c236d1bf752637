internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A storyboard that was made, as JSON has it.
struct JSONStoryboard: Codable {
    let source: String
    let folder: String
    let state: String
    let duration: JSONTime?
    /// The container's time of the asset's zero.
    let origin: JSONTime?
    /// What cues count from.
    let times: String
    /// What tiles cover; absent for the whole film.
    let part: JSONPart?
    let interval: JSONTime?
    let tileCount: Int
    let tileWidth: Int
    let tileHeight: Int
    let columns: Int
    let rows: Int
    let sheets: [String]
    let damaged: [Int]
    let gaps: [Int]

    init(_ storyboard: Storyboard, source: String, folder: String) {
        self.source = source
        self.folder = folder
        state = "made"
        duration = JSONTime(length: storyboard.duration)
        origin = JSONTime(storyboard.origin)
        times = storyboard.timeline.rawValue
        part = JSONPart(storyboard)
        interval = JSONTime(length: storyboard.interval)
        tileCount = storyboard.tiles.count
        tileWidth = storyboard.tileWidth
        tileHeight = storyboard.tileHeight
        columns = storyboard.columns
        rows = storyboard.rows
        sheets = (0..<storyboard.sheetCount).map(storyboard.sheetName)
        damaged = storyboard.tiles.indices.filter { storyboard.tiles[$0].damage != nil }.map { $0 + 1 }
        gaps = storyboard.tiles.indices.filter { storyboard.tiles[$0].gap != nil }.map { $0 + 1 }
    }
}

/// The part of a film that tiles cover, as JSON has it.
struct JSONPart: Codable {
    let start: JSONTime?
    let end: JSONTime?

    /// `nil` if tiles cover all of it.
    init?(_ storyboard: Storyboard) {
        guard storyboard.part.start > .zero || storyboard.part.end < storyboard.duration else { return nil }
        (start, end) = (JSONTime(storyboard.part.start), JSONTime(storyboard.part.end))
    }
}

/// A storyboard that is up to date, as JSON has it.
struct JSONCurrentStoryboard: Codable {
    let source: String
    let folder: String
    let state: String

    init(source: String, folder: String) {
        (self.source, self.folder, state) = (source, folder, "upToDate")
    }
}

/// What `storyboard --json` prints.
enum JSONStoryboardDocument: ResultDocument {
    case made(JSONStoryboard)
    case current(JSONCurrentStoryboard)
    case piece(JSONPiece)

    var json: any Encodable {
        switch self {
        case .made(let storyboard): storyboard
        case .current(let storyboard): storyboard
        case .piece(let piece): piece
        }
    }
}
