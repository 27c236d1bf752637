import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

/// A movie cut in memory, and read again.
struct Trimmed {
    var plan: MovieTrimPlan
    var file: [UInt8]
    var movie: MovieReading

    init(
        _ movie: MovieBuilder, from start: CMTime? = nil, to end: CMTime? = nil, keeping ids: Set<UInt32>? = nil,
        _ change: (inout MovieTrimOptions) -> Void = { _ in }
    ) throws {
        try self.init(movie.bytes, from: start, to: end, keeping: ids, change)
    }

    init(
        _ bytes: [UInt8], from start: CMTime? = nil, to end: CMTime? = nil, keeping ids: Set<UInt32>? = nil,
        _ change: (inout MovieTrimOptions) -> Void = { _ in }
    ) throws {
        let file = RandomAccessFile(bytes: bytes)
        var options = MovieTrimOptions()
        change(&options)
        let range = start.map { CMTimeRange(start: $0, end: end ?? .positiveInfinity) }
        plan = try MovieTrim(file: file).plan(range: range, keeping: ids, options: options)
        self.file = plan.rewrite().bytes(of: file)
        movie = MovieReading(self.file)
        #expect(UInt64(self.file.count) == plan.byteCount)
    }
}

@Suite("The cut of a movie")
struct MovieTrimTests {
    /// Ten frames a second, a sync sample each ten, and 1 000 packets of sound a second.
    private static let film = MovieBuilder(tracks: [
        MovieBuilder.Track(
            durations: Array(repeating: 10, count: 50), syncSamples: [1, 11, 21, 31, 41], samples: numbered(50)),
        MovieBuilder.Track(
            id: 2, handler: "soun", timescale: 1000,
            entries: [("mp4a", MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(20))],
            durations: Array(repeating: 20, count: 250), samples: numbered(250, "a"),
            chunks: stride(from: 0, to: 250, by: 10).map { ($0, 1) }),
    ])

    @Test func `The cut of a movie begins at the sync sample before, and shows the frame on screen first`() throws {
        let trimmed = try Trimmed(Self.film, from: milliseconds(1500), to: milliseconds(2200))
        let (video, sound) = (trimmed.movie.tracks[0], trimmed.movie.tracks[1])
        #expect(video.samples.map(\.bytes) == Array(numbered(50)[10..<22]))
        #expect(video.samples.map(\.isSync) == (10..<22).map { $0 % 10 == 0 })
        #expect(video.edits == [.init(duration: 700, mediaTime: 50, rate: 65536)])
        #expect(video.mediaDuration == 120)
        // One packet before the first is kept to decode it, and hidden.
        #expect(sound.samples.map(\.bytes) == Array(numbered(250, "a")[74..<110]))
        #expect(sound.edits == [.init(duration: 700, mediaTime: 20, rate: 65536)])
        #expect(trimmed.movie.duration == 700)
        #expect(trimmed.movie.tracks.map(\.duration) == [700, 700])
        #expect(trimmed.plan.actualRange == CMTimeRange(start: milliseconds(1500), end: milliseconds(2200)))
        #expect(trimmed.plan.tracks.map(\.sampleCount) == [12, 36])
        #expect(trimmed.plan.losses.isEmpty)
    }

    @Test func `The cut of a movie has its movie box before the media`() throws {
        for to in [milliseconds(2200), milliseconds(5000)] {
            let types = try Trimmed(Self.film, from: .zero, to: to).movie.boxes.map(\.type)
            #expect(types == types.filter { $0 != "mdat" } + ["mdat"])
        }
    }

    @Test func `The cut of a movie begins exactly when asked for, with the frame on screen`() throws {
        let trimmed = try Trimmed(Self.film, from: milliseconds(1530), to: milliseconds(2230))
        #expect(trimmed.plan.actualRange == trimmed.plan.requestedRange)
        #expect(trimmed.movie.duration == 700)
        let shown = trimmed.movie.shown(trimmed.movie.tracks[0])
        #expect(shown.map(\.bytes) == Array(numbered(50)[15...22]))
        #expect(shown.map(\.start) == [0, 70, 170, 270, 370, 470, 570, 670].map(milliseconds))
        // The frame itself begins there, so that readers that leave out older ones show it too.
        let video = trimmed.movie.tracks[0]
        #expect(video.samples.contains { $0.presentationTime == video.edits[0].mediaTime })
    }

