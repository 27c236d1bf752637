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
