import Foundation
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Damaged and hostile Matroska files` {
    static let whole = MatroskaTestFile(parts: [
        .seekHead([0x1549_A966, 0x1C53_BB6B, 0x1254_C367, 0x1941_A469]), .bytes(Element.void(40)),
        .bytes(Element.info(title: "t")), .bytes(Element.tracks(name: "n")), .cluster([1, 2, 3]), .cues,
        .bytes(Element.tags(Element.tag(Element.simpleTag("ARTIST", "x", Element.simpleTag("URL", "u"))))),
        .bytes(Element.make(0x1941_A469, Element.attachedFile("cover.png", "image/png", uid: 3, [1, 2, 3]))),
    ]).bytes

    /// Reads, changes and rewrites; only that nothing traps counts.
    static func exercise(_ bytes: [UInt8]) {
        let file = RandomAccessFile(bytes: bytes)
        guard var metadata = try? MatroskaFormat.read(file) else { return }
        metadata.entries.append(MetadataEntry(.matroska, .text("COMMENT"), .text(String(repeating: "c", count: 200))))
        if let result = try? MatroskaFormat.rewrite(file, with: metadata) { _ = result.rewrite.bytes(of: file) }
        metadata.entries = []
        metadata.tracks = []
        metadata.chapterLists = []
        if let result = try? MatroskaFormat.rewrite(file, with: metadata) { _ = result.rewrite.bytes(of: file) }
    }

    @Test func `Matroska files cut off anywhere are read and changed without harm`() {
        for count in Self.whole.indices { Self.exercise(Array(Self.whole.prefix(count))) }
    }

    @Test(arguments: [0x00, 0x81, 0xFF] as [UInt8])
    func `Matroska files with any byte changed are read and changed without harm`(_ value: UInt8) {
        for index in Self.whole.indices {
            var bytes = Self.whole
            bytes[index] = value
            Self.exercise(bytes)
        }
    }

    @Test func `Matroska elements of the largest size are read without harm`() {
        for index in Self.whole.indices {
            var bytes = Self.whole
            bytes.replaceSubrange(
                index..<min(index + 8, bytes.count), with: [0x01] + [UInt8](repeating: 0xFE, count: 7))
            Self.exercise(bytes)
        }
    }

    @Test func `Matroska elements after damage in one part are read`() throws {
        var tags = Element.tags(Element.tag(Element.simpleTag("A", "b")), [0x73, 0x73, 0x88, 0x00])
        tags = MatroskaTestFile(parts: [.bytes(tags), .bytes(Element.info(title: "after"))]).bytes
        let metadata = try MatroskaFormat.read(RandomAccessFile(bytes: tags))
        #expect(metadata.entries.map(\.text) == ["after", "b"])
        #expect(
            metadata.problems == ["a part of the tags cannot be read"])
    }

    @Test func `Matroska tags within tags have a limit`() throws {
        var tag = Element.simpleTag("N", "deepest")
        for _ in 0..<200 { tag = Element.master(0x67C8, Element.text(0x45A3, "N"), Element.text(0x4487, "v"), tag) }
        let metadata = try Self.read(Element.tags(Element.tag(tag)))
        #expect(metadata.entries.count == 16)
        #expect(
            metadata.problems == ["a part of the tags cannot be read", "the tags are nested too deep (limit nesting)"])
    }

    @Test func `Matroska chapters within chapters have a limit`() throws {
        var atom: [UInt8] = []
        for _ in 0..<200 { atom = Element.make(0xB6, atom) }
        let metadata = try Self.read(Element.master(0x1043_A770, Element.make(0x45B9, atom)))
        var depth = 0
        var chapters = metadata.chapterLists.first?.chapters ?? []
        while let first = chapters.first { (depth, chapters) = (depth + 1, first.children) }
        #expect(depth == 16)
        #expect(
            metadata.problems == [
                "a part of the chapters cannot be read", "the chapters are nested too deep (limit nesting)",
            ])
    }

    /// Some bytes again and again.
    private static func flood(_ bytes: [UInt8], times power: Int) -> [UInt8] {
        (0..<power).reduce(into: bytes) { result, _ in result += result }
    }

    @Test(.timeLimit(.minutes(5))) func `Floods of tiny Matroska elements cost little`() throws {
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        let head = Element.master(0x1A45_DFA3, Element.text(0x4282, "webm")) + segment
        let simpleTags = Self.flood([0x67, 0xC8, 0x80], times: 20)
        let tag = Element.header(0x7373, size: UInt64(simpleTags.count)) + simpleTags
        let tags = Element.header(0x1254_C367, size: UInt64(tag.count)) + tag
        let metadata = try MatroskaFormat.read(RandomAccessFile(bytes: head + tags))
        #expect(metadata.entries.count <= 1 << 18)
        #expect(metadata.problems == ["a part of the tags cannot be read"])
        let voids = try MatroskaFormat.read(RandomAccessFile(bytes: head + Self.flood([0xEC, 0x80], times: 20)))
        #expect(voids.problems.count == 1)
        let clusters = Self.flood([0x1F, 0x43, 0xB6, 0x75, 0x80], times: 18)
        #expect(try MatroskaFormat.read(RandomAccessFile(bytes: head + clusters)).entries.isEmpty)
    }

    @Test func `A Matroska index that names itself is read once`() throws {
        let file = MatroskaTestFile(parts: [.seekHead([0x114D_9B74, 0x114D_9B74]), .cluster([1])])
        #expect(try MatroskaFormat.read(RandomAccessFile(bytes: file.bytes)).problems.isEmpty)
    }

    @Test func `A Matroska element too large to be read is kept`() throws {
        // The element has 65 MiB, nothing but a hole in the file.
        let size: UInt64 = 65 << 20
        let info = Element.info(title: "x")
        let tags = Element.header(0x1254_C367, size: size)
        let bytes =
            Element.master(0x1A45_DFA3, Element.text(0x4282, "matroska"))
            + Element.header(0x1853_8067, size: UInt64(info.count + tags.count) + size) + info + tags
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mkv")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(bytes).write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(bytes.count) + size)
        try handle.close()
        let file = try #require(RandomAccessFile(path: url.path))
        var metadata = try MatroskaFormat.read(file)
        #expect(metadata.problems == ["the tags are larger than is read (limit metadata-size)"])
        #expect(metadata.entries.map(\.text) == ["x"])
        metadata.entries.append(MetadataEntry(.matroska, .text("ARTIST"), .text("y")))
        #expect(throws: MetadataError.self) { try MatroskaFormat.rewrite(file, with: metadata) }
    }

    private static func read(_ part: [UInt8]) throws -> FileMetadata {
        try MatroskaFormat.read(RandomAccessFile(bytes: MatroskaTestFile(parts: [.bytes(part)]).bytes))
    }
}
