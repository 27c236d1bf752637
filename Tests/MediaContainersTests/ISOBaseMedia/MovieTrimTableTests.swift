import Foundation
import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

private typealias Builder = MovieBuilder

@Suite("The sample tables of a cut movie")
struct MovieTrimTableTests {
    /// 20 samples of 100 ms, a sync sample each five; cut to samples 5 to 11.
    private func cut(
        _ change: (inout MovieBuilder.Track) -> Void
    ) throws -> (track: MovieReading.Track, trimmed: Trimmed) {
        var track = MovieBuilder.Track(
            durations: Array(repeating: 10, count: 20), syncSamples: [1, 6, 11, 16], samples: numbered(20))
        change(&track)
        let trimmed = try Trimmed(MovieBuilder(tracks: [track]), from: milliseconds(700), to: milliseconds(1200))
        return (trimmed.movie.tracks[0], trimmed)
    }

    private func table(_ track: MovieReading.Track, _ type: String) -> [UInt8] { track.tables[type] ?? [] }

    @Test func `Tables of one value for each sample keep those of the kept samples`() throws {
        let numbers = (0..<20).map { UInt8($0) }
        let (track, _) = try cut {
            $0.tables =
                Builder.box("sdtp", Builder.u32(0), numbers)
                + Builder.box("stdp", Builder.u32(0), numbers.flatMap { [$0, $0] })
                + Builder.box("padb", Builder.u32(0), Builder.u32(20), (0..<10).map { UInt8($0 * 16 + 5) })
        }
        #expect(table(track, "sdtp") == [0, 0, 0, 0] + Array(5..<12))
        let priorities: [UInt8] = (5..<12).flatMap { (sample: UInt8) -> [UInt8] in [sample, sample] }
        #expect(table(track, "stdp") == [0, 0, 0, 0] + priorities)
        // Samples 5 to 11 have 5, 3, 5, 4, 5, 5, 5: each byte holds two.
        #expect(table(track, "padb") == [0, 0, 0, 0, 0, 0, 0, 7, 0x53, 0x54, 0x55, 0x50])
    }

