/// Bits of a set of options.
public typealias CVOptionFlags = UInt64

/// What a lock of a buffer's memory is for.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// Only to read: nobody writes while the lock is held.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Which unused buffers a pool gives up.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// All of them, however short they have been unused.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Whether what is attached to a buffer goes along to buffers made from it.
public enum CVAttachmentMode: UInt32, Sendable {
    /// It stays with the buffer, as a time of display does.
    case shouldNotPropagate = 0
    /// It goes along, as the colours do.
    case shouldPropagate = 1
}
