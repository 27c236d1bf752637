/// What a lock of a buffer's memory is for.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// Only to read: nobody writes while the lock is held.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
