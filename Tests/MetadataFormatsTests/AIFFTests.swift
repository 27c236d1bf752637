import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

@Suite struct `Metadata of AIFF files` {
    private func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private func form(_ chunks: [[UInt8]]) -> [UInt8] { chunk("FORM", Array("AIFF".utf8) + chunks.flatMap { $0 }) }

    private var sound: [[UInt8]] {
        [chunk("COMM", Array(repeating: 3, count: 18)), chunk("SSND", Array(repeating: 4, count: 13))]
    }

    private func entry(_ key: String, _ text: String, time: Int64? = nil) -> MetadataEntry {
        var entry = MetadataEntry(.audioFile, .text(key), .text(text))
        if let time {
            entry.extras = [.chunk: .text("COMT"), .timeStamp: .integer(time), .marker: .integer(0)]
        }
        return entry
    }

    private func read(_ bytes: [UInt8]) throws -> FileMetadata { try AIFFFormat.read(RandomAccessFile(bytes: bytes)) }

    @Test func `AIFF files are recognized by type`() {
        for (file, isOurs) in [
            (form([]), true), (chunk("FORM", Array("AIFC".utf8)), true), (chunk("FORM", Array("ILBM".utf8)), false),
        ] {
            #expect(AIFFFormat.recognizes(file, RandomAccessFile(bytes: file)) == isOurs)
        }
    }

    @Test func `Metadata of AIFF files is read from all chunks`() throws {
        let comments =
            big(2, 2) + big(100) + big(0, 2) + big(3, 2) + Array("abc\0".utf8) + big(200) + big(0, 2) + big(1, 2)
            + Array("d\0".utf8)
        let tag = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "Tag")])
        let metadata = try read(
            form(
                [
                    chunk("NAME", Array("Ä".utf8)), chunk("AUTH", [0xC4]), chunk("(c) ", Array("1999".utf8)),
                    chunk("ANNO", Array("one".utf8)), chunk("COMT", comments),
                ] + sound + [chunk("ANNO", Array("two\0".utf8)), chunk("ID3 ", tag)]))
        #expect(metadata.container == .aiff)
        #expect(metadata.problems == [])
        #expect(
            metadata.entries == [
                entry("info-title", "Ä"), entry("info-author", "Ä"), entry("info-copyright", "1999"),
                entry("info-comment", "one"), entry("info-comment", "abc", time: 100),
                entry("info-comment", "d", time: 200), entry("info-comment", "two"), .id3("TIT2", "Tag"),
            ])
    }

    @Test func `Metadata of AIFF files is written so that it reads the same, and is removed again`() throws {
        let wanted = [
            entry("info-title", "☃"), entry("info-comment", "odd", time: 7), entry("info-comment", "even", time: 8),
            entry("info-comment", "x"), .id3("TPE1", "Ж"),
        ]
        let full = try Rewritten.file(AIFFFormat.self, form(sound)) { $0.entries = wanted }
        #expect(full.losses == [])
        #expect(try read(full.bytes).entries == wanted)
        #expect(Array(full.bytes[12..<form(sound).count]) == Array(form(sound)[12...]))
        let none = try Rewritten.file(AIFFFormat.self, full.bytes) { $0.entries = [] }
        #expect(none.bytes == form(sound))
    }

    @Test func `Metadata of AIFF files changes where it is`() throws {
        let comment = chunk("ANNO", [0xC4, 0])
        let file = form([chunk("NAME", Array("a".utf8)), comment] + sound)
        let new = try Rewritten.file(AIFFFormat.self, file) { $0.entries[0].value = .text("bcd") }
        #expect(new.bytes == form([chunk("NAME", Array("bcd".utf8)), comment] + sound))
    }

    @Test func `Metadata that an AIFF file has no chunk for is reported as lost`() throws {
        let new = try Rewritten.file(AIFFFormat.self, form(sound)) {
            $0.entries = [entry("IKEY", "x"), entry("INAM", "Title")]
        }
        #expect(new.losses.map(\.item) == ["caaf/IKEY"])
        #expect(try read(new.bytes).entries == [entry("info-title", "Title")])
    }

    @Test func `Metadata of AIFF files withstands damage`() {
        let tag = chunk("ID3 ", ID3Bytes.tag(4, [ID3Bytes.text(4, "TIT2", "Tag")]))
        let comments = chunk("COMT", big(1, 2) + big(100) + big(0, 2) + big(3, 2) + Array("abc\0".utf8))
        Rewritten.withstandDamage(AIFFFormat.self, form([chunk("NAME", Array("a".utf8)), comments] + sound + [tag]))
    }
}
