internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A part of a film, as it was asked for: from one time up to another.
struct FilmPart: Codable, Sendable {
    let from: Written<TimeExpression>?
    let to: Written<TimeExpression>?

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
