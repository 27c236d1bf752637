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
    package var hasAlpha: Bool { [.premultipliedLast, .premultipliedFirst, .last, .first, .alphaOnly].contains(self) }
    /// Whether colours are multiplied by it.
    package var isPremultiplied: Bool { self == .premultipliedLast || self == .premultipliedFirst }
    /// Whether alpha, or what is skipped, comes before the colours.
    var isFirst: Bool { [.premultipliedFirst, .first, .noneSkipFirst].contains(self) }
}
