import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

/// A FLAC file with these comments and then these pictures.
private func flac(_ comments: [[UInt8]], pictures: [[UInt8]] = []) -> RandomAccessFile {
    let blocks =
        [FLACBytes.streamInformation, .init(type: 4, content: VorbisBytes.comments(comments))]
        + pictures.map { FLACBytes.Block(type: 6, content: $0) } + [FLACBytes.padding(2000)]
    return RandomAccessFile(bytes: FLACBytes(blocks).bytes)
}

private func flac(_ comments: [String]) -> RandomAccessFile { flac(comments.map { Array($0.utf8) }) }

/// The raw comments of a file's first comment header.
private func rawComments(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let header = FLACBytes(parsing: bytes)?.blocks.first(where: { $0.type == 4 })?.content,
        let vendor = header.littleEndian32(at: 0), let count = header.littleEndian32(at: 4 + Int(vendor))
    else { return [] }
    var rest = header.dropFirst(8 + Int(vendor))
    return (0..<count).map { _ in
        let size = Int(rest.littleEndian32(at: 0) ?? 0)
        defer { rest = rest.dropFirst(4 + size) }
        return Array(rest.dropFirst(4).prefix(size))
    }
}

private func rewritten(
    _ file: RandomAccessFile, _ change: (inout FileMetadata) -> Void
) throws -> (bytes: [UInt8], losses: [MetadataLoss]) {
    var metadata = try FLACFormat.read(file)
    change(&metadata)
    let rewrite = try FLACFormat.rewrite(file, with: metadata)
    return (rewrite.rewrite.result(of: file.read(at: 0, count: Int(file.byteCount))), rewrite.losses)
}

@Suite struct `Vorbis comments` {
    @Test func `Vorbis comments keep order, duplicates and the case of names`() throws {
        let metadata = try FLACFormat.read(flac(["title=A", "ARTIST=B", "Artist=C=D", "EMPTY=", "ALBUM ARTIST=ü"]))
        #expect(metadata.entries.map(\.short) == ["title=A", "ARTIST=B", "Artist=C=D", "EMPTY=", "ALBUM ARTIST=ü"])
        #expect(metadata.entries.last?.identifier.rawValue == "vorb/ALBUM%20ARTIST")
        #expect(metadata.problems == [])
    }

    @Test func `Vorbis comments without a name or in another encoding are read, and stay`() throws {
        let odd: [[UInt8]] = [
            Array("no sign".utf8), Array("=nothing before".utf8), [], Array("TITLE=".utf8) + [0xE4, 0xF6],
            [0xFF] + Array("X=1".utf8), Array("TITLE=B".utf8),
        ]
        let file = flac(odd)
        let entries = try FLACFormat.read(file).entries
        #expect(entries.map(\.short) == ["==no sign", "===nothing before", "==", "TITLE=äö", "ÿX=1", "TITLE=B"])
        let new = try rewritten(file) { $0.entries[5].value = .text("C") }
        #expect(rawComments(new.bytes) == Array(odd.dropLast()) + [Array("TITLE=C".utf8)])
        #expect(new.losses == [])
    }

