import MediaFile
import Testing

@testable import MediaMetadata

@Suite struct `Numbers of languages` {
    @Test func `Macintosh's numbers of languages are those of Apple's table`() {
        for (tag, number) in [
            ("en", 0), ("fr", 1), ("de-CH", 2), ("pt-BR", 8), ("ja", 11), ("zh-Hant", 19), ("zh-TW", 19), ("zh-CN", 33),
            ("nb", 9), ("cy", 128), ("eu", 129),
        ] as [(String, UInt16)] {
            #expect(MacintoshText.number(ofLanguage: tag) == number, "\(tag)")
        }
        #expect(MacintoshText.number(ofLanguage: "tlh") == nil)
    }
}

@Suite struct `Metadata in words` {
    @Test func `has genres, pairs, flags and types as people say them`() throws {
        let entries = [
            MetadataEntry(.iTunes, .code(0x676E_7265), .data([0, 3])),
            MetadataEntry(.iTunes, .code(0x7472_6B6E), .data([0, 0, 0, 3, 0, 12, 0, 0])),
            MetadataEntry(.iTunes, .code(0x6370_696C), .integer(1)),
            MetadataEntry(.iTunes, .code(0x7374_696B), .integer(9)),
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
            MetadataEntry(.quickTimeMetadata, .text("com.apple.quicktime.title"), .text("A")),
        ]
        let items = PlainMetadata(entries).items
        #expect(items.map(\.name) == ["title", "track", "genre", "compilation", "media-type"])
        #expect(items.map(\.values) == [["A"], ["3/12"], ["Country"], ["yes"], ["movie"]])
        #expect(items.allSatisfy { $0.keySpace == nil })
    }

    @Test func `names both places of what a file says in two ways`() throws {
        let items = PlainMetadata([
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
            MetadataEntry(.quickTimeMetadata, .text("com.apple.quicktime.title"), .text("B")),
        ]).items
        #expect(
            items.map { "\($0.name) \($0.keySpace ?? "") \($0.values)" } == [
                "title itsk [\"A\"]", "title mdta [\"B\"]",
            ])
    }

    @Test func `gives the value of a name and nothing else`() throws {
        let entries = [
            MetadataEntry(.iTunes, .code(0x676E_7265), .data([0, 3])),
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
        ]
        #expect(PlainMetadata.values(of: try MetadataName("genre"), in: entries) == ["Country"])
        #expect(PlainMetadata.values(of: try MetadataName("itsk/gnre"), in: entries) == ["Country"])
        #expect(PlainMetadata.values(of: try MetadataName("itsk/%A9nam"), in: entries) == ["A"])
        #expect(PlainMetadata.values(of: try MetadataName("album"), in: entries) == [])
    }

    @Test func `lists names that can be set, and no other`() throws {
        let names = KnownName.all(in: FileMetadata.Container.all)
        for name in names where name.name != "header-date" && name.name != "artwork" {
            #expect(throws: Never.self) { try MetadataName(name.name) }
            #expect(!name.containers.isEmpty, "\(name.name)")
        }
        #expect(names.first?.name == "title")
        #expect(Set(FileMetadata.formats.flatMap { $0.containers }) == Set(FileMetadata.Container.all))
        #expect(names.first { $0.name == "album-artist" }?.containers.contains(.aiff) == false)
    }
}

@Suite struct `APE tags beside ID3` {
    /// A tag as the specification of APEv2 has it.
    private static func tag(_ items: [(String, String)]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        var body: [UInt8] = []
        for (name, value) in items {
            body += number(value.utf8.count) + number(0)
            body += Array(name.utf8) + [0] + Array(value.utf8)
        }
        func end(_ flags: UInt8) -> [UInt8] {
            var bytes = Array("APETAGEX".utf8) + number(2000) + number(body.count + 32)
            bytes += number(items.count) + [0, 0, 0, flags]
            return bytes + [UInt8](repeating: 0, count: 8)
        }
        return end(0xA0) + body + end(0x80)
    }

    @Test(arguments: [false, true]) func `are named with what they say`(_ hasOldTag: Bool) throws {
        let old = hasOldTag ? Array("TAG".utf8) + [UInt8](repeating: 0, count: 125) : []
        var bytes = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "New")]) + ID3Bytes.audio
        bytes += Self.tag([("Title", "Old"), ("Album", "B")]) + old
        let metadata = try ID3Format.read(RandomAccessFile(bytes: bytes))
        #expect(metadata.problems.count == 1)
        #expect(metadata.problems.first?.contains("Title “Old”, Album “B”") == true, "\(metadata.problems)")
        let new = try Rewritten.file(ID3Format.self, bytes) { $0.entries[0].value = .text("Newer") }
        #expect(try ID3Format.read(RandomAccessFile(bytes: new.bytes)).problems == metadata.problems)
    }

    @Test func `cut off anywhere are no danger`() {
        let tag = Self.tag([("Title", "Old"), ("Album", "B")])
        for count in 0...tag.count {
            for bytes in [Array(tag.prefix(count)), Array(tag.suffix(count))] {
                _ = try? ID3Format.read(RandomAccessFile(bytes: ID3Bytes.audio + bytes))
            }
        }
        for place in tag.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = tag
                bytes[place] = value
                _ = try? ID3Format.read(RandomAccessFile(bytes: ID3Bytes.audio + bytes))
            }
        }
    }
}
