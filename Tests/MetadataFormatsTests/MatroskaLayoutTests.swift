import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Matroska files are changed with as little moved as possible` {
    typealias Part = MatroskaTestFile.Part

    struct Layout: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: MatroskaTestFile
        /// Bytes of a new comment.
        let size: Int
        let isInPlace: Bool
    }

    static let clusters: [Part] = [
        .cluster([UInt8](repeating: 1, count: 5000)), .cluster([UInt8](repeating: 2, count: 60)), .cluster([3]),
    ]
    static let head: [Part] = [.bytes(Element.info(title: nil)), .bytes(Element.tracks())]
    static let tags: Part = .bytes(Element.tags(Element.tag(Element.simpleTag("ARTIST", "x"))))
    static let ids: [UInt32] = [0x1549_A966, 0x1654_AE6B, 0x1254_C367, 0x1C53_BB6B]
    static let withPositions: [Part] = [
        .cluster([1], tellsPosition: true), .cluster([2], tellsPosition: true, hasChecksum: true),
        .cluster([3], hasChecksum: true),
    ]

    static func void(_ count: Int) -> Part { .bytes(Element.void(count)) }

    static let layouts: [Layout] = [
        Layout(
            testDescription: "tags in front, room behind the index",
            file: MatroskaTestFile(parts: [.seekHead(ids), void(90)] + head + [tags] + clusters + [.cues]), size: 3000,
            isInPlace: true),
        Layout(
            testDescription: "tags in front, room behind them",
            file: MatroskaTestFile(parts: [.seekHead(ids), void(90)] + head + [tags, void(500)] + clusters + [.cues]),
            size: 300, isInPlace: true),
        Layout(
            testDescription: "tags at the end",
            file: MatroskaTestFile(
                parts: [.seekHead(ids), void(4000)] + head + [void(1000)] + clusters + [.cues, tags]), size: 8000,
            isInPlace: true),
        Layout(
            testDescription: "tags at the end with room behind them",
            file: MatroskaTestFile(
                parts: [.seekHead(ids), void(4000)] + head + clusters + [.cues, tags, void(9000)]), size: 8000,
            isInPlace: true),
        Layout(
            testDescription: "no tags yet",
            file: MatroskaTestFile(
                parts: [.seekHead([0x1549_A966]), void(60)] + head + clusters + [.cues]), size: 70_000, isInPlace: true),
        Layout(
            testDescription: "tags before other elements at the end",
            file: MatroskaTestFile(
                parts: [.seekHead(ids), void(60)] + head + clusters + [
                    .cues, tags, .bytes(Element.master(0x1043_A770)),
                ]),
            size: 3000, isInPlace: false),
        Layout(
            testDescription: "no room for the index",
            file: MatroskaTestFile(
                parts: [.seekHead([0x1549_A966])] + head + clusters + [.cues]), size: 100, isInPlace: false),
        Layout(
            testDescription: "no index", file: MatroskaTestFile(parts: head + withPositions), size: 100,
            isInPlace: false),
        Layout(
            testDescription: "no index, Cues in front",
            file: MatroskaTestFile(
                parts: head + [.cues] + withPositions), size: 70_000, isInPlace: false),
        Layout(
            testDescription: "Segment of unknown size",
            file: MatroskaTestFile(
                isUnknownSize: true,
                parts: [.seekHead([0x1549_A966]), void(60)] + head + withPositions), size: 3000, isInPlace: false),
        Layout(
            testDescription: "narrow size of the Segment",
            file: MatroskaTestFile(
                sizeWidth: 2, parts: [.seekHead(ids), void(90)] + head + clusters + [.cues]), size: 20_000,
            isInPlace: false),
        Layout(
            testDescription: "two indexes",
            file: MatroskaTestFile(
                parts: [.seekHead([0x114D_9B74])] + head + clusters + [
                    .seekHead([0x1254_C367, 0x1C53_BB6B, 0x1F43_B675]), .cues, tags,
                ]),
            size: 300, isInPlace: true),
    ]

    /// A change that adds a comment.
    static func commented(_ file: RandomAccessFile, size: Int) throws -> FileRewrite {
        var metadata = try MatroskaFormat.read(file)
        metadata.entries.append(
            MetadataEntry(
                .matroska, .text("COMMENT"), .text(String(repeating: "c", count: size)),
                dataType: MetadataDataType.utf8))
        return try MatroskaFormat.rewrite(file, with: metadata).rewrite
    }

    @Test(arguments: layouts)
    func `Indexes, Cues and positions of Clusters are right after a change, blocks the same`(_ layout: Layout) throws {
        let old = layout.file.bytes
        let file = RandomAccessFile(bytes: old)
        #expect(MatroskaStructure(old).faults.filter { !$0.hasPrefix("index") && !$0.contains("checksum") }.isEmpty)
        let rewrite = try Self.commented(file, size: layout.size)
        let new = rewrite.bytes(of: file)
        #expect(UInt64(new.count) == rewrite.byteCount)
        let structure = MatroskaStructure(new)
        #expect(structure.faults.isEmpty)
        #expect(structure.blocks == MatroskaStructure(old).blocks)
        let metadata = try MatroskaFormat.read(RandomAccessFile(bytes: new))
        #expect(metadata.entries.last?.text?.count == layout.size)
        #expect(metadata.problems.isEmpty)
        #expect(rewrite.method(for: file) == (layout.isInPlace ? .inPlace : .copy))
    }

    @Test(arguments: layouts) func `A second change of a Matroska file finds room in it`(_ layout: Layout) throws {
        var bytes = layout.file.bytes
        for round in 1...4 {
            let file = RandomAccessFile(bytes: bytes)
            let rewrite = try Self.commented(file, size: 100 + round)
            bytes = rewrite.bytes(of: file)
            #expect(MatroskaStructure(bytes).faults.isEmpty)
            #expect(try MatroskaFormat.read(RandomAccessFile(bytes: bytes)).entries.last?.text?.count == 100 + round)
            if round > 2 { #expect(rewrite.method(for: file) == .inPlace) }
        }
    }

    @Test(arguments: layouts)
    func `Matroska files are old or new at every moment of a change in place`(_ layout: Layout) throws {
        let file = RandomAccessFile(bytes: layout.file.bytes)
        for size in [0, 50, layout.size] {
            let rewrite = try Self.commented(file, size: size)
            try Self.checkMoments(of: rewrite, file)
        }
        var metadata = try MatroskaFormat.read(file)
        metadata.entries = []
        try Self.checkMoments(of: MatroskaFormat.rewrite(file, with: metadata).rewrite, file)
    }

    static func checkMoments(of rewrite: FileRewrite, _ file: RandomAccessFile) throws {
        guard rewrite.steps != nil else { return }
        func entries(_ bytes: [UInt8]) throws -> [MetadataEntry] {
            try MatroskaFormat.read(RandomAccessFile(bytes: bytes)).entries
        }
        let final = rewrite.bytes(of: file)
        let states = [try entries(file.read(at: 0, count: Int(file.byteCount))), try entries(final)]
        let blocks = MatroskaStructure(final).blocks
        var state = 0
        let moments = rewrite.moments(of: file)
        for moment in moments {
            let now = try entries(moment)
            if now != states[state] { state = 1 }
            #expect(now == states[state])
            #expect(MatroskaStructure(moment).blocks == blocks)
        }
        #expect(moments.last ?? final == final)
        for case .commit(let bytes, let position) in rewrite.steps ?? [] {
            #expect(position / 4096 == (position + UInt64(bytes.count) - 1) / 4096)
        }
    }

    @Test func `Tags that were removed cannot be found in the Matroska file`() throws {
        for layout in Self.layouts {
            let file = RandomAccessFile(bytes: layout.file.bytes)
            let marked = try Self.commented(file, size: layout.size).bytes(of: file)
            let again = RandomAccessFile(bytes: marked)
            var metadata = try MatroskaFormat.read(again)
            metadata.entries = []
            let new = try MatroskaFormat.rewrite(again, with: metadata).rewrite.bytes(of: again)
            #expect(!new.contains([UInt8](repeating: UInt8(ascii: "c"), count: 8)))
        }
    }

    @Test func `A truncated Matroska file can be changed at its beginning`() throws {
        let whole = MatroskaTestFile(parts: [.seekHead([0x1549_A966]), Self.void(60)] + Self.head + Self.clusters).bytes
        let file = RandomAccessFile(bytes: Array(whole.prefix(whole.count - 30)))
        let new = try Self.commented(file, size: 500).bytes(of: file)
        let metadata = try MatroskaFormat.read(RandomAccessFile(bytes: new))
        #expect(metadata.entries.last?.text?.count == 500)
        #expect(metadata.problems == ["the file is cut off: its Segment should go on"])
        #expect(new.suffix(2000) == whole.dropLast(30).suffix(2000))
    }

    @Test func `Bytes behind the Segment stay behind it`() throws {
        let junk = [UInt8](repeating: 0x5A, count: 100)
        let file = RandomAccessFile(bytes: Self.layouts[4].file.bytes + junk)
        let new = try Self.commented(file, size: 5000).bytes(of: file)
        #expect(new.suffix(100).elementsEqual(junk))
        #expect(MatroskaStructure(Array(new.dropLast(100))).faults.isEmpty)
    }

    @Test func `Checksums are right where a Matroska file had some`() throws {
        // The checksum of "123456789" is 0xCBF43926; over a Void of nine bytes of content it covers header and content.
        let tag = Element.tag(Element.simpleTag("A", "b"))
        let tags = Element.master(0x1254_C367, Element.make(0xBF, [0, 0, 0, 0]), tag)
        let file = RandomAccessFile(bytes: MatroskaTestFile(parts: [.bytes(tags)]).bytes)
        let new = MatroskaStructure(try Self.commented(file, size: 5).bytes(of: file))
        let content = try #require(new.content(0x1254_C367).first)
        #expect(content.prefix(2) == [0xBF, 0x84])
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in content.dropFirst(6) {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        checksum = ~checksum
        #expect(content[2..<6].elementsEqual([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: checksum >> $0) }))
    }
}
