import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("The tables of joined movies")
struct MovieJoinTableTests {
    private static func film(_ tables: [UInt8] = []) -> MovieBuilder {
        MovieBuilder(tracks: [
            MovieBuilder.Track(durations: [50, 50], syncSamples: [1], samples: numbered(2), tables: tables)
        ])
    }

    @Test func `Joined movies keep sample dependencies if all movies have them`() throws {
        let film = Self.film(MovieBuilder.box("sdtp", [0, 0, 0, 0, 0x20, 0x10]))
        let both = try Joined([.init(film, lasting: 1000), .init(film, lasting: 1000)])
        #expect(both.movie.tracks[0].tables["sdtp"] == [0, 0, 0, 0, 0x20, 0x10, 0x20, 0x10])
        let one = try Joined([.init(film, lasting: 1000), .init(Self.film(), lasting: 1000)])
        #expect(one.movie.tracks[0].tables["sdtp"] == nil)
    }

    @Test func `Joined movies keep sample groups that are described alike`() throws {
        func groups(_ distance: UInt8) -> [UInt8] {
            MovieBuilder.box(
                "sgpd", [1, 0, 0, 0], Array("roll".utf8), MovieBuilder.u32(2), MovieBuilder.u32(1), [0xFF, distance])
                + MovieBuilder.box(
                    "sbgp", [0, 0, 0, 0], Array("roll".utf8), MovieBuilder.u32(1), MovieBuilder.u32(2),
                    MovieBuilder.u32(1))
        }
        let film = Self.film(groups(0xFF))
        let joined = try Joined([
            .init(Self.film(), lasting: 1000), .init(film, lasting: 1000), .init(film, lasting: 1000),
        ])
        let table = try #require(joined.movie.tracks[0].tables["sbgp"])
        let rows = (0..<MovieReading.u32(table, 8)).map {
            [MovieReading.u32(table, 12 + $0 * 8), MovieReading.u32(table, 16 + $0 * 8)]
        }
        #expect(rows == [[2, 0], [4, 1]])
        let different = try Joined([.init(film, lasting: 1000), .init(Self.film(groups(0xFE)), lasting: 1000)])
        #expect(different.movie.tracks[0].tables["sbgp"] == nil)
        #expect(different.plan.losses.map(\.item) == ["groups roll of track 1"])
    }

    /// A clean random access picture, with which pictures before it may be decoded, as a broken link access picture.
    @Test func `Joined movies mark a clean random access frame of HEVC as a broken link`() throws {
        let configuration = MovieBuilder.zeros(21) + [3, 0]
        let fields = MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(70)
        let film = MovieBuilder(tracks: [
            MovieBuilder.Track(
                entries: [("hvc1", fields + MovieBuilder.box("hvcC", configuration))], durations: [50, 50],
                syncSamples: [1],
                samples: [[0, 0, 0, 3, 39 << 1, 1, 7, 0, 0, 0, 3, 21 << 1, 1, 9], [0, 0, 0, 3, 1 << 1, 1, 9]])
        ])
        let joined = try Joined([.init(film, lasting: 1000), .init(film, lasting: 1000)])
        let samples = joined.movie.tracks[0].samples.map(\.bytes)
        #expect(samples[0][11] == 21 << 1)
        #expect(samples[2] == [0, 0, 0, 3, 39 << 1, 1, 7, 0, 0, 0, 3, 16 << 1, 1, 9])
        #expect(samples[3] == samples[1])
    }

    @Test func `Joined movies refer to the tracks that are there by their new numbers`() throws {
        var film = Self.film()
        film.tracks[0].id = 5
        var timecode = MovieBuilder.Track(
            id: 7, handler: "tmcd", entries: [("tmcd", MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(20))],
            durations: [100], samples: [[0, 0, 0, 1]])
        timecode.edits = []
        film.tracks.append(timecode)
        film.tracks[0].references = [("tmcd", [7]), ("chap", [9])]
        let joined = try Joined([
            .init(film, lasting: 1000, tracks: [5, 7]), .init(film, lasting: 1000, tracks: [5, 7]),
        ])
        #expect(joined.movie.tracks.map(\.id) == [5, 7])
        #expect(joined.movie.tracks[0].references == ["tmcd": [7]])
        #expect(joined.movie.tracks[1].samples.map(\.bytes) == [[0, 0, 0, 1], [0, 0, 0, 1]])
        #expect(joined.movie.nextTrackID == 8)
    }

    @Test func `Damaged, missing or too many segments of joined movies are refused`() throws {
        let film = Self.film()
        #expect(throws: MovieError.self) { try MovieJoin([]) }
        #expect(throws: MovieError.self) { try MovieJoin([.init(gapLasting: milliseconds(1))]) }
        #expect(throws: MovieError.self) { try MovieJoin([.init(film, lasting: 0)]) }
        #expect(throws: MovieError.self) { try MovieJoin([.init(film, lasting: 1000, tracks: [9])]) }
        let file = RandomAccessFile(bytes: film.bytes)
        let piece = MovieJoin.Segment(file, tracks: [1], duration: milliseconds(10))
        #expect(throws: MovieError.self) { try MovieJoin(Array(repeating: piece, count: 10_001)) }
        // Whatever byte is wrong, there is an error or a movie.
        for position in stride(from: 0, to: film.bytes.count, by: 1) {
            for byte in [0, 0x7F, 0xFF] as [UInt8] {
                var bytes = film.bytes
                bytes[position] = byte
                let broken = MovieJoin.Segment(
                    RandomAccessFile(bytes: bytes), tracks: [1], duration: milliseconds(1000))
                _ = try? MovieJoin([piece, broken, .init(gapLasting: milliseconds(3)), broken]).plan().rewrite()
            }
        }
    }
}
