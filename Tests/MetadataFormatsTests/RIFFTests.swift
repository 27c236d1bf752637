import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

/// Bytes of RIFF and IFF files.
private enum ChunkBytes {
    static func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) }
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    static func list(_ type: String, _ chunks: [[UInt8]]) -> [UInt8] {
        chunk("LIST", Array(type.utf8) + chunks.flatMap { $0 })
    }

    static func riff(_ type: String, _ chunks: [[UInt8]]) -> [UInt8] {
        chunk("RIFF", Array(type.utf8) + chunks.flatMap { $0 })
    }

    static func info(_ texts: [(String, String)]) -> [UInt8] {
        list("INFO", texts.map { chunk($0.0, Array($0.1.utf8) + [0]) })
    }

    static let format = chunk("fmt ", [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0])
    static let data = chunk("data", [1, 2, 3])

    static func broadcast(version: UInt8, description: String, loudness: [UInt8], history: String) -> [UInt8] {
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array(text.utf8) + Array(repeating: 0, count: count - text.utf8.count)
        }
        return chunk(
            "bext",
            field(description, 256) + field("Who", 32) + field("", 32) + field("2020-01-02", 10) + field("03:04:05", 8)
                + little(48_000, 8) + [version, 0] + field("", 64) + loudness + field("", 180) + Array(history.utf8))
    }
}

private func entry(_ key: String, _ text: String) -> MetadataEntry {
    MetadataEntry(.audioFile, .text(key), .text(text))
}

@Suite struct `Metadata of WAV files` {
    private func read(_ bytes: [UInt8]) throws -> FileMetadata { try RIFFFormat.read(RandomAccessFile(bytes: bytes)) }

    @Test func `WAV and AVI files are recognized by type`() {
        for (type, isOurs) in [("WAVE", true), ("AVI ", true), ("WEBP", false), ("RMID", false)] {
            let file = ChunkBytes.riff(type, [])
            #expect(RIFFFormat.recognizes(file, RandomAccessFile(bytes: file)) == isOurs)
        }
        #expect(!RIFFFormat.recognizes(Array("RIFF".utf8), RandomAccessFile(bytes: Array("RIFF".utf8))))
    }

