internal import MediaCore

/// When each sample of a track is decoded and shown: the tables `stts` and `ctts`.
///
/// They are kept as the runs that they are; nothing here takes longer than the
/// runs are many, whatever number of samples they claim. What is shown at a time
/// is looked for among samples that are decoded near it.
package struct SampleTiming {
    private struct DurationRun {
        var first: Int
        var time: Int64
        var duration: UInt32
    }

    private struct OffsetRun {
        var first: Int
        var offset: Int32
    }

    /// Samples that have one duration and one composition offset.
    struct Run {
        var samples: Range<Int>
        /// Decode time of the first.
        var time: Int64
        var duration: UInt32
        var offset: Int32

        func presentationTime(_ sample: Int) -> Int64 {
            time + Int64(sample - samples.lowerBound) * Int64(duration) + Int64(offset)
        }

        /// The last sample of the run that is shown at or before a time.
        func last(shownBy end: Int64) -> Int? {
            let distance = end - time - Int64(offset)
            guard distance >= 0 else { return nil }
            guard duration > 0 else { return samples.upperBound - 1 }
            return min(samples.upperBound - 1, samples.lowerBound + Int(distance / Int64(duration)))
        }
    }

    package let count: Int
    private var durations: [DurationRun] = []
    private var offsets: [OffsetRun] = []
    /// Where the last sample ends in decode time.
    package private(set) var end: Int64 = 0
    /// The least and the greatest difference between presentation and decode times.
    private var offsetBounds: ClosedRange<Int64> = 0...0

    /// Whether presentation and decode times differ.
    var hasOffsets: Bool { !offsets.isEmpty }
    /// Runs that are looked at to find what is shown at a time, at most.
    var lookupCost: Int {
        let shortest = Int64(durations.lazy.map(\.duration).min() ?? 0)
        let runs = durations.count + offsets.count
        guard shortest > 0 else { return runs }
        return min(runs, Int(clamping: 2 * (offsetBounds.upperBound - offsetBounds.lowerBound) / shortest) + 2)
    }

    /// The times of no sample.
    init() { count = 0 }

    /// Reads the tables; samples that they leave out are like the last that they name.
    ///
    /// - Parameter factor: How many new ticks each tick of the tables is to be.
    init(
        durations table: TableBytes, offsets offsetTable: TableBytes?, count: Int, factor: UInt32
    ) throws(MovieError) {
        self.count = count
        let runs = try table.limitedCount(at: 4, entrySize: 8)
        durations.reserveCapacity(runs)
        var (first, time): (Int, Int64) = (0, 0)
        for index in 0..<runs where first < count {
            let samples = min(Int(table.u32(8 + index * 8)), count - first)
            guard samples > 0 else { continue }
            let (duration, overflow) = table.u32(12 + index * 8).multipliedReportingOverflow(by: factor)
            guard !overflow else { throw MovieError(.unsupported, "its samples are too long for finer ticks") }
            durations.append(DurationRun(first: first, time: time, duration: duration))
            first += samples
            time = try Self.advance(time, by: duration, times: samples)
        }
        guard count == 0 || !durations.isEmpty else { throw MovieError(.damaged, "its samples have no times") }
        if first < count, let last = durations.last {
            time = try Self.advance(time, by: last.duration, times: count - first)
        }
        end = time
        if let offsetTable { try readOffsets(offsetTable, factor: factor) }
    }

    /// Longest media time: what 68 years of the finest timescale come to.
    private static func advance(_ time: Int64, by duration: UInt32, times: Int) throws(MovieError) -> Int64 {
        let (span, overflow) = Int64(duration).multipliedReportingOverflow(by: Int64(times))
        guard !overflow, span < 1 << 61, time + span < 1 << 61 else {
            throw MovieError(.damaged, "its samples last longer than can be")
        }
        return time + span
    }

    private mutating func readOffsets(_ table: TableBytes, factor: UInt32) throws(MovieError) {
        let runs = try table.limitedCount(at: 4, entrySize: 8)
        offsets.reserveCapacity(runs)
        var first = 0
        for index in 0..<runs where first < count {
            let samples = min(Int(table.u32(8 + index * 8)), count - first)
            guard samples > 0 else { continue }
            // Version 0 is unsigned by the letter, but writers put negative numbers there too.
            let value = Int64(Int32(bitPattern: table.u32(12 + index * 8))) * Int64(factor)
            guard let offset = Int32(exactly: value) else {
                throw MovieError(.unsupported, "its samples are too far apart for finer ticks")
            }
            if offsets.last?.offset != offset { offsets.append(OffsetRun(first: first, offset: offset)) }
            first += samples
        }
        if !offsets.isEmpty, first < count, offsets.last?.offset != 0 {
            offsets.append(OffsetRun(first: first, offset: 0))
        }
        let all = offsets.map { Int64($0.offset) }
        if let least = all.min(), let greatest = all.max() { offsetBounds = least...greatest }
    }

    // MARK: One sample

    func decodeTime(_ sample: Int) -> Int64 {
        guard let run = durationRun(of: sample) else { return 0 }
        return durations[run].time + Int64(sample - durations[run].first) * Int64(durations[run].duration)
    }

    package func duration(_ sample: Int) -> UInt32 { durationRun(of: sample).map { durations[$0].duration } ?? 0 }

    func offset(_ sample: Int) -> Int32 { offsetRun(of: sample).map { offsets[$0].offset } ?? 0 }

    package func presentationTime(_ sample: Int) -> Int64 { decodeTime(sample) + Int64(offset(sample)) }

    private func durationRun(of sample: Int) -> Int? {
        let index = durations.partitioningIndex { $0.first > sample }
        return index > 0 ? index - 1 : nil
    }

    private func offsetRun(of sample: Int) -> Int? {
        let index = offsets.partitioningIndex { $0.first > sample }
        return index > 0 ? index - 1 : nil
    }

    // MARK: Runs

    /// Gives the runs of a range of samples in order.
    func forEachRun(in samples: Range<Int>, _ body: (Run) -> Void) {
        guard var duration = durationRun(of: samples.lowerBound), samples.lowerBound < count else { return }
        var offset = offsetRun(of: samples.lowerBound)
        var first = samples.lowerBound
        let end = min(samples.upperBound, count)
        while first < end {
            let durationEnd = duration + 1 < durations.count ? durations[duration + 1].first : count
            let nextOffset = offset.map { $0 + 1 } ?? 0
            let offsetEnd = nextOffset < offsets.count ? offsets[nextOffset].first : count
            let last = min(durationEnd, offsetEnd, end)
            let run = durations[duration]
            body(
                Run(
                    samples: first..<last, time: run.time + Int64(first - run.first) * Int64(run.duration),
                    duration: run.duration, offset: offset.map { offsets[$0].offset } ?? 0))
            first = last
            if last == durationEnd { duration += 1 }
            if last == offsetEnd { offset = nextOffset }
        }
    }

    // MARK: What is shown

    /// The sample shown at a time: the one with the greatest presentation time up to it.
    func sample(shownAt time: Int64) -> Int? {
        var found: (sample: Int, time: Int64)?
        let spread = offsetBounds.upperBound - offsetBounds.lowerBound
        forEachRun(in: candidates(shownBy: time, before: spread)) { run in
            guard let sample = run.last(shownBy: time) else { return }
            let presentationTime = run.presentationTime(sample)
            if presentationTime >= found?.time ?? .min { found = (sample, presentationTime) }
        }
        return found?.sample
    }

    /// The last sample in decode order that is shown before a time.
    func lastSample(shownBefore time: Int64) -> Int? {
        var found: Int?
        forEachRun(in: candidates(shownBy: time - 1, before: 0)) { run in
            if let sample = run.last(shownBy: time - 1) { found = sample }
        }
        return found
    }

    /// Samples among which the last one is that is shown by a time.
    ///
    /// - Parameter spread: Those are meant too that are decoded by so much before one that surely is.
    private func candidates(shownBy time: Int64, before spread: Int64) -> Range<Int> {
        // Whatever is decoded then is shown by then, and nothing is that is decoded later than the other end.
        let sure = firstSample(decodedAfter: time - offsetBounds.upperBound) - 1
        let end = firstSample(decodedAfter: time - offsetBounds.lowerBound)
        guard sure >= 0 else { return 0..<end }
        let start = spread > 0 ? firstSample(decodedAfter: decodeTime(sure) - spread - 1) : sure
        return min(start, end)..<end
    }

    /// The number of samples that are decoded at or before a time.
    private func firstSample(decodedAfter time: Int64) -> Int {
        let index = durations.partitioningIndex { $0.time > time }
        guard index > 0 else { return 0 }
        let run = durations[index - 1]
        let next = index < durations.count ? durations[index].first : count
        guard run.duration > 0 else { return next }
        return min(next, run.first + Int((time - run.time) / Int64(run.duration)) + 1)
    }

    /// The first presentation time at or after a time.
    func earliestTime(from start: Int64) -> Int64? {
        var found: Int64?
        let sure = firstSample(decodedAfter: start - offsetBounds.lowerBound - 1)
        let first = firstSample(decodedAfter: start - offsetBounds.upperBound - 1)
        let spread = offsetBounds.upperBound - offsetBounds.lowerBound
        let end = sure < count ? firstSample(decodedAfter: decodeTime(sure) + spread) : count
        forEachRun(in: first..<max(first, end)) { run in
            let before = run.last(shownBy: start - 1).map { $0 + 1 } ?? run.samples.lowerBound
            guard before < run.samples.upperBound else { return }
            found = min(found ?? .max, run.presentationTime(before))
        }
        return found
    }

    /// The sample shown first.
    func earliestSample() -> Int? {
        var found: (sample: Int, time: Int64)?
        forEachRun(in: hasOffsets ? 0..<count : 0..<min(1, count)) { run in
            let time = run.presentationTime(run.samples.lowerBound)
            if time < found?.time ?? .max { found = (run.samples.lowerBound, time) }
        }
        return found?.sample
    }

    /// From the first presentation time of some samples to the last end.
    func presentationBounds(of samples: Range<Int>) -> Range<Int64> {
        var (start, end): (Int64, Int64) = (.max, .min)
        forEachRun(in: samples) { run in
            start = min(start, run.presentationTime(run.samples.lowerBound))
            end = max(end, run.presentationTime(run.samples.upperBound - 1) + Int64(run.duration))
        }
        return start <= end ? start..<end : 0..<0
    }
}
