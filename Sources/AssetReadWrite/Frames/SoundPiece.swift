public import MediaCore

/// A piece of an asset's decoded sound: samples of each channel, as floating-point numbers.
///
/// Beyond AVFoundation.
public struct SoundPiece: Sendable {
    /// When its first sample is heard, on the asset's timeline in ticks of one sample.
    public let time: CMTime
    /// Samples in a second.
    public let sampleRate: Int
    /// How many samples each channel has.
    public let sampleCount: Int
    /// How many channels there are.
    public let channelCount: Int
    /// All samples of the first channel, then those of the next.
    let samples: [Float]

    /// Lends the samples of a channel, from -1 to 1 where nothing is clipped.
    ///
    /// - Parameter index: From 0.
    /// - Returns: What the body returns; `nil` for a channel that is not there.
    /// - Throws: What the body throws.
    public func withChannel<Result>(_ index: Int, _ body: (Span<Float>) throws -> Result) rethrows -> Result? {
        guard (0..<channelCount).contains(index) else { return nil }
        let first = index * sampleCount
        return try body(samples.span.extracting(first..<(first + sampleCount)))
    }
}

extension SoundPiece {
    /// Lends the samples of all channels at once.
    package func withChannels<Result>(_ body: ([UnsafeBufferPointer<Float>]) throws -> Result) rethrows -> Result {
        try samples.withUnsafeBufferPointer { all in
            try body(
                (0..<channelCount).map {
                    UnsafeBufferPointer(rebasing: all[($0 * sampleCount)..<(($0 + 1) * sampleCount)])
                })
        }
    }
}
