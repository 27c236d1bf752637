import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

@Suite struct `Tags of ID3 are read` {
    private func read(_ bytes: [UInt8]) throws -> FileMetadata { try ID3Format.read(RandomAccessFile(bytes: bytes)) }

    private func recognizes(_ bytes: [UInt8]) -> Bool {
        ID3Format.recognizes(Array(bytes.prefix(64)), RandomAccessFile(bytes: bytes))
    }

    @Test func `ID3 tags are recognized in MPEG audio and AAC, and in no other files`() {
        let tag = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")])
        let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x7F, 0xFC, 0, 0, 0, 0]
        #expect(recognizes(tag + ID3Bytes.audio))
        #expect(recognizes(ID3Bytes.audio))
        #expect(recognizes(adts + adts))
        #expect(!recognizes(tag + Array("fLaC".utf8)))
        #expect(!recognizes([0xFF, 0xFE] + Array(repeating: 0x41, count: 2000)))
        #expect(!recognizes(Array("ID3".utf8)))
        #expect(!recognizes([]))
    }

    @Test func `ID3 tags of version 2.2, whose keys are three letters, are read`() throws {
        let picture = [0] + Array("JPG".utf8) + [3] + Array("cover".utf8) + [0, 0xFF, 0xD8, 0xFF, 0xE0]
        let comment = [0] + Array("eng".utf8) + Array("iTunNORM".utf8) + [0] + Array("00".utf8)
        let metadata = try read(
            ID3Bytes.tag(
                2,
                [
                    ID3Bytes.text(2, "TT2", "Title"), ID3Bytes.frame(2, "COM", comment),
                    ID3Bytes.frame(2, "PIC", picture),
                ], padding: 20) + ID3Bytes.audio)
        #expect(metadata.container == .id3)
        #expect(metadata.problems == [])
        #expect(
            metadata.entries == [
                MetadataEntry(.id3, .code(0x0054_5432), .text("Title")),
                MetadataEntry(
                    .id3, .code(0x0043_4F4D), .text("00"), languageTag: "en", extras: [.info: .text("iTunNORM")]),
                MetadataEntry(
                    .id3, .code(0x0050_4943), .data([0xFF, 0xD8, 0xFF, 0xE0]), dataType: MetadataDataType.jpeg,
                    extras: [
                        .dataType: .text("image/jpeg"), .dataTypeNamespace: .text("org.iana.media-type"),
                        .info: .text("cover"), .pictureType: .text("Cover (front)"),
                    ]),
            ])
    }

    @Test(
        arguments: [
            [0, 0xC4, 0x62], [1, 0xFF, 0xFE, 0xC4, 0, 0x62, 0], [1, 0xFE, 0xFF, 0, 0xC4, 0, 0x62],
            [1, 0xC4, 0, 0x62, 0], [2, 0, 0xC4, 0, 0x62], [3, 0xC3, 0x84, 0x62], [3, 0xC3, 0x84, 0x62, 0, 0],
        ] as [[UInt8]])
    func `ID3 tags are read in all encodings of text`(_ content: [UInt8]) throws {
        let entries = try read(ID3Bytes.tag(4, [ID3Bytes.frame(4, "TIT2", content)])).entries
        #expect(entries == [.id3("TIT2", "Äb")])
    }

    @Test func `ID3 frames with several values are read`() throws {
        let frames = [
            ID3Bytes.frame(4, "TPE1", [0] + Array("a\0b".utf8)),
            ID3Bytes.frame(4, "TXXX", [3] + Array("key\0v\0w".utf8)),
            ID3Bytes.frame(4, "TCON", [1, 0xFF, 0xFE, 0x61, 0, 0, 0, 0xFF, 0xFE, 0x62, 0, 0, 0]),
        ]
        #expect(
            try read(ID3Bytes.tag(4, frames)).entries == [
                .id3("TPE1", "a"), .id3("TPE1", "b"), .id3("TXXX", "v", "key"), .id3("TXXX", "w", "key"),
                .id3("TCON", "a"), .id3("TCON", "b"),
            ])
    }

    @Test func `ID3 tags keep languages that are none`() throws {
        let frames = [
            ID3Bytes.frame(3, "COMM", Array("\0ger\0Text".utf8)), ID3Bytes.frame(3, "COMM", Array("\0XXX\0Text".utf8)),
            ID3Bytes.frame(3, "USLT", Array("\0\0\0\0\0Text".utf8)),
        ]
        let entries = try read(ID3Bytes.tag(3, frames)).entries
        #expect(entries.map(\.languageTag) == ["de", nil, nil])
        #expect(entries.map { $0.extras[.languageCode] } == [.text("ger"), nil, .text("\0\0\0")])
        #expect(entries.map(\.info) == ["", "", ""])
    }

    @Test func `ID3 addresses, and images that are elsewhere, are read`() throws {
        let frames = [
            ID3Bytes.frame(3, "WOAR", Array("http://a\0rest".utf8)),
            ID3Bytes.frame(3, "WXXX", Array("\0what\0http://b".utf8)),
            ID3Bytes.frame(3, "WFED", Array("\0http://c".utf8)),
            ID3Bytes.frame(3, "APIC", Array("\0-->\0\u{11}\0http://d".utf8)),
        ]
        let entries = try read(ID3Bytes.tag(3, frames)).entries
        #expect(entries.map(\.text) == ["http://a", "http://b", "http://c", "http://d"])
        #expect(entries[1].info == "what")
        #expect(entries[3].extras[.valueURI] == .text("http://d"))
        #expect(entries[3].extras[.pictureType] == .text("A bright coloured fish"))
    }

    /// iTunes writes them as if their names began with a T, and mutagen and exiftool read them so.
    @Test func `iTunes' movements and groups in ID3 tags are read as text`() throws {
        let frames = [
            ID3Bytes.frame(3, "MVNM", [0, 0x61]), ID3Bytes.frame(3, "MVIN", [0, 0x31, 0x2F, 0x34]),
            ID3Bytes.frame(3, "GRP1", [1, 0xFF, 0xFE, 0x62, 0]),
        ]
        #expect(try read(ID3Bytes.tag(3, frames)).entries.map(\.text) == ["a", "1/4", "b"])
    }

    @Test func `ID3 frames of other kinds are read as bytes`() throws {
        let frames = [
            ID3Bytes.frame(3, "PRIV", [0x6F, 0, 1, 2]), ID3Bytes.frame(3, "RVRB", [0, 0x61]),
            ID3Bytes.frame(3, "TIT2", [9, 0x61]), ID3Bytes.frame(3, "APIC", [0, 0x61]),
        ]
        let entries = try read(ID3Bytes.tag(3, frames)).entries
        #expect(
            entries.map(\.value) == [.data([0x6F, 0, 1, 2]), .data([0, 0x61]), .data([9, 0x61]), .data([0, 0x61])])
        #expect(entries.map { $0.extras[.frameEncoding] } == [nil, nil, .text("raw"), .text("raw")])
    }

    @Test func `Unsynchronisation of a whole ID3 tag is undone`() throws {
        let frame = ID3Bytes.frame(3, "PRIV", [0x6F, 0, 0xFF, 0xE0, 0xFF, 0, 1])
        let stored = frame.dropLast(5) + [0xFF, 0, 0xE0, 0xFF, 0, 0, 1]
        #expect(try read(ID3Bytes.tag(3, [Array(stored)], flags: 0x80)).entries[0].value == .data(Array(frame[10...])))
    }

    @Test func `Unsynchronisation of single ID3 frames is undone`() throws {
        let content: [UInt8] = [0, 0, 0, 3, 0x6F, 0xFF, 0, 0xE0]
        let plain = ID3Bytes.frame(4, "PRIV", [0xFF, 0, 1])
        let frames = [ID3Bytes.frame(4, "PRIV", content, flags: 3), plain]
        #expect(
            try read(ID3Bytes.tag(4, frames)).entries.map(\.value) == [
                .data([0x6F, 0xFF, 0xE0]), .data([0xFF, 0, 1]),
            ])
    }

    @Test func `ID3 frames that are grouped, compressed or encrypted are read`() throws {
        let frames = [
            ID3Bytes.frame(3, "TIT2", [7, 0, 0x61], flags: 0x20),
            ID3Bytes.frame(3, "TALB", [0, 0, 0, 9, 1], flags: 0x80),
            ID3Bytes.frame(3, "TPE1", [5, 1], flags: 0x40),
        ]
        let entries = try read(ID3Bytes.tag(3, frames)).entries
        #expect(entries[0].text == "a")
        #expect(entries[0].extras == [.frameGroup: .integer(7)])
        #expect(entries[1].value == .data([0, 0, 0, 9, 1]))
        #expect(entries[1].extras[.frameEncoding] == .text("compressed"))
        #expect(entries[2].extras[.frameEncoding] == .text("encrypted"))
    }

    @Test(arguments: [3, 4] as [UInt8])
    func `ID3 tags with an extended header, or only the flag for one, are read`(_ version: UInt8) throws {
        let title = ID3Bytes.text(version, "TIT2", "a")
        let header: [UInt8] = version == 3 ? [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] : [0, 0, 0, 6, 1, 0]
        #expect(try read(ID3Bytes.tag(version, [header, title], flags: 0x40)).entries == [.id3("TIT2", "a")])
        #expect(try read(ID3Bytes.tag(version, [title], flags: 0x40)).entries == [.id3("TIT2", "a")])
    }

    @Test func `ID3 frame sizes that iTunes wrote with eight bits to the byte are read`() throws {
        let content = [0] + Array(repeating: UInt8(ascii: "a"), count: 199)
        let long = Array("TIT2".utf8) + [0, 0, 0, 200, 0, 0] + content
        let longer = Array("TIT3".utf8) + [0, 0, 1, 44, 0, 0] + [0] + Array(repeating: 0x62, count: 299)
        let entries = try read(ID3Bytes.tag(4, [long, longer, ID3Bytes.text(4, "TPE1", "x")])).entries
        #expect(entries.map(\.key.text) == ["TIT2", "TIT3", "TPE1"])
        #expect(entries.compactMap { $0.text?.count } == [199, 299, 1])
    }

    @Test func `ID3 tags in a row, and after the audio, are read`() throws {
        let first = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")], padding: 5)
        let second = ID3Bytes.tag(4, [ID3Bytes.text(4, "TPE1", "b")])
        var last = ID3Bytes.tag(4, [ID3Bytes.text(4, "TALB", "c")], flags: 0x10)
        last += Array("3DI".utf8) + last[3..<10]
        let file = first + second + ID3Bytes.audio + last
        #expect(try read(file).entries == [.id3("TIT2", "a"), .id3("TPE1", "b"), .id3("TALB", "c")])
    }

    @Test func `What two ID3 tags say alike is there once`() throws {
        let first = ID3Bytes.tag(2, [ID3Bytes.text(2, "TT2", "a"), ID3Bytes.text(2, "TP1", "b")])
        let second = ID3Bytes.tag(4, [ID3Bytes.text(4, "TIT2", "a"), ID3Bytes.text(4, "TPE1", "c")])
        #expect(try read(first + second + ID3Bytes.audio).entries.map(\.text) == ["a", "b", "c"])
    }

    @Test func `What tags of version 1 alone say is read`() throws {
        let old = ID3Bytes.old(title: "Old", artist: "Who", track: 7, genre: 17)
        let entries = try read(ID3Bytes.audio + old).entries
        let mark: [AVMetadataExtraAttributeKey: MetadataValue] = [.tag: .text("ID3v1")]
        #expect(entries.map(\.key.text) == ["TIT2", "TPE1", "TYER", "TRCK", "TCON"])
        #expect(entries.map(\.text) == ["Old", "Who", "1999", "7", "(17)"])
        #expect(entries.allSatisfy { $0.extras == mark })
        let tag = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "New")])
        let both = try read(tag + ID3Bytes.audio + old).entries
        #expect(both.first == .id3("TIT2", "New"))
        #expect(both.dropFirst().map(\.key.text) == ["TPE1", "TYER", "TRCK", "TCON"])
        #expect(both.dropFirst().allSatisfy { $0.extras == mark })
        let dated = ID3Bytes.tag(4, [ID3Bytes.text(4, "TDRC", "2001"), ID3Bytes.text(4, "TCON", "Rock")])
        #expect(try read(dated + ID3Bytes.audio + old).entries.count == 5)
    }

    @Test func `The first genre and fields whose frames cannot be read are not taken from version 1`() throws {
        let old = ID3Bytes.old(title: "Old", artist: "Who", track: 7, genre: 0)
        // A compressed frame.
        let frames = [ID3Bytes.frame(3, "TIT2", [0, 0, 0, 9, 1, 2, 3], flags: 0x80)]
        let entries = try read(ID3Bytes.tag(3, frames) + ID3Bytes.audio + old).entries
        #expect(entries.map(\.key.text) == ["TIT2", "TPE1", "TYER", "TRCK"])
        #expect(try read(ID3Bytes.audio + old).entries.map(\.key.text).last == "TCON")
    }

    @Test func `What version 1 alone says stays there when something else changes`() throws {
        let old = ID3Bytes.old(title: "Old", artist: "Who", track: 7, genre: 17)
        let file = RandomAccessFile(bytes: ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "New")]) + ID3Bytes.audio + old)
        let format = ID3Format(reading: file)
        var metadata = format.metadata
        metadata.entries[0].value = .text("Newer")
        let changed = Rewritten.bytes(try format.rewritten(with: metadata).rewrite, of: file)
        let again = try read(changed)
        #expect(again.entries.map(\.text) == ["Newer", "Who", "1999", "7", "(17)"])
        #expect(again.entries.dropFirst().allSatisfy { $0.extras[.tag] == .text("ID3v1") })
        metadata.entries.removeAll { $0.key == .text("TPE1") }
        let removed = try read(Rewritten.bytes(try format.rewritten(with: metadata).rewrite, of: file))
        #expect(removed.entries.map(\.text) == ["Newer", "1999", "7", "(17)"])
    }

    @Test func `A frame of an irregular name stays, and hides none`() throws {
        let odd = Array("Date".utf8) + [0, 0, 0, 5, 0, 0, 0] + Array("2010".utf8)
        let frames = [odd, ID3Bytes.text(3, "TIT2", "a"), odd]
        let file = ID3Bytes.tag(3, frames, padding: 20) + ID3Bytes.audio
        let metadata = try read(file)
        #expect(metadata.problems == [])
        #expect(metadata.entries.map(\.key.text) == ["Date", "TIT2", "Date"])
        #expect(metadata.entries[1].text == "a")
        let two = ID3Bytes.tag(3, [odd, odd, ID3Bytes.text(3, "TIT2", "a")]) + ID3Bytes.audio
        #expect(try read(two).entries.map(\.key.text) == ["Date", "Date", "TIT2"])
        // What is no name at all ends the tag.
        let none = ID3Bytes.tag(3, [[1] + odd.dropFirst(), ID3Bytes.text(3, "TIT2", "a")]) + ID3Bytes.audio
        #expect(try read(none).entries == [])
    }

    /// iTunes wrote them; where both readings seem to end a frame, the one counts after which the tag goes on.
    @Test func `Plain sizes of version 2 4 are told by what follows`() throws {
        // 300 bytes: 0x012C, which is 172 with seven bits to the byte, and a zero byte is there.
        let picture =
            [0] + Array("image/png\0".utf8) + [3, 0] + [UInt8](repeating: 0, count: 279) + [1, 2, 3, 4, 5, 6, 7, 8]
        let frame = Array("APIC".utf8) + [0, 0, 1, 0x2C, 0, 0] + picture
        let next = ID3Bytes.text(4, "TALB", "x")
        for padding in [0, 50] {
            let metadata = try read(ID3Bytes.tag(4, [frame, next], padding: padding) + ID3Bytes.audio)
            #expect(metadata.problems == [])
            #expect(metadata.entries.map(\.key.text) == ["APIC", "TALB"])
            #expect(metadata.entries[0].value == .data(Array(picture.dropFirst(13))))
        }
        let last = try read(ID3Bytes.tag(4, [next, frame], padding: 30) + ID3Bytes.audio)
        #expect(last.entries.count == 2 && last.entries[1].value == .data(Array(picture.dropFirst(13))))
    }

    @Test func `ID3 tags are read as far as they are whole`() throws {
        let frames = [ID3Bytes.text(3, "TIT2", "a"), Array("TPE1".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x61]]
        let metadata = try read(ID3Bytes.tag(3, frames) + ID3Bytes.audio)
        #expect(metadata.entries == [.id3("TIT2", "a")])
        #expect(metadata.problems == ["the ID3 tag has 12 bytes from TPE1 on that are no whole frames"])
        let cut = Array(ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "a")], padding: 100).prefix(40))
        #expect(try read(cut).entries == [.id3("TIT2", "a")])
        #expect(try read(cut).problems == ["the ID3 tag is longer than what holds it"])
    }

    @Test func `ID3 tags of unknown versions are not read`() throws {
        let metadata = try read(ID3Bytes.tag(5, [ID3Bytes.text(4, "TIT2", "a")]) + ID3Bytes.audio)
        #expect(metadata.entries == [])
        #expect(metadata.problems == ["ID3 tags of version 2.5 are not known"])
    }

    @Test func `ID3 tags are read only so far that none exhausts the memory`() throws {
        let values = ID3Bytes.frame(4, "TXXX", [3] + Array("d\0".utf8) + Array(repeating: 0, count: 9000) + [0x61])
        let entries = try read(ID3Bytes.tag(4, [values])).entries
        #expect(entries.count == 1)
        #expect(entries[0].extras[.frameEncoding] == .text("raw"))
        let frames = Array(repeating: ID3Bytes.text(3, "TIT2", ""), count: 70_000)
        let many = try read(ID3Bytes.tag(3, frames))
        #expect(many.entries.count == 65_536)
        #expect(many.problems == ["the ID3 tag has more than 65536 frames: 49101 bytes of it are not read"])
    }

    @Test(arguments: [2, 3, 4] as [UInt8]) func `ID3 tags withstand damage`(_ version: UInt8) {
        let names = version == 2 ? ["TT2", "COM", "PIC"] : ["TIT2", "COMM", "APIC"]
        let frames = [
            ID3Bytes.frame(version, names[0], [1, 0xFF, 0xFE, 0x61, 0, 0, 0, 0x62, 0]),
            ID3Bytes.frame(version, names[1], Array("\0engd\0t".utf8)),
            ID3Bytes.frame(
                version, names[2],
                version == 2 ? Array("\0PNG\u{3}d\0xyz".utf8) : Array("\0image/png\0\u{3}d\0xyz".utf8)),
            ID3Bytes.frame(version, version == 2 ? "UFI" : "UFID", [1, 2, 3]),
        ]
        let file = ID3Bytes.tag(version, frames, flags: 0x80, padding: 12) + ID3Bytes.audio
        Rewritten.withstandDamage(ID3Format.self, file + ID3Bytes.old(title: "o"))
    }
}
