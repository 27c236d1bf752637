/// The numerator of a ``CMTime``: a signed count of ticks.
public typealias CMTimeValue = Int64

/// The denominator of a ``CMTime``: ticks per second.
public typealias CMTimeScale = Int32

/// The loop or discontinuity that a ``CMTime`` belongs to; 0 for most media.
public typealias CMTimeEpoch = Int64

/// A time, or a length of time, as an exact fraction of seconds.
///
/// A numeric time is `value / timescale` seconds. Besides numeric times there
/// are two infinities, an indefinite time and the invalid time. Arithmetic on
/// them never traps: what has no answer is ``invalid``, what is too large is an
/// infinity, and what had to be rounded says so in ``hasBeenRounded``.
///
/// Equality, order and hash go by the instant, not by the fields: 1/2 equals
/// 2/4. ``CMTimeCompare(_:_:)`` gives the order.
///
/// - Note: A time whose flags say numeric but whose timescale is zero or
///   negative answers the predicates by its flags, and counts as invalid in
///   every calculation, comparison and text.
///
/// Source: CoreMedia `CMTime`.
public struct CMTime: Sendable, BitwiseCopyable {
    /// The number of ticks; seconds = value / timescale.
    public var value: CMTimeValue
    /// Ticks per second; positive in every numeric time.
    public var timescale: CMTimeScale
    /// What kind of time this is, and whether it was rounded.
    public var flags: CMTimeFlags
    /// Tells apart equal positions of different loops; 0 for a duration.
    public var epoch: CMTimeEpoch

    /// Creates the invalid time, with every field zero.
    public init() {
        self.init(value: 0, timescale: 0, flags: [], epoch: 0)
    }

    /// Creates a time from its fields, unchecked.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Creates the time `value / timescale` seconds, in epoch 0.
    ///
    /// - Note: A timescale of zero or less gives ``invalid``; what Apple's does
    ///   is not documented.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(checked: value, timescale: timescale, epoch: 0)
    }

    /// Creates the time nearest to zero seconds away from `seconds` that the
    /// timescale can hold: the fraction of a tick is dropped.
    ///
    /// If the value would not fit 64 bits the timescale is halved until it does;
    /// if it does not fit at one tick per second the time is infinite. A result
    /// that does not convert back to the same `seconds` is marked as rounded.
    ///
    /// - Parameters:
    ///   - seconds: Any number; the product with the timescale is taken in
    ///     `Double`, so 0.7 at 10 is 7.
    ///   - preferredTimescale: Ticks per second; zero or less gives ``invalid``.
    /// - Note: NaN gives ``invalid`` and an infinity the infinite time of that
    ///   sign; what Apple's does is not documented.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self = .invalid
            return
        }
        var timescale = preferredTimescale
        while true {
            let ticks = (seconds * Double(timescale)).rounded(.towardZero)
            if let value = CMTimeValue(exactly: ticks) {
                let isExact = Double(value) / Double(timescale) == seconds
                let flags: CMTimeFlags = isExact ? .valid : [.valid, .hasBeenRounded]
                self.init(value: value, timescale: timescale, flags: flags, epoch: 0)
                return
            }
            guard timescale > 1, seconds.isFinite else { break }
            timescale /= 2
        }
        self = seconds < 0 ? .negativeInfinity : .positiveInfinity
    }

    init(checked value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) {
        guard timescale > 0 else {
            self = .invalid
            return
        }
        self.init(value: value, timescale: timescale, flags: .valid, epoch: epoch)
    }
}

// MARK: - Constants

extension CMTime {
    /// No time at all; what operations return when there is no answer.
    public static let invalid = CMTime()
    /// A time that exists but is not known.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Later than every numeric time.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Earlier than every numeric time.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// Zero seconds, at one tick per second.
    public static let zero = CMTime(value: 0, timescale: 1)
}

// MARK: - Predicates and seconds

extension CMTime {
    /// Whether the valid bit is set; true for the infinities and indefinite too.
    public var isValid: Bool { flags.contains(.valid) }

    /// Whether the time is valid and later than every numeric time.
    public var isPositiveInfinity: Bool { flags.contains([.valid, .positiveInfinity]) }

    /// Whether the time is valid and earlier than every numeric time.
    public var isNegativeInfinity: Bool { flags.contains([.valid, .negativeInfinity]) }

    /// Whether the time is valid but not known.
    public var isIndefinite: Bool { flags.contains([.valid, .indefinite]) }

    /// Whether the value and timescale carry the time.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }

    /// Whether the time is numeric and some earlier operation rounded it.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The time in seconds, for display only: `Double` is not exact.
    ///
    /// The epoch is ignored. Infinite times give ± infinity, invalid and
    /// indefinite ones NaN.
    public var seconds: Double {
        switch kind {
        case .numeric: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .indefinite, .invalid: .nan
        }
    }

    /// The kinds of time, by ascending rank in ``CMTimeCompare(_:_:)``.
    enum Kind: Int {
        case negativeInfinity, numeric, indefinite, positiveInfinity, invalid
    }

    /// What calculations take this time for.
    var kind: Kind {
        if !isValid { return .invalid }
        if flags.contains(.positiveInfinity) { return .positiveInfinity }
        if flags.contains(.negativeInfinity) { return .negativeInfinity }
        if flags.contains(.indefinite) { return .indefinite }
        return timescale > 0 ? .numeric : .invalid
    }

    /// The valid bit, and the rounded bit if this time has it.
    var numericFlags: CMTimeFlags { flags.intersection([.valid, .hasBeenRounded]) }
}
