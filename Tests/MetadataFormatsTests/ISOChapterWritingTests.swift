import Foundation
import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Chapters written to MP4 files` {
    typealias Movie = ISOChapterMovie

    static let movie = ISOChapters.Movie(timescale: 1000, duration: .ms(10_000), isQuickTime: false)

    static let three = ChapterList(
        form: .quickTimeTrack,
        chapters: [
            Chapter(start: .ms(0), end: .ms(2500), titles: [.init("Erstes Kapitel ü")]),
            Chapter(start: .ms(2500), titles: [.init("Two")]), Chapter(start: .ms(7000), titles: [.init("第三")]),
        ])

    /// Puts tracks into a movie and reads it again.
    static func read(_ tracks: [ISOChapters.NewTrack?], timescale: UInt32 = 1000) -> [ChapterList] {
        var movie = Movie()
        movie.timescale = timescale
        var references: [UInt8] = []
        for track in tracks.compactMap(\.self) { references += Movie.big(track.trackID) }
        movie.add(
            Movie.Track(trackID: 1, handler: "soun", entry: "mp4a", references: Movie.box("chap", references)))
        for track in tracks.compactMap(\.self) {
            movie.traks.append(track.box(sampleDataAt: Movie.dataStart + UInt64(movie.data.count)))
            movie.data += track.sampleData
        }
        let (lists, problems) = movie.lists
        #expect(problems == [])
        return lists
    }

    static func text(
        _ list: ChapterList, languageTag: String? = nil, movie: ISOChapters.Movie = movie
    ) -> (track: ISOChapters.NewTrack?, losses: [MetadataLoss]) {
        ISOChapters.textTrack(of: list, languageTag: languageTag, trackID: 7, movie: movie)
    }

    @Test func `Chapters written to MP4 files have FFmpeg's bytes`() throws {
        let (track, losses) = Self.text(Self.three)
        #expect(losses == [])
        let samples = ["Erstes Kapitel ü", "Two", "第三"].flatMap { Movie.text($0, Movie.encoding) }
        #expect(track?.sampleData == samples)
        let chpl = ISOChapters.neroBox(of: Self.three, movieDuration: .ms(10_000))
        #expect(Data(chpl.box).base64EncodedString() == `Chapters of MP4 files`.chplOfFFmpeg)
        // The sample tables too, after the description of samples.
        let theirs = [UInt8](try #require(Data(base64Encoded: `Chapters of MP4 files`.trakOfFFmpeg)))
        let ours = try #require(track?.box(sampleDataAt: 44))
        #expect(ours.suffix(120) == theirs.suffix(120))
        // In the movie and not enabled, as theirs.
        #expect(ours[8..<20] == theirs[8..<20])
    }

    @Test func `Chapters written to MP4 files are read again`() throws {
        let track = try #require(Self.text(Self.three).track)
        let list = try #require(Self.read([track]).first)
        var expected = Self.three.chapters
        expected[1].end = .ms(7000)
        expected[2].end = .ms(10_000)
        #expect(list.chapters == expected)
        #expect(list.trackID == 7)
    }

    @Test func `Chapters written to MP4 files leave gaps, and keep untitled chapters apart from those`() throws {
        let chapters = [
            Chapter(start: .ms(1500), end: .ms(2000), titles: [.init("A")]), Chapter(start: .ms(3000), end: .ms(4000)),
            Chapter(start: .ms(4000), end: .ms(4000), titles: [.init("at once")]),
            Chapter(start: .ms(4000), end: .ms(9999), titles: [.init("B")], link: "https://a.example/?b=ä"),
        ]
        let (track, losses) = Self.text(ChapterList(form: .nero, chapters: chapters))
        #expect(losses == [])
        #expect(Self.read([track]).first?.chapters == chapters)
    }

    @Test func `Chapters written to MP4 files never last longer than the movie`() throws {
        let list = ChapterList(
            form: .nero,
            chapters: [
                Chapter(start: .ms(-10), end: .ms(5), titles: [.init("early")]),
                Chapter(start: .ms(9000), end: .ms(99_000), titles: [.init("last")]),
                Chapter(start: .ms(10_000), titles: [.init("outside")]),
                Chapter(start: .ms(-10), end: .ms(-5), titles: [.init("before")]),
            ])
        let (track, losses) = Self.text(list)
        #expect(losses.count == 3)  // order, outside, early
        let chapters = Self.read([track]).first?.chapters ?? []
        #expect(
            chapters == [
                Chapter(start: .ms(0), end: .ms(5), titles: [.init("early")]),
                Chapter(start: .ms(9000), end: .ms(10_000), titles: [.init("last")]),
            ])
    }

    @Test func `Chapters written to MP4 files are one after another`() throws {
        let inner = Chapter(start: .ms(1000), end: .ms(2000), titles: [.init("inner")])
        let list = ChapterList(
            form: .matroska,
            chapters: [
                Chapter(start: .ms(3000), end: .ms(6000), titles: [.init("B")]),
                Chapter(start: .ms(500), end: .ms(2500), titles: [.init("A")], children: [inner]),
                Chapter(start: .ms(5000), end: .ms(8000), titles: [.init("C")], isEnabled: false),
                Chapter(start: .ms(5500), titles: [.init("hidden")], isHidden: true),
            ])
        let (track, losses) = Self.text(list)
        // Hidden, nested, to be skipped, order, overlap of B.
        #expect(losses.count == 5)
        #expect(losses.allSatisfy { $0.item == "chapters" })
        let chapters = Self.read([track]).first?.chapters ?? []
        #expect(chapters.map(\.title) == ["A", "inner", "B", "C"])
        #expect(chapters.map(\.start) == [.ms(500), .ms(1000), .ms(3000), .ms(5000)])
        #expect(chapters.map(\.end) == [.ms(1000), .ms(2000), .ms(5000), .ms(8000)])
    }

    @Test(arguments: [
        (CMTime(value: 1001, timescale: 30_000), true), (CMTime(value: 44, timescale: 44_100), true),
        (CMTime(value: 123_456, timescale: 1_000_000), true),
        (CMTime(value: 1_234_567_891, timescale: 1_000_000_000), false),
    ]) func `Chapters written to MP4 files keep their times exactly where the track can count them`(
        _ time: CMTime, _ isExact: Bool
    ) throws {
        let list = ChapterList(
            form: .nero, chapters: [Chapter(start: .ms(0)), Chapter(start: time, titles: [.init("B")])])
        let (track, losses) = Self.text(list)
        let start = try #require(Self.read([track]).first?.chapters.last?.start)
        #expect((start == time) == isExact)
        #expect(losses.isEmpty == isExact)
        #expect(abs((start - time).seconds) < 0.000_001)
    }

    @Test func `Chapters written to MP4 files have the language of their titles`() throws {
        let list = ChapterList(
            form: .matroska,
            chapters: [
                Chapter(start: .ms(0), titles: [.init("Eins", languageTag: "de-CH"), .init("One", languageTag: "en")])
            ])
        #expect(list.titleLanguages == ["de-CH", "en"])
        for (language, title) in [("de-CH", "Eins"), ("en", "One"), ("de", "Eins"), ("zh-Hant-TW", "Eins")] {
            let (track, losses) = Self.text(list, languageTag: language)
            let read = try #require(Self.read([track]).first)
            #expect(read.languageTag == language)
            #expect(read.chapters.first?.titles == [.init(title, languageTag: language)])
            #expect(losses.count == 1)
        }
        #expect(Self.read([Self.text(list).track]).first?.languageTag == "de-CH")
    }

    @Test func `Chapters written to MP4 files have their images`() throws {
        // A JPEG file's beginning up to its frame header, and a PNG file's.
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0]
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] + [0, 0, 0, 80, 0, 0, 0, 60]
        var list = Self.three
        list.chapters.append(Chapter(start: .ms(9000)))
        list.chapters[0].artwork = jpeg
        list.chapters[2].artwork = jpeg
        list.chapters[3].artwork = png
        let text = try #require(Self.text(list).track)
        let (pictures, losses) = ISOChapters.pictureTrack(of: list, trackID: 8, movie: Self.movie)
        #expect(losses == [])
        let track = try #require(pictures)
        #expect(track.sampleData == jpeg + png)
        #expect(Self.read([text, track]).first?.chapters.map(\.artwork) == [jpeg, nil, jpeg, png])

        list.chapters[1].artwork = [1, 2, 3]
        #expect(ISOChapters.pictureTrack(of: list, trackID: 8, movie: Self.movie).losses.count == 1)
        #expect(ISOChapters.pictureTrack(of: Self.three, trackID: 8, movie: Self.movie).track == nil)
    }

    @Test func `Chapters written to MP4 files lie beyond 4 GiB where they have to`() throws {
        let track = try #require(Self.text(Self.three).track)
        let small = track.box(sampleDataAt: UInt64(UInt32.max) - UInt64(track.sampleData.count))
        let large = track.box(sampleDataAt: UInt64(UInt32.max))
        #expect(large.count == small.count + 4)
        #expect(
            Array(large.suffix(20)) == Array("co64".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 255, 255, 255, 255])
        #expect(Array(small.suffix(16).prefix(4)) == Array("stco".utf8))
    }

    @Test func `Chapters written to MP4 files are cut where the format has no room`() throws {
        let long = String(repeating: "ä", count: 40_000)
        let many = ChapterList(
            form: .nero, chapters: (0..<300).map { Chapter(start: .ms($0), titles: [.init($0 == 0 ? long : "x")]) })
        let (chpl, losses) = ISOChapters.neroBox(of: many, movieDuration: .ms(10_000))
        #expect(losses.count == 2)
        #expect(Array(chpl[12..<26]) == [0, 0, 0, 0, 255] + [0, 0, 0, 0, 0, 0, 0, 0] + [254])
        let (track, textLosses) = Self.text(many)
        #expect(textLosses.count == 1)
        let chapters = Self.read([track]).first?.chapters ?? []
        #expect(chapters.count == 300)
        #expect(chapters.first?.title == String(repeating: "ä", count: 32_767))
    }

    @Test func `No chapter track is written to an MP4 file if no chapter is left`() {
        let list = ChapterList(form: .nero, chapters: [Chapter(start: .ms(20_000)), Chapter(start: .invalid)])
        let (track, losses) = Self.text(list)
        #expect(track == nil)
        #expect(losses.count == 2)
    }

    @Test func `Chapters written to MP4 files are referred to beside other references`() {
        let hint = Movie.box("hint", [0, 0, 0, 5])
        let old = Movie.box("chap", [0, 0, 0, 9])
        let new = Movie.box("chap", [0, 0, 0, 7, 0, 0, 0, 8])
        let text = Movie.box("font", [0, 0, 0, 6])
        func change(_ content: [UInt8]?, _ tracks: [UInt32]) -> [UInt8]? {
            ISOChapters.trackReferences(changing: content, chapterTracks: tracks)
        }
        #expect(change(nil, [7, 8]) == Movie.box("tref", new))
        #expect(change(hint + old + text, [7, 8]) == Movie.box("tref", hint, new, text))
        #expect(change(hint, [7, 8]) == Movie.box("tref", hint, new))
        #expect(change(hint + old, []) == Movie.box("tref", hint))
        #expect(change(old, []) == nil)
        #expect(change(nil, []) == nil)
    }

    @Test func `Chapters written to QuickTime movies have QuickTime's handlers`() throws {
        let movie = ISOChapters.Movie(timescale: 600, duration: .ms(10_000), isQuickTime: true)
        let track = try #require(Self.text(Self.three, movie: movie).track)
        let bytes = track.box(sampleDataAt: 0)
        let text = String(latin1: bytes)
        #expect(text.contains("hdlr\0\0\0\0mhlrtext"))
        #expect(text.contains("hdlr\0\0\0\0dhlrurl "))
        #expect(Self.read([track], timescale: 600).first?.chapters.count == 3)
    }
}
