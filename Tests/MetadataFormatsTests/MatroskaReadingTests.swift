import Foundation
import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Metadata of Matroska is read` {
    /// Tags that mkvpropedit 74 wrote from an XML file.
    static let foreignTags = """
        ElTDZ0Fsv4QY6MVac3O7Y8CRaMqBRmPKikNPTExFQ1RJT05nyKRFo4VUSVRMRUSHjlRoZSBDb2xsZWN0aW9uRHqDZ2VyRHuCZGVzc0DdY8CA
        Z8ibRaOFVElUTEVEh4pGaWxtIHRpdGxlRHuDdW5kZ8ixRaOGQVJUSVNURIeLU29tZSBBcnRpc3RnyJFFo4NVUkxEh4hodHRwOi8veER7g3Vu
        ZGfIq0WjiE9SSUdJTkFMZ8iXRaOFVElUTEVEh4RPcmlnRHuFZnItQ0FEe4N1bmRnyKJFo4dDT01NRU5URIeLbm90IGRlZmF1bHREhIEARHuD
        dW5kZ8ibRaOMQklOQVJZX1RISU5HRIWDAP8QRHuDdW5kZ8iURaODQS9CRIeFc2xhc2hEe4N1bmRzc6FjwIRjxYEBZ8iXRaOGTFlSSUNTRIeF
        bGEgbGFEe4N1bmRzc6BjwIVjxIIQkmfIlUWjhVRJVExFRIeEY2hhcER7g3VuZA==
        """
    /// Chapters that mkvpropedit 74 wrote from an XML file.
    static let foreignChapters = """
        EEOncECjRblAn0W8gU1F24EBRb2BAEXdgQC26XPEghCSkYEAkoQdzWUAY8OBPICYhYNPbmVDfINlbmdDfoJ1c0N9hWVuLVVTgJGFhEVpbnND
        fINnZXJDfYJkZbaoc8SCEJORhAX14QCYgQGAmIWDU3ViQ3yDZW5nQ36CdXNDfYVlbi1VU7aic8SCEJSRhB3NZQBFmIEAgJGFg1R3b0N8g3Vu
        ZEN9g3VuZA==
        """

    static func bytes(_ base64: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters)))
    }

    static func read(_ parts: [MatroskaTestFile.Part]) throws -> FileMetadata {
        try MatroskaFormat.read(RandomAccessFile(bytes: MatroskaTestFile(parts: parts).bytes))
    }

    /// Key, value, language and what the entry is about, as text.
    static func summary(_ entries: [MetadataEntry]) -> [String] {
        entries.map { entry in
            let value =
                switch entry.value {
                case .text(let text): text
                case .data(let bytes): "\(bytes)"
                default: "?"
                }
            let extras = entry.extras.map { "\($0.key.rawValue)=\($0.value)" }.sorted()
            return ([entry.key.text, value, entry.languageTag ?? "-"] + extras).joined(separator: " | ")
        }
    }

    @Test func `Tags of mkvpropedit are read with their targets`() throws {
        let tracks = Element.master(
            0x1654_AE6B, Element.master(0xAE, Element.number(0xD7, 3), Element.number(0x73C5, 1)))
        let metadata = try Self.read([
            .bytes(Element.info(title: "Segment title")), .bytes(tracks), .cluster([1]),
            .bytes(try Self.bytes(Self.foreignTags)),
        ])
        #expect(
            Self.summary(metadata.entries) == [
                #"TITLE | Segment title | - | element=text("Info/Title")"#,
                #"TITLE | The Collection | de | targetType=text("COLLECTION") | targetTypeValue=integer(70)"#,
                "TITLE | Film title | -", "ARTIST | Some Artist | -", "ARTIST/URL | http://x | -",
                "ORIGINAL/TITLE | Orig | fr-CA", "COMMENT | not default | - | isDefaultLanguage=integer(0)",
                "BINARY_THING | [0, 255, 16] | -", "A/B | slash | - | nestingDepth=integer(1)",
                #"TITLE | chap | - | targetChapterUID=text("4242")"#,
            ])
        // Its number in the file is 3, but it is the first one.
        #expect(metadata.tracks.map(\.trackID) == [1])
        #expect(Self.summary(metadata.tracks[0].entries) == ["LYRICS | la la | -"])
        #expect(metadata.container == .matroska)
        #expect(metadata.problems.isEmpty)
        #expect(metadata.entries[0].identifier.rawValue == "mkv/TITLE")
    }

    @Test func `Chapters of mkvpropedit are read with all titles and levels`() throws {
        let metadata = try Self.read([.bytes(Element.tracks()), .bytes(try Self.bytes(Self.foreignChapters))])
        func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds * 1_000_000, timescale: 1_000_000_000) }
        let sub = Chapter(
            start: time(100), titles: [.init("Sub", languageTag: "en-US")], identifier: "4243", isHidden: true)
        let chapters = [
            Chapter(
                start: time(0), end: time(500),
                titles: [.init("One", languageTag: "en-US"), .init("Eins", languageTag: "de")], identifier: "4242",
                children: [sub]),
            Chapter(start: time(500), titles: [.init("Two")], identifier: "4244", isEnabled: false),
        ]
        #expect(
            metadata.chapterLists
                == [ChapterList(form: .matroska, chapters: chapters, isDefault: true, identifier: "77")])
        #expect(metadata.chapterLists.first?.chapters.first?.start.timescale == 1_000_000_000)
    }

    @Test func `A Matroska chapter without a language is in English`() throws {
        let display = Element.master(0x80, Element.text(0x85, "Intro"))
        let atom = Element.master(0xB6, Element.number(0x73C4, 9), Element.number(0x91, 0), display)
        let metadata = try Self.read([.bytes(Element.master(0x1043_A770, Element.master(0x45B9, atom)))])
        #expect(metadata.chapterLists.first?.chapters.first?.titles == [.init("Intro", languageTag: "en")])
    }

    struct Language: Sendable, CustomTestStringConvertible {
        let elements: [UInt8]
        let tag: String?
        var testDescription: String { tag ?? "none" }
    }

    @Test(arguments: [
        Language(elements: [], tag: nil), Language(elements: Element.text(0x447A, "und"), tag: nil),
        Language(elements: Element.text(0x447A, "ger"), tag: "de"),
        Language(elements: Element.text(0x447A, "gsw"), tag: "gsw"),
        Language(elements: Element.text(0x447A, "fre-ca"), tag: "fr-ca"),
        Language(elements: Element.text(0x447A, "eng") + Element.text(0x447B, "en-GB"), tag: "en-GB"),
    ])
    func `A Matroska tag's language is read`(_ language: Language) throws {
        let tags = Element.tags(Element.tag(Element.simpleTag("TITLE", "x", language.elements)))
        #expect(try Self.read([.bytes(tags)]).entries.map(\.languageTag) == [language.tag])
    }

    @Test func `Cover art and other attachments of Matroska are read`() throws {
        let files = [
            Element.attachedFile("font.ttf", "font/ttf", uid: 5, [9, 9]),
            Element.attachedFile("Cover_Land.PNG", "image/png", uid: 6, [0x89, 0x50, 0x4E, 0x47]),
            Element.attachedFile("small_cover.jpg", "image/jpeg", uid: UInt64.max, [1]),
            Element.attachedFile("photo.jpg", "image/jpeg", uid: 8, [2]),
        ]
        let bytes = MatroskaTestFile(parts: [.bytes(Element.make(0x1941_A469, Array(files.joined())))]).bytes
        let metadata = try MatroskaFormat.read(RandomAccessFile(bytes: bytes))
        #expect(metadata.attachments.map(\.name) == ["font.ttf", "Cover_Land.PNG", "small_cover.jpg", "photo.jpg"])
        #expect(metadata.attachments.map(\.uid) == [5, 6, UInt64.max, 8])
        #expect(
            metadata.attachments.map { Array(bytes[Int($0.range.lowerBound)..<Int($0.range.upperBound)]) }[0] == [9, 9])
        #expect(metadata.entries.map(\.key) == [.text("COVER"), .text("COVER")])
        #expect(metadata.entries.map(\.value) == [.data([0x89, 0x50, 0x4E, 0x47]), .data([1])])
        #expect(metadata.entries.map(\.dataType) == [MetadataDataType.png, MetadataDataType.jpeg])
        #expect(metadata.entries.map(\.info) == ["Cover_Land.PNG", "small_cover.jpg"])
        #expect(metadata.entries[0].extras[.dataType] == .text("image/png"))
    }

    @Test func `Matroska track names and the date of the file are read`() throws {
        let info = Element.master(0x1549_A966, Element.make(0x4461, [0, 0, 0, 0, 0x3B, 0x9A, 0xCA, 0x00]))
        let metadata = try Self.read([.bytes(info), .bytes(Element.tracks(name: "Main"))])
        #expect(metadata.tracks.map(\.trackID) == [1])
        #expect(
            Self.summary(metadata.tracks[0].entries) == [#"TITLE | Main | - | element=text("TrackEntry/Name")"#])
        #expect(metadata.creationDate == Date(timeIntervalSinceReferenceDate: 1))
    }

    @Test func `A Matroska index leads to elements behind the Clusters, by way of a second one too`() throws {
        let tags = Element.tags(Element.tag(Element.simpleTag("ARTIST", "x")))
        let direct = try Self.read([.seekHead([0x1254_C367]), .cluster([1], isUnknownSize: true), .bytes(tags)])
        #expect(direct.entries.map(\.text) == ["x"])
        var file = MatroskaTestFile(parts: [
            .seekHead([0x1C53_BB6B]), .cluster([1]), .cluster([2]), .cues, .bytes(tags), .seekHead([0x1254_C367]),
        ])
        file.parts[0] = .seekHead([0x1C53_BB6B])
        #expect(try MatroskaFormat.read(RandomAccessFile(bytes: file.bytes)).entries.map(\.text) == ["x"])
    }

    @Test func `Clusters are stepped over where a Matroska file has no index`() throws {
        let tags = Element.tags(Element.tag(Element.simpleTag("ARTIST", "x")))
        let metadata = try Self.read([.cluster([1]), .cluster([2]), .bytes(tags), .bytes(tags)])
        #expect(metadata.entries.map(\.text) == ["x", "x"])
    }

    @Test func `A Matroska index that names the wrong element is reported`() throws {
        let metadata = try Self.read([.seekHead([0x1254_C367]), .bytes(Element.info(title: "x")), .cluster([1])])
        #expect(metadata.entries.map(\.text) == ["x"])
        #expect(metadata.problems == ["the index names an element 1254C367 where there is none"])
    }

    @Test func `Voids and checksums within Matroska tags are no entries`() throws {
        let tag = Element.master(
            0x7373, Element.make(0xBF, [1, 2, 3, 4]), Element.void(5), Element.simpleTag("A", "b"))
        let tags = Element.master(0x1254_C367, Element.make(0xBF, [0, 0, 0, 0]), Element.void(300), tag)
        let metadata = try Self.read([.bytes(tags)])
        #expect(metadata.entries.map(\.text) == ["b"])
        #expect(metadata.problems.isEmpty)
    }

    @Test func `Matroska text ends at a zero byte`() throws {
        let tag = Element.master(0x67C8, Element.make(0x45A3, [0x41, 0, 0]), Element.make(0x4487, [0x62, 0, 0x63]))
        let entries = try Self.read([.bytes(Element.tags(Element.tag(tag)))]).entries
        #expect(entries.map(\.key) == [.text("A")])
        #expect(entries.map(\.text) == ["b"])
    }

    @Test func `Only Matroska and WebM are recognised as Matroska`() {
        func recognizes(_ docType: String) -> Bool {
            let file = RandomAccessFile(bytes: MatroskaTestFile(docType: docType, parts: []).bytes)
            return MatroskaFormat.recognizes(file.read(at: 0, count: 64), file)
        }
        #expect(recognizes("matroska") && recognizes("webm"))
        #expect(!recognizes("else"))
        #expect(!MatroskaFormat.recognizes([], RandomAccessFile(bytes: [])))
    }
}
