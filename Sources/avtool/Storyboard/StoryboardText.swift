internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

extension Storyboard {
    /// What was made, in one line.
    var summary: String {
        let size = sheetByteCounts.reduce(0, +)
        return "\(tiles.count) \(tiles.count == 1 ? "tile" : "tiles") of \(tileWidth)x\(tileHeight), one every "
            + "\(interval.durationText()) s, on \(sheetCount) \(sheetCount == 1 ? "sheet" : "sheets") "
            + "(\(max(1, size / 1000)) kB)"
    }

    /// What is not as it should be, a line for each kind.
    var warnings: [String] {
        func line(_ affected: [Tile], _ what: String, _ reason: String?) -> String? {
            guard let first = affected.first else { return nil }
            let others = affected.count > 1 ? " and \(affected.count - 1) more" : ""
            return "\(what) at \(first.requestedTime.secondsText()) s\(others): \(reason ?? "unknown")"
        }
        let gaps = tiles.filter { $0.gap != nil }
        let damaged = tiles.filter { $0.gap == nil && $0.damage != nil }
        return [
            line(gaps, "no picture, another stands in,", gaps.first?.gap),
            line(damaged, "damaged picture", damaged.first?.damage),
        ].compactMap { $0 }
    }
}

/// A storyboard that was made, as JSON has it.
struct JSONStoryboard: Encodable {
    let source: String
    let folder: String
    let state = "made"
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
struct JSONPart: Encodable {
    let start: JSONTime?
    let end: JSONTime?

    /// `nil` if tiles cover all of it.
    init?(_ storyboard: Storyboard) {
        guard storyboard.part.start > .zero || storyboard.part.end < storyboard.duration else { return nil }
        (start, end) = (JSONTime(storyboard.part.start), JSONTime(storyboard.part.end))
    }
}

/// A storyboard that is up to date, as JSON has it.
struct JSONCurrentStoryboard: Encodable {
    let source: String
    let folder: String
    let state = "upToDate"
}