    @Test func `Metadata of WAV files is read from all chunks, in their order`() throws {
        let tag = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "Tag")])
        let xml = ChunkBytes.chunk("iXML", Array("<x>☃</x>\0".utf8))
        let loudness: [UInt8] = [0x48, 0xF7, 0xFF, 0x7F, 0x9C, 0xFF, 0xFF, 0x7F, 0xFF, 0x7F]
        let broadcast = ChunkBytes.broadcast(version: 2, description: "What", loudness: loudness, history: "A=PCM\r\n")
        let metadata = try read(
            ChunkBytes.riff(
                "WAVE",
                [
                    broadcast, ChunkBytes.format, xml, ChunkBytes.data,
                    ChunkBytes.info([("INAM", "Ä"), ("ICMT", "odd"), ("INAM", "again")]),
                    ChunkBytes.chunk("id3 ", tag), ChunkBytes.list("INFO", [ChunkBytes.chunk("IART", [0xC4, 0x62])]),
                ]))
        #expect(metadata.container == .riff)
        #expect(metadata.problems == [])
        #expect(
            metadata.entries == [
                entry("bext-description", "What"), entry("bext-originator", "Who"),
                entry("bext-origination-date", "2020-01-02"), entry("bext-origination-time", "03:04:05"),
                entry("bext-time-reference", "48000"), entry("bext-loudness-value", "-22.32"),
                entry("bext-max-true-peak-level", "-1.00"), entry("bext-coding-history", "A=PCM\r\n"),
                entry("iXML", "<x>☃</x>"), entry("INAM", "Ä"), entry("ICMT", "odd"), entry("INAM", "again"),
                entry("IART", "Äb"), .id3("TIT2", "Tag"),
            ])
    }

    @Test func `Metadata of WAV files is written so that it reads the same, and is removed again`() throws {
        let plain = ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data])
        let wanted = [
            entry("INAM", "☃"), entry("IART", "b"), entry("bext-description", "What"),
            entry("bext-umid", "0A" + String(repeating: "00", count: 62) + "FF"), entry("bext-loudness-range", "-0.05"),
            entry("iXML", "<a/>"), .id3("TIT2", "Ж"),
        ]
        let full = try Rewritten.file(RIFFFormat.self, plain) { $0.entries = wanted }
        #expect(full.losses == [])
        #expect(Set(try read(full.bytes).entries) == Set(wanted))
        #expect(Array(full.bytes[12..<plain.count]) == Array(plain[12...]))
        #expect(full.bytes.littleEndian32(at: 4) == UInt32(full.bytes.count - 8))
        let none = try Rewritten.file(RIFFFormat.self, full.bytes) { $0.entries = [] }
        #expect(none.bytes == plain)
    }

    @Test func `Metadata of WAV files is added behind the end and then made part of the file`() throws {
        let plain = ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data])
        let file = RandomAccessFile(bytes: plain)
        var metadata = try RIFFFormat.read(file)
        metadata.entries = [entry("INAM", "a")]
        let rewrite = try RIFFFormat.rewrite(file, with: metadata).rewrite
        let stages = try #require(Rewritten.stages(rewrite, of: file))
        #expect(try stages.map { try read($0).entries } == [[], metadata.entries])
        #expect(
            stages.last
                == ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data, ChunkBytes.info([("INAM", "a")])]))
    }

    @Test func `Metadata of WAV files does not move the audio`() throws {
        let info = ChunkBytes.info([("INAM", "long enough"), ("IART", "b")])
        let file = ChunkBytes.riff(
            "WAVE",
            [ChunkBytes.format, info, ChunkBytes.chunk("JUNK", Array(repeating: 0, count: 20)), ChunkBytes.data])
        let start = try #require(RIFFFile(RandomAccessFile(bytes: file))).layout.chunks.last?.start
        for text in ["a", "long enouhg", "a title longer than the other", String(repeating: "long", count: 40)] {
            let new = try Rewritten.file(RIFFFormat.self, file) { $0.entries[0].value = .text(text) }
            let layout = try #require(RIFFFile(RandomAccessFile(bytes: new.bytes))).layout
            #expect(layout.chunks.first { $0.name == "data" }?.start == start)
            #expect(try read(new.bytes).entries == [entry("INAM", text), entry("IART", "b")])
            #expect(layout.obstacle == nil)
        }
    }

    @Test func `Metadata of WAV files keeps the bytes of texts that do not change`() throws {
        let info = ChunkBytes.list(
            "INFO", [ChunkBytes.chunk("IART", [0xC4, 0x62, 0, 7]), ChunkBytes.chunk("INAM", [0x61, 0])])
        let file = ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data, info])
        let new = try Rewritten.file(RIFFFormat.self, file) { $0.entries[1].value = .text("bc") }
        let changed = ChunkBytes.list(
            "INFO", [ChunkBytes.chunk("IART", [0xC4, 0x62, 0, 7]), ChunkBytes.chunk("INAM", [0x62, 0x63, 0])])
        #expect(new.bytes == ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data, changed]))
    }

    @Test func `Sizes of 64 bits stay where they are in WAV files`() throws {
        let info = ChunkBytes.info([("INAM", "a")])
        func file(_ info: [UInt8]) -> [UInt8] {
            let sizes =
                ChunkBytes.little(4 + 36 + 24 + 12 + info.count, 8) + ChunkBytes.little(3, 8) + ChunkBytes.little(3, 8)
            return Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVE".utf8)
                + ChunkBytes.chunk("ds64", sizes + [0, 0, 0, 0]) + ChunkBytes.format + Array("data".utf8)
                + [255, 255, 255, 255, 1, 2, 3, 0] + info
        }
        #expect(try read(file(info)).entries == [entry("INAM", "a")])
        let new = try Rewritten.file(RIFFFormat.self, file(info)) { $0.entries[0].value = .text("abc") }
        #expect(new.bytes == file(ChunkBytes.info([("INAM", "abc")])))
    }

    @Test func `Metadata that a WAV file has no chunk for is reported as lost`() throws {
        let plain = ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data])
        let long = String(repeating: "x", count: 257)
        let new = try Rewritten.file(RIFFFormat.self, plain) {
            $0.entries = [
                entry("bext-description", long), entry("bext-origination-date", "2020"), entry("bext-what", "x"),
                MetadataEntry(.iTunes, .code(1), .text("x")), entry("title", "x"), entry("info-title", "T"),
            ]
        }
        #expect(
            new.losses.map(\.item) == ["itsk/%00%00%00%01", "caaf/title", "caaf/bext-description", "caaf/bext-what"])
        #expect(try read(new.bytes).entries == [entry("bext-origination-date", "2020"), entry("INAM", "T")])
    }

    @Test func `Metadata is not written to WAV files of a false length`() throws {
        let plain = ChunkBytes.riff("WAVE", [ChunkBytes.format, ChunkBytes.data])
        var streamed = plain
        streamed.replaceSubrange(4..<8, with: [255, 255, 255, 255])
        for file in [Array(plain.dropLast(2)), streamed, Array(plain.prefix(12)) + Array(repeating: 0xFF, count: 48)] {
            #expect(throws: MetadataError.self) {
                try Rewritten.file(RIFFFormat.self, file) { $0.entries = [entry("INAM", "a")] }
            }
        }
    }

    @Test func `Metadata of WAV files withstands damage`() {
        let broadcast = ChunkBytes.broadcast(
            version: 2, description: "d", loudness: Array(repeating: 1, count: 10), history: "h")
        let tag = ChunkBytes.chunk("id3 ", ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "Tag")]))
        let info = ChunkBytes.info([("INAM", "a")])
        Rewritten.withstandDamage(
            RIFFFormat.self, ChunkBytes.riff("WAVE", [ChunkBytes.format, info, ChunkBytes.data, tag, broadcast]))
    }
}

