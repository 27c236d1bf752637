public import MediaCore

/// How sound becomes faster or slower.
public struct AVAudioTimePitchAlgorithm: BridgedToNSString, Hashable, Sendable {
    /// The name, such as `Spectral`.
    public let rawValue: String
    /// Makes an algorithm of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Of the highest quality, for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// For speech, at little cost.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// The pitch changes with the speed.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// For seeking and the like.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}
