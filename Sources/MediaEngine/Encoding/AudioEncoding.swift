/// How sound is encoded.
public struct AudioEncoding: Hashable, Sendable {
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Bits for each second, by the number of channels; empty leaves it to the encoder.
    public var bitRates: [Int: Int64] = [:]
    /// A quality on the encoder's scale, instead of bit rates; `nil` for none.
    public var quality: Double?
    /// Options of the encoder, by FFmpeg's names.
    public var options: [String: String] = [:]
    /// More channels are mixed down to this number, from 1 to 16; `nil` for any number.
    public var maximumChannels: Int?
    /// Samples for each second, from 8000 to 192,000; `nil` for any number.
    public var maximumSampleRate: Int?

    /// Makes an encoding.
    package init(encoder: String) { self.encoder = encoder }
}
