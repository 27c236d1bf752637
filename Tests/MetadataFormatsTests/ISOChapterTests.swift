import Foundation
import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Chapters of MP4 files` {
    typealias Movie = ISOChapterMovie

    /// `trak` and `chpl` as FFmpeg 5.1 writes them for three chapters of ten seconds, the samples at 44.
    static let trakOfFFmpeg = """
        AAACN3RyYWsAAABcdGtoZAAAAAIAAAAAAAAAAAAAAAMAAAAAAAAnEAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAA\
        AAAEAAAAAAAAAAAAAAAAAAACRlZHRzAAAAHGVsc3QAAAAAAAAAAQAAJxAAAAAAAAEAAAAAAa9tZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAAAPoAAAn\
        EAAAAAAAAAAwaGRscgAAAAAAAAAAdGV4dAAAAAAAAAAAAAAAAFN1YnRpdGxlSGFuZGxlcgAAAAFXbWluZgAAAExnbWhkAAAAGGdtaW4AAAAAAECAAI\
        AAgAAAAAAAAAAALHRleHQAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAAAAEAAAAMdXJsIAAA\
        AAEAAADfc3RibAAAAF9zdHNkAAAAAAAAAAEAAABPdGV4dAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAADWZ0YWIAAQABAA\
        AAABRidHJ0AAAAAAAAADYAAAA2AAAAKHN0dHMAAAAAAAAAAwAAAAEAAAnEAAAAAQAAEZQAAAABAAALuAAAABxzdHNjAAAAAAAAAAEAAAABAAAAAwAA\
        AAEAAAAgc3RzegAAAAAAAAAAAAAAAwAAAB8AAAARAAAAFAAAABRzdGNvAAAAAAAAAAEAAAAs
        """
    static let chplOfFFmpeg =
        "AAAARmNocGwBAAAAAAAAAAMAAAAAAAAAABFFcnN0ZXMgS2FwaXRlbCDDvAAAAAABfXhAA1R3bwAAAAAELB2ABuesrOS4iQ=="

    /// A movie with those.
    static func movieOfFFmpeg() throws -> [UInt8] {
        var movie = Movie()
        movie.data = Array(repeating: 0xAA, count: 28)
        for title in ["Erstes Kapitel ü", "Two", "第三"] { movie.data += Movie.text(title, Movie.encoding) }
        movie.addSound(chapters: 3)
        movie.traks.append([UInt8](try #require(Data(base64Encoded: trakOfFFmpeg))))
        movie.userData = [UInt8](try #require(Data(base64Encoded: chplOfFFmpeg)))
        return movie.bytes
    }

    @Test func `Chapters of MP4 files are read as FFmpeg writes them`() throws {
        let (lists, problems) = Movie.lists(in: try Self.movieOfFFmpeg())
        #expect(problems == [])
        #expect(lists.map(\.form) == [.quickTimeTrack, .nero])
        #expect(lists.map(\.trackID) == [3, nil])
        // ffprobe says eng of the track; a Nero list has no language.
        #expect(lists.map(\.languageTag) == ["en", nil])
        #expect(
            lists.first?.chapters == [
                Chapter(start: .ms(0), end: .ms(2500), titles: [.init("Erstes Kapitel ü", languageTag: "en")]),
                Chapter(start: .ms(2500), end: .ms(7000), titles: [.init("Two", languageTag: "en")]),
                Chapter(start: .ms(7000), end: .ms(10_000), titles: [.init("第三", languageTag: "en")]),
            ])
        #expect(
            lists.last?.chapters == [
                Chapter(start: .ms(0), titles: [.init("Erstes Kapitel ü")]),
                Chapter(start: .ms(2500), titles: [.init("Two")]), Chapter(start: .ms(7000), titles: [.init("第三")]),
            ])
        #expect(lists.last?.chapters.first?.start.timescale == 10_000_000)
    }

    @Test func `Chapters of MP4 files have the links and images of podcasts`() {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 9]
        // 3GPP TS 26.245: first and last character, the address and a text for it, each counted by one byte.
        let address = Movie.box("href", [0, 0, 0, 3, 18] + Array("https://a.example/".utf8) + [0])
        var movie = Movie()
        movie.addSound(chapters: 2, 3)
        movie.add(
            Movie.Track(
                entry: "tx3g",
                samples: [(1000, Movie.text("One", address)), (1000, Movie.text("Two")), (1000, Movie.text("Three"))]))
        movie.add(
            Movie.Track(
                trackID: 3, handler: "vide", entry: "jpeg", timescale: 600,
                samples: [(601, picture), (599, [1, 2, 3]), (600, png)]))
        let (lists, problems) = movie.lists
        #expect(problems == [])
        #expect(lists.count == 1)
        #expect(lists.first?.chapters.map(\.link) == ["https://a.example/", nil, nil])
        #expect(lists.first?.chapters.map(\.artwork) == [picture, nil, png])
    }

    struct TextCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sample: [UInt8]
        let title: String?

        init(_ name: String, _ sample: [UInt8], _ title: String?) {
            (testDescription, self.sample, self.title) = (name, sample, title)
        }
    }

    static let texts: [TextCase] = [
        TextCase("UTF-8", [0, 2, 0xC3, 0xA4], "ä"),
        TextCase("UTF-16 with a mark", [0, 4, 0xFE, 0xFF, 0x26, 0x3A], "☺"),
        TextCase("UTF-16, low byte first", [0, 4, 0xFF, 0xFE, 0x3A, 0x26], "☺"),
        TextCase("UTF-16 without a mark", [0, 4, 0, 0x41, 0, 0x42] + Movie.encoding, "AB"),
        TextCase("Mac OS Roman", [0, 3, 0x8A, 0xA5, 0xD2], "ä•“"),
        TextCase("cut", [0, 9, 0x41], "A"),
        TextCase("other boxes", [0, 1, 0x41] + Movie.box("styl", [0, 0]) + [0, 0, 0, 99], "A"),
        TextCase("no title", [0, 0] + Movie.encoding, ""),
        TextCase("a gap", [0, 0], nil),
        TextCase("nothing", [0], nil),
    ]

    @Test(arguments: texts) func `Chapters of MP4 files have text in several encodings`(_ example: TextCase) {
        var movie = Movie()
        movie.addSound(chapters: 2)
        movie.add(Movie.Track(samples: [(1000, example.sample), (1000, Movie.text("after"))]))
        let chapters = movie.lists.lists.first?.chapters ?? []
        #expect(chapters.map(\.title) == (example.title.map { [$0] } ?? []) + ["after"])
        #expect(chapters.last?.start == .ms(1000))
    }

    @Test func `Chapters of MP4 files lie where edits put them`() {
        let samples = [(UInt32(600), Movie.text("A")), (600, Movie.text("B")), (600, Movie.text("C"))]
        func chapters(_ edits: [(UInt32, Int32)]) -> [Chapter] {
            var movie = Movie()
            movie.addSound(chapters: 2)
            movie.add(Movie.Track(timescale: 600, samples: samples, edits: edits))
            return movie.lists.lists.first?.chapters ?? []
        }
        func chapter(_ start: Int64, _ end: Int64, _ title: String) -> Chapter {
            Chapter(start: .ms(start), end: .ms(end), titles: [.init(title)])
        }
        let all = [chapter(0, 1000, "A"), chapter(1000, 2000, "B"), chapter(2000, 3000, "C")]
        #expect(chapters([(3000, 0)]) == all)
        // A tick less of the movie's is rounding, zero means all of it.
        #expect(chapters([(2999, 0)]) == all)
        #expect(chapters([(0, 0)]) == all)
        #expect(chapters([(500, -1), (3000, 0)]).map(\.start) == [.ms(500), .ms(1500), .ms(2500)])
        #expect(chapters([(1500, 300)]) == [chapter(0, 500, "A"), chapter(500, 1500, "B")])
        #expect(
            chapters([(1000, 1200), (500, -1), (1000, 0)]) == [chapter(0, 1000, "C"), chapter(1500, 2500, "A")])
        #expect(chapters([(3000, 0)]).allSatisfy { $0.start.timescale == 600 })
    }

    struct LanguageCase: Sendable, CustomTestStringConvertible {
        let code: UInt16
        let extended: String?
        let tag: String?
        var testDescription: String { "\(code) \(extended ?? "-")" }
    }

    static let languages: [LanguageCase] = [
        LanguageCase(code: 0x55C4, extended: nil, tag: nil), LanguageCase(code: 0x10B5, extended: nil, tag: "de"),
        LanguageCase(code: 0x15C7, extended: "en-GB", tag: "en-GB"), LanguageCase(code: 0, extended: nil, tag: "en"),
        LanguageCase(code: 2, extended: nil, tag: "de"), LanguageCase(code: 0x7FFF, extended: nil, tag: nil),
        LanguageCase(code: 0x10B5, extended: "und", tag: nil), LanguageCase(code: 0, extended: "und", tag: nil),
        LanguageCase(code: 0, extended: "pt-BR", tag: "pt-BR"), LanguageCase(code: 0x3FF, extended: nil, tag: nil),
    ]

    @Test(arguments: languages) func `Chapters of MP4 files have the language of their track`(_ example: LanguageCase) {
        var movie = Movie()
        movie.addSound(chapters: 2)
        movie.add(
            Movie.Track(
                language: example.code, extendedLanguage: example.extended, samples: [(1, Movie.text("A"))]))
        #expect(movie.lists.lists.map(\.languageTag) == [example.tag])
        #expect(movie.lists.lists.first?.chapters.first?.titles == [.init("A", languageTag: example.tag)])
    }

    @Test func `Chapters of MP4 files are a list for each track that is referred to`() {
        var movie = Movie()
        movie.addSound(chapters: 3, 2, 9, 3)
        movie.add(Movie.Track(trackID: 2, samples: [(1, Movie.text("A"))]))
        movie.add(Movie.Track(trackID: 3, samples: [(1, Movie.text("B"))]))
        movie.add(Movie.Track(trackID: 4, samples: [(1, Movie.text("no chapter"))]))
        let (lists, problems) = movie.lists
        #expect(lists.map(\.trackID) == [3, 2])
        #expect(problems.count == 1 && problems[0].contains("9"))
    }

    @Test func `Nero's chapters are read in either form`() {
        func chapters(_ content: [UInt8]) -> ([String], Int) {
            var movie = Movie()
            movie.userData = Movie.box("chpl", content)
            let (lists, problems) = movie.lists
            return (lists.first?.chapters.map(\.title) ?? [], problems.count)
        }
        let one = Movie.big(UInt64(0)) + [1, 0x41]
        let two = Movie.big(UInt64(10_000_000)) + [2, 0xC3, 0xA4]
        #expect(chapters([0, 0, 0, 0, 2] + one + two) == (["A", "ä"], 0))
        #expect(chapters([1, 0, 0, 0, 0, 0, 0, 0, 2] + one + two) == (["A", "ä"], 0))
        #expect(chapters([1, 0, 0, 0, 0, 0, 0, 0, 3] + one + two) == (["A", "ä"], 1))
        #expect(chapters([1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + one + [0xFF]) == (["A"], 1))
        #expect(chapters([1, 0, 0, 0, 0, 0, 0, 0, 1] + Movie.big(UInt64.max) + [0]) == ([], 1))
        #expect(chapters([1]) == ([], 1))
    }
}

