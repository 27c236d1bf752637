/// The shape of a film's sound: for each short stretch of it, how far it swings down and up.
///
/// Beyond AVFoundation. It is what BBC's audiowaveform makes, and is written in the same forms, which peaks.js
/// and waveform-data.js read.
public struct Waveform: Sendable, Hashable {
    /// The version of the data that is written, in which there may be several channels.
    public static let version = 2

    /// Samples of the sound in a second.
    public let sampleRate: Int
    /// Samples of the sound in a point, the last of which may have fewer.
    ///
    /// Where a number of points was asked for, they may differ by one sample; this is the rounded mean then.
    public let samplesPerPoint: Int
    /// Bits of each value, 8 or 16: from −128 to 127, or from −32,768 to 32,767.
    public let bits: Int
    /// How many waveforms there are beside one another: 1, or as many as the sound has channels.
    public let channels: Int
    /// Two values for each channel of each point, the smallest sample and the greatest.
    ///
    /// All channels of a point stand together: `[low 0, high 0, low 1, high 1, …]`.
    public let data: [Int16]

    /// How many points there are.
    public var length: Int { data.count / (2 * channels) }

    /// Makes a waveform of what was measured.
    ///
    /// - Parameters:
    ///   - channels: From 1 on.
    ///   - data: Twice as many values as channels, or a multiple of that.
    init(sampleRate: Int, samplesPerPoint: Int, bits: Int, channels: Int, data: [Int16]) {
        (self.sampleRate, self.samplesPerPoint, self.bits) = (sampleRate, samplesPerPoint, bits)
        (self.channels, self.data) = (channels, data)
    }
}
