/// The bits that say what kind of time a ``CMTime`` is.
///
/// A time is *numeric* when it is ``valid`` and none of
/// ``impliedValueFlagsMask`` is set; only then do its value and timescale mean
/// anything.
public struct CMTimeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits as stored.
    public let rawValue: UInt32

    /// Wraps the bits, unknown ones included.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is not invalid; every other bit is ignored without this one.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// Some earlier operation could not represent its result exactly.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is later than every numeric time.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is earlier than every numeric time.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time exists but is not known, as the duration of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The three bits that replace the numeric value.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}