    @Test func `Tables of sample numbers are counted anew`() throws {
        let (track, _) = try cut {
            $0.tables =
                Builder.table("stps", [[3], [9], [20]]) + Builder.table("stsh", [[8, 6], [9, 1], [12, 11]])
                + Builder.box(
                    "subs", Builder.u32(0), Builder.u32(3),
                    // Samples 2, 8 and 12, with one, two and no parts.
                    Builder.u32(2) + Builder.u16(1) + [0, 9, 1, 0, 0, 0, 0, 1],
                    Builder.u32(6) + Builder.u16(2) + [0, 8, 1, 0, 0, 0, 0, 2, 0, 7, 1, 0, 0, 0, 0, 3],
                    Builder.u32(4) + Builder.u16(0))
        }
        #expect(table(track, "stss") == Builder.u32(0) + Builder.u32(2) + Builder.u32(1) + Builder.u32(6))
        #expect(table(track, "stps") == Builder.u32(0) + Builder.u32(1) + Builder.u32(4))
        #expect(table(track, "stsh") == Builder.u32(0) + Builder.u32(2) + [3, 1, 7, 6].flatMap { Builder.u32($0) })
        let parts: [UInt8] = [0, 8, 1, 0, 0, 0, 0, 2, 0, 7, 1, 0, 0, 0, 0, 3]
        #expect(
            table(track, "subs")
                == Builder.u32(0) + Builder.u32(2) + Builder.u32(3) + Builder.u16(2) + parts + Builder.u32(4)
                + Builder.u16(0))
    }

    @Test func `Groups of samples are cut, and their descriptions stay`() throws {
        let description = Builder.box(
            "sgpd", Builder.u32(1 << 24), Array("tele".utf8), Builder.u32(1), Builder.u32(1), [128])
        let (track, _) = try cut {
            $0.tables =
                description
                + Builder.box(
                    "sbgp", Builder.u32(0), Array("tele".utf8), Builder.u32(3),
                    [4, 1, 3, 0, 9, 2].flatMap { Builder.u32($0) })
        }
        #expect(Builder.box("sgpd", table(track, "sgpd")) == description)
        #expect(
            table(track, "sbgp")
                == Builder.u32(0) + Array("tele".utf8) + Builder.u32(2) + [2, 0, 5, 2].flatMap { Builder.u32($0) })
    }

    @Test func `Compact groups become plain ones`() throws {
        // Two patterns: groups 1, 0 over eight samples, group 3 over the rest; fields of eight bits.
        let (track, _) = try cut {
            $0.tables = Builder.box(
                "csgp", Builder.u32(0b01_01_01), Array("abcd".utf8), Builder.u32(2), [2, 8, 1, 12], [1, 0, 3])
        }
        #expect(
            table(track, "sbgp")
                == Builder.u32(0) + Array("abcd".utf8) + Builder.u32(4)
                + [1, 0, 1, 1, 1, 0, 4, 3].flatMap { Builder.u32($0) })
    }

    @Test func `Compact sizes, several descriptions and long offsets are understood`() throws {
        let (track, _) = try cut {
            $0.sizeBox = Builder.box(
                "stz2", Builder.u32(0), Builder.u32(4), Builder.u32(20), Array(repeating: 0x33, count: 10))
            $0.entries = [$0.entries[0], ("s263", $0.entries[0].content)]
            $0.chunks = [(0, 1), (4, 2), (8, 1), (10, 1), (15, 2)]
        }
        #expect(track.samples.map(\.bytes) == Array(numbered(20)[5..<12]))
        #expect(track.samples.map(\.description) == [2, 2, 2, 1, 1, 1, 1])
        var film = MovieBuilder(tracks: [MovieBuilder.Track(durations: [10, 10], samples: numbered(2))])
        film.isLong = true
        let short = try Trimmed(film, from: milliseconds(100), to: milliseconds(200))
        #expect(short.movie.tracks[0].tables["co64"] == nil)
        #expect(short.movie.tracks[0].samples.map(\.bytes) == [numbered(2)[1]])
    }

    @Test func `The bounds of composition are those of the kept samples`() throws {
        var film = MovieBuilder.Track(
            durations: Array(repeating: 10, count: 8), offsets: [0, 20, -10, -10, 10, 30, 0, 0], syncSamples: [1, 5],
            samples: numbered(8))
        film.tables = Builder.box(
            "cslg", [0, 10, -10, 30, 0, 90].flatMap { (field: Int) in Builder.u32(field & 0xFFFF_FFFF) })
        let trimmed = try Trimmed(MovieBuilder(tracks: [film]), from: milliseconds(500), to: milliseconds(700))
        // From the fifth sample on, which is shown 10 after it is decoded.
        #expect(
            table(trimmed.movie.tracks[0], "cslg")
                == [0, 0, 0, 30, 10, 50].flatMap { (field: Int) in Builder.u32(field) })
    }

    @Test func `Information on encrypted samples is cut with them`() throws {
        let vectors = (0..<20).map { (sample: UInt8) -> [UInt8] in sample % 2 == 0 ? [1, sample] : [2, 0, sample] }
        let file = MovieBuilder(tracks: [
            MovieBuilder.Track(
                durations: Array(repeating: 10, count: 20), syncSamples: [1, 6, 11, 16], samples: numbered(20),
                tables: Builder.box("saiz", Builder.u32(0), [0], Builder.u32(20), vectors.map { UInt8($0.count) })
                    + Builder.box("saio", Builder.u32(0), Builder.u32(1), Array("here".utf8))
                    + Builder.box("senc", Builder.u32(0), Builder.u32(20), vectors.flatMap { $0 }))
        ]).bytes
        // The offset is that of the entries of `senc`, as packagers do.
        var bytes = file
        let place = try #require(file.ranges(of: Array("senc".utf8)).first).lowerBound + 12
        bytes.replaceSubrange(try #require(file.ranges(of: Array("here".utf8)).first), with: Builder.u32(place))
        let trimmed = try Trimmed(bytes, from: milliseconds(700), to: milliseconds(1200))
        let track = trimmed.movie.tracks[0]
        let kept = Array(vectors[5..<12])
        #expect(table(track, "saiz") == Builder.u32(0) + [0] + Builder.u32(7) + kept.map { UInt8($0.count) })
        #expect(table(track, "senc") == Builder.u32(0) + Builder.u32(7) + kept.flatMap { $0 })
        let offset = MovieReading.u64(table(track, "saio"), 8)
        #expect(Array(trimmed.file[offset..<(offset + 18)]) == kept.flatMap { $0 })
        #expect(track.samples.map(\.bytes) == Array(numbered(20)[5..<12]))
    }

    @Test func `Samples that share their bytes still share them after a cut`() throws {
        var track = MovieBuilder.Track(durations: [10, 10, 10, 10], samples: numbered(4))
        let head = MovieBuilder(tracks: []).head.count + 8
        // Four chunks of one sample each: the second and the fourth lie at one place.
        track.chunks = [(0, 1), (1, 1), (2, 1), (3, 1)]
        var bytes = MovieBuilder(tracks: [track]).bytes
        let place = try #require(bytes.ranges(of: Array("stco".utf8)).first).lowerBound
        bytes.replaceSubrange((place + 24)..<(place + 28), with: Builder.u32(head + 3))
        let trimmed = try Trimmed(bytes, from: milliseconds(100), to: milliseconds(400))
        #expect(trimmed.movie.tracks[0].samples.map(\.bytes) == [1, 2, 1].map { numbered(4)[$0] })
        #expect(trimmed.movie.boxes.last?.content == numbered(4)[1] + numbered(4)[2])
    }

    // MARK: Sound

    @Test func `Audio with a sample for each frame is cut between frames or packets`() throws {
        // Sixteen-bit stereo in QuickTime's old way: each moment a sample of one byte.
        func entry(_ extra: [UInt8], version: Int) -> [UInt8] {
            Builder.zeros(7) + [1] + Builder.u16(version) + Builder.zeros(6) + Builder.u16(2) + Builder.u16(16)
                + Builder.zeros(4) + Builder.u32(1000 << 16) + extra
        }
        let frames = (0..<1000).map { Builder.u16($0) + Builder.u16($0) }
        var sound = MovieBuilder.Track(
            handler: "soun", timescale: 1000, entries: [("sowt", entry([], version: 0))],
            durations: Array(repeating: 1, count: 1000), samples: frames,
            sizeBox: Builder.box("stsz", Builder.u32(0), Builder.u32(1), Builder.u32(1000)))
        sound.chunks = [(0, 1), (400, 1)]
        let trimmed = try Trimmed(MovieBuilder(tracks: [sound]), from: milliseconds(123), to: milliseconds(456))
        #expect(trimmed.movie.boxes.last?.content == frames[123..<456].flatMap { $0 })
        #expect(trimmed.movie.tracks[0].edits == [.init(duration: 333, mediaTime: 0, rate: 65536)])
        // Packets of 64 moments in 34 bytes.
        sound.entries = [("ima4", entry([64, 34, 34, 2].flatMap { Builder.u32($0) }, version: 1))]
        sound.samples = (0..<16).map { Array(repeating: UInt8($0), count: 34) }
        sound.durations = Array(repeating: 1, count: 1024)
        sound.sizeBox = Builder.box("stsz", Builder.u32(0), Builder.u32(1), Builder.u32(1024))
        sound.chunks = nil
        let packets = try Trimmed(MovieBuilder(tracks: [sound]), from: milliseconds(200), to: milliseconds(300))
        #expect(packets.movie.boxes.last?.content == sound.samples[3..<5].flatMap { $0 })
        #expect(packets.movie.tracks[0].edits == [.init(duration: 100, mediaTime: 8, rate: 65536)])
    }

    @Test func `Audio is pre-rolled as far as its sample groups say`() throws {
        let sound = MovieBuilder.Track(
            handler: "soun", timescale: 1000, entries: [("Opus", Builder.zeros(7) + [1] + Builder.zeros(20))],
            durations: Array(repeating: 20, count: 100), samples: numbered(100),
            tables: Builder.box(
                "sgpd", Builder.u32(1 << 24), Array("roll".utf8), Builder.u32(2), Builder.u32(1), [0xFF, 0xFA]))
        let trimmed = try Trimmed(MovieBuilder(tracks: [sound]), from: milliseconds(1010), to: milliseconds(1100))
        #expect(trimmed.movie.tracks[0].samples.map(\.bytes) == Array(numbered(100)[44..<55]))
        #expect(trimmed.movie.tracks[0].edits == [.init(duration: 90, mediaTime: 130, rate: 65536)])
    }

    // MARK: Large files

    @Test func `Sample offsets beyond 4 GiB have 64 bits`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("large.mov")
        // Three samples of 3 GB, which take no room on the disk.
        let size = 3_000_000_000
        let track = MovieBuilder.Track(
            durations: [10, 10, 10], samples: [], chunks: [(0, 1), (1, 1), (2, 1)],
            sizeBox: Builder.box(
                "stsz", Builder.u32(0), Builder.u32(0), Builder.u32(3), [size, size, size].flatMap { Builder.u32($0) }))
        var film = MovieBuilder(tracks: [track])
        film.isLong = true
        var movie = film.bytes
        let place = try #require(movie.ranges(of: Array("co64".utf8)).first).lowerBound
        let start = movie.count + 16
        let offsets: [UInt8] = [0, size, 2 * size].flatMap { (offset: Int) in Builder.u64(start + offset) }
        movie.replaceSubrange((place + 12)..<(place + 36), with: offsets)
        let header = Builder.u32(1) + Array("mdat".utf8) + Builder.u64(16 + 3 * size)
        try Data(movie + header).write(to: URL(fileURLWithPath: path))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(start + 3 * size))
        try handle.close()
        let file = try #require(RandomAccessFile(path: path))
        let plan = try MovieTrim(file: file).plan()
        let segments = plan.rewrite().segments
        let bytes = segments.newBytes
        #expect(segments.last == .source(UInt64(start)..<UInt64(start + 3 * size)))
        #expect(Array(bytes.suffix(16)) == header)
        let data = 24 + bytes.count
        let table = try #require(bytes.ranges(of: Array("co64".utf8)).first).lowerBound
        let moved: [UInt8] = [0, size, 2 * size].flatMap { (offset: Int) in Builder.u64(data + offset) }
        #expect(Array(bytes[(table + 12)..<(table + 36)]) == moved)
        // One of the three fits in 32 bits again.
        let half = try MovieTrim(file: file).plan(range: CMTimeRange(start: milliseconds(100), end: milliseconds(200)))
        #expect(half.byteCount < 3_100_000_000)
        let short = half.rewrite().segments.newBytes
        #expect(short.ranges(of: Array("stco".utf8)).count == 1)
        #expect(Array(short.suffix(8)) == Builder.u32(size + 8) + Array("mdat".utf8))
    }
}

extension [FileRewrite.Segment] {
    /// All that does not come from the source.
    fileprivate var newBytes: [UInt8] {
        flatMap { segment -> [UInt8] in if case .bytes(let bytes) = segment { bytes } else { [] } }
    }
}
