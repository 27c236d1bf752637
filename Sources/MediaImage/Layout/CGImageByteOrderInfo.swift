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