@Suite struct `Hostile chapters of MP4 files` {
    typealias Movie = ISOChapterMovie

    @Test func `Chapters of MP4 files cut at any byte are read as far as they go`() throws {
        let bytes = try `Chapters of MP4 files`.movieOfFFmpeg()
        for count in bytes.indices { #expect(Movie.lists(in: Array(bytes[..<count])).lists.count <= 2) }
    }

    @Test(arguments: [0, 1, 0x7F, 0xFF] as [UInt8])
    func `Chapters of MP4 files with any byte changed are read without harm`(_ byte: UInt8) throws {
        let bytes = try `Chapters of MP4 files`.movieOfFFmpeg()
        for index in bytes.indices {
            var changed = bytes
            changed[index] = byte
            if index + 3 < bytes.count, byte == 0xFF {
                changed.replaceSubrange(index...(index + 3), with: [255, 255, 255, 255])
            }
            let (lists, _) = Movie.lists(in: changed)
            for chapter in lists.flatMap(\.chapters) { #expect(chapter.start.isValid) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `Chapters of MP4 files are limited in number and size`() {
        // Edits that repeat all samples again and again, samples that are all the same bytes.
        var movie = Movie()
        movie.addSound(chapters: 2)
        let text = Movie.text(String(repeating: "x", count: 65_000))
        movie.add(
            Movie.Track(
                samples: [(1, text)] + Array(repeating: (1, []), count: 30_000),
                edits: Array(repeating: (40_000, 0), count: 2000)))
        let clock = ContinuousClock()
        var result: (lists: [ChapterList], problems: [String]) = ([], [])
        let time = clock.measure { result = movie.lists }
        #expect(result.problems.count >= 2)
        // Without the limit it is minutes; a loaded machine needs its time.
        #expect(time < .seconds(60))
        let text2 = result.lists.flatMap(\.chapters).reduce(0) { $0 + $1.title.utf8.count }
        #expect(text2 <= 16 << 20)
    }

    @Test func `Chapter references of MP4 files to themselves or to nothing give no chapters`() {
        var movie = Movie()
        movie.addSound(chapters: 1, 0, 0xFFFF_FFFF)
        let (lists, problems) = movie.lists
        #expect(lists.isEmpty)
        #expect(problems.count == 2)
    }
}
