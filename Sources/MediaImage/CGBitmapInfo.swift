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
    init(_ alpha: CGImageAlphaInfo, _ order: CGImageByteOrderInfo) {
        self.init(rawValue: alpha.rawValue | order.rawValue)
    }
}

/// Whether pixels have an alpha component, where it lies, and whether colours are multiplied by it.
///
/// Stands in for Core Graphics' type of the same name. *First* and *last* are told of a pixel read as one number from
/// its highest bits: ``CGBitmapInfo`` says in which order its bytes are.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// No alpha, and no room for it.
    case none = 0
    /// Alpha behind the colours, which are multiplied by it.
    case premultipliedLast = 1
    /// Alpha before the colours, which are multiplied by it.
    case premultipliedFirst = 2
    /// Alpha behind the colours, which are as they are.
    case last = 3
    /// Alpha before the colours, which are as they are.
    case first = 4
    /// No alpha; what lies behind the colours is skipped.
    case noneSkipLast = 5
    /// No alpha; what lies before the colours is skipped.
    case noneSkipFirst = 6
    /// Alpha and no colours. No image or context of ours has it.
    case alphaOnly = 7
}

extension CGImageAlphaInfo {
    /// Whether there is alpha.
    var hasAlpha: Bool { [.premultipliedLast, .premultipliedFirst, .last, .first, .alphaOnly].contains(self) }
    /// Whether colours are multiplied by it.
    var isPremultiplied: Bool { self == .premultipliedLast || self == .premultipliedFirst }
    /// Whether alpha, or what is skipped, comes before the colours.
    var isFirst: Bool { [.premultipliedFirst, .first, .noneSkipFirst].contains(self) }
}

/// In which order the bytes of a pixel, or of a component of 16 bits, lie in memory.
///
/// Stands in for Core Graphics' type of the same name.
public enum CGImageByteOrderInfo: UInt32, Sendable {
    /// The bits of a bitmap's description that hold the order.
    case orderMask = 0x7000
    /// As the description names components, the first one first.
    case orderDefault = 0
    /// Units of 16 bits, the lower byte first.
    case order16Little = 0x1000
    /// Units of 32 bits, the lowest byte first.
    case order32Little = 0x2000
    /// Units of 16 bits, the higher byte first.
    case order16Big = 0x3000
    /// Units of 32 bits, the highest byte first.
    case order32Big = 0x4000
}

/// What is kept of colours that another space lacks.
///
/// Stands in for Core Graphics' type of the same name. Nothing of ours converts by it; images remember it.
public enum CGColorRenderingIntent: Int32, Sendable {
    /// Left to the context.
    case defaultIntent = 0
    /// Colours as they are, white included.
    case absoluteColorimetric = 1
    /// Colours against the white of the space.
    case relativeColorimetric = 2
    /// The relations of colours.
    case perceptual = 3
    /// How vivid colours are.
    case saturation = 4
}
