/// A span of time from a start up to, not including, its end.
///
/// Source: CoreMedia `CMTimeRange`.
public struct CMTimeRange: Hashable, Sendable, BitwiseCopyable {
    /// The first instant of the span.
    public var start: CMTime
    /// The length of the span; epoch 0, and not negative in a valid range.
    public var duration: CMTime

    /// Creates a range whose start and duration are both invalid.
    public init() {
        start = .invalid
        duration = .invalid
    }

    /// Creates a range from a start and a length.
    ///
    /// A duration whose epoch is not 0 gives ``invalid``.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
        if duration.epoch != 0 { self = .invalid }
    }

    /// Creates a range from a start up to, not including, an end.
    ///
    /// An end before the start gives a range that is not valid, since its
    /// duration is negative.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }

    /// The empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = CMTimeRange()

    /// Whether the start and the duration are valid, and the duration has epoch
    /// 0 and is not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }

    /// Whether the range is valid, but its start or duration is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether the range is valid and lasts zero seconds.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// The first instant after the range: start plus duration.
    public var end: CMTime { start + duration }

    /// Whether the range is valid and its start and duration can be reckoned
    /// with: neither is indefinite nor without a timescale.
    var isDefinite: Bool {
        isValid && !isIndefinite && start.kind != .invalid && duration.kind != .invalid
    }
}

extension CMTimeRange: CustomStringConvertible {
    /// The start and the duration in braces, each in the form of a time.
    public var description: String { "{\(start), \(duration)}" }
}

// MARK: - Free functions

/// The empty range at zero, as ``CMTimeRange/zero``.
public let kCMTimeRangeZero = CMTimeRange.zero
/// No range at all, as ``CMTimeRange/invalid``.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Tells whether a range is valid; see ``CMTimeRange/isValid``.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Tells whether a range is not valid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Tells whether a range is valid but not known.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Tells whether a range is valid and lasts zero seconds.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// Makes a range from a start and a length; see
/// ``CMTimeRange/init(start:duration:)``.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Makes a range from a start up to an end; see ``CMTimeRange/init(start:end:)``.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the first instant after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Tells whether two ranges have equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns the text of a range, as its `description`.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> String? { range.description }

/// Writes the text of a range and a newline to standard error, for debugging.
public func CMTimeRangeShow(_ range: CMTimeRange) { showOnStandardError(range.description) }

/// The key of ``CMTimeRange/start`` in the dictionary form of a range.
public let kCMTimeRangeStartKey = "start"
/// The key of ``CMTimeRange/duration`` in the dictionary form of a range.
public let kCMTimeRangeDurationKey = "duration"

/// Returns a range as a dictionary of two times in their dictionary form.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
/// - Returns: `start` and `duration`; never nil.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> [String: Any]? {
    range.dictionaryForm
}

extension CMTimeRange {
    /// The dictionary forms of start and duration by their keys.
    var dictionaryForm: [String: Any] {
        [kCMTimeRangeStartKey: start.dictionaryForm, kCMTimeRangeDurationKey: duration.dictionaryForm]
    }
}

/// Makes a range from its dictionary form.
///
/// - Returns: The range, or an invalid one if the dictionary is nil or an entry
///   is not the dictionary form of a time.
public func CMTimeRangeMakeFromDictionary(_ dictionary: [String: Any]?) -> CMTimeRange {
    guard let start = dictionary?[kCMTimeRangeStartKey] as? [String: Any],
        let duration = dictionary?[kCMTimeRangeDurationKey] as? [String: Any]
    else { return .invalid }
    return CMTimeRange(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}

extension CMTimeRange {
    /// Tells whether a time lies at or after the start and before the end.
    ///
    /// - Note: False for an indefinite time and for a range that is indefinite
    ///   or not valid.
    public func containsTime(_ time: CMTime) -> Bool {
        isDefinite && time.kind != .indefinite && start <= time && time < end
    }

    /// Tells whether another range lies within this one.
    ///
    /// - Note: A range contains itself. An empty range lies within this one if
    ///   its start does or is this one's end. False if either is indefinite or
    ///   not valid.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isDefinite && range.isDefinite && start <= range.start && range.end <= end
            && start.epoch == range.start.epoch
    }

    /// Returns the smallest range that holds both ranges, and any gap between
    /// them.
    ///
    /// Invalid if the starts are of different epochs.
    ///
    /// - Note: Invalid if either range is; an empty range counts as its start,
    ///   so the union reaches there.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid, start.epoch == otherRange.start.epoch else { return .invalid }
        return CMTimeRange(
            start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
    }

    /// Returns the largest range that lies within both ranges.
    ///
    /// - Note: Ranges that share no instant, empty ones among them, give
    ///   ``zero``. Invalid if either range is, or if the starts are of different
    ///   epochs. An indefinite end counts as later than every numeric time.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid, start.epoch == otherRange.start.epoch else { return .invalid }
        let latestStart = CMTimeMaximum(start, otherRange.start)
        let earliestEnd = CMTimeMinimum(end, otherRange.end)
        guard latestStart < earliestEnd else { return .zero }
        return CMTimeRange(start: latestStart, end: earliestEnd)
    }
}

/// Tells whether a time lies within a range; see
/// ``CMTimeRange/containsTime(_:)``.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// Tells whether a range lies within another; see
/// ``CMTimeRange/containsTimeRange(_:)``.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// Returns the smallest range that holds both; see ``CMTimeRange/union(_:)``.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// Returns the largest range within both; see ``CMTimeRange/intersection(_:)``.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}

