internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension FilmPart {
    /// The part of a film; `nil` for all of it.
    ///
    /// - Throws: A failure if the part begins at or after its end or the film's.
    func range(of asset: AVURLAsset) async throws -> CMTimeRange? {
        guard from != nil || to != nil else { return nil }
        let duration = try await asset.loadDescription().duration
        let start = try await asset.loadTime(of: from?.get() ?? .start(plus: .zero))
        var end = duration.isNumeric ? duration : .positiveInfinity
        if start >= end {
            throw Failure(
                .invalidTime,
                "--from \(from?.text ?? "") lies beyond the end: the duration is \(end.secondsText()) s")
        }
        if let to { end = min(end, try await asset.loadTime(of: to.get())) }
        guard start < end else {
            throw Failure(.usage, "--from \(from?.text ?? "start") does not lie before --to \(to?.text ?? "end")")
        }
        return CMTimeRange(start: start, end: end)
    }
}
