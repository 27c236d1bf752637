package import MediaCore

/// A value that goes evenly from one to another during a range of time.
package struct Ramp<Value: Interpolatable>: Equatable, Sendable {
    /// When the value changes; of infinite length for one that stays.
    package var timeRange: CMTimeRange
    /// The value when the range begins.
    package var start: Value
    /// The value that is reached when the range ends.
    package var end: Value

    package init(timeRange: CMTimeRange, start: Value, end: Value) {
        (self.timeRange, self.start, self.end) = (timeRange, start, end)
    }

    /// Whether the value stays as it is.
    package var isFlat: Bool { start == end }

    /// The value at a time; the nearer end's outside the range.
    package func value(at time: CMTime) -> Value {
        if isFlat || time <= timeRange.start { return start }
        if time >= timeRange.end { return end }
        let fraction = (time - timeRange.start).seconds / timeRange.duration.seconds
        // A range without end is never half over.
        return fraction.isFinite ? .interpolated(from: start, to: end, fraction: min(max(fraction, 0), 1)) : start
    }

    /// The part of the ramp up to a time within it.
    func prefix(upTo time: CMTime) -> Ramp {
        Ramp(timeRange: CMTimeRange(start: timeRange.start, end: time), start: start, end: value(at: time))
    }

    /// The part of the ramp from a time within it on.
    func suffix(from time: CMTime) -> Ramp {
        Ramp(timeRange: CMTimeRange(start: time, end: timeRange.end), start: value(at: time), end: end)
    }
}
