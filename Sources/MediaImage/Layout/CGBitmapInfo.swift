/// How the components of a pixel lie in memory: a `CGImageAlphaInfo`, an order of bytes, and whether they are
/// floating-point.
///
/// Stands in for Core Graphics' type of the same name, with its values.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Makes a description of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits that hold a `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
    /// The bits that tell floating-point components.
    public static let floatInfoMask = CGBitmapInfo(rawValue: 0xf00)
    /// Components are floating-point numbers.
    ///
    /// No image or context of ours has them.
    public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
    /// The bits that hold the order of bytes.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Bytes in the order in which components are named.
    public static let byteOrderDefault: CGBitmapInfo = []
    /// Units of 16 bits, the lower byte first.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: CGImageByteOrderInfo.order16Little.rawValue)
    /// Units of 32 bits, the lowest byte first.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: CGImageByteOrderInfo.order32Little.rawValue)
    /// Units of 16 bits, the higher byte first.
    public static let byteOrder16Big = CGBitmapInfo(rawValue: CGImageByteOrderInfo.order16Big.rawValue)
    /// Units of 32 bits, the highest byte first.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: CGImageByteOrderInfo.order32Big.rawValue)

    /// What the bits say of alpha; `.none` for bits that are no such value.
    package var alpha: CGImageAlphaInfo { CGImageAlphaInfo(rawValue: rawValue & Self.alphaInfoMask.rawValue) ?? .none }
    /// What the bits say of the order; the default for bits that are no such value.
    package var order: CGImageByteOrderInfo {
        CGImageByteOrderInfo(rawValue: rawValue & Self.byteOrderMask.rawValue) ?? .orderDefault
    }

    /// Both in one.
    package init(_ alpha: CGImageAlphaInfo, _ order: CGImageByteOrderInfo) {
        self.init(rawValue: alpha.rawValue | order.rawValue)
    }
}