@Suite struct `Metadata of AVI files` {
    private static let header = ChunkBytes.chunk("strh", Array(repeating: 1, count: 56))
    private static let movie = ChunkBytes.list("movi", [ChunkBytes.chunk("00dc", [9, 9, 9, 9])])
    private static let index = ChunkBytes.chunk("idx1", Array(repeating: 2, count: 16))

    private func junk(_ count: Int) -> [UInt8] { ChunkBytes.chunk("JUNK", Array(repeating: 0, count: count)) }

    private func file(_ headers: [[UInt8]], _ before: [[UInt8]], _ after: [[UInt8]] = [], more: [UInt8] = []) -> [UInt8]
    {
        ChunkBytes.riff("AVI ", [ChunkBytes.list("hdrl", headers)] + before + [Self.movie, Self.index] + after) + more
    }

    private func read(_ bytes: [UInt8]) throws -> FileMetadata { try RIFFFormat.read(RandomAccessFile(bytes: bytes)) }

    private func movieStart(_ bytes: [UInt8]) -> UInt64? {
        RIFFFile(RandomAccessFile(bytes: bytes))?.layout.chunks.first { $0.listType == "movi" }?.start
    }

    @Test func `Metadata of AVI files is read from lists, headers and streams`() throws {
        let stream = ChunkBytes.list("strl", [Self.header, ChunkBytes.chunk("strn", Array("Sound\0".utf8))])
        let date = ChunkBytes.chunk("IDIT", Array("Mon Mar 10 15:04:43 2003\n\0".utf8))
        let metadata = try read(
            file(
                [ChunkBytes.list("strl", [Self.header]), stream, date, ChunkBytes.info([("IART", "b")])],
                [ChunkBytes.info([("INAM", "a")])]))
        #expect(
            metadata.entries == [entry("IDIT", "Mon Mar 10 15:04:43 2003"), entry("IART", "b"), entry("INAM", "a")])
        #expect(metadata.tracks == [FileMetadata.Track(trackID: 2, entries: [entry("strn", "Sound")])])
    }

    @Test func `Metadata of AVI files takes the space before the frames, else that behind the index`() throws {
        let start = movieStart(file([Self.header], [junk(100)]))
        for (text, isBefore) in [
            ("a", true), (String(repeating: "x", count: 71), true), (String(repeating: "x", count: 90), false),
        ] {
            let old = file([Self.header], [junk(100)])
            let new = try Rewritten.file(RIFFFormat.self, old) { $0.entries = [entry("INAM", text)] }
            #expect(try read(new.bytes).entries == [entry("INAM", text)])
            #expect(movieStart(new.bytes) == start)
            #expect((new.bytes.count == old.count) == isBefore)
            let none = try Rewritten.file(RIFFFormat.self, new.bytes) { $0.entries = [] }
            #expect(none.bytes == old)
        }
    }

    @Test func `Metadata of AVI files leaves files of several segments their positions`() throws {
        let more = ChunkBytes.riff("AVIX", [Self.movie])
        let old = file([Self.header], [junk(60)], more: more)
        let short = try Rewritten.file(RIFFFormat.self, old) { $0.entries = [entry("INAM", "a")] }
        #expect(short.bytes.count == old.count)
        #expect(short.bytes.suffix(more.count) == more[...])
        #expect(throws: MetadataError.self) {
            try Rewritten.file(RIFFFormat.self, old) { $0.entries = [entry("INAM", String(repeating: "x", count: 90))] }
        }
    }

    @Test func `Metadata of AVI files changes titles of streams where there is room`() throws {
        let title = ChunkBytes.chunk("strn", Array("Sound\0".utf8))
        let old = file([ChunkBytes.list("strl", [Self.header, title, junk(30)])], [])
        for text in ["a", "Sounds good"] {
            let new = try Rewritten.file(RIFFFormat.self, old) { $0.tracks[0].entries = [entry("strn", text)] }
            #expect(new.losses == [])
            #expect(try read(new.bytes).tracks == [FileMetadata.Track(trackID: 1, entries: [entry("strn", text)])])
            #expect(new.bytes.count == old.count)
        }
        let none = try Rewritten.file(RIFFFormat.self, old) { $0.tracks = [] }
        #expect(try read(none.bytes).tracks == [])
        let long = try Rewritten.file(RIFFFormat.self, old) {
            $0.tracks[0].entries = [entry("strn", String(repeating: "x", count: 50))]
        }
        #expect(long.losses.map(\.item) == ["caaf/strn"])
    }

    @Test func `Metadata of AVI files among the headers is changed and removed`() throws {
        let date = ChunkBytes.chunk("IDIT", Array("2003-03-10\0\0".utf8))
        let old = file([Self.header, date, ChunkBytes.info([("IART", "b")])], [junk(60)])
        let new = try Rewritten.file(RIFFFormat.self, old) {
            $0.entries[0].value = .text("2004-03-10")
            $0.entries[1].value = .text("c")
        }
        #expect(try read(new.bytes).entries == [entry("IDIT", "2004-03-10"), entry("IART", "c")])
        let none = try Rewritten.file(RIFFFormat.self, old) { $0.entries = [] }
        #expect(try read(none.bytes).entries == [])
        #expect(none.bytes.count == old.count)
    }

    @Test func `Metadata of AVI files withstands damage`() {
        let stream = ChunkBytes.list("strl", [Self.header, ChunkBytes.chunk("strn", Array("Sound\0".utf8))])
        let file = file(
            [stream, ChunkBytes.chunk("IDIT", Array("2003\0\0".utf8))], [ChunkBytes.info([("INAM", "a")]), junk(20)])
        Rewritten.withstandDamage(RIFFFormat.self, file)
    }
}
