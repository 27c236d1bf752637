import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

/// A second of a timeline in tenths: what is shown in each, `nil` for nothing.
private typealias Tenths = [Int?]

private func time(_ tenths: Int) -> CMTime { CMTime(value: CMTimeValue(tenths), timescale: 10) }

private func range(_ tenths: Range<Int>) -> CMTimeRange {
    CMTimeRange(start: time(tenths.lowerBound), end: time(tenths.upperBound))
}

/// A tenth of a track is told by its place in its media, a thousand for each of them.
private func piece(media: Int, from start: Int, count: Int) -> TrackTimeline<Int>.Segment {
    TrackTimeline.Segment(media: media, source: range(start..<(start + count)), target: range(0..<count))
}

extension TrackTimeline<Int> {
    /// What is shown at the middle of each tenth.
    fileprivate var tenths: Tenths {
        let count = Int((end.seconds * 10).rounded())
        return (0..<count).map { tenth in
            let middle = CMTime(value: CMTimeValue(2 * tenth + 1), timescale: 20)
            guard let segment = segment(at: middle), let media = segment.media else { return nil }
            return media * 1000 + Int((segment.sourceTime(at: middle).seconds * 10).rounded(.down))
        }
    }
}

extension Tenths {
    /// Without emptiness at the end.
    fileprivate var trimmed: Tenths { Array(prefix((lastIndex { $0 != nil } ?? -1) + 1)) }
}

@Suite struct `The timeline of a composition's track` {
    @Test(arguments: Tier.some(0..<40, 15))
    func `The timeline of a track is that of a model after random edits`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var timeline = TrackTimeline<Int>()
        var model: Tenths = []
        for _ in 0..<60 {
            let at = Int.random(in: 0...(model.count + 3), using: &random)
            let count = Int.random(in: 1...6, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let (media, start) = (Int.random(in: 1...3, using: &random), Int.random(in: 0..<50, using: &random))
                timeline.insert([piece(media: media, from: start, count: count)], at: time(at))
                model += Tenths(repeating: nil, count: Swift.max(0, at - model.count))
                model.insert(contentsOf: (start..<(start + count)).map { media * 1000 + $0 }, at: at)
            case 2:
                timeline.insertEmpty(range(at..<(at + count)))
                if at < model.count { model.insert(contentsOf: Tenths(repeating: nil, count: count), at: at) }
            default:
                timeline.remove(range(at..<(at + count)))
                if at < model.count { model.removeSubrange(at..<Swift.min(model.count, at + count)) }
            }
            model = model.trimmed
            #expect(timeline.tenths == model)
        }
        var end = CMTime.zero
        for segment in timeline.segments {
            #expect(segment.target.start == end && segment.target.duration > .zero)
            #expect(segment.isEmpty || segment.source.duration == segment.target.duration)
            end = segment.target.end
        }
        #expect(timeline.segments.last?.isEmpty != true)
    }

    @Test func `The timeline of a track scales a range and moves what follows`() throws {
        var timeline = TrackTimeline<Int>()
        timeline.insert([piece(media: 1, from: 0, count: 30)], at: .zero)
        timeline.scale(range(10..<20), to: time(5))
        #expect(timeline.segments.map(\.target) == [range(0..<10), range(10..<15), range(15..<25)])
        #expect(timeline.segments.map(\.source) == [range(0..<10), range(10..<20), range(20..<30)])
        let fast = try #require(timeline.segment(at: time(12)))
        #expect(fast.isScaled && fast.sourceTime(at: time(12)) == time(14))
        #expect(fast.targetTime(ofSource: time(14)) == time(12))
    }

    @Test func `The timeline of a track stays exact with many timescales`() {
        var timeline = TrackTimeline<Int>()
        let lengths = [
            CMTime(value: 1001, timescale: 24000), CMTime(value: 1, timescale: 25),
            CMTime(value: 1024, timescale: 48000),
        ]
        for index in 0..<300 {
            let media = CMTimeRange(start: .zero, duration: lengths[index % 3])
            timeline.insert([TrackTimeline.Segment(media: index, source: media, target: media)], at: timeline.end)
        }
        #expect(timeline.end == CMTime(value: 100 * (1001 * 10 + 9600 + 5120), timescale: 240_000))
    }

    @Test func `A slice of a timeline includes empty segments at its end`() {
        var timeline = TrackTimeline<Int>()
        timeline.insert([piece(media: 1, from: 5, count: 10)], at: time(4))
        let slice = timeline.slice(range(2..<20))
        #expect(slice.map(\.isEmpty) == [true, false, true])
        #expect(slice.map(\.target) == [range(0..<2), range(2..<12), range(12..<18)])
    }

    @Test func `A timeline refuses segments that do not follow each other`() {
        let first = piece(media: 1, from: 0, count: 5)
        #expect(TrackTimeline([first, first]) == nil)
        #expect(TrackTimeline([first])?.end == time(5))
    }
}
