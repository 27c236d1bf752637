import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

/// Movies joined in memory, and read again.
struct Joined {
    var plan: MovieJoinPlan
    var file: [UInt8]
    var movie: MovieReading

    init(_ pieces: [MovieJoin.Segment], gaps: MovieJoin.GapForm = .readable) throws {
        plan = try MovieJoin(pieces).plan(gaps: gaps)
        file = plan.rewrite().bytes(of: plan.file)
        movie = MovieReading(file)
        #expect(UInt64(file.count) == plan.byteCount)
    }
}

extension MovieJoin.Segment {
    /// A part of a movie, cut as the trimmer does it.
    init(_ movie: MovieBuilder, _ from: Int, _ to: Int, tracks: [UInt32?] = [1]) throws {
        let file = RandomAccessFile(bytes: movie.bytes)
        let range = CMTimeRange(start: milliseconds(from), end: milliseconds(to))
        let rewrite = try MovieTrim(file: file).plan(range: range).rewrite()
        self.init(RandomAccessFile(rewrite, of: file), tracks: tracks, duration: milliseconds(to - from))
    }

    /// A whole movie.
    init(_ movie: MovieBuilder, lasting duration: Int, tracks: [UInt32?] = [1]) {
        self.init(RandomAccessFile(bytes: movie.bytes), tracks: tracks, duration: milliseconds(duration))
    }
}

@Suite("Movies joined by their tables")
struct MovieJoinTests {
    /// Ten frames a second, a sync sample each ten.
    private static let video = MovieBuilder.Track(
        durations: Array(repeating: 10, count: 50), syncSamples: [1, 11, 21, 31, 41], samples: numbered(50))
    /// Fifty packets of sound a second.
    private static let sound = MovieBuilder.Track(
        id: 2, handler: "soun", timescale: 1000,
        entries: [("mp4a", MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(20))],
        durations: Array(repeating: 20, count: 250), samples: numbered(250, "a"),
        chunks: stride(from: 0, to: 250, by: 10).map { ($0, 1) })
    private static let film = MovieBuilder(tracks: [video, sound])

