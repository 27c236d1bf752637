internal import AVToolCommands
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
            if let overlap = ranges.firstOverlap {
                let line = list.segments.indices.contains(overlap.second) ? list.segments[overlap.second].line : nil
                throw CutListError(line: line, "overlaps another segment")
            }
            guard !ranges.isEmpty else { throw CutListError("nothing is left of the film") }
            return ranges
        } catch let error as CutListError {
            throw Failure(.usage, "\(name): \(error.description)")
        }
    }
}