    @Test func `Vorbis comments that cannot be written are reported as lost`() throws {
        let impossible: [MetadataEntry] = [
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("x")), .comment("A=B", "x"), .comment("", "x"),
            .comment("Ü", "x"), .comment("=", "name=x"), MetadataEntry(.vorbisComment, .text("X"), .data([1])),
        ]
        let new = try rewritten(flac(["TITLE=A"])) { $0.entries += impossible }
        #expect(
            new.losses.map(\.item) == ["itsk/%A9nam", "vorb/A%3DB", "vorb/", "vorb/%C3%9C", "vorb/%3D", "vorb/X"])
        #expect(rawComments(new.bytes) == [Array("TITLE=A".utf8)])
    }

    @Test func `Vorbis comments keep their vendor and their place among others`() throws {
        let file = flac(["A=1", "CHAPTER001=00:00:00.000", "B=2", "CHAPTER001NAME=x", "C=3"])
        let new = try rewritten(file) {
            $0.entries.remove(at: 1)
            $0.entries.insert(.comment("N", "4"), at: 1)
        }
        let texts = rawComments(new.bytes).map { String(decoding: $0, as: UTF8.self) }
        #expect(texts == ["A=1", "N=4", "CHAPTER001=00:00:00.000", "CHAPTER001NAME=x", "C=3"])
        let header = FLACBytes(parsing: new.bytes)?.blocks[1].content
        #expect(header?.prefix(9) == ([5, 0, 0, 0] + Array("maker".utf8))[...])
    }

    @Test func `Vorbis comments that are fewer than their number are read as far as they go`() throws {
        for count: UInt32 in [4, 0xFFFF_FFFF] {
            var header = VorbisBytes.comments(["A=1", "B=2", "C=3"])
            header.replaceSubrange(9..<13, with: [UInt8(count & 255), UInt8(count >> 8 & 255), 0, UInt8(count >> 24)])
            let file = RandomAccessFile(
                bytes: FLACBytes([FLACBytes.streamInformation, .init(type: 4, content: header)]).bytes)
            let metadata = try FLACFormat.read(file)
            #expect(metadata.entries.map(\.short) == ["A=1", "B=2", "C=3"])
            #expect(metadata.problems == ["the comments are cut short: 3 were read"])
        }
    }
}

@Suite struct `Chapters in Vorbis comments` {
    static let comments = [
        "CHAPTER001=00:00:00.000", "CHAPTER001NAME=Anfang", "Chapter003=01:02:03.5", "chapter003url=https://e.org/",
        "CHAPTER1000=100:00:00.123456789", "CHAPTER1000NAME=Ende",
    ]

    @Test func `Chapters in Vorbis comments are read in any case, with gaps and with more decimals`() throws {
        let metadata = try FLACFormat.read(flac(Self.comments))
        #expect(metadata.entries == [])
        let chapters = try #require(metadata.chapterLists.first?.chapters)
        #expect(metadata.chapterLists.map(\.form) == [.vorbisComment])
        #expect(chapters.map(\.title) == ["Anfang", "", "Ende"])
        #expect(chapters.map(\.link) == [nil, "https://e.org/", nil])
        #expect(chapters.map(\.start.value) == [0, 3_723_500, 360_000_123_456_789])
        #expect(chapters.map(\.start.timescale) == [1000, 1000, 1_000_000_000])
    }

    @Test(arguments: [
        "CHAPTER001=1:2:3", "CHAPTER001=00:60:00.000", "CHAPTER001=00:00:60.000", "CHAPTER001=00:00:00.",
        "CHAPTER001=00:00:00,000", "CHAPTER001=-1:00:00.000", "CHAPTER001=00:00:00.0000000000", "CHAPTER001=",
        "CHAPTER001=9999999:00:00", "CHAPTER01=00:00:00.000", "CHAPTER001NAME=x", "CHAPTER001TITLE=x", "CHAPTER=x",
        "CHAPTER001=:00:00", "CHAPTER001=00:00:0x.000",
    ]) func `Malformed chapters in Vorbis comments stay entries`(_ comment: String) throws {
        let metadata = try FLACFormat.read(flac([comment]))
        #expect(metadata.entries.map(\.short) == [comment])
        #expect(metadata.chapterLists == [])
    }

    @Test func `Repeated chapters in Vorbis comments stay entries`() throws {
        let comments = ["CHAPTER001=00:00:00.000", "CHAPTER001=00:00:01.000", "CHAPTER001NAME=a", "CHAPTER001NAME=b"]
        let metadata = try FLACFormat.read(flac(comments))
        #expect(metadata.entries.map(\.short) == [comments[1], comments[3]])
        #expect(metadata.chapterLists.first?.chapters.map(\.title) == ["a"])
    }

