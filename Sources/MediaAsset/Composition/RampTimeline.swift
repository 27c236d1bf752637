package import Foundation
package import MediaCore

/// A value over time: set at times from which on it holds, and ramps between values.
///
/// Before the first time for which one is set, it is the initial value; what a ramp has reached holds until the next
/// time for which a value is set. Where a ramp overlaps what was set before, it replaces it, and what is left of that
/// on either side stays. A value set at a time holds until the next one that was set after that time; of a ramp that is
/// under way then, nothing remains.
package struct RampTimeline<Value: Interpolatable>: Equatable, Sendable {
    /// What the value is before anything is set.
    package let initial: Value
    private var entries: [Entry] = []

    /// A ramp, or a value that holds.
    private struct Entry: Equatable, Sendable {
        var start: CMTime
        /// `nil` for a value that holds until the next entry.
        var end: CMTime?
        var from: Value
        var to: Value
    }

    package init(initial: Value) { self.initial = initial }

    /// Whether nothing is set.
    package var isEmpty: Bool { entries.isEmpty }

    // MARK: Setting

    /// Has a value hold from a time on, until the next time for which one is set.
    ///
    /// Nothing changes if the time is not numeric.
    package mutating func set(_ value: Value, at time: CMTime) {
        guard time.isNumeric, time.timescale > 0 else { return }
        let index = entries.partitioningIndex { $0.start >= time }
        cutEntry(before: index, at: time)
        let isReplaced = index < entries.endIndex && entries[index].start == time
        entries.replaceSubrange(
            index..<(isReplaced ? index + 1 : index), with: [Entry(start: time, end: nil, from: value, to: value)])
    }

    /// Has the value go evenly from one to another during a range.
    ///
    /// An empty range sets the second value at its start, an endless one the first. Nothing changes if the start is not
    /// numeric, or the range not valid.
    package mutating func setRamp(from start: Value, to end: Value, during timeRange: CMTimeRange) {
        guard timeRange.isValid, !timeRange.isIndefinite, timeRange.start.isNumeric else { return }
        guard !timeRange.isEmpty else { return set(end, at: timeRange.start) }
        let (first, last) = (timeRange.start, timeRange.end)
        guard last.isNumeric, first < last else { return setForever(start, at: first) }
        let low = entries.partitioningIndex { $0.start >= first }
        let high = entries.partitioningIndex { $0.start >= last }
        let tail = high > 0 ? remainder(of: entries[high - 1], after: last) : nil
        cutEntry(before: low, at: first)
        entries.replaceSubrange(
            low..<high, with: [Entry(start: first, end: last, from: start, to: end)] + (tail.map { [$0] } ?? []))
    }

    private mutating func setForever(_ value: Value, at time: CMTime) {
        set(value, at: time)
        entries.removeAll { $0.start > time }
    }

    /// Ends the entry before an index, if it is a ramp that is not over at a time.
    private mutating func cutEntry(before index: Int, at time: CMTime) {
        guard index > 0, let end = entries[index - 1].end, time < end else { return }
        let part = ramp(at: index - 1).prefix(upTo: time)
        entries[index - 1].end = time
        entries[index - 1].to = part.end
    }

    /// What is left of a ramp after a time; `nil` if it is over.
    private func remainder(of entry: Entry, after time: CMTime) -> Entry? {
        guard let end = entry.end, time < end else { return nil }
        let whole = Ramp(timeRange: CMTimeRange(start: entry.start, end: end), start: entry.from, end: entry.to)
        return Entry(start: time, end: end, from: whole.value(at: time), to: entry.to)
    }

    // MARK: Getting

    /// The value at a time; before the first one set, and at a time that is not valid, the initial one.
    ///
    /// - Complexity: The logarithm of how often something was set.
    package func value(at time: CMTime) -> Value {
        guard time.isValid, !time.isIndefinite else { return initial }
        let index = entries.partitioningIndex { $0.start > time }
        guard index > 0 else { return initial }
        return ramp(at: index - 1).value(at: time)
    }

    /// The ramp in whose range a time lies, else the first one after it; `nil` after the last one.
    ///
    /// A value that holds is a flat ramp, up to the next entry.
    package func ramp(at time: CMTime) -> Ramp<Value>? {
        guard time.isValid, !time.isIndefinite else { return nil }
        let index = entries.partitioningIndex { $0.start > time }
        if index > 0, ramp(at: index - 1).timeRange.containsTime(time) { return ramp(at: index - 1) }
        return index < entries.endIndex ? ramp(at: index) : nil
    }

    private func ramp(at index: Int) -> Ramp<Value> {
        let entry = entries[index]
        let next = index + 1 < entries.endIndex ? entries[index + 1].start : .positiveInfinity
        return Ramp(
            timeRange: CMTimeRange(start: entry.start, end: entry.end ?? next), start: entry.from, end: entry.to)
    }
}

