import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

@Suite struct `Tags of ID3 are written` {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0xFF, 0, 0xFF, 0xE0]

    /// Entries of all kinds, as a version has them.
    private static func entries(_ version: UInt8) -> [MetadataEntry] {
        func key(_ long: String, _ short: UInt32) -> MetadataKey { version == 2 ? .code(short) : .text(long) }
        let picture: [AVMetadataExtraAttributeKey: MetadataValue] = [
            .dataType: .text("image/png"), .dataTypeNamespace: .text("org.iana.media-type"), .info: .text("ß"),
            .pictureType: .text("Artist/performer"),
        ]
        return [
            MetadataEntry(.id3, key("TIT2", 0x54_5432), .text("Ä ☃")),
            MetadataEntry(.id3, key("TPE1", 0x54_5031), .text("a")),
            MetadataEntry(.id3, key("TPE1", 0x54_5031), .text("Ж")),
            MetadataEntry(.id3, key("COMM", 0x43_4F4D), .text("c"), languageTag: "en", extras: [.info: .text("")]),
            MetadataEntry(.id3, key("COMM", 0x43_4F4D), .text("☃"), languageTag: "fr", extras: [.info: .text("d")]),
            MetadataEntry(.id3, key("TXXX", 0x54_5858), .text("1"), extras: [.info: .text("k")]),
            MetadataEntry(.id3, key("TXXX", 0x54_5858), .text("2"), extras: [.info: .text("l")]),
            MetadataEntry(.id3, key("WXXX", 0x57_5858), .text("http://x"), extras: [.info: .text("☃")]),
            MetadataEntry(.id3, key("WOAR", 0x57_4152), .text("http://y")),
            MetadataEntry(.id3, key("UFID", 0x55_4649), .data([0x6F, 0, 0xFF, 0xE1, 0xFF])),
            MetadataEntry(.id3, key("APIC", 0x50_4943), .data(png), dataType: MetadataDataType.png, extras: picture),
        ]
    }

    @Test(arguments: [2, 3, 4] as [UInt8], [0, 0x80] as [UInt8])
    func `ID3 tags are written so that they read the same, in their version`(_ version: UInt8, _ flags: UInt8) throws {
        let empty = ID3Bytes.tag(version, [], flags: flags) + ID3Bytes.audio
        let wanted = Self.entries(version)
        let (full, losses) = try Rewritten.file(ID3Format.self, empty) { $0.entries = wanted }
        #expect(losses == [])
        #expect(try Rewritten.entries(ID3Format.self, full) == wanted)
        #expect(full[3] == version)
        #expect(full[5] == flags)
        #expect(full.suffix(ID3Bytes.audio.count) == ID3Bytes.audio[...])
        let tag = full.dropLast(ID3Bytes.audio.count)
        if flags != 0 { #expect(!zip(tag, tag.dropFirst()).contains { $0 == 0xFF && $1 >= 0xE0 && $1 != 0xFE }) }
        let (none, _) = try Rewritten.file(ID3Format.self, full) { $0.entries = [] }
        #expect(none == ID3Bytes.audio)
        let (again, _) = try Rewritten.file(ID3Format.self, none) { $0.entries = wanted }
        // A file without a tag gets one of version 2.3.
        #expect(again[3] == 3)
        #expect(try Rewritten.entries(ID3Format.self, again).map(\.value) == wanted.map(\.value))
    }

    @Test func `ID3 tags without a change are not written`() throws {
        let file = RandomAccessFile(bytes: ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")]) + ID3Bytes.audio)
        let rewrite = try ID3Format.rewrite(file, with: ID3Format.read(file)).rewrite
        #expect(rewrite.method(for: file) == .unchanged)
    }

    @Test func `ID3 text is written in ISO 8859-1 where that suffices, else as the version has it`() throws {
        let (v23, _) = try Rewritten.file(ID3Format.self, ID3Bytes.audio) {
            $0.entries = [.id3("TIT2", "Ä"), .id3("TALB", "☃")]
        }
        #expect(Array(v23[10..<22]) == ID3Bytes.frame(3, "TIT2", [0, 0xC4]))
        #expect(Array(v23[22..<37]) == ID3Bytes.frame(3, "TALB", [1, 0xFF, 0xFE, 0x03, 0x26]))
        let v24 = try Rewritten.file(ID3Format.self, ID3Bytes.tag(4, []) + ID3Bytes.audio) {
            $0.entries = [.id3("TALB", "☃")]
        }.bytes
        #expect(Array(v24[10..<24]) == ID3Bytes.frame(4, "TALB", [3, 0xE2, 0x98, 0x83]))
    }

    @Test func `ID3 frames that do not change stay byte for byte`() throws {
        let odd = ID3Bytes.frame(3, "TCOM", [1, 0xFE, 0xFF, 0, 0x61, 0, 0], flags: 0x20)
        let frames = [odd, ID3Bytes.text(3, "TIT2", "a"), ID3Bytes.frame(3, "XYZ1", [1, 2])]
        let file = ID3Bytes.tag(3, frames, padding: 50) + ID3Bytes.audio
        let new = try Rewritten.file(ID3Format.self, file) { $0.entries[1].value = .text("bcd") }.bytes
        #expect(
            new == ID3Bytes.tag(3, [odd, ID3Bytes.text(3, "TIT2", "bcd"), frames[2]], padding: 48) + ID3Bytes.audio)
    }

    @Test func `Bytes of an ID3 tag that are no frames are kept`() throws {
        let rest: [UInt8] = Array("TPE1".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x61]
        let file = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a"), rest], padding: 20) + ID3Bytes.audio
        let new = try Rewritten.file(ID3Format.self, file) { $0.entries[0].value = .text("b") }.bytes
        #expect(new == ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "b"), rest], padding: 20) + ID3Bytes.audio)
    }

    @Test func `ID3 tags are written in place in their padding, else with the audio moved by pages`() throws {
        let bytes = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")], padding: 30) + ID3Bytes.audio
        let file = RandomAccessFile(bytes: bytes)
        var metadata = try ID3Format.read(file)
        metadata.entries.append(.id3("TPE1", "b"))
        #expect(try ID3Format.rewrite(file, with: metadata).rewrite.method(for: file) == .inPlace)
        metadata.entries[1].value = .text(String(repeating: "b", count: 40))
        let rewrite = try ID3Format.rewrite(file, with: metadata).rewrite
        #expect(rewrite.method(for: file) == .copy)
        #expect((rewrite.byteCount - file.byteCount) % 4096 == 0)
        #expect(rewrite.byteCount - file.byteCount <= 8192)
    }

    @Test func `ID3 tags are written in place beyond one page if that lies in padding`() throws {
        let bytes = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")], padding: 20_000) + ID3Bytes.audio
        let file = RandomAccessFile(bytes: bytes)
        var metadata = try ID3Format.read(file)
        metadata.entries.append(MetadataEntry(.id3, .text("PRIV"), .data(Array(repeating: 7, count: 9000))))
        let rewrite = try ID3Format.rewrite(file, with: metadata).rewrite
        let stages = try #require(Rewritten.stages(rewrite, of: file))
        #expect(stages.count == 2)
        #expect(try Rewritten.entries(ID3Format.self, stages[0]) == Array(metadata.entries.prefix(1)))
        #expect(try Rewritten.entries(ID3Format.self, stages[1]) == metadata.entries)
    }

    @Test func `ID3 tags of version 1 are written in step`() throws {
        let tag = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a"), ID3Bytes.text(3, "TCON", "Rock")], padding: 60)
        let file = tag + ID3Bytes.audio + ID3Bytes.old(title: "a", artist: "Who", track: 3, genre: 17)
        let new = try Rewritten.file(ID3Format.self, file) {
            $0.entries[0].value = .text("☃!")
            $0.entries[1].value = .text("(9)")
        }.bytes
        #expect(Array(new.suffix(128)) == ID3Bytes.old(title: "?!", artist: "Who", track: 3, genre: 9))
        #expect(new.count == file.count)
        let none = try Rewritten.file(ID3Format.self, file) { $0.entries = [] }.bytes
        #expect(none == ID3Bytes.audio)
    }

    @Test func `ID3 tags of version 1 stay alone as long as they can hold it all`() throws {
        let file = ID3Bytes.audio + ID3Bytes.old(title: "a", artist: "Who", track: 3, genre: 17)
        let short = try Rewritten.file(ID3Format.self, file) { $0.entries[0].value = .text("b") }.bytes
        #expect(short == ID3Bytes.audio + ID3Bytes.old(title: "b", artist: "Who", track: 3, genre: 17))
        let long = String(repeating: "b", count: 31)
        let new = try Rewritten.file(ID3Format.self, file) { $0.entries[0].value = .text(long) }.bytes
        let entries = try Rewritten.entries(ID3Format.self, new)
        #expect(entries.map(\.text) == [long, "Who", "1999", "3", "(17)"])
        #expect(entries.allSatisfy { $0.extras.isEmpty })
        #expect(Array(new.suffix(128).prefix(33)) == Array(("TAG" + long.dropLast()).utf8))
    }

    @Test func `ID3 tags are written around tags of other kinds`() throws {
        let ape = Array("APETAGEX".utf8) + Array(repeating: 1, count: 40)
        let more = Array("TAG+".utf8) + Array(repeating: 2, count: 223)
        let end = ape + more + ID3Bytes.old(title: "a")
        let new = try Rewritten.file(
            ID3Format.self, ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")]) + ID3Bytes.audio + end
        ) {
            $0.entries.append(.id3("TALB", "b"))
        }.bytes
        let album = try #require(new.suffix(128).firstIndex(of: UInt8(ascii: "b")))
        #expect(album == new.count - 128 + 63)
        #expect(new.dropLast(128).suffix(end.count - 128) == end.dropLast(128))
    }

    @Test func `Several ID3 tags are written as one`() throws {
        let second = ID3Bytes.tag(4, [ID3Bytes.frame(4, "TPE1", [3, 0xE2, 0x98, 0x83])])
        var last = ID3Bytes.tag(4, [ID3Bytes.text(4, "TALB", "c")], flags: 0x10)
        last += Array("3DI".utf8) + last[3..<10]
        let file = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")]) + second + ID3Bytes.audio + last
        let new = try Rewritten.file(ID3Format.self, file) { $0.entries[0].value = .text("b") }.bytes
        #expect(new[3] == 3)
        #expect(new.suffix(ID3Bytes.audio.count) == ID3Bytes.audio[...])
        #expect(
            try Rewritten.entries(ID3Format.self, new) == [.id3("TIT2", "b"), .id3("TPE1", "☃"), .id3("TALB", "c")])
    }

    @Test func `ID3 tags are written with the keys of their version`() throws {
        let v22 = try Rewritten.file(ID3Format.self, ID3Bytes.tag(2, []) + ID3Bytes.audio) {
            $0.entries = [.id3("TIT2", "a"), .id3("TMOO", "b"), .id3("TDRC", "2004-03-12")]
        }
        #expect(
            try Rewritten.entries(ID3Format.self, v22.bytes) == [
                MetadataEntry(.id3, .code(0x54_5432), .text("a")), MetadataEntry(.id3, .code(0x54_5945), .text("2004")),
                MetadataEntry(.id3, .code(0x54_4441), .text("1203")),
            ])
        #expect(v22.losses == [MetadataLoss(item: "id3/TMOO", reason: "ID3v2.2 has no such frame")])
        let v23 = try Rewritten.file(ID3Format.self, ID3Bytes.audio) {
            $0.entries = [MetadataEntry(.id3, .code(0x54_5432), .text("a"))]
        }
        #expect(try Rewritten.entries(ID3Format.self, v23.bytes) == [.id3("TIT2", "a")])
    }

    struct DateCase: Sendable, CustomTestStringConvertible {
        let version: UInt8
        let given: [String: String]
        let written: [String: String]
        var testDescription: String { "\(given) in 2.\(version)" }
    }

    @Test(arguments: [
        DateCase(version: 3, given: ["TDRC": "2004"], written: ["TYER": "2004"]),
        DateCase(
            version: 3, given: ["TDRC": "2004-03-12T15:30"],
            written: ["TYER": "2004", "TDAT": "1203", "TIME": "1530"]),
        DateCase(version: 3, given: ["TDRC": "2004-03"], written: ["TDRC": "2004-03"]),
        DateCase(version: 3, given: ["TDRC": "2004", "TYER": "1999"], written: ["TDRC": "2004", "TYER": "1999"]),
        DateCase(version: 4, given: ["TDRC": "2004-03"], written: ["TDRC": "2004-03"]),
        DateCase(version: 4, given: ["TYER": "2004"], written: ["TDRC": "2004"]),
        DateCase(version: 4, given: ["TYER": "2004", "TDAT": "1203"], written: ["TDRC": "2004-03-12"]),
        DateCase(version: 4, given: ["TORY": "2004"], written: ["TDOR": "2004"]),
        DateCase(version: 3, given: ["TDOR": "2004"], written: ["TORY": "2004"]),
        DateCase(version: 3, given: ["TDOR": "2004-01"], written: ["TDOR": "2004-01"]),
    ])
    func `ID3 dates are written as their version has them, if that loses nothing`(_ example: DateCase) throws {
        let file = ID3Bytes.tag(example.version, []) + ID3Bytes.audio
        let new = try Rewritten.file(ID3Format.self, file) {
            $0.entries = example.given.sorted { $0.key > $1.key }.map { .id3($0.key, $0.value) }
        }
        let entries = try Rewritten.entries(ID3Format.self, new.bytes)
        #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.key.text, $0.text) }) == example.written)
        #expect(new.losses == [])
    }

    @Test func `Entries that ID3 tags have no frame for are reported as lost`() throws {
        let new = try Rewritten.file(ID3Format.self, ID3Bytes.audio) {
            $0.entries = [
                MetadataEntry(.iTunes, .code(0xA96E_616D), .text("x")), .id3("toolong", "x"), .id3("PRIV", "text"),
                MetadataEntry(.id3, .text("TIT2"), .text("a\0b"), languageTag: "de"), .id3("WOAR", "☃"),
            ]
        }
        #expect(
            new.losses.map(\.item) == [
                "itsk/%A9nam", "id3/TIT2", "id3/TIT2", "id3/toolong", "id3/PRIV", "id3/WOAR",
            ])
        #expect(try Rewritten.entries(ID3Format.self, new.bytes) == [.id3("TIT2", "ab")])
    }

    @Test func `Compressed ID3 frames are written as they were`() throws {
        let frame = ID3Bytes.frame(4, "TALB", [0, 0, 0, 9, 0x78, 1], flags: 9)
        let file = ID3Bytes.tag(4, [frame]) + ID3Bytes.audio
        let entries = try Rewritten.entries(ID3Format.self, file)
        let other = ID3Bytes.tag(4, []) + ID3Bytes.audio
        let new = try Rewritten.file(ID3Format.self, other) { $0.entries = entries }.bytes
        #expect(Array(new[10..<(10 + frame.count)]) == frame)
        let older = try Rewritten.file(ID3Format.self, ID3Bytes.tag(3, []) + ID3Bytes.audio) { $0.entries = entries }
        #expect(older.losses.map(\.item) == ["id3/TALB"])
    }

    @Test func `ID3 tags that cannot be read are not overwritten`() throws {
        for tag in [ID3Bytes.tag(5, [[1, 2, 3]]), ID3Bytes.tag(2, [[1, 2, 3]], flags: 0x40)] {
            #expect(throws: MetadataError.self) {
                try Rewritten.file(ID3Format.self, tag + ID3Bytes.audio) { $0.entries = [.id3("TIT2", "a")] }
            }
        }
    }
}
