import MediaCore
import Testing
import avtool_worker

@Suite struct `What cut lists keep` {
    private static func list(_ meaning: CutList.Meaning, _ segments: [CutList.Segment]) -> CutList {
        CutList(format: .mplayer, meaning: meaning, segments: segments)
    }

    private static func range(_ start: Int64, _ end: Int64) -> CMTimeRange { CMTimeRange(start: t(start), end: t(end)) }

    @Test func `A keep list keeps its segments in order, clipped to the duration`() throws {
        let list = Self.list(.keep, [s(t(5), nil, line: 1), s(t(1), t(3), line: 2), s(t(2), t(99), line: 3)])
        #expect(try list.kept(within: t(10)) == [Self.range(5, 10), Self.range(1, 3), Self.range(2, 10)])
    }

    @Test func `A list of overlapping cuts keeps what is left between them`() throws {
        let list = Self.list(.cut, [s(t(6), t(8), line: 1), s(t(1), t(3), line: 2), s(t(2), t(4), line: 3)])
        #expect(try list.kept(within: t(10)) == [Self.range(0, 1), Self.range(4, 6), Self.range(8, 10)])
        #expect(try Self.list(.cut, [s(.zero, nil, line: 1)]).kept(within: t(10)) == [])
        #expect(try Self.list(.cut, [s(t(10), t(12), line: 1)]).kept(within: t(10)) == [Self.range(0, 10)])
    }

    @Test func `Segments that begin after the end of the media file are refused`() {
        let list = Self.list(.keep, [s(t(5), nil, line: 1), s(t(21, 2), nil, line: 7)])
        for duration in [t(10), t(21, 2)] {
            let error = #expect(throws: CutListError.self) { try list.kept(within: duration) }
            #expect(
                error?.description
                    == "line 7: begins at 10.5 s, but the film ends at \(duration == t(10) ? "10" : "10.5") s")
        }
        for duration in [CMTime.invalid, .indefinite, .positiveInfinity, .zero, t(-1)] {
            let error = #expect(throws: CutListError.self) { try list.kept(within: duration) }
            #expect(error?.description == "the film's length is not known")
        }
    }

    @Test func `Kept ranges are exact in timescales that have little in common`() throws {
        let list = Self.list(.cut, [s(t(1001, 90000), t(1, 75), line: 1), s(t(1, 3), t(44_101, 44_100), line: 2)])
        let kept = try list.kept(within: t(90_001, 90_000))
        #expect(kept.map(\.start) == [.zero, t(1, 75)])
        #expect(kept.map(\.end) == [t(1001, 90000), t(1, 3)])
    }

    @Test func `Kept ranges are those of a brute-force search, tick by tick`() throws {
        var generator = SeededGenerator(seed: 58)
        for _ in 0..<3000 {
            let length = Int64.random(in: 1...24, using: &generator)
            let segments = (0..<Int.random(in: 1...6, using: &generator)).map { index in
                let start = Int64.random(in: 0...28, using: &generator)
                let end = start + Int64.random(in: 1...10, using: &generator)
                let scale = Int64([1, 2, 3, 7].randomElement(using: &generator) ?? 1)
                let isOpen = Int.random(in: 0..<8, using: &generator) == 0
                return s(t(start * scale, Int32(scale)), isOpen ? nil : t(end), line: index + 1)
            }
            let kept = try Self.list(.cut, segments).kept(within: t(length))
            for tick in 0..<length {
                let isCut = segments.contains { $0.start <= t(tick) && t(tick) < ($0.end ?? t(length)) }
                let count = kept.count { $0.containsTime(t(tick)) }
                #expect(count == (isCut ? 0 : 1))
            }
            // Nothing is empty, touches the next, or is outside of the film.
            #expect(kept.allSatisfy { $0.start >= .zero && $0.duration > .zero && $0.end <= t(length) })
            #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.end < $1.start })
            // What is left of what is left is what was cut.
            let rest = kept.map { s($0.start, $0.end, line: 1) }
            let cut = try Self.list(.cut, rest).kept(within: t(length))
            for tick in 0..<length {
                let time = t(tick)
                #expect(cut.contains { $0.containsTime(time) } != kept.contains { $0.containsTime(time) })
            }
        }
    }

    @Test func `An inverted list keeps what the list leaves out`() throws {
        let list = Self.list(.keep, [s(t(5), nil, line: 1), s(t(1), t(3), line: 2)])
        #expect(try list.inverted.kept(within: t(10)) == [Self.range(0, 1), Self.range(3, 5)])
        #expect(list.inverted.inverted == list)
    }
}
