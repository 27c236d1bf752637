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
