import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Metadata of Matroska is written` {
    typealias Part = MatroskaTestFile.Part

    static func entry(_ key: String, _ text: String, language: String? = nil) -> MetadataEntry {
        MetadataEntry(
            .matroska, .text(key), .text(text), dataType: MetadataDataType.utf8, languageTag: language)
    }

    /// Changes a file's metadata, and reads the new version.
    static func change(
        _ file: MatroskaTestFile, _ body: (inout FileMetadata) throws -> Void
    ) throws -> (metadata: FileMetadata, structure: MatroskaStructure, result: MetadataRewrite) {
        let old = RandomAccessFile(bytes: file.bytes)
        var metadata = try MatroskaFormat.read(old)
        try body(&metadata)
        let result = try MatroskaFormat.rewrite(old, with: metadata)
        let bytes = result.rewrite.bytes(of: old)
        return (try MatroskaFormat.read(RandomAccessFile(bytes: bytes)), MatroskaStructure(bytes), result)
    }

    static func file(_ parts: [Part]) -> MatroskaTestFile { MatroskaTestFile(parts: parts) }

    static let foreign: MatroskaTestFile = {
        let tracks = Element.master(
            0x1654_AE6B, Element.master(0xAE, Element.number(0xD7, 3), Element.number(0x73C5, 1)))
        let reading = `Metadata of Matroska is read`.self
        return file([
            .seekHead([0x1549_A966, 0x1254_C367]), .bytes(Element.void(200)), .bytes(Element.info(title: "T")),
            .bytes(tracks), .bytes((try? reading.bytes(reading.foreignChapters)) ?? []), .cluster([1, 2]),
            .cluster([3]), .cues,
            .bytes((try? reading.bytes(reading.foreignTags)) ?? []),
        ])
    }()

    @Test func `Unchanged metadata of Matroska stays as it is`() throws {
        let (_, _, result) = try Self.change(Self.foreign) { _ in }
        #expect(result.rewrite.bytes(of: RandomAccessFile(bytes: Self.foreign.bytes)) == Self.foreign.bytes)
        #expect(result.losses.isEmpty)
    }

    @Test func `Metadata of Matroska is removed completely, and written back completely`() throws {
        let old = RandomAccessFile(bytes: Self.foreign.bytes)
        let original = try MatroskaFormat.read(old)
        let (none, structure, result) = try Self.change(Self.foreign) { metadata in
            metadata.entries = []
            metadata.tracks = []
            metadata.chapterLists = []
        }
        #expect(none.entries.isEmpty && none.tracks.isEmpty && none.chapterLists.isEmpty)
        #expect(structure.faults.isEmpty)
        #expect(!structure.ids.contains(0x1254_C367) && !structure.ids.contains(0x1043_A770))
        let empty = RandomAccessFile(bytes: result.rewrite.bytes(of: old))
        let again = try MatroskaFormat.rewrite(empty, with: original)
        let bytes = again.rewrite.bytes(of: empty)
        let back = try MatroskaFormat.read(RandomAccessFile(bytes: bytes))
        #expect(back.entries == original.entries)
        #expect(back.tracks == original.tracks)
        #expect(back.chapterLists == original.chapterLists)
        #expect(MatroskaStructure(bytes).faults.isEmpty)
        #expect(MatroskaStructure(bytes).blocks == MatroskaStructure(Self.foreign.bytes).blocks)
    }

    @Test func `A changed Matroska tag leaves the bytes of the others`() throws {
        let odd = Element.master(
            0x67C8, Element.text(0x45A3, "KEEP"), Element.text(0x4487, "k"), Element.number(0x44FF, 1))
        let tags = Element.tags(
            Element.tag(odd, Element.simpleTag("OLD", "1")),
            Element.tag(targets: Element.number(0x68CA, 30), Element.simpleTag("PART", "p"), Element.number(0x44FE, 7)))
        let (metadata, structure, _) = try Self.change(Self.file([.bytes(tags)])) { metadata in
            metadata.entries[1] = Self.entry("NEW", "2", language: "de-CH")
        }
        #expect(metadata.entries.map(\.key.text) == ["KEEP", "NEW", "PART"])
        let content = try #require(structure.content(0x1254_C367).first)
        #expect(content.contains(odd))
        #expect(content.contains(Element.text(0x447A, "ger") + Element.text(0x447B, "de-CH")))
        #expect(content.contains(Element.number(0x44FE, 7)))
        #expect(!content.contains(Array("OLD".utf8)))
    }

    @Test func `New Matroska entries go to the tag with the same targets`() throws {
        let (metadata, structure, _) = try Self.change(Self.file([.bytes(Element.tracks())])) { metadata in
            var season = Self.entry("TITLE", "Season")
            season.extras = [.targetTypeValue: .integer(60), .targetType: .text("SEASON")]
            var chapter = Self.entry("TITLE", "Chapter")
            chapter.extras = [.targetChapterUID: .text("18446744073709551615 7")]
            metadata.entries = [Self.entry("ARTIST", "a"), season, Self.entry("GENRE", "g"), chapter]
            metadata.tracks = [.init(trackID: 2, entries: [Self.entry("LYRICS", "l")])]
        }
        #expect(metadata.entries.map(\.text) == ["a", "g", "Season", "Chapter"])
        #expect(metadata.entries[2].extras == [.targetTypeValue: .integer(60), .targetType: .text("SEASON")])
        #expect(metadata.entries[3].extras == [.targetChapterUID: .text("18446744073709551615 7")])
        #expect(metadata.tracks == [.init(trackID: 2, entries: [Self.entry("LYRICS", "l")])])
        let tags = structure.content(0x1254_C367)[0]
        #expect(TestElement.all(tags, in: 0..<tags.count).count == 4)
    }

    @Test func `Keys with slashes become Matroska tags within tags`() throws {
        let (metadata, structure, _) = try Self.change(Self.file([])) { metadata in
            metadata.entries = [
                Self.entry("ACTOR", "A"), Self.entry("ACTOR/CHARACTER", "c"), Self.entry("ACTOR", "B"),
                Self.entry("ORIGINAL/URL/NOTE", "n"),
            ]
        }
        #expect(metadata.entries.map(\.key.text) == ["ACTOR", "ACTOR/CHARACTER", "ACTOR", "ORIGINAL/URL/NOTE"])
        let expected = Element.master(
            0x67C8, Element.text(0x45A3, "ACTOR"), Element.text(0x447A, "und"), Element.text(0x4487, "A"),
            Element.master(
                0x67C8, Element.text(0x45A3, "CHARACTER"), Element.text(0x447A, "und"), Element.text(0x4487, "c")))
        #expect(structure.content(0x1254_C367)[0].contains(expected))
    }

    // MARK: Titles

    /// A title of the header.
    private static func header(_ title: String) -> MetadataEntry {
        var entry = Self.entry("TITLE", title)
        entry.extras[.element] = .text(MatroskaElementName.title)
        return entry
    }

    @Test func `A Matroska title of the header stays there, a tag stays a tag`() throws {
        let file = Self.file([.bytes(Element.info(title: nil))])
        let (metadata, structure, _) = try Self.change(file) { $0.entries = [Self.header("New")] }
        #expect(metadata.entries.map(\.text) == ["New"])
        #expect(structure.content(0x1549_A966)[0].contains(Element.text(0x7BA9, "New")))
        #expect(!structure.ids.contains(0x1254_C367))
        let (_, tagged, _) = try Self.change(file) { $0.entries = [Self.entry("TITLE", "New")] }
        #expect(!tagged.content(0x1549_A966)[0].contains(Element.text(0x7BA9, "New")))
        #expect(tagged.ids.contains(0x1254_C367))
    }

    @Test func `A Matroska title set by name is written where players look and where the old one was`() throws {
        let tags = Element.tags(Element.tag(Element.simpleTag("TITLE", "Old"), Element.simpleTag("X", "y")))
        let file = Self.file([.bytes(Element.info(title: "Old")), .bytes(tags)])
        let (metadata, _, _) = try Self.change(file) { metadata in
            let name = try? MetadataAssignment("title=New")
            let edit = try? MetadataAssignment.apply([name].compactMap { $0 }, to: metadata.entries, in: .matroska)
            metadata.entries = edit?.entries ?? []
        }
        #expect(Set(metadata.entries.map(\.text)) == ["New", "y"])
        #expect(metadata.entries.count == 3)
        let (removed, _, _) = try Self.change(file) { $0.entries.removeAll { $0.key == .text("TITLE") } }
        #expect(removed.entries.map(\.text) == ["y"])
    }

    @Test func `A Matroska track's name is set, and the rest of the track stays`() throws {
        let file = Self.file([.bytes(Element.tracks(name: "Old"))])
        let (metadata, structure, _) = try Self.change(file) { metadata in
            metadata.tracks = [.init(trackID: 2, entries: [Self.entry("TITLE", "New")])]
        }
        #expect(metadata.tracks.map(\.trackID) == [2])
        #expect(metadata.tracks[0].entries.map(\.text) == ["New"])
        let expected = Element.master(
            0xAE, Element.number(0xD7, 1), Element.number(0x73C5, 77), Element.number(0x83, 1),
            Element.text(0x86, "V_TEST"))
        #expect(structure.content(0x1654_AE6B)[0].contains(expected))
    }

    // MARK: Attachments

    static let attachments = file([
        .bytes(Element.tracks()), .cluster([1]),
        .bytes(
            Element.make(
                0x1941_A469,
                Element.attachedFile("font.ttf", "font/ttf", uid: 5, [9, 9, 9])
                    + Element.attachedFile("cover.jpg", "image/jpeg", uid: 6, [0xFF, 0xD8, 0xFF, 1])
                    + Element.attachedFile("b.ttf", "font/ttf", uid: 7, [8]))),
    ])

    @Test func `New cover art takes the place and the UID of the old one`() throws {
        let picture = MetadataEntry(.matroska, .text("COVER"), .data([0x89, 0x50, 0x4E, 0x47, 2]))
        let (metadata, structure, _) = try Self.change(Self.attachments) { $0.entries = [picture] }
        #expect(metadata.attachments.map(\.name) == ["font.ttf", "cover.png", "b.ttf"])
        #expect(metadata.attachments.map(\.uid) == [5, 6, 7])
        #expect(metadata.attachments[1].mimeType == "image/png")
        #expect(metadata.entries.map(\.value) == [picture.value])
        #expect(
            structure.content(0x1941_A469)[0].starts(
                with: Element.attachedFile("font.ttf", "font/ttf", uid: 5, [9, 9, 9])))
    }

    @Test func `Cover art of Matroska is removed, and other attachments stay`() throws {
        let (metadata, structure, _) = try Self.change(Self.attachments) { $0.entries = [] }
        #expect(metadata.attachments.map(\.name) == ["font.ttf", "b.ttf"])
        #expect(
            structure.content(0x1941_A469)[0]
                == Element.attachedFile("font.ttf", "font/ttf", uid: 5, [9, 9, 9])
                + Element.attachedFile("b.ttf", "font/ttf", uid: 7, [8]))
    }

    @Test func `A second image in Matroska gets a name of its own, and its description is kept`() throws {
        var picture = MetadataEntry(.matroska, .text("COVER"), .data([0xFF, 0xD8, 0xFF, 2]))
        picture.extras[.info] = .text("from the back")
        let (metadata, _, _) = try Self.change(Self.attachments) { $0.entries.append(picture) }
        #expect(metadata.entries.map(\.info) == ["cover.jpg", "cover2.jpg"])
        #expect(metadata.attachments.last?.description == "from the back")
    }

    @Test func `Entries that Matroska cannot hold are reported as lost`() throws {
        let picture = MetadataEntry(.matroska, .text("COVER"), .data([0xFF, 0xD8, 0xFF, 2]))
        var file = Self.file([.bytes(Element.tracks())])
        file.docType = "webm"
        let (metadata, _, result) = try Self.change(file) { metadata in
            metadata.entries = [
                picture, MetadataEntry(.iTunes, .code(0xA96E_616D), .text("x")), Self.entry("ARTIST", "a"),
            ]
            metadata.tracks = [.init(trackID: 9, entries: [Self.entry("X", "y")])]
            metadata.chapterLists = [ChapterList(form: .nero, chapters: [Chapter(start: .zero)])]
        }
        #expect(metadata.entries == [Self.entry("ARTIST", "a")])
        #expect(
            result.losses.map(\.item) == ["itsk/%A9nam", "mkv/COVER", "mkv/X", "chapters"])
    }

    // MARK: Chapters

    @Test func `A renamed Matroska chapter keeps what else its atom holds`() throws {
        let (metadata, structure, _) = try Self.change(Self.foreign) { metadata in
            metadata.chapterLists[0].chapters[0].titles[1].text = "Erstes"
        }
        let chapters = metadata.chapterLists[0].chapters
        #expect(chapters[0].titles == [.init("One", languageTag: "en-US"), .init("Erstes", languageTag: "de")])
        #expect(chapters[0].children.map(\.title) == ["Sub"])
        let content = structure.content(0x1043_A770)[0]
        // The physical equivalent, the untouched display with its country, the untouched atom.
        #expect(content.contains(Element.number(0x63C3, 60)))
        let display = Element.master(
            0x80, Element.text(0x85, "One"), Element.text(0x437C, "eng"), Element.text(0x437E, "us"),
            Element.text(0x437D, "en-US"))
        #expect(content.contains(display))
        let reading = `Metadata of Matroska is read`.self
        #expect(content.suffix(36) == (try reading.bytes(reading.foreignChapters)).suffix(36))
    }

    @Test func `New Matroska chapters have nanoseconds and a UID each`() throws {
        let list = ChapterList(
            form: .matroska, languageTag: "fr",
            chapters: [
                Chapter(start: .zero, end: CMTime(value: 1001, timescale: 30_000), titles: [.init("a")]),
                Chapter(
                    start: CMTime(value: 1001, timescale: 30_000), titles: [.init("b", languageTag: "de")],
                    children: [Chapter(start: CMTime(value: 1, timescale: 1), isHidden: true, isEnabled: false)]),
            ], isOrdered: true)
        let (metadata, structure, _) = try Self.change(Self.file([])) { $0.chapterLists = [list] }
        let new = try #require(metadata.chapterLists.first)
        #expect(new.isOrdered && !new.isDefault && new.identifier != nil)
        #expect(new.chapters.map(\.start.value) == [0, 33_366_667])
        #expect(new.chapters.map(\.end.isValid) == [true, false])
        #expect(new.chapters.map { $0.titles.map(\.languageTag) } == [["fr"], ["de"]])
        #expect(new.chapters[1].children.map(\.isHidden) == [true])
        #expect(new.chapters[1].children.map(\.isEnabled) == [false])
        #expect(Set(new.chapters.map(\.identifier)).count == 2)
        #expect(structure.content(0x1043_A770)[0].contains(Element.text(0x437C, "fre")))
    }
}
