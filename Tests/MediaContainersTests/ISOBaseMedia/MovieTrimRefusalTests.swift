import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

private typealias Builder = MovieBuilder

@Suite("Movies that cannot be cut")
struct MovieTrimRefusalTests {
    private static let track = MovieBuilder.Track(
        durations: Array(repeating: 10, count: 20), samples: numbered(20))

    /// Which kind of error a change to a movie leads to.
    private func kind(
        from start: CMTime? = .zero, to end: CMTime = milliseconds(500), _ change: (inout MovieBuilder) -> Void
    ) -> MovieError.Kind? {
        var film = MovieBuilder(tracks: [Self.track])
        change(&film)
        do {
            _ = try Trimmed(film, from: start, to: end)
            return nil
        } catch { return (error as? MovieError)?.kind }
    }

    @Test func `Movies that cannot be cut are refused with the reason`() {
        #expect(kind { _ in } == nil)
        #expect(kind { $0.tail = Builder.box("moof", []) } == .unsupported)
        #expect(kind { $0.movieBoxes = Builder.box("cmov", []) } == .unsupported)
        #expect(kind { $0.movieBoxes = Builder.box("meta", Builder.u32(0), Builder.box("iloc", [])) } == .unsupported)
        #expect(kind { $0.tracks[0].dataReference = Builder.box("url ", Builder.u32(0)) } == .unsupported)
        #expect(kind { $0.tracks[0].edits = [.init(duration: 1000, mediaTime: 0, rate: -1)] } == .unsupported)
        #expect(kind { $0.tracks[0].timescale = 0 } == .damaged)
        #expect(kind { $0.timescale = 0 } == .damaged)
        #expect(kind { $0.tracks[0].entries = [] } == .damaged)
        #expect(kind(from: milliseconds(500)) { $0.tracks = [] } == .emptyRange)
        #expect(
            kind { $0.tracks[0].sizeBox = Builder.box("stsz", Builder.u32(0), Builder.u32(1 << 20), Builder.u32(20)) }
                == .damaged)
        #expect(kind { $0.tracks[0].tables = Builder.box("saiz", Builder.zeros(9)) } == .unsupported)
    }

    @Test func `An error of a cut names its track, and a cut without that track succeeds`() throws {
        var film = MovieBuilder(tracks: [Self.track, Self.track])
        film.tracks[1].id = 7
        film.tracks[1].timescale = 0
        let trim = try MovieTrim(file: RandomAccessFile(bytes: film.bytes))
        #expect(trim.tracks[1].problem?.contains("timescale") == true)
        let error = #expect(throws: MovieError.self) { try trim.plan() }
        #expect(error?.trackID == 7)
        #expect(error?.reason.hasPrefix("track 7: ") == true)
        #expect(try trim.plan(keeping: [1]).tracks.count == 1)
    }

    @Test func `A file that is no movie is an error`() {
        for bytes in [[], Builder.zeros(64), Builder.box("ftyp", Builder.zeros(8)), Builder.box("moov", [])] {
            #expect(throws: MovieError.self) { try MovieTrim(file: RandomAccessFile(bytes: bytes)) }
        }
    }

    // MARK: Hostile tables

    @Test func `Tables that claim billions of entries cost no more than their bytes`() throws {
        let huge = 0xFFFF_FFFF
        let runs = Builder.box("stts", Builder.u32(0), Builder.u32(huge), Builder.u32(huge), Builder.u32(huge))
        let names = ["stts", "ctts", "stss", "stsc", "stsz", "stco", "elst", "stsd", "dref", "sbgp", "subs", "sdtp"]
        let clock = ContinuousClock()
        let time = clock.measure {
            for name in names {
                var film = MovieBuilder(tracks: [Self.track])
                film.tracks[0].offsets = Array(repeating: 0, count: 20)
                film.tracks[0].syncSamples = [1]
                film.tracks[0].edits = [.init(duration: 1000, mediaTime: 0)]
                film.tracks[0].tables =
                    Builder.box(
                        "sbgp", Builder.u32(0), Array("roll".utf8), Builder.u32(1), Builder.u32(20), Builder.u32(1))
                    + Builder.box("subs", Builder.u32(0), Builder.u32(0)) + Builder.box("sdtp", Builder.zeros(24))
                    + runs
                var bytes = film.bytes
                guard let place = bytes.ranges(of: Array(name.utf8)).first?.upperBound else { continue }
                for offset in [4, 8, 12, 16] {
                    bytes = film.bytes
                    bytes.replaceSubrange((place + offset)..<(place + offset + 4), with: Builder.u32(huge))
                    _ = try? Trimmed(bytes, from: milliseconds(100), to: milliseconds(500))
                }
            }
        }
        #expect(time < .seconds(5))
    }

    @Test func `Times at the limit of their numbers do not overflow`() {
        for mediaTime in [0, 1 << 30, 0x7FFF_FFFF] {
            for rate in [1, 99.0] {
                var film = MovieBuilder(tracks: [Self.track])
                film.timescale = 1
                film.tracks[0].timescale = 0xFFFF_FFFF
                film.tracks[0].durations = Array(repeating: 0xFFFF_FFFF, count: 20)
                film.tracks[0].offsets = Array(repeating: -0x8000_0000, count: 20)
                film.tracks[0].edits = [.init(duration: 0x7FFF_FFF0, mediaTime: mediaTime, rate: rate)]
                _ = try? Trimmed(film, from: milliseconds(1), to: CMTime(value: 0x7FFF_FFEF, timescale: 1))
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A constant size for billions of samples takes no time`() throws {
        // One chunk claims 4 294 967 295 samples of one byte in a row.
        var film = MovieBuilder(tracks: [Self.track])
        film.tracks[0].handler = "soun"
        film.tracks[0].durations = []
        film.tracks[0].samples = [Builder.zeros(1000)]
        film.tracks[0].sizeBox = Builder.box("stsz", Builder.u32(0), Builder.u32(1), Builder.u32(0xFFFF_FFFF))
        var bytes = film.bytes
        let times = try #require(bytes.ranges(of: Array("stts".utf8)).first).upperBound
        bytes.replaceSubrange((times + 4)..<(times + 8), with: Builder.u32(1))
        #expect((try? MovieTrim(file: RandomAccessFile(bytes: bytes)).tracks.first?.problem) != nil)
        film.tracks[0].durations = [1]
        bytes = film.bytes
        let runs = try #require(bytes.ranges(of: Array("stts".utf8)).first).upperBound
        bytes.replaceSubrange((runs + 8)..<(runs + 12), with: Builder.u32(0xFFFF_FFFF))
        let chunks = try #require(bytes.ranges(of: Array("stsc".utf8)).first).upperBound
        bytes.replaceSubrange((chunks + 12)..<(chunks + 16), with: Builder.u32(0xFFFF_FFFF))
        let trimmed = try Trimmed(bytes, from: milliseconds(1000), to: milliseconds(2000))
        #expect(trimmed.plan.tracks[0].byteCount == 101)
        #expect(throws: MovieError.self) {
            try Trimmed(bytes, from: milliseconds(1000), to: milliseconds(200_000))
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: 0..<8)
    func `A change of any byte does not crash the cut`(seed: UInt64) throws {
        var track = Self.track
        track.offsets = Array(repeating: 10, count: 20)
        track.syncSamples = [1, 11]
        track.edits = [.init(duration: 500, mediaTime: -1), .init(duration: 1000, mediaTime: 10)]
        track.tables =
            Builder.box("sbgp", Builder.u32(0), Array("rap ".utf8), Builder.u32(1), Builder.u32(20), Builder.u32(1))
            + Builder.box("cslg", Builder.zeros(24))
            + Builder.box("stps", Builder.u32(0), Builder.u32(1), Builder.u32(7))
            + Builder.box("csgp", Builder.u32(0x15), Array("abcd".utf8), Builder.u32(1), [2, 20, 1, 0])
            + Builder.box("saiz", Builder.u32(0), [2], Builder.u32(20)) + Builder.table("saio", [[8]])
            + Builder.box("padb", Builder.u32(0), Builder.u32(20), Builder.zeros(10))
        let source = MovieBuilder(tracks: [track, Self.track]).bytes
        let start = try #require(source.ranges(of: Array("moov".utf8)).first).lowerBound
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let value: UInt8 =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
                    ?? 0
                bytes[Int.random(in: start..<bytes.count, using: &random)] = value
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<64, using: &random)) }
            let file = RandomAccessFile(bytes: bytes)
            guard let trim = try? MovieTrim(file: file) else { continue }
            for range in [nil, CMTimeRange(start: milliseconds(333), end: milliseconds(1111))] {
                guard let plan = try? trim.plan(range: range) else { continue }
                guard plan.byteCount < 1 << 20 else { continue }
                #expect(UInt64(plan.rewrite().bytes(of: file).count) == plan.byteCount)
            }
        }
    }

    @Test func `A movie cut off at any byte is refused or read`() {
        var film = MovieBuilder(tracks: [Self.track])
        film.tracks[0].edits = [.init(duration: 1000, mediaTime: 10)]
        let bytes = film.bytes
        for count in bytes.indices {
            let file = RandomAccessFile(bytes: Array(bytes.prefix(count)))
            _ = try? MovieTrim(file: file).plan(range: CMTimeRange(start: .zero, end: milliseconds(300)))
        }
    }
}
