import FFmpegKit
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import ImageGeneration
@testable import MediaEngine

@Suite(.serialized) struct `Work done for stills` {
    /// Looks frames up by number, which are 512 ticks long in the MP4 fixtures.
    private func lookUp(_ numbers: [Int], in reader: FrameReader, ticks: Int64 = 512, start: Int64 = 0) throws {
        for number in numbers {
            guard case .shown(let shown) = try reader.frame(at: start + Int64(number) * ticks) else {
                Issue.record("frame \(number) cannot be had")
                continue
            }
            #expect(shown.ticks == start + Int64(number) * ticks)
        }
    }

    @Test func `Ten stills in one GOP take one seek`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp([100, 102, 103, 105, 107, 110, 113, 116, 119, 123], in: reader)
        #expect(reader.counters.entries == 1)
        #expect(reader.counters.decoded <= 25 + 24, "one GOP and what is read ahead")
    }

    @Test func `Stills in ascending order take at most one seek for each GOP`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp(Array(stride(from: 0, to: 250, by: 5)), in: reader)
        #expect(reader.counters.entries <= 10)
        #expect(reader.counters.decoded <= 250)
    }

    @Test func `A sparse selection does not decode what lies between`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp([0, 125, 225], in: reader)
        #expect(reader.counters.entries <= 3)
        #expect(reader.counters.decoded <= 3 * 24)
    }

    @Test func `A still of the same time again costs nothing`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp([60], in: reader)
        let before = reader.counters
        try lookUp([60, 60], in: reader)
        #expect(reader.counters == before)
    }

    @Test func `A still at a sync sample decodes little`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp([200], in: reader)
        #expect(reader.counters.entries == 1)
        #expect(reader.counters.decoded <= 8)
    }

    @Test func `A file with one keyframe is decoded once`() throws {
        let (reader, _) = try Fixture("long-gop.mp4").makeReader()
        try lookUp([10, 100, 101, 290], in: reader)
        #expect(reader.counters.entries == 1)
        #expect(reader.counters.decoded <= 300)
    }

    @Test(arguments: ["h264.ts", "h264-open-gop.ts", "hevc-open-gop.ts"])
    func `A stream without an index needs few seeks`(_ name: String) throws {
        let (reader, _) = try Fixture(name).makeReader()
        try lookUp([3, 30, 31, 32, 40, 60, 90], in: reader, ticks: 3600, start: 133_200)
        #expect(reader.counters.entries <= 8)
        #expect(reader.counters.decoded <= 400)
    }

    @Test func `A stream without times is entered at the byte positions of its frames`() throws {
        let (reader, _) = try Fixture("raw.h264").makeReader()
        try lookUp([0, 1, 20, 50, 99], in: reader, ticks: 48_000)
        #expect(reader.counters.entries <= 3)
        #expect(reader.counters.decoded <= 100)
    }

    @Test func `A reader gives its file back for the next one`() throws {
        let fixture = Fixture("movie.mp4")
        let source = fixture.source
        let index = try #require(try source.describe().videoTrack).streamIndex
        for number in [10, 200, 30] {
            let reader = try FrameReader(source: source, streamIndex: index)
            try lookUp([number], in: reader)
            reader.finish()
        }
    }

    @Test func `A reader that was cancelled stops with an error`() throws {
        let (reader, _) = try Fixture("movie.mp4").makeReader()
        try lookUp([10], in: reader)
        reader.interrupt.cancel()
        let error = #expect(throws: FFmpegError.self) { try reader.frame(at: 240 * 512) }
        #expect(error?.kind == .cancelled)
    }
}
