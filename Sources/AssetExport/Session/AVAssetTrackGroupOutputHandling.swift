/// How tracks that are alternatives to each other get into a new file.
public struct AVAssetTrackGroupOutputHandling: OptionSet, Hashable, Sendable {
    /// The options' bits.
    public let rawValue: UInt
    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Alternatives to the first track of sound are kept as they are, not encoded anew.
    public static let preserveAlternateTracks = AVAssetTrackGroupOutputHandling(rawValue: 1)
}