    @Test func `Chapters in Vorbis comments are written with as many decimals as they need`() throws {
        let starts = [
            CMTime(value: 0, timescale: 1), CMTime(value: 24, timescale: 25), CMTime(value: 1, timescale: 16000),
            CMTime(value: 1, timescale: 3), CMTime(value: 360_000_500, timescale: 1000), CMTime(value: 2, timescale: 3),
        ]
        let new = try rewritten(flac(["TITLE=A"])) {
            $0.chapterLists = [ChapterList(form: .vorbisComment, chapters: starts.map { Chapter(start: $0) })]
        }
        let texts = rawComments(new.bytes).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            texts == [
                "TITLE=A", "CHAPTER001=00:00:00.000", "CHAPTER002=00:00:00.960", "CHAPTER003=00:00:00.0000625",
                "CHAPTER004=00:00:00.333", "CHAPTER005=100:00:00.500", "CHAPTER006=00:00:00.667",
            ])
        #expect(new.losses == [MetadataLoss.chapters(reason: "starts are rounded to milliseconds")])
    }

    @Test func `Chapters in Vorbis comments report what they lose`() throws {
        var chapter = Chapter(
            start: .zero, end: CMTime(value: 1, timescale: 2),
            titles: [.init("a", languageTag: "de"), .init("b", languageTag: "en")], artwork: [1], isHidden: true)
        chapter.children = [Chapter(start: .zero)]
        let second = Chapter(start: CMTime(value: 1, timescale: 1))
        let bad = Chapter(start: .indefinite, titles: [.init("none")])
        let new = try rewritten(flac(["TITLE=A"])) {
            $0.chapterLists = [
                ChapterList(form: .vorbisComment, chapters: [chapter, second, bad]),
                ChapterList(form: .vorbisComment, chapters: [second]),
            ]
        }
        #expect(new.losses.count == 8)
        #expect(new.losses.allSatisfy { $0.item == "chapters" })
        let read = try FLACFormat.read(RandomAccessFile(bytes: new.bytes))
        #expect(read.chapterLists.first?.chapters.map(\.title) == ["a", ""])
    }

    @Test func `Chapters in Vorbis comments keep their bytes unless they are changed or removed`() throws {
        let file = flac(Self.comments)
        let kept = try rewritten(file) { $0.entries.append(.comment("TITLE", "x")) }
        let expected = (["TITLE=x"] + Self.comments).map { Array($0.utf8) }
        #expect(Set(rawComments(kept.bytes)) == Set(expected))
        let removed = try rewritten(file) { $0.chapterLists = [] }
        #expect(rawComments(removed.bytes) == [])
        let changed = try rewritten(file) { $0.chapterLists[0].chapters[0].titles = [.init("Neu")] }
        #expect(
            rawComments(changed.bytes).map { String(decoding: $0, as: UTF8.self) } == [
                "CHAPTER001=00:00:00.000", "CHAPTER001NAME=Neu", "CHAPTER002=01:02:03.500",
                "CHAPTER002URL=https://e.org/", "CHAPTER003=100:00:00.123456789", "CHAPTER003NAME=Ende",
            ])
    }
}

@Suite struct `Pictures of FLAC` {
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        let text = stride(from: 0, to: bits.count, by: 6).map { start in
            alphabet[(0..<6).reduce(0) { $0 * 2 + (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
        }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    @Test func `Images of FLAC are read from blocks and from comments`() throws {
        let block = VorbisBytes.picture(
            type: 4, mimeType: "image/jpg", description: "Rück", numbers: [9, 6, 24, 0], data: VorbisBytes.jpeg)
        let comment = "metadata_block_picture=" + Self.base64(VorbisBytes.picture(type: 99, data: VorbisBytes.png))
        let entries = try FLACFormat.read(flac([Array(comment.utf8)], pictures: [block])).entries
        #expect(entries.map(\.key) == Array(repeating: .text("METADATA_BLOCK_PICTURE"), count: 2))
        #expect(entries.map(\.value) == [.data(VorbisBytes.png), .data(VorbisBytes.jpeg)])
        #expect(entries.map(\.dataType) == [MetadataDataType.png, MetadataDataType.jpeg])
        #expect(entries[0].extras[.pictureType] == .text("99"))
        #expect(
            entries[1].extras == [
                .pictureType: .text("Cover (back)"), .info: .text("Rück"), .dataType: .text("image/jpg"),
                .dataTypeNamespace: .text("org.iana.media-type"), .init(rawValue: "width"): .integer(9),
                .init(rawValue: "height"): .integer(6), .init(rawValue: "depth"): .integer(24),
            ])
    }

    @Test func `Images of FLAC are read from the older pair of comments, which is removed as a whole`() throws {
        let comments = [
            "A=1", "COVERARTMIME=image/jpeg", "COVERART=" + Self.base64(VorbisBytes.jpeg), "B=2", "COVERARTMIME=x/y",
            "COVERART=&&&",
        ]
        let file = flac(comments)
        let entries = try FLACFormat.read(file).entries
        #expect(
            entries.map(\.short) == [
                "A=1", "METADATA_BLOCK_PICTURE:27", "B=2", "COVERARTMIME=x/y", "COVERART=&&&",
            ])
        #expect(entries[1].extras[.dataType] == .text("image/jpeg"))
        #expect(entries[1].dataType == MetadataDataType.jpeg)
        let new = try rewritten(file) { $0.entries.remove(at: 1) }
        #expect(
            rawComments(new.bytes).map { String(decoding: $0, as: UTF8.self) } == ["A=1", "B=2"] + comments.suffix(2))
    }

