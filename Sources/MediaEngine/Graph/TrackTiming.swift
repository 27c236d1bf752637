package import MediaCore

/// Puts pieces of decoded sound one after the other on the new timeline: what
/// is outside the range is cut off, gaps are filled, overlaps left out.
///
/// Positions count in samples from the new file's zero. Small differences
/// between where a piece should be and where the last one ended are left alone
/// until they last: many containers tell times to the millisecond only, and
/// live recordings tell when a packet arrived.
struct SoundTimeline {
    /// What to do next.
    enum Step: Equatable {
        case silence(Int)
        /// These samples of the piece.
        case samples(Range<Int>)
    }

    /// Where the sound so far ends; `nil` before the first piece.
    private(set) var position: Int64?
    private(set) var filled = 0
    private(set) var overlapping = 0
    /// Whether sound begins at the range's start even if the source is silent there.
    let startsAtZero: Bool
    /// The first position left out.
    private(set) var end: Int64?
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

    init(
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
    mutating func add(count: Int, at wanted: Int64?) -> [Step] {
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

/// Finds out how long each picture is shown: until the one after it.
///
/// Where pictures must not come closer than some ticks, one that is shown for
/// less gives way to the one after it, which then comes that much earlier. All
/// others keep their times, so nothing adds up.
struct PictureSpacing<Picture> {
    struct Spaced {
        var picture: Picture
        var ticks: Int64
        var duration: Int64
    }

    private let shortest: Int64
    /// Those whose end may still change; as many as the last one may have to be fitted in with.
    private var waiting: [(picture: Picture, ticks: Int64)] = []
    private var interval: Int64
    /// Pictures that gave way.
    private(set) var dropped = 0

    /// - Parameter shortest: How many ticks lie between two pictures at least.
    init(shortest: Int64 = 1) { (self.shortest, interval) = (max(1, shortest), max(1, shortest)) }

    /// Takes the next picture.
    ///
    /// - Returns: The one whose length is known by that.
    mutating func add(_ picture: Picture, at ticks: Int64) -> Spaced? {
        if let last = waiting.last {
            guard ticks >= last.ticks + shortest else {
                waiting[waiting.count - 1].picture = picture
                dropped += 1
                return nil
            }
            interval = ticks - last.ticks
        }
        waiting.append((picture, ticks))
        guard waiting.count > (shortest > 1 ? 2 : 1) else { return nil }
        return first(until: waiting[1].ticks)
    }

    /// Takes the end of the last picture; `nil` if it is not known.
    ///
    /// A last picture that would be too short begins earlier instead of ending later.
    ///
    /// - Returns: Those that remain.
    mutating func finish(at end: Int64?) -> [Spaced] {
        guard let last = waiting.last else { return [] }
        let end = end ?? last.ticks + interval
        if waiting.count > 1, end < last.ticks + shortest {
            waiting.removeLast()
            if end - shortest >= waiting[0].ticks + shortest {
                waiting.append((last.picture, end - shortest))
            } else {
                waiting[0].picture = last.picture
                dropped += 1
            }
        }
        var result: [Spaced] = []
        while waiting.count > 1 { result.append(first(until: waiting[1].ticks)) }
        return result + [first(until: max(end, waiting[0].ticks + shortest))]
    }

    private mutating func first(until end: Int64) -> Spaced {
        let (picture, ticks) = waiting.removeFirst()
        return Spaced(picture: picture, ticks: ticks, duration: end - ticks)
    }
}

/// Where the pictures of a track are divided into segments, each encoded apart from the others.
///
/// The borders depend on how long a segment has to be and how long the film is, and on nothing else, so that they are the same
/// wherever and however the work is done.
package struct PictureSegments: Hashable, Sendable {
    /// How long each segment is but the last, which has what remains, and less than two of these.
    let length: CMTime
    /// How many there are, at least one.
    package let count: Int

    /// Divides a film.
    ///
    /// - Parameters:
    ///   - length: How long a segment is at least; a numeric time above zero.
    ///   - duration: How long the film is.
    /// - Returns: `nil` if the film's length is not known, or it has more segments than can be counted.
    package init?(length: CMTime, duration: CMTime) {
        guard length.isNumeric, length > .zero, duration.isNumeric else { return nil }
        let whole = Int128(max(0, duration.value)) * Int128(length.timescale)
        let count = max(1, whole / (Int128(length.value) * Int128(duration.timescale)))
        guard count <= Self.maximumCount else { return nil }
        (self.length, self.count) = (length, Int(count))
    }

    /// A day of segments of a second each, and then some.
    private static let maximumCount: Int128 = 100_000

    /// When a segment begins on the new file's timeline.
    package func start(of index: Int) -> CMTime {
        CMTime(value: length.value * Int64(index), timescale: length.timescale)
    }

    /// The first time that is no longer a segment's; `nil` for the last one, which goes on to the end.
    func end(of index: Int) -> CMTime? { index + 1 < count ? start(of: index + 1) : nil }
}

/// Keeps two groups of tracks in step that are made apart: pictures that are encoded in segments, and everything else.
///
/// libavformat puts packets of all tracks in order as long as none is far behind; one that is, it leaves out of account.
/// Neither group waits for one that is behind it, so that never both wait.
package final class TrackPace: Sendable {
    enum Group: Sendable, CaseIterable { case segments, others }

    private struct State {
        /// How far each group has come; what waits counts as there.
        var reached: [Group: CMTime] = [:]
        var ended: Set<Group> = []
        var isStopped = false
    }

    private let state = WaitingLock(State())
    /// How far a group may be ahead of the other one; libavformat waits for ten seconds.
    private static let lead = CMTime(value: 4, timescale: 1)

    init(_ cancellation: Cancellation) {
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    /// Waits until a group may be at a time.
    func wait(_ group: Group, at time: CMTime) throws(WorkStopped) {
        state.change { $0.reached[group] = max($0.reached[group] ?? time, time) }
        try state.wait { state throws(WorkStopped) -> Void? in
            if state.isStopped { throw WorkStopped() }
            let isInStep = Group.allCases.allSatisfy { other in
                other == group || state.ended.contains(other)
                    || time <= (state.reached[other] ?? .zero) + Self.lead
            }
            return isInStep ? () : nil
        }
    }

    /// A group has nothing more.
    func end(_ group: Group) { state.change { _ = $0.ended.insert(group) } }
}
