import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("Gaps between joined movies")
struct MovieJoinGapTests {
    private static let film = MovieBuilder(tracks: [
        MovieBuilder.Track(durations: Array(repeating: 10, count: 10), syncSamples: [1], samples: numbered(10))
    ])

    private static func sound(_ type: String, fields: [UInt8], size: Int) -> MovieBuilder {
        MovieBuilder(tracks: [
            MovieBuilder.Track(
                handler: "soun", timescale: 1000, entries: [(type, fields)],
                durations: Array(repeating: 1, count: 1000),
                samples: (0..<1000).map { Array(repeating: UInt8($0 % 200 + 1), count: size) },
                sizeBox: MovieBuilder.box(
                    "stsz", MovieBuilder.u32(0), MovieBuilder.u32(size), MovieBuilder.u32(1000)))
        ])
    }

    @Test func `A gap at the start of joined movies is an empty edit`() throws {
        let joined = try Joined([.init(gapLasting: milliseconds(400)), .init(Self.film, lasting: 1000)])
        #expect(
            joined.movie.tracks[0].edits == [
                .init(duration: 400, mediaTime: -1, rate: 65536), .init(duration: 1000, mediaTime: 0, rate: 65536),
            ])
        #expect(joined.movie.duration == 1400)
    }

    @Test func `Gaps between joined movies hold the last frame, or are empty edits if asked for`() throws {
        let pieces: [MovieJoin.Segment] = [
            try .init(Self.film, 0, 500), .init(gapLasting: milliseconds(400)), .init(Self.film, lasting: 1000),
        ]
        let held = try Joined(pieces)
        #expect(held.movie.tracks[0].edits.allSatisfy { $0.mediaTime >= 0 })
        let shown = held.movie.shown(held.movie.tracks[0])
        #expect(shown.map(\.bytes) == Array(numbered(10)[..<5]) + numbered(10))
        #expect(shown.map(\.start) == ([0, 100, 200, 300, 400] + (9..<19).map { $0 * 100 }).map(milliseconds))
        let empty = try Joined(pieces, gaps: .empty)
        #expect(empty.movie.tracks[0].edits.map(\.mediaTime).contains(-1))
        #expect(empty.movie.tracks[0].edits.map(\.duration) == [500, 400, 1000])
    }

    @Test func `Gaps between joined movies last to the end of the movie, not of a track`() throws {
        let joined = try Joined([.init(Self.film, lasting: 1000), .init(gapLasting: milliseconds(500))])
        #expect(joined.movie.duration == 1500)
        #expect(joined.movie.tracks[0].duration == 1000)
    }

    @Test func `Gaps between joined movies are samples of silence in uncompressed audio`() throws {
        let fields = MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(8) + [0, 1, 0, 16] + MovieBuilder.zeros(4)
        let film = Self.sound("sowt", fields: fields + MovieBuilder.u32(1000 << 16), size: 2)
        let joined = try Joined([
            .init(film, lasting: 1000), .init(gapLasting: milliseconds(300)), .init(film, lasting: 1000),
        ])
        let sound = joined.movie.tracks[0]
        #expect(sound.samples.count == 2300)
        #expect(sound.samples[1000..<1300].allSatisfy { $0.bytes == [0, 0] })
        #expect(Set(sound.samples.map(\.duration)) == [1])
        // One stretch of media, so that readers need not look for any part of it.
        #expect(sound.edits.isEmpty)
    }

    @Test func `Gaps between joined movies are a text without characters in a text track`() throws {
        let track = MovieBuilder.Track(
            handler: "sbtl", entries: [("tx3g", MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(30))],
            durations: [50, 50], samples: [[0, 1, 65], [0, 1, 66]])
        let film = MovieBuilder(tracks: [track])
        let joined = try Joined([
            .init(film, lasting: 1000), .init(gapLasting: milliseconds(300)), .init(film, lasting: 1000),
        ])
        #expect(
            joined.movie.tracks[0].samples.map(\.bytes) == [
                [0, 1, 65], [0, 1, 66], [0, 0], [0, 1, 65], [0, 1, 66],
            ])
        #expect(joined.movie.tracks[0].samples.map(\.duration) == [50, 50, 30, 50, 50])
    }

    @Test func `Gaps between joined movies lengthen the last sample of coded audio`() throws {
        let film = Self.sound("mp4a", fields: MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(20), size: 3)
        let joined = try Joined([
            .init(film, lasting: 1000), .init(gapLasting: milliseconds(300)), .init(film, lasting: 1000),
        ])
        let sound = joined.movie.tracks[0]
        #expect(sound.samples.count == 2000)
        #expect(sound.samples[999].duration == 301)
        #expect(sound.mediaDuration == 2300)
    }

    @Test func `A movie that has nothing for a track leaves a gap when joined`() throws {
        let piece = MovieJoin.Segment(
            RandomAccessFile(bytes: Self.film.bytes), tracks: [nil], duration: milliseconds(700))
        let joined = try Joined([.init(Self.film, lasting: 1000), piece, .init(Self.film, lasting: 1000)])
        let shown = joined.movie.shown(joined.movie.tracks[0])
        #expect(shown[10].start == milliseconds(1700))
        #expect(joined.movie.duration == 2700)
    }
}
