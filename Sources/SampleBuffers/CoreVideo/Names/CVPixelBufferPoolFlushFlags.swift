/// Which unused buffers a pool gives up.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// All of them, however short they have been unused.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}
