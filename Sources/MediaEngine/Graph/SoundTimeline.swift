/// Puts pieces of decoded sound one after the other on the new timeline: what
/// is outside the range is cut off, gaps are filled, overlaps left out.
///
/// Positions count in samples from the new file's zero. Small differences
/// between where a piece should be and where the last one ended are left alone
/// until they last: many containers tell times to the millisecond only, and
/// live recordings tell when a packet arrived.
package struct SoundTimeline {
    /// What to do next.
    package enum Step: Equatable {
        case silence(Int)
        /// These samples of the piece.
        case samples(Range<Int>)
    }

    /// Where the sound so far ends; `nil` before the first piece.
    package private(set) var position: Int64?
    private(set) var filled = 0
    private(set) var overlapping = 0
    /// Whether sound begins at the range's start even if the source is silent there.
    let startsAtZero: Bool
    /// The first position left out.
    package private(set) var end: Int64?
    /// How far a piece may be off without being moved at once.
    private var jitter: Int64
    /// How far it may be off for long.
    private var drift: Int64
    /// How long "for long" is, in samples.
    private var patience: Int64
    /// A jump beyond this is a wrong time rather than a gap; `nil` for no limit.
    private var limit: Int64?

    private var smallest: Int64 = .max
    private var greatest: Int64 = .min
    private var since: Int64 = 0

    package init(
        startsAtZero: Bool, end: Int64?, jitter: Int64, drift: Int64, patience: Int64, limit: Int64? = nil
    ) {
        (self.startsAtZero, self.end, self.limit) = (startsAtZero, end, limit)
        (self.jitter, self.drift, self.patience) = (jitter, drift, patience)
    }

    /// Whether nothing more can be kept.
    var isComplete: Bool { position.map { position in end.map { position >= $0 } ?? false } ?? false }

    /// Goes on with samples of another length.
    mutating func changeRate(from old: Int, to new: Int) {
        func scaled(_ count: Int64) -> Int64 {
            Int64(clamping: (Int128(count) * Int128(new) + Int128(old / 2)) / Int128(max(1, old)))
        }
        (position, end, limit) = (position.map(scaled), end.map(scaled), limit.map(scaled))
        (jitter, drift, patience, since) = (scaled(jitter), scaled(drift), scaled(patience), 0)
    }

    /// Takes the next piece.
    ///
    /// - Parameter wanted: Where its time puts it; `nil` if it has none.
    package mutating func add(count: Int, at wanted: Int64?) -> [Step] {
        guard let position else { return begin(count: count, at: wanted ?? 0) }
        let correction = correction(for: wanted.map { $0 - position }, count: Int64(count))
        return keep(count: count, from: position, correction)
    }

    private mutating func begin(count: Int, at wanted: Int64) -> [Step] {
        // What ends before the range is of no interest.
        guard wanted + Int64(count) > 0 else { return [] }
        if let end, wanted >= end, !startsAtZero {
            position = end
            return []
        }
        guard wanted > 0, !startsAtZero else {
            let isLate = wanted > 0
            return keep(count: count, from: min(0, wanted), isLate ? wanted : 0)
        }
        return keep(count: count, from: wanted, 0)
    }

    /// How many samples to put before a piece, or to take off its beginning.
    private mutating func correction(for difference: Int64?, count: Int64) -> Int64 {
        guard let difference else { return 0 }
        if let limit, abs(difference) > limit { return 0 }
        if abs(difference) > jitter { return settled(difference) }
        if since == 0 { (smallest, greatest) = (.max, .min) }
        (smallest, greatest) = (min(smallest, difference), max(greatest, difference))
        since += count
        guard since >= patience else { return 0 }
        since = 0
        if smallest > drift { return settled(smallest) }
        return greatest < -drift ? settled(greatest) : 0
    }

    private mutating func settled(_ difference: Int64) -> Int64 {
        since = 0
        return difference
    }

    private mutating func keep(count: Int, from start: Int64, _ correction: Int64) -> [Step] {
        var steps: [Step] = []
        var place = start
        if correction > 0 {
            let last = min(place + correction, end ?? .max)
            filled += Int(last - place)
            if last > place { steps.append(.silence(Int(last - place))) }
            place = last
        }
        let skipped = Int(min(Int64(count), max(0, -correction)))
        overlapping += skipped
        // What lies before zero is cut off, what lies beyond the end too.
        let first = skipped + Int(min(Int64(count - skipped), max(0, -place)))
        let length = min(Int64(count - first), max(0, (end ?? .max) - max(0, place)))
        if place < 0 { place = min(0, place + Int64(first - skipped)) }
        if length > 0 { steps.append(.samples(first..<(first + Int(length)))) }
        position = place + length
        return steps
    }
}
