internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
