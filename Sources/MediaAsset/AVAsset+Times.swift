public import MediaTime

extension AVAsset {
    /// Where a time that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there.
    /// - Complexity: A frame's number, and a timecode, read the file once the
    ///   first time, without decoding.
    public func loadTime(of expression: TimeExpression) async throws -> CMTime {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }

    /// Where a range that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there.
    public func loadTimeRange(of expression: TimeRangeExpression) async throws -> CMTimeRange {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }
}
