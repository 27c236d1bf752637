import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

private typealias Builder = MovieBuilder

@Suite("The tracks of a cut movie")
struct MovieTrimTrackTests {
    private static let video = MovieBuilder.Track(
        durations: Array(repeating: 10, count: 100), syncSamples: (0..<10).map { $0 * 10 + 1 },
        samples: numbered(100))

    private func movie(with track: MovieBuilder.Track) -> MovieBuilder {
        var track = track
        track.id = 2
        return MovieBuilder(tracks: [Self.video, track])
    }

    private static let text = MovieBuilder.Track(
        handler: "text", timescale: 600, entries: [("tx3g", Builder.zeros(7) + [1] + Builder.zeros(30))],
        durations: [600, 1800, 1200, 2400], samples: numbered(4, "t"))

    @Test func `A text that began before the range is shown from its start`() throws {
        let trimmed = try Trimmed(movie(with: Self.text), from: milliseconds(2000), to: milliseconds(4500))
        let text = trimmed.movie.tracks[1]
        #expect(text.samples.map(\.bytes) == [numbered(4, "t")[1], numbered(4, "t")[2]])
        #expect(text.samples.map(\.duration) == [1200, 300])
        #expect(text.edits == [.init(duration: 2500, mediaTime: 0, rate: 65536)])
        #expect(text.mediaDuration == 1500)
    }

    @Test func `A text track with nothing in the range stays, empty`() throws {
        var text = Self.text
        text.edits = [.init(duration: 5000, mediaTime: -1), .init(duration: 1000, mediaTime: 0)]
        let trimmed = try Trimmed(movie(with: text), from: milliseconds(1000), to: milliseconds(3000))
        #expect(trimmed.movie.tracks[1].samples.isEmpty)
        #expect(trimmed.movie.tracks[1].edits == [.init(duration: 2000, mediaTime: -1, rate: 65536)])
        #expect(trimmed.plan.losses.isEmpty)
    }

    @Test func `Samples whose text counts from the media's zero keep their times`() throws {
        var text = Self.text
        text.entries = [("stpp", Builder.zeros(7) + [1] + Array("ns\0\0\0".utf8))]
        let trimmed = try Trimmed(movie(with: text), from: milliseconds(4200), to: milliseconds(7000))
        let track = trimmed.movie.tracks[1]
        // The third begins at 4 s, the fourth at 6 s: they still do.
        #expect(track.samples.map(\.bytes) == [numbered(4, "t")[2], numbered(4, "t")[3]])
        #expect(track.samples.map(\.duration) == [3600, 2400])
        #expect(track.edits == [.init(duration: 2800, mediaTime: 2520, rate: 65536)])
    }

    @Test func `Samples without times are all kept in a cut`() throws {
        var data = Self.text
        data.durations = [0, 0, 0, 0]
        let trimmed = try Trimmed(movie(with: data), from: milliseconds(1000), to: milliseconds(3000))
        #expect(trimmed.movie.tracks[1].samples.count == 4)
        #expect(trimmed.movie.tracks[1].duration == 2000)
    }

    // MARK: Timecode

