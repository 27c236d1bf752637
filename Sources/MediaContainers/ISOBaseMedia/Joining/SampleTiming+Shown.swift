extension SampleTiming {
    /// The sample that is on screen when an edit begins, and how much earlier than that it does.
    func early(at media: EditTimeline.MediaMapping) -> (sample: Int, by: Int64)? {
        guard media.rate == 1 << 16, let sample = sample(shownAt: media.start) else { return nil }
        let late = media.start - presentationTime(sample)
        return late > 0 && late < Int64(Int32.max) ? (sample, late) : nil
    }

    /// The decode time of the first sample in decode order that is shown in a range.
    func firstDecoded(in media: Range<Int64>, _ early: (sample: Int, by: Int64)?) -> Int64 {
        var found: Int?
        forEachRun(in: 0..<count) { run in
            guard found == nil else { return }
            let next = run.last(shownBy: media.lowerBound - 1).map { $0 + 1 } ?? run.samples.lowerBound
            if next < run.samples.upperBound, run.presentationTime(next) < media.upperBound { found = next }
        }
        if let early { found = min(found ?? early.sample, early.sample) }
        return found.map(decodeTime) ?? media.lowerBound
    }

    /// The samples that are shown from a time on, in decode order.
    func samples(from time: Int64) -> [Range<Int>] {
        var result: [Range<Int>] = []
        forEachRun(in: 0..<count) { run in
            let next = run.last(shownBy: time - 1).map { $0 + 1 } ?? run.samples.lowerBound
            guard next < run.samples.upperBound else { return }
            if let last = result.last, last.upperBound == next {
                result[result.count - 1] = last.lowerBound..<run.samples.upperBound
            } else {
                result.append(next..<run.samples.upperBound)
            }
        }
        return result
    }
}
