/// How the coordinates of a channel are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left and right, back and front, down and up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// Azimuth, elevation and distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// Distances are metres.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}