    @Test func `A frame that has been on screen for long is shortened`() throws {
        let slides = MovieBuilder(tracks: [
            MovieBuilder.Track(durations: [1000, 1000, 1000], samples: numbered(3))
        ])
        let trimmed = try Trimmed(slides, from: milliseconds(15000), to: milliseconds(25000))
        #expect(trimmed.plan.actualRange.start == milliseconds(15000))
        let video = trimmed.movie.tracks[0]
        #expect(video.samples.map(\.duration) == [500, 1000])
        #expect(video.edits == [.init(duration: 10000, mediaTime: 0, rate: 65536)])
    }

    @Test func `The range of a cut may lie anywhere inside the movie, but not outside`() throws {
        let whole = try Trimmed(Self.film, from: .negativeInfinity)
        #expect(whole.movie.tracks.map(\.samples.count) == [50, 250])
        let late = try Trimmed(Self.film, from: milliseconds(4900), to: milliseconds(99999))
        #expect(late.movie.duration == 100)
        for range in [(5000, 6000), (2000, 2000)] {
            #expect(throws: MovieError.self) {
                try Trimmed(Self.film, from: milliseconds(range.0), to: milliseconds(range.1))
            }
        }
    }

    @Test func `A rewrite without a range changes nothing but sample offsets`() throws {
        let source = MovieReading(Self.film.bytes)
        let trimmed = try Trimmed(Self.film)
        for (old, new) in zip(source.tracks, trimmed.movie.tracks) {
            #expect(old.samples == new.samples)
            for table in ["stsd", "stsz", "stss"] { #expect(old.tables[table] == new.tables[table]) }
        }
        #expect(trimmed.movie.boxes.map(\.type) == ["ftyp", "moov", "free", "mdat"])
        #expect(trimmed.movie.boxes[2].content.count == 4088)
    }

    @Test func `Only the bytes of kept tracks are copied`() throws {
        let trimmed = try Trimmed(Self.film, keeping: [2])
        #expect(trimmed.movie.tracks.map(\.id) == [2])
        #expect(trimmed.movie.boxes.last?.content == numbered(250, "a").flatMap { $0 })
        #expect(trimmed.movie.nextTrackID == 3)
    }

    // MARK: Reordered pictures

    /// I0 P3 B1 B2 | I6 B4 B5 P9 B7 B8, in open groups; presentation in frames of 10 ticks, 2 frames late.
    private static let openGroups = MovieBuilder(tracks: [
        MovieBuilder.Track(
            durations: Array(repeating: 10, count: 10), offsets: [10, 30, 0, 0, 30, 0, 0, 30, 0, 0].map { $0 },
            syncSamples: [1, 5], edits: [.init(duration: 1000, mediaTime: 10)], samples: numbered(10))
    ])

    @Test func `A leading frame is decoded from the group before`() throws {
        // Presentation times: I0 10, P3 40, B1 20, B2 30, I6 70, B4 50, B5 60, P9 100, B7 80, B8 90.
        let leading = try Trimmed(Self.openGroups, from: milliseconds(400), to: milliseconds(600))
        #expect(leading.movie.tracks[0].samples.map(\.bytes) == Array(numbered(10)[0..<7]))
        #expect(leading.movie.shown(leading.movie.tracks[0]).map(\.bytes) == [numbered(10)[5], numbered(10)[6]])
        let sync = try Trimmed(Self.openGroups, from: milliseconds(600), to: milliseconds(900))
        #expect(sync.movie.tracks[0].samples.map(\.bytes) == Array(numbered(10)[4..<10]))
        #expect(
            sync.movie.shown(sync.movie.tracks[0]).map(\.bytes) == [4, 8, 9].map { numbered(10)[$0] })
    }

    @Test func `Frames that others need are kept beyond the end, hidden`() throws {
        let trimmed = try Trimmed(Self.openGroups, from: .zero, to: milliseconds(200))
        #expect(trimmed.movie.tracks[0].samples.map(\.bytes) == Array(numbered(10)[0..<3]))
        #expect(trimmed.movie.shown(trimmed.movie.tracks[0]).map(\.bytes) == [0, 2].map { numbered(10)[$0] })
    }

    @Test func `An exact start inside a reordered frame moves that frame alone`() throws {
        let trimmed = try Trimmed(Self.openGroups, from: milliseconds(650), to: milliseconds(1000))
        let shown = trimmed.movie.shown(trimmed.movie.tracks[0])
        #expect(shown.map(\.bytes) == [4, 8, 9, 7].map { numbered(10)[$0] })
        #expect(shown.map(\.start) == [0, 50, 150, 250].map(milliseconds))
        #expect(trimmed.movie.tracks[0].edits.count == 1)
    }

    // MARK: Edit lists

    @Test func `An empty edit at the start is shortened`() throws {
        var film = Self.film
        film.tracks[0].edits = [.init(duration: 1000, mediaTime: -1), .init(duration: 4000, mediaTime: 100)]
        let trimmed = try Trimmed(film, from: milliseconds(700), to: milliseconds(1500))
        #expect(
            trimmed.movie.tracks[0].edits == [
                .init(duration: 300, mediaTime: -1, rate: 65536), .init(duration: 500, mediaTime: 0, rate: 65536),
            ])
        #expect(trimmed.movie.tracks[0].samples.map(\.bytes) == Array(numbered(50)[10..<15]))
        #expect(trimmed.plan.tracks[0].presentedRange == CMTimeRange(start: milliseconds(300), end: milliseconds(800)))
    }

    @Test(arguments: [false, true])
    func `Several edits, dwells and rates are cut one by one`(isReordered: Bool) throws {
        var film = isReordered ? Self.openGroups : Self.film
        film.tracks = [film.tracks[0]]
        film.tracks[0].edits =
            isReordered
            ? [
                .init(duration: 300, mediaTime: 70), .init(duration: 200, mediaTime: 10),
                .init(duration: 300, mediaTime: 40),
            ]
            : [
                .init(duration: 1000, mediaTime: 300), .init(duration: 500, mediaTime: 45, rate: 0),
                .init(duration: 1000, mediaTime: 100, rate: 2), .init(duration: 300, mediaTime: -1),
                .init(duration: 1000, mediaTime: 20),
            ]
        let source = MovieReading(film.bytes)
        let all = source.shown(source.tracks[0])
        let length = film.tracks[0].edits.reduce(0) { $0 + $1.duration }
        for start in stride(from: 0, to: length, by: 100) {
            for end in stride(from: start + 100, through: length, by: 300) where end - start < length {
                let range = CMTimeRange(start: milliseconds(start), end: milliseconds(end))
                // Where nothing but an empty edit is left there is no movie.
                guard !all.cut(to: range).isEmpty else { continue }
                let trimmed = try Trimmed(film, from: range.start, to: range.end)
                #expect(trimmed.movie.shown(trimmed.movie.tracks[0]) == all.cut(to: range), "\(start) to \(end)")
                #expect(trimmed.movie.duration == end - start)
            }
        }
    }

    @Test func `Times of a cut count from the first frame that begins inside the edit list`() throws {
        var film = Self.film
        film.tracks[0].edits = [.init(duration: 3000, mediaTime: 3)]
        // Readers show the frame of media time 10 at zero, so that it is asked for as zero.
        let trimmed = try Trimmed(film, from: milliseconds(1000), to: milliseconds(1100))
        #expect(trimmed.plan.pictureShift == milliseconds(70))
        #expect(trimmed.movie.shown(trimmed.movie.tracks[0]).map(\.bytes) == [numbered(50)[11]])
        #expect(trimmed.plan.actualRange == CMTimeRange(start: milliseconds(1000), end: milliseconds(1100)))
    }

    @Test func `The movie's ticks become finer only where a cut needs them`() throws {
        var film = Self.film
        film.tracks[0].timescale = 30000
        film.tracks[0].durations = Array(repeating: 1001, count: 50)
        func frame(_ number: Int64) -> CMTime { CMTime(value: 1001 * number, timescale: 30000) }
        let trimmed = try Trimmed(film, from: frame(13), to: frame(20))
        #expect(trimmed.movie.timescale == 30000)
        #expect(trimmed.movie.duration == 7007)
        #expect(try Trimmed(film, from: .zero, to: milliseconds(1000)).movie.timescale == 1000)
    }

    @Test func `A track's ticks become finer where the cut lies between them`() throws {
        let film = MovieBuilder(tracks: [
            MovieBuilder.Track(timescale: 10, durations: Array(repeating: 1, count: 20), samples: numbered(20))
        ])
        let trimmed = try Trimmed(film, from: milliseconds(500), to: milliseconds(830))
        #expect(trimmed.movie.tracks[0].timescale == 100)
        #expect(trimmed.movie.shown(trimmed.movie.tracks[0]).map(\.bytes) == Array(numbered(20)[5...8]))
        #expect(trimmed.movie.duration == 330)
    }

    @Test func `Tracks without anything in the range are left out and reported`() throws {
        var film = Self.film
        film.tracks[0].durations = Array(repeating: 10, count: 50)
        film.tracks[1].durations = Array(repeating: 4, count: 250)
        let trimmed = try Trimmed(film, from: milliseconds(2000), to: milliseconds(3000))
        #expect(trimmed.movie.tracks.map(\.id) == [1])
        #expect(trimmed.plan.losses.map(\.item) == ["track 2"])
    }
}
