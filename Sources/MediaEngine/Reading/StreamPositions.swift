internal import MediaAsset
internal import MediaCore

/// Where the frames of a stream lie whose container leads to none of them, as a pass over the file has found out.
///
/// With it such a stream is entered at any of its entry points, and packets get the times that they have in a pass from the
/// beginning, which is where the container's own depend on.
struct StreamPositions: Sendable {
    let frames: [FrameIndex.Frame]
    /// When each frame is decoded: never before one that precedes it, nor after any that follows is shown.
    private let decodeTicks: [Int64]
    /// The frames at which decoding can begin, in order of presentation and of decoding.
    private let entries: [Int]

    /// - Returns: `nil` where times go back, so that a time does not tell a place, or nothing can be entered.
    init?(_ track: FrameIndex.Track) {
        let frames = track.frames
        let entries = frames.indices.filter { index in
            let frame = frames[index]
            guard frame.isShown, frame.position != nil else { return false }
            // One that looks like the frame before it would be taken for that.
            if index > 0, frames[index - 1].position == frame.position, frames[index - 1].byteCount == frame.byteCount {
                return false
            }
            return frame.entry == .clean || frame.entry == .recovery
        }
        let areInOrder = zip(entries, entries.dropFirst()).allSatisfy { earlier, later in
            frames[earlier].presentation < frames[later].presentation
                && (frames[earlier].position ?? 0) <= (frames[later].position ?? 0)
        }
        guard !entries.isEmpty, areInOrder,
            let decode = Self.storedDecodeTicks(of: frames) ?? Self.assumedDecodeTicks(of: frames)
        else { return nil }
        (self.frames, self.entries, decodeTicks) = (frames, entries, decode)
    }

    /// The decode times of the container, where they are what they should be.
    private static func storedDecodeTicks(of frames: [FrameIndex.Frame]) -> [Int64]? {
        let stored = frames.compactMap(\.decode)
        guard stored.count == frames.count, zip(stored, stored.dropFirst()).allSatisfy({ $0 <= $1 }),
            zip(stored, frames).allSatisfy({ $0 <= $1.presentation })
        else { return nil }
        return stored
    }

    /// The presentation times in order, moved back by as many places as it takes; `nil` where that is more than any decoder
    /// holds back, so that times cannot be what they are for.
    private static func assumedDecodeTicks(of frames: [FrameIndex.Frame]) -> [Int64]? {
        let sorted = frames.map(\.presentation).sorted()
        var delay = 0
        for (index, frame) in frames.enumerated() {
            delay = max(delay, index - sorted.partitioningIndex { $0 > frame.presentation } + 1)
        }
        guard delay <= longestDelay, let first = sorted.first, let step = frames.first?.duration else { return nil }
        return frames.indices.map { index in
            index >= delay ? sorted[index - delay] : first &- Int64(delay - index) &* max(1, step)
        }
    }

    /// More frames than any codec holds back to bring them into order.
    private static let longestDelay = 64

    /// The times of the entry points.
    var syncSamples: SyncSamples { SyncSamples(entries.map { frames[$0].presentation }) }

    /// The last frame at which decoding can begin that is not shown after a time; `nil` if there is none.
    func entry(notAfter ticks: Int64) -> Int? {
        let count = entries.partitioningIndex { frames[$0].presentation > ticks }
        return count > 0 ? entries[count - 1] : nil
    }

    /// Where reading begins that is to give a frame.
    ///
    /// A frame that begins within a packet of the container follows the end of another one, which a parser that begins there
    /// would take for its beginning: reading begins with the frame before it.
    func readingPosition(ofFrame number: Int) -> Int64? {
        guard let place = frames[number].position else { return nil }
        guard number > 0 else { return 0 }
        if let before = frames[number - 1].position, place - before == frames[number - 1].byteCount { return place }
        return frames[..<number].last { ($0.position ?? place) < place }?.position ?? 0
    }

    func decodeTicks(ofFrame number: Int) -> Int64 { decodeTicks[number] }
}

/// The presentation times of sync samples as a container's index lists them.
struct SyncSamples {
    /// In ascending order.
    private let ticks: [Int64]

    init(_ ticks: [Int64] = []) { self.ticks = ticks.sorted() }

    var isEmpty: Bool { ticks.isEmpty }

    /// Whether no sync sample lies between two times.
    func isOneGOP(_ earlier: Int64, _ later: Int64) -> Bool { count(through: earlier) == count(through: later) }

    /// Whether there are some on both sides of a range.
    func surround(_ range: ClosedRange<Int64>) -> Bool {
        guard let first = ticks.first, let last = ticks.last else { return false }
        return first < range.lowerBound && last > range.upperBound
    }

    /// The last one of a range at or before a time, else the next.
    func nearest(to target: Int64, within range: ClosedRange<Int64>) -> Int64? {
        let count = count(through: target)
        if count > 0, ticks[count - 1] >= range.lowerBound { return ticks[count - 1] }
        guard count < ticks.count, ticks[count] <= range.upperBound else { return nil }
        return ticks[count]
    }

    /// How many lie at or before a time.
    private func count(through time: Int64) -> Int { ticks.partitioningIndex { $0 > time } }
}
