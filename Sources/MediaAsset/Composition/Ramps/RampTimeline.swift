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
