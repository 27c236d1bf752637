public import MediaCore

/// A waveform that cannot be made, or not be drawn, as was asked for.
///
/// Beyond AVFoundation.
public struct WaveformSettingsError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}

extension WaveformSettingsError {
    /// - Throws: An error that names the number if it lies outside of a range.
    static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(WaveformSettingsError) {
        guard !range.contains(value) else { return }
        throw WaveformSettingsError(
            reason: "\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
}
