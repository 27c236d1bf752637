/// Which channels there are, in the order of WAVE's bits.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Front left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Front right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Front centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low frequencies.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Between left and centre.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Between right and centre.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Rear centre.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left side.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right side.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
}