extension RampTimeline {
    /// The value over a range as ramps that follow each other without a gap, from its start to its end.
    ///
    /// The initial value, and what holds between ramps, are flat ramps among them. What a sample's value is can be
    /// reckoned from these alone. Empty if the range is, or its start is not numeric; the end may be infinite.
    package func segments(over range: CMTimeRange) -> [Ramp<Value>] {
        guard range.isValid, !range.isIndefinite, !range.isEmpty, range.start.isNumeric else { return [] }
        var result: [Ramp<Value>] = []
        var position = range.start
        while position < range.end {
            let next = segment(at: position)
            let end = CMTimeMinimum(next.timeRange.end, range.end)
            var part = next.timeRange.start < position ? next.suffix(from: position) : next
            if end < part.timeRange.end { part = part.prefix(upTo: end) }
            // Times so fine that they are rounded could stand still.
            guard position < end else { break }
            result.append(part)
            position = end
        }
        return result
    }

    /// The ramp that a time lies in, or the flat one that fills the gap it lies in.
    private func segment(at time: CMTime) -> Ramp<Value> {
        guard let ramp = ramp(at: time) else {
            return flat(value(at: time), CMTimeRange(start: time, end: .positiveInfinity))
        }
        guard time < ramp.timeRange.start else { return ramp }
        return flat(value(at: time), CMTimeRange(start: time, end: ramp.timeRange.start))
    }

    private func flat(_ value: Value, _ range: CMTimeRange) -> Ramp<Value> {
        Ramp(timeRange: range, start: value, end: value)
    }

    /// Whether the value is the same all through a range.
    package func isConstant(over range: CMTimeRange) -> Bool {
        let segments = segments(over: range)
        return segments.allSatisfy { $0.isFlat && $0.start == segments[0].start }
    }
}

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
    var isFlat: Bool { start == end }

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

/// A value that a ramp can lead from and to.
package protocol Interpolatable: Equatable, Sendable {
    /// The value a share of the way from one to another.
    ///
    /// - Parameter fraction: From 0, which gives `start` itself, to 1, which gives `end` itself.
    static func interpolated(from start: Self, to end: Self, fraction: Double) -> Self
}

/// A number a share of the way from one to another; both ends come out exactly.
private func mixed(_ start: Double, _ end: Double, _ fraction: Double) -> Double {
    fraction >= 1 ? end : start + (end - start) * fraction
}

extension Float: Interpolatable {
    package static func interpolated(from start: Float, to end: Float, fraction: Double) -> Float {
        Float(mixed(Double(start), Double(end), fraction))
    }
}

extension CGAffineTransform: Interpolatable {
    /// Each of the six numbers for itself: a turn by a ramp shrinks on its way, as in AVFoundation.
    package static func interpolated(
        from start: CGAffineTransform, to end: CGAffineTransform, fraction: Double
    ) -> CGAffineTransform {
        CGAffineTransform(
            a: mixed(start.a, end.a, fraction), b: mixed(start.b, end.b, fraction),
            c: mixed(start.c, end.c, fraction), d: mixed(start.d, end.d, fraction),
            tx: mixed(start.tx, end.tx, fraction), ty: mixed(start.ty, end.ty, fraction))
    }
}

extension CGRect: Interpolatable {
    /// Origin and size for themselves, those of empty rectangles too.
    package static func interpolated(from start: CGRect, to end: CGRect, fraction: Double) -> CGRect {
        CGRect(
            x: mixed(start.origin.x, end.origin.x, fraction), y: mixed(start.origin.y, end.origin.y, fraction),
            width: mixed(start.size.width, end.size.width, fraction),
            height: mixed(start.size.height, end.size.height, fraction))
    }
}
