public import MediaCore

extension AVAsset {
    /// Where a time that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Returns: A numeric time on the asset's timeline; seconds may lie beyond its end.
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file. A frame's number, and a timecode of pictures that are labelled one by one,
    ///   cost as much as `loadTime(ofFrame:)`.
    public func loadTime(of expression: TimeExpression) async throws -> CMTime {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }

    /// Where a range that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Returns: A range on the asset's timeline that is not empty; it may go beyond its end.
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: As `loadTime(of:)`.
    public func loadTimeRange(of expression: TimeRangeExpression) async throws -> CMTimeRange {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }
}