    @Test func `Movies joined by their tables follow each other, each cut exactly`() throws {
        let joined = try Joined([
            try .init(Self.film, 1500, 2200, tracks: [1, 2]), try .init(Self.film, 300, 1000, tracks: [1, 2]),
        ])
        let (video, sound) = (joined.movie.tracks[0], joined.movie.tracks[1])
        #expect(video.samples.map(\.bytes) == Array(numbered(50)[10..<22]) + Array(numbered(50)[0..<10]))
        #expect(video.samples.map(\.isSync) == (0..<22).map { [0, 10, 12].contains($0) })
        #expect(
            video.edits == [
                .init(duration: 700, mediaTime: 50, rate: 65536), .init(duration: 700, mediaTime: 150, rate: 65536),
            ])
        #expect(sound.edits.map(\.duration) == [700, 700])
        let shown = joined.movie.shown(video)
        #expect(shown.map(\.bytes) == Array(numbered(50)[15..<22]) + Array(numbered(50)[3..<10]))
        #expect(shown.map(\.start) == (0..<14).map { milliseconds($0 * 100) })
        let heard = joined.movie.shown(sound).map(\.bytes)
        #expect(heard == Array(numbered(250, "a")[75..<110]) + Array(numbered(250, "a")[15..<50]))
        #expect(joined.movie.duration == 1400)
        #expect(joined.movie.tracks.map(\.duration) == [1400, 1400])
        #expect(joined.plan.duration == milliseconds(1400))
        #expect(joined.plan.losses.isEmpty)
    }

    @Test func `Movies joined by their tables have each segment's media in turn, and room for tags`() throws {
        let joined = try Joined([
            try .init(Self.film, 2000, 3000, tracks: [1, 2]), try .init(Self.film, 0, 1000, tracks: [1, 2]),
        ])
        #expect(joined.movie.boxes.map(\.type) == ["ftyp", "moov", "free", "mdat"])
        #expect(joined.movie.boxes[2].content.count == 4088)
        let media = try #require(joined.movie.boxes.last?.content)
        let first = try #require(media.firstRange(of: numbered(50)[20])?.lowerBound)
        let second = try #require(media.firstRange(of: numbered(50)[0])?.lowerBound)
        #expect(first < second)
    }

    @Test func `Movies joined whole need no edit list`() throws {
        let whole = MovieBuilder(tracks: [Self.video])
        let joined = try Joined([.init(whole, lasting: 5000), .init(whole, lasting: 5000)])
        let video = joined.movie.tracks[0]
        #expect(video.edits.isEmpty)
        #expect(video.samples.map(\.bytes) == numbered(50) + numbered(50))
        #expect(joined.movie.duration == 10_000)
        // One file, whose media are there once.
        let file = RandomAccessFile(bytes: whole.bytes)
        let piece = MovieJoin.Segment(file, tracks: [1], duration: milliseconds(5000))
        let twice = try Joined([piece, piece])
        #expect(twice.movie.boxes.last?.content.count == numbered(50).reduce(0) { $0 + $1.count })
        #expect(twice.movie.tracks[0].samples.map(\.bytes) == numbered(50) + numbered(50))
    }

    /// libavformat shows the first sample of an edit, in decode order, at the edit's time.
    @Test func `Movies joined by their tables keep their distance between decoding and presentation`() throws {
        var track = Self.video
        // I, P, B, B: the pictures between come after the one that follows them.
        track.offsets = (0..<50).map { $0 % 10 == 0 ? 10 : $0 % 3 == 1 ? 30 : 0 }
        let film = MovieBuilder(tracks: [track])
        let joined = try Joined([
            try .init(film, 1300, 2200), try .init(film, 500, 1700), try .init(film, 2600, 4000),
        ])
        let video = joined.movie.tracks[0]
        let distances = video.edits.map { edit -> Int? in
            let end = edit.mediaTime + edit.duration / 10
            let first = video.samples.first { (edit.mediaTime..<end).contains($0.presentationTime) }
            return first.map { edit.mediaTime - $0.decodeTime }
        }
        #expect(Set(distances).count == 1)
        #expect(video.edits.count == 3)
        #expect(joined.movie.shown(video).first?.start == .zero)
        let alone = try [(1300, 2200), (500, 1700), (2600, 4000)].flatMap { from, to in
            let trimmed = try Trimmed(film, from: milliseconds(from), to: milliseconds(to)).movie
            return trimmed.shown(trimmed.tracks[0]).map(\.bytes)
        }
        #expect(joined.movie.shown(video).map(\.bytes) == alone)
    }

    @Test func `A frame that an edit begins inside of begins at the edit`() throws {
        var track = Self.video
        track.edits = [.init(duration: 950, mediaTime: 5)]
        let film = MovieBuilder(tracks: [track])
        let joined = try Joined([.init(film, lasting: 950), .init(film, lasting: 950)])
        let video = joined.movie.tracks[0]
        let times = Set(video.samples.map(\.presentationTime))
        #expect(video.edits.allSatisfy { times.contains($0.mediaTime) })
        #expect(joined.movie.shown(video).prefix(3).map(\.start) == [0, 50, 150].map(milliseconds))
    }

    @Test func `Movies joined by their tables get ticks that hold the times of all`() throws {
        let fine = MovieBuilder.Track(
            timescale: 30, durations: Array(repeating: 1, count: 30), samples: numbered(30))
        let joined = try Joined([
            .init(MovieBuilder(tracks: [Self.video]), lasting: 5000),
            .init(MovieBuilder(tracks: [fine]), lasting: 1000),
        ])
        let video = joined.movie.tracks[0]
        #expect(video.timescale == 300)
        #expect(Set(video.samples.map(\.duration)) == [30, 10])
        #expect(video.mediaDuration == 1800)
        // Of the two only one says where decoding may begin.
        #expect(video.samples.map(\.isSync) == (0..<50).map { $0 % 10 == 0 } + Array(repeating: true, count: 30))
    }

    @Test func `Movies joined by their tables get no ticks too fine for readers`() throws {
        func film(_ timescale: Int) -> MovieJoin.Segment {
            let track = MovieBuilder.Track(timescale: timescale, durations: [timescale], samples: numbered(1))
            return .init(MovieBuilder(tracks: [track]), lasting: 1000)
        }
        let join = try MovieJoin([film(999_983), film(1_000_003)])
        #expect(throws: MovieError.self) { try join.plan() }
    }
}
