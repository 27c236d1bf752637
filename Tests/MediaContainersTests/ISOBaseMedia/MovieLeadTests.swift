import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("A muxed movie whose pictures begin before its first sample")
struct MovieLeadTests {
    private typealias Builder = MovieBuilder

    /// The first sample is shown 0.2 s after the two that follow it, as libavformat writes it.
    private static func film(_ edits: [MovieBuilder.Edit]) -> MovieBuilder {
        MovieBuilder(tracks: [
            .init(
                durations: [10, 10, 10, 10], offsets: [30, 0, 0, 10], syncSamples: [1], edits: edits,
                samples: numbered(4))
        ])
    }

    private static func edits(_ film: MovieBuilder, lead: CMTime) throws -> [MovieReading.Edit] {
        let file = RandomAccessFile(bytes: film.bytes)
        let bytes = try MovieLead.rewrite(file, leads: [1: lead]).bytes(of: file)
        let movie = MovieReading(bytes)
        #expect(movie.tracks[0].samples.map(\.bytes) == numbered(4))
        return movie.tracks[0].edits
    }

    private static let unity = 1 << 16

    @Test func `A muxed movie whose frames begin before its first sample is shown from its first frame on`() throws {
        let film = Self.film([.init(duration: 200, mediaTime: -1), .init(duration: 200, mediaTime: 30)])
        #expect(
            try Self.edits(film, lead: milliseconds(200)) == [.init(duration: 400, mediaTime: 10, rate: Self.unity)])
        #expect(
            try Self.edits(film, lead: milliseconds(150)) == [
                .init(duration: 50, mediaTime: -1, rate: Self.unity),
                .init(duration: 350, mediaTime: 15, rate: Self.unity),
            ])
    }

    @Test func `A muxed movie with another edit list stays as it is`() throws {
        for edits in [
            [], [Builder.Edit(duration: 200, mediaTime: 30)],
            [.init(duration: 100, mediaTime: -1), .init(duration: 200, mediaTime: 30)],
            [.init(duration: 200, mediaTime: -1), .init(duration: 200, mediaTime: 5)],
        ] {
            let film = Self.film(edits)
            let file = RandomAccessFile(bytes: film.bytes)
            #expect(try MovieLead.rewrite(file, leads: [1: milliseconds(200)]).bytes(of: file) == film.bytes)
        }
    }

    @Test func `A movie without a timescale gets the one that its length implies`() throws {
        var film = Self.film([.init(duration: 400, mediaTime: 0)])
        film.tracks[0].timescale = 0
        let trimmed = try Trimmed(film)
        #expect(trimmed.movie.tracks[0].timescale == 100)
        film.tracks[0].edits = [.init(duration: 401, mediaTime: 0)]
        #expect(throws: MovieError.self) { try Trimmed(film) }
    }

    @Test func `A movie whose header counts more than its edit lists gets their duration`() throws {
        var film = Self.film([.init(duration: 300, mediaTime: 10)])
        let right = MovieReading(film.bytes)
        film.statedDuration = 9000
        #expect(MovieReading(film.bytes).duration == 9000)
        let trimmed = try Trimmed(film)
        #expect(trimmed.movie.duration == 300 && trimmed.movie.tracks[0].duration == 300)
        #expect(trimmed.movie.tracks[0].edits == right.tracks[0].edits)
    }
}
