internal import AVToolCommands
internal import CutLists
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A cut list of another program, not understood yet: how its frames are to be counted is up to the film.
struct CutListFile: Codable, Sendable {
    let name: String
    let bytes: [UInt8]

    /// The parts of a film that are kept.
    ///
    /// - Throws: A failure that names the line that is wrong.
    func ranges(of film: AssetDescription, isInverted: Bool) throws -> [CMTimeRange] {
        do {
            let list = try CutList(
                reading: bytes, fileName: (name as NSString).lastPathComponent, frames: film.timecodeScale)
            let ranges = try (isInverted ? list.inverted : list).kept(within: film.duration)
            try checkApart(ranges, of: list)
            guard !ranges.isEmpty else { throw CutListError("nothing is left of the film") }
            return ranges
        } catch let error as CutListError {
            throw Failure(.usage, "\(name): \(error.description)")
        }
    }

    private func checkApart(_ ranges: [CMTimeRange], of list: CutList) throws(CutListError) {
        let order = ranges.indices.sorted { ranges[$0].start < ranges[$1].start }
        for (first, second) in zip(order, order.dropFirst()) where ranges[second].start < ranges[first].end {
            let line = list.segments.indices.contains(second) ? list.segments[second].line : nil
            throw CutListError(line: line, "overlaps another segment")
        }
    }
}