    @Test func `Images of FLAC that are elsewhere are addresses`() throws {
        let link = VorbisBytes.picture(mimeType: "-->", data: Array("https://e.org/a.png".utf8))
        let file = flac([Array("A=1".utf8)], pictures: [link])
        let entries = try FLACFormat.read(file).entries
        #expect(entries[1].extras[.valueURI] == .text("https://e.org/a.png"))
        let new = try rewritten(file) { $0.entries[1].extras[.info] = .text("i") }
        let block = FLACBytes(parsing: new.bytes)?.blocks.first { $0.type == 6 }
        #expect(
            block?.content
                == VorbisBytes.picture(mimeType: "-->", description: "i", data: Array("https://e.org/a.png".utf8)))
    }

    @Test func `New images of FLAC get the size and depth of their header`() throws {
        let key = MetadataKey.text("METADATA_BLOCK_PICTURE")
        let new = try rewritten(flac(["A=1"])) {
            $0.entries.append(MetadataEntry(.vorbisComment, key, .data(VorbisBytes.png)))
            $0.entries.append(
                MetadataEntry(
                    .vorbisComment, key, .data(VorbisBytes.jpeg),
                    extras: [.pictureType: .text("artist/performer"), .info: .text("d"), .dataType: .text("image/png")])
            )
            $0.entries.append(
                MetadataEntry(
                    .vorbisComment, key, .data([1, 2, 3]),
                    extras: [.dataType: .text("image/webp"), .init(rawValue: "width"): .integer(8)]))
        }
        let blocks = FLACBytes(parsing: new.bytes)?.blocks.filter { $0.type == 6 }.map(\.content)
        #expect(
            blocks == [
                VorbisBytes.picture(numbers: [7, 5, 24, 0], data: VorbisBytes.png),
                VorbisBytes.picture(
                    type: 8, mimeType: "image/jpeg", description: "d", numbers: [9, 6, 24, 0], data: VorbisBytes.jpeg),
                VorbisBytes.picture(mimeType: "image/webp", numbers: [8, 0, 0, 0], data: [1, 2, 3]),
            ])
        #expect(new.losses == [])
    }

    @Test func `Damaged images of FLAC stay as they are`() throws {
        var broken = VorbisBytes.picture(data: VorbisBytes.png)
        broken.removeLast()
        let file = flac(
            [Array("METADATA_BLOCK_PICTURE=AAAA".utf8)], pictures: [broken, VorbisBytes.picture(data: VorbisBytes.png)])
        let metadata = try FLACFormat.read(file)
        #expect(metadata.entries.map(\.short) == ["METADATA_BLOCK_PICTURE=AAAA", "METADATA_BLOCK_PICTURE:33"])
        #expect(metadata.problems.count == 2)
        let new = try rewritten(file) { $0.entries = [] }
        #expect(FLACBytes(parsing: new.bytes)?.blocks.filter { $0.type == 6 }.map(\.content) == [broken])
    }

    @Test func `Images too large for a FLAC block are reported as lost`() throws {
        let bytes = [UInt8](repeating: 7, count: 1 << 24)
        let new = try rewritten(flac(["A=1"])) {
            $0.entries.append(MetadataEntry(.vorbisComment, .text("METADATA_BLOCK_PICTURE"), .data(bytes)))
        }
        #expect(new.losses.map(\.item) == ["vorb/METADATA_BLOCK_PICTURE"])
    }
}
