import MediaCore

@testable import MediaPreviews

/// Makes a waveform of sound, one array a channel.
///
/// - Parameter blocks: How many samples come at a time, over and over; all at once if empty.
func waveform(
    of channels: [[Float]], sampleRate: Int = 48000, sampleCount: Int? = nil, blocks: [Int] = [],
    _ change: (inout WaveformSettings) -> Void = { _ in }
) throws -> Waveform {
    var settings = WaveformSettings()
    change(&settings)
    var builder = try WaveformBuilder(
        sampleRate: sampleRate, channels: channels.count, settings: settings, sampleCount: sampleCount)
    let length = channels.first?.count ?? 0
    var (start, turn) = (0, 0)
    while start < length {
        let end = blocks.isEmpty ? length : min(length, start + blocks[turn % blocks.count])
        try builder.add(channels.map { Array($0[start..<end]) })
        (start, turn) = (end, turn + 1)
    }
    return builder.finish()
}

extension WaveformBuilder {
    /// Adds samples, one array a channel, all of one length.
    mutating func add(_ channels: [[Float]]) throws {
        let length = channels.first?.count ?? 0
        try channels.flatMap { $0 }.withUnsafeBufferPointer { all in
            try add(
                channels: channels.indices.map {
                    UnsafeBufferPointer(rebasing: all[($0 * length)..<(($0 + 1) * length)])
                })
        }
    }
}

extension WaveformSettings {
    /// The usual settings with another resolution.
    init(_ resolution: Resolution) {
        self.init()
        self.resolution = resolution
    }
}

extension Float {
    /// The sample that is a number in 16 bits.
    static func sample(_ value: Double) -> Float { Float(value / 32768) }
}

/// A waveform for drawings: one value pair a channel and point.
func drawing(_ data: [Int16], channels: Int = 1, bits: Int = 16) -> Waveform {
    Waveform(sampleRate: 48000, samplesPerPoint: 256, bits: bits, channels: channels, data: data)
}

/// The reason of an error in the making or drawing of a waveform, `nil` where there is none.
func reason(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? WaveformSettingsError)?.reason ?? "another error: \(error)"
    }
}
