#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

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

/// What becomes of the fraction of a tick when a time is re-expressed.
public enum CMTimeRoundingMethod: UInt32, Sendable, CaseIterable {
    /// To the nearest tick; halves go away from zero.
    case roundHalfAwayFromZero = 1
    /// The fraction is dropped.
    case roundTowardZero = 2
    /// Any fraction adds a tick to the magnitude.
    case roundAwayFromZero = 3
    /// Toward zero to a smaller timescale, away from zero to a larger one; a
    /// negative time never becomes zero but minus one tick.
    case quickTime = 4
    /// Up, to the later tick.
    case roundTowardPositiveInfinity = 5
    /// Down, to the earlier tick.
    case roundTowardNegativeInfinity = 6

    /// The method of all arithmetic: ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTime: Comparable {
    /// Tells whether two times are the same instant, whatever their timescales.
    public static func == (lhs: CMTime, rhs: CMTime) -> Bool { CMTimeCompare(lhs, rhs) == 0 }

    /// Tells whether a time sorts before another; see ``CMTimeCompare(_:_:)``.
    public static func < (lhs: CMTime, rhs: CMTime) -> Bool { CMTimeCompare(lhs, rhs) < 0 }
}

extension CMTime: Hashable {
    /// Hashes the instant, so that equal times of different timescales agree.
    public func hash(into hasher: inout Hasher) {
        let kind = kind
        hasher.combine(kind.rawValue)
        guard kind == .numeric else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(epoch)
        hasher.combine(value < 0)
        hasher.combine(value.magnitude / divisor)
        hasher.combine(UInt64(timescale) / divisor)
    }
}

/// Compares two times in a total order.
///
/// Negative infinity, then every numeric time, then indefinite, then positive
/// infinity, then invalid. Members of one kind that is not numeric are equal.
/// Numeric times of different epochs compare by epoch alone, those of one epoch
/// by their exact seconds.
///
/// - Returns: −1 if the first sorts earlier, 0 if they are equal, 1 if it sorts
///   later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    let (kind1, kind2) = (time1.kind, time2.kind)
    guard kind1 == .numeric, kind2 == .numeric else { return order(kind1.rawValue, kind2.rawValue) }
    if time1.epoch != time2.epoch { return order(time1.epoch, time2.epoch) }
    if time1.timescale == time2.timescale { return order(time1.value, time2.value) }
    return order(
        Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

/// Returns the earlier of two times by ``CMTimeCompare(_:_:)``, the first if
/// they are equal.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the later of two times by ``CMTimeCompare(_:_:)``, the first if they
/// are equal.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 > time1 ? time2 : time1 }

private func order<T: Comparable>(_ a: T, _ b: T) -> Int32 { a < b ? -1 : (a == b ? 0 : 1) }

extension CMTime: CustomStringConvertible {
    /// The fields and the seconds to three decimals, as `{1/2 = 0.500}`.
    ///
    /// A rounded time adds `, rounded`, one in an epoch `, epoch` and its number.
    ///
    /// - Note: The forms `{INDEFINITE}`, `{+INFINITY}` and `{-INFINITY}`, and
    ///   that of the epoch, are not documented.
    public var description: String {
        switch kind {
        case .invalid: return "{INVALID}"
        case .indefinite: return "{INDEFINITE}"
        case .positiveInfinity: return "{+INFINITY}"
        case .negativeInfinity: return "{-INFINITY}"
        case .numeric: break
        }
        let epochPart = epoch == 0 ? "" : ", epoch \(epoch)"
        let roundedPart = hasBeenRounded ? ", rounded" : ""
        return "{\(value)/\(timescale) = \(secondsToThreeDecimals)\(epochPart)\(roundedPart)}"
    }

    /// The seconds of a numeric time as C's `%.3f` writes them: the `Double` is
    /// rounded as the exact number that it is, and ties go to the even digit.
    var secondsToThreeDecimals: String {
        let magnitude = seconds.magnitude
        var whole = magnitude.rounded(.towardZero)
        let fraction = magnitude - whole
        let product = fraction * 1000
        var thousandths = product.rounded(.toNearestOrEven)
        if product - product.rounded(.towardZero) == 0.5 {
            // The product may itself have been rounded to the tie; its error says from which side.
            let error = (-product).addingProduct(fraction, 1000)
            if error != 0 { thousandths = product.rounded(error > 0 ? .up : .down) }
        }
        if thousandths == 1000 { (whole, thousandths) = (whole + 1, 0) }
        return "\(value < 0 ? "-" : "")\(UInt64(whole)).\(UInt64(thousandths).zeroPadded(to: 3))"
    }
}

/// Returns the text of a time, as its `description`.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> String? { time.description }

/// Writes the text of a time and a newline to standard error, for debugging.
public func CMTimeShow(_ time: CMTime) { showOnStandardError(time.description) }

/// Writes one line of debugging text to standard error, as far as it takes it.
func showOnStandardError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in
        // A partial or failed write loses debugging text only; there is nobody to tell.
        _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}

/// The key of ``CMTime/value`` in the dictionary form of a time.
public let kCMTimeValueKey = "value"
/// The key of ``CMTime/timescale`` in the dictionary form of a time.
public let kCMTimeScaleKey = "timescale"
/// The key of ``CMTime/epoch`` in the dictionary form of a time.
public let kCMTimeEpochKey = "epoch"
/// The key of the raw ``CMTime/flags`` in the dictionary form of a time.
public let kCMTimeFlagsKey = "flags"

/// Returns a time as a dictionary of four integers.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
/// - Returns: `value`, `timescale`, `epoch` and `flags`, each in the integer type
///   of its field; never nil.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> [String: Any]? { time.dictionaryForm }

extension CMTime {
    /// The four fields by their keys.
    var dictionaryForm: [String: Any] {
        [
            kCMTimeValueKey: value, kCMTimeScaleKey: timescale, kCMTimeEpochKey: epoch,
            kCMTimeFlagsKey: flags.rawValue,
        ]
    }
}

/// Makes a time from its dictionary form.
///
/// - Parameter dictionary: The four entries, as integers of any type.
/// - Returns: The time, or an invalid one if the dictionary is nil, if an entry
///   is missing or not an integer, or if an integer does not fit its field.
public func CMTimeMakeFromDictionary(_ dictionary: [String: Any]?) -> CMTime {
    guard let dictionary,
        let value: CMTimeValue = integer(dictionary[kCMTimeValueKey]),
        let timescale: CMTimeScale = integer(dictionary[kCMTimeScaleKey]),
        let epoch: CMTimeEpoch = integer(dictionary[kCMTimeEpochKey]),
        let flags: UInt32 = integer(dictionary[kCMTimeFlagsKey])
    else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}

private func integer<T: FixedWidthInteger>(_ entry: Any?) -> T? {
    guard let number = entry as? any BinaryInteger else { return nil }
    return T(exactly: number)
}