/// Returns the time within a range that is nearest to a time.
///
/// A time within the range is returned as it is, an earlier one gives the start,
/// a later one the end. Invalid if the time is invalid or the range is empty.
///
/// - Note: Invalid also if the time is indefinite, or the range is indefinite or
///   not valid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard range.isDefinite, !range.isEmpty, time.kind != .invalid, time.kind != .indefinite else { return .invalid }
    return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Maps a time linearly so that one range becomes another.
///
/// A time outside `fromRange` is mapped along the same line. Ranges that are
/// both infinitely long shift the time from one start to the other. Invalid if
/// either range is empty, or if the epoch of the time is not that of the start
/// of `fromRange`.
///
/// - Note: An infinite or indefinite time maps to itself. Invalid if a range is
///   not valid, if a start is not numeric, or if one duration only is infinite.
///   The offset into the target is exact where a timescale can hold it, at the
///   smallest multiple of the target duration's timescale that does.
public func CMTimeMapTimeFromRangeToRange(
    _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    guard canMap(fromRange, to: toRange), fromRange.start.kind == .numeric, toRange.start.kind == .numeric,
        time.kind != .invalid
    else { return .invalid }
    guard time.kind == .numeric else { return time }
    guard time.epoch == fromRange.start.epoch else { return .invalid }
    let offset = scale(time - fromRange.start, from: fromRange.duration, to: toRange.duration)
    return toRange.start + offset
}

/// Scales a duration by the ratio of the durations of two ranges.
///
/// Invalid if the epoch of the duration is not 0.
///
/// - Note: Invalid also if either range is empty or not valid, or if one of
///   their durations only is infinite; if both are, the duration is returned as
///   it is. An infinite or indefinite duration maps to itself. The result is
///   exact where a timescale can hold it.
public func CMTimeMapDurationFromRangeToRange(
    _ duration: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    guard canMap(fromRange, to: toRange), duration.kind != .invalid, duration.epoch == 0 else { return .invalid }
    guard duration.kind == .numeric else { return duration }
    return scale(duration, from: fromRange.duration, to: toRange.duration)
}

/// Wraps a time into a range, as the position within a loop that is played over
/// and over.
///
/// The result lies a whole number of durations away from the time.
///
/// - Note: In a range without end a time from the start on is returned as it is.
///   Invalid if the time is not numeric or of another epoch than the start of
///   the range, if the range is empty, indefinite or not valid, and if the time
///   lies before a range without end.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    let (start, duration) = (foldRange.start, foldRange.duration)
    guard foldRange.isDefinite, !foldRange.isEmpty, start.kind == .numeric, time.kind == .numeric,
        time.epoch == start.epoch
    else { return .invalid }
    if foldRange.containsTime(time) { return time }
    let offset = time - start
    guard duration.kind == .numeric, offset.kind == .numeric else { return .invalid }
    let common = Int128(leastCommonMultiple(UInt64(offset.timescale), UInt64(duration.timescale)))
    let length = Int128(duration.value) * (common / Int128(duration.timescale))
    var ticks = Int128(offset.value) * (common / Int128(offset.timescale)) % length
    if ticks < 0 { ticks += length }
    let timescale = CMTimeScale(min(common, Int128(kCMTimeMaxTimescale)))
    let folded =
        start
        + ExactSeconds(isNegative: false, multiplicand: ticks.magnitude, divisor: UInt128(common))
        .time(at: timescale, flags: offset.numericFlags)
    // Rounding up to a coarser tick can reach the end, which is the start of the next turn.
    return folded < foldRange.end ? folded : start
}

/// Whether two ranges can be mapped to one another: both are known and not
/// empty, and none or both last for ever.
private func canMap(_ fromRange: CMTimeRange, to toRange: CMTimeRange) -> Bool {
    guard fromRange.isDefinite, toRange.isDefinite, !fromRange.isEmpty, !toRange.isEmpty else { return false }
    let (from, to) = (fromRange.duration.kind, toRange.duration.kind)
    return from == to && from != .negativeInfinity
}

/// Multiplies a numeric time by the ratio of two durations that are both
/// numeric and positive, or both infinite, when the ratio counts as 1.
private func scale(_ time: CMTime, from: CMTime, to: CMTime) -> CMTime {
    guard time.kind == .numeric, from.kind == .numeric, to.kind == .numeric else { return time }
    let flags = time.numericFlags.union(from.numericFlags).union(to.numericFlags)
    return ExactSeconds(
        isNegative: time.value < 0, multiplicand: UInt128(time.value.magnitude),
        multiplier: UInt128(to.value.magnitude) * UInt128(from.timescale),
        divisor: UInt128(time.timescale) * UInt128(from.value.magnitude) * UInt128(to.timescale)
    ).time(exactNear: to.timescale, flags: flags)
}

extension [CMTimeRange] {
    /// The places of two ranges that have a moment in common, the one that begins first before the other; `nil` if no
    /// two have.
    package var firstOverlap: (first: Int, second: Int)? {
        let order = indices.sorted { self[$0].start < self[$1].start }
        for (first, second) in zip(order, order.dropFirst()) where self[second].start < self[first].end {
            return (first, second)
        }
        return nil
    }

    /// What of a range none of these covers, in order of time.
    package func gaps(in range: CMTimeRange) -> [CMTimeRange] {
        var (gaps, position) = ([CMTimeRange](), range.start)
        for covered in sorted(by: { $0.start < $1.start }) where position < range.end {
            let start = CMTimeMinimum(covered.start, range.end)
            if position < start { gaps.append(CMTimeRange(start: position, end: start)) }
            position = CMTimeMaximum(position, covered.end)
        }
        if position < range.end { gaps.append(CMTimeRange(start: position, end: range.end)) }
        return gaps
    }
}
