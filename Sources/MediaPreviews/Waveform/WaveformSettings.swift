/// How fine a waveform is, and what it keeps of the sound.
///
/// Beyond AVFoundation. What is out of range fails with ``WaveformSettingsError``.
public struct WaveformSettings: Sendable, Hashable {
    /// How many samples of sound there are to a point.
    public enum Resolution: Sendable, Hashable {
        /// So many samples, from 2 to 2³¹ − 1, make a point.
        case samplesPerPoint(Int)
        /// So many points, from 1 on, make a second.
        ///
        /// Points are of whole samples, as in audiowaveform: where the sample rate is no multiple of the number, each
        /// has the fraction of a sample less, and a second has more points than asked for. 44,100 Hz at 1000 points a
        /// second are 44 samples a point.
        case pointsPerSecond(Int)
        /// So many points, from 1 to 2²⁶, make the whole of a film whose length is known.
        ///
        /// Of `n` samples and `p` points, point `k` has the samples from `⌊k × n ÷ p⌋` up to, not including,
        /// `⌊(k + 1) × n ÷ p⌋`: points differ by one sample at most, and what they have too little or too much never
        /// adds up.
        case pointCount(Int)
        /// So many points of as many whole samples each, or fewer, from 1 to 2²⁶, make the whole of a film whose length is
        /// known.
        case atMost(Int)
    }

    /// How many samples make a point; 256 by default.
    public var resolution = Resolution.samplesPerPoint(256)
    /// Bits of a point's values, 8 or 16; 16 by default.
    public var bits = 16
    /// Whether each channel has a waveform of its own, instead of one for the mean of all; `false` by default.
    public var splitsChannels = false

    /// Makes the usual settings: 256 samples a point, 16 bits, channels mixed into one.
    public init() {}

    /// The fewest samples of a point.
    static let minimumSamplesPerPoint = 2
    /// The most samples of a point, a limit of the binary form.
    static let maximumSamplesPerPoint = Int(Int32.max)
    /// The most points that can be asked for.
    static let maximumPointCount = 1 << 26

    /// Checks what can be told without knowing the film.
    ///
    /// - Throws: ``WaveformSettingsError`` for numbers out of range.
    public func check() throws(WaveformSettingsError) {
        guard bits == 8 || bits == 16 else {
            throw WaveformSettingsError(reason: "a waveform has 8 or 16 bits, not \(bits)")
        }
        switch resolution {
        case .samplesPerPoint(let count):
            try WaveformSettingsError.check(
                "samples per point", count, Self.minimumSamplesPerPoint...Self.maximumSamplesPerPoint)
        case .pointsPerSecond(let count):
            try WaveformSettingsError.check("points per second", count, 1...Self.maximumSamplesPerPoint)
        case .pointCount(let count), .atMost(let count):
            try WaveformSettingsError.check("the number of points", count, 1...Self.maximumPointCount)
        }
    }
}