    private struct Timecode: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var flags: Int
        var framesPerSecond: UInt8
        var start: Int
        /// In frames of 1001/30000 s.
        var skipped: Int
        var expected: Int
    }

    private static let timecodes = [
        Timecode(testDescription: "plain", flags: 0, framesPerSecond: 30, start: 1000, skipped: 45, expected: 1045),
        Timecode(
            testDescription: "over midnight", flags: 2, framesPerSecond: 30, start: 2_591_990, skipped: 45, expected: 35
        ),
        Timecode(
            testDescription: "over midnight, frames dropped", flags: 3, framesPerSecond: 30, start: 2_589_400,
            skipped: 45, expected: 37),
        Timecode(
            testDescription: "counting on", flags: 0, framesPerSecond: 30, start: 2_591_990, skipped: 45,
            expected: 2_592_035),
        Timecode(testDescription: "negative", flags: 4, framesPerSecond: 30, start: -10, skipped: 45, expected: 35),
        Timecode(testDescription: "counter", flags: 8, framesPerSecond: 15, start: 7, skipped: 45, expected: 10),
    ]

    @Test(arguments: timecodes)
    private func `Timecode of a cut begins with the number of its first frame`(_ timecode: Timecode) throws {
        let entry =
            Builder.zeros(7) + [1] + Builder.zeros(4) + Builder.u32(timecode.flags) + Builder.u32(30000)
            + Builder.u32(1001) + [timecode.framesPerSecond, 0]
        var video = Self.video
        video.timescale = 30000
        video.durations = Array(repeating: 1001, count: 100)
        video.references = [("tmcd", [2])]
        let sample = Builder.u32(timecode.start & 0xFFFF_FFFF)
        let film = MovieBuilder(tracks: [
            video,
            MovieBuilder.Track(
                id: 2, handler: "tmcd", timescale: 30000, entries: [("tmcd", entry)], durations: [100_100],
                samples: [sample]),
        ])
        let start = CMTime(value: Int64(1001 * timecode.skipped), timescale: 30000)
        let trimmed = try Trimmed(film, from: start, to: start + CMTime(value: 20020, timescale: 30000))
        let track = trimmed.movie.tracks[1]
        #expect(track.samples.map(\.bytes) == [Builder.u32(timecode.expected & 0xFFFF_FFFF)])
        // By the number alone and by the edit list it is the same.
        #expect(track.edits.map(\.mediaTime) == [0])
        #expect(track.samples.map(\.duration) == [20020])
        #expect(trimmed.movie.tracks[0].references == ["tmcd": [2]])
        // Uncut it is as it was.
        #expect(try Trimmed(film).movie.tracks[1].samples.map(\.bytes) == [sample])
    }

    // MARK: References

    @Test func `References to tracks that are left out are removed, and chapters if asked for`() throws {
        var video = Self.video
        video.references = [("chap", [2, 3]), ("tmcd", [4])]
        var film = MovieBuilder(tracks: [video, Self.text, Self.text, Self.text])
        for index in 1...3 { film.tracks[index].id = index + 1 }
        film.movieBoxes = Builder.box(
            "iods", Builder.u32(0), [16, 7, 0, 79, 255, 255, 255, 255, 255, 14, 4, 0, 0, 0, 4])
        let some = try Trimmed(film, keeping: [1, 3])
        #expect(some.movie.tracks[0].references == ["chap": [3]])
        #expect(some.plan.losses.map(\.item) == ["iods"])
        #expect(!some.movie.movieBoxes.contains { $0.type == "iods" })
        let without = try Trimmed(film) { $0.dropsChapterTracks = true }
        #expect(without.movie.tracks.map(\.id) == [1, 4])
        #expect(without.movie.tracks[0].references == ["tmcd": [4]])
        #expect(without.plan.losses.isEmpty)
        #expect(without.movie.movieBoxes.contains { $0.type == "iods" })
        #expect(try Trimmed(film, keeping: [2]).movie.tracks[0].boxes.contains("tref") == false)
    }

    @Test func `Hint tracks cannot be cut, and are reported`() throws {
        var hints = Self.text
        hints.handler = "hint"
        #expect(try Trimmed(movie(with: hints)).movie.tracks.count == 2)
        let trimmed = try Trimmed(movie(with: hints), from: .zero, to: milliseconds(1000))
        #expect(trimmed.movie.tracks.count == 1)
        #expect(trimmed.plan.losses.map(\.item) == ["track 2"])
    }

    // MARK: Everything else

    @Test func `Unknown boxes stay where they are`() throws {
        var film = MovieBuilder(tracks: [Self.video])
        film.tracks[0].tables = Builder.box("wxyz", [1, 2, 3])
        film.tracks[0].mediaHeader = Builder.box("gmhd", [4, 5])
        film.movieBoxes =
            Builder.box("udta", Builder.box("\u{A9}nam", [0, 1, 0, 0, 65])) + Builder.box("uuid", Builder.zeros(16))
        film.head += Builder.box("uuid", Array(1...20)) + Builder.box("free", Builder.zeros(9))
        film.tail = Builder.box("sefd", [9, 9]) + Builder.box("skip", [1])
        let trimmed = try Trimmed(film, from: milliseconds(500), to: milliseconds(900))
        #expect(trimmed.movie.boxes.map(\.type) == ["ftyp", "uuid", "moov", "free", "mdat", "sefd"])
        #expect(trimmed.movie.boxes[1].content == Array(1...20))
        #expect(trimmed.movie.tracks[0].tables["wxyz"] == [1, 2, 3])
        #expect(trimmed.movie.movieBoxes.map(\.type) == ["mvhd", "trak", "udta", "uuid"])
        #expect(trimmed.file.ranges(of: Builder.box("gmhd", [4, 5])).count == 1)
        // When the movie was made is what it was.
        #expect(Array(trimmed.movie.movieBoxes[0].content[4..<12]) == Builder.u32(1) + Builder.u32(2))
    }

    @Test func `Bytes that are no box are reported`() throws {
        var film = MovieBuilder(tracks: [Self.video])
        film.tail = [0, 0]
        #expect(try Trimmed(film).plan.losses.isEmpty)
        film.tail = Array("trailer of somebody".utf8)
        #expect(try Trimmed(film).plan.losses.map(\.item) == ["file"])
    }

    // MARK: Kinds of files

    @Test func `The type box stays unless another kind of file is made`() throws {
        var film = MovieBuilder(tracks: [Self.video])
        #expect(try Trimmed(film).file.prefix(24) == film.head.prefix(24))
        let quickTime = try Trimmed(film) { $0.targetBrand = .quickTime }
        #expect(quickTime.movie.boxes[0].content.starts(with: "qt  ".utf8))
        #expect(quickTime.file.ranges(of: Array("mhlrvide".utf8)).count == 1)
        #expect(quickTime.file.ranges(of: Array("alis".utf8)).count == 1)
        film.head = []
        let plain = try Trimmed(film)
        #expect(plain.movie.boxes.first?.type == "moov")
        let mp4 = try Trimmed(quickTime.file) { $0.targetBrand = .mp4 }
        #expect(mp4.movie.boxes[0].content.starts(with: "isom".utf8))
        #expect(mp4.file.ranges(of: Array("mhlr".utf8)).isEmpty)
        #expect(mp4.movie.tracks[0].samples == MovieReading(film.bytes).tracks[0].samples)
    }

    @Test func `Tracks that a kind of file cannot hold are reported`() throws {
        var film = movie(with: Self.text)
        film.head = Builder.box("ftyp", Array("qt  ".utf8) + Builder.zeros(4) + Array("qt  ".utf8))
        film.tracks[1].entries = [("c608", Builder.zeros(60))]
        let trim = try MovieTrim(file: RandomAccessFile(bytes: film.bytes))
        #expect(trim.brand == .quickTime)
        #expect(trim.reasonsNotToHold(in: .mp4).keys.sorted() == [2])
        #expect(trim.reasonsNotToHold(in: .quickTime).isEmpty)
        #expect(throws: MovieError.self) { try Trimmed(film) { $0.targetBrand = .mp4 } }
        #expect(try Trimmed(film, keeping: [1]) { $0.targetBrand = .mp4 }.movie.tracks.count == 1)
    }

    @Test func `Tracks are described with their handler, range, references and sample count`() throws {
        var film = movie(with: Self.text)
        film.tracks[0].references = [("chap", [2])]
        film.tracks[1].edits = [.init(duration: 500, mediaTime: -1), .init(duration: 2000, mediaTime: 600)]
        let tracks = try MovieTrim(file: RandomAccessFile(bytes: film.bytes)).tracks
        #expect(tracks.map(\.handler) == ["vide", "text"])
        #expect(tracks[0].presentedRange == CMTimeRange(start: .zero, end: milliseconds(10000)))
        #expect(tracks[1].presentedRange == CMTimeRange(start: milliseconds(500), end: milliseconds(2500)))
        #expect(tracks[1].referencedAs == ["chap"])
        #expect(tracks.map(\.sampleCount) == [100, 4])
        #expect(tracks.allSatisfy { $0.isEnabled && $0.problem == nil })
    }
}
