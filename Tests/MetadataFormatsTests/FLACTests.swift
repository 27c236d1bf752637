import Foundation
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

/// A FLAC file as letters name its blocks.
struct FLACArrangement: Sendable, CustomTestStringConvertible {
    /// S stream information, C comments, I picture, K seek table, A application, P padding of 3,000 bytes, p of 10.
    let letters: String
    var testDescription: String { letters }

    var file: FLACBytes {
        FLACBytes(
            letters.enumerated().map { index, letter in
                switch letter {
                case "S": FLACBytes.streamInformation
                case "C": .init(type: 4, content: VorbisBytes.comments(["TITLE=Alt", "ARTIST=A", "ARTIST=B"]))
                case "I": .init(type: 6, content: VorbisBytes.picture(data: VorbisBytes.png + [UInt8(index)]))
                case "K": .init(type: 3, content: VorbisBytes.noise(54))
                case "A": .init(type: 2, content: VorbisBytes.noise(100))
                case "P": FLACBytes.padding(3000)
                default: FLACBytes.padding(10)
                }
            })
    }
}

private let picture = MetadataEntry(
    .vorbisComment, .text("METADATA_BLOCK_PICTURE"), .data(VorbisBytes.jpeg),
    dataType: MetadataDataType.jpeg,
    extras: [
        .pictureType: .text("Other"), .info: .text(""), .dataType: .text("image/jpeg"),
        .dataTypeNamespace: .text("org.iana.media-type"), .init(rawValue: "width"): .integer(9),
        .init(rawValue: "height"): .integer(6), .init(rawValue: "depth"): .integer(24),
    ])

enum FLACChange: String, CaseIterable, Sendable {
    case longer, shorter, sameLength, large, addPicture, removePictures, replacePicture, removeAll, everything, reverse

    func apply(to entries: inout [MetadataEntry]) {
        let isPicture = { (entry: MetadataEntry) in if case .data = entry.value { true } else { false } }
        switch self {
        case .longer: entries.append(.comment("COMMENT", String(repeating: "x", count: 300)))
        case .shorter: entries.removeFirst()
        case .sameLength:
            if let place = entries.firstIndex(where: { !isPicture($0) }) { entries[place].value = .text("Neu") }
        case .large: entries.append(.comment("LYRICS", String(repeating: "la ", count: 3000)))
        case .addPicture: entries.append(picture)
        case .removePictures: entries.removeAll(where: isPicture)
        case .replacePicture: if let place = entries.firstIndex(where: isPicture) { entries[place] = picture }
        case .removeAll: entries = []
        case .everything: entries = [.comment("TITLE", "Neu"), picture]
        case .reverse: entries.reverse()
        }
    }
}

@Suite struct `FLAC files` {
    /// Made by mutagen 1.48: comments in two cases, a picture, twelve bytes of padding; two blocks of silence.
    static let real =
        Data(
            base64Encoded: """
                ZkxhQwAAACICQAJAAAANAAANAfQA8AAAAUDqfXvW7s6Z6zXaoeXx3s1gBAAAPQ0AAABMYXZmNTkuMjcuMTAwAwAAAAwAAABUSVRM\
                RT1TdGlsbGUIAAAAQXJ0aXN0PUEIAAAAQXJ0aXN0PUIGAAB0AAAABAAAAAlpbWFnZS9wbmcAAAAFUsO8Y2sAAAABAAAAAQAAACAA\
                AAAAAAAARolQTkcNChoKAAAADUlIRFIAAAABAAAAAQgGAAAAHxXEiQAAAA1JREFUeNpjZPjPUA8AA4YBgFo0fWsAAAAASUVORK5C\
                YIKBAAAMAAAAAAAAAAAAAAAA//h0CAABPz0AAAA92g==
                """
        ).map(Array.init) ?? []

    @Test func `FLAC files by another program are read`() throws {
        let metadata = try FLACFormat.read(RandomAccessFile(bytes: Self.real))
        #expect(metadata.container == .flac)
        #expect(
            metadata.entries.map(\.short) == ["TITLE=Stille", "Artist=A", "Artist=B", "METADATA_BLOCK_PICTURE:70"])
        #expect(metadata.entries.last?.extras[.pictureType] == .text("Cover (back)"))
        #expect(metadata.entries.last?.info == "Rück")
        #expect(metadata.problems == [])
    }

    @Test func `FLAC files are recognized, after an ID3 tag too`() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
        for prefix in [[], tag, tag + tag] {
            let bytes = prefix + Self.real
            let file = RandomAccessFile(bytes: bytes)
            #expect(FLACFormat.recognizes(Array(bytes.prefix(64)), file))
            var metadata = try FLACFormat.read(file)
            #expect(metadata.entries.count == 4)
            metadata.entries = [.comment("TITLE", String(repeating: "x", count: 10000))]
            let new = try FLACFormat.rewrite(file, with: metadata).rewrite.result(of: bytes)
            #expect(new.starts(with: prefix))
            #expect(FLACBytes(parsing: Array(new.dropFirst(prefix.count)))?.audio == Array(Self.real.suffix(13)))
        }
        for bytes in [tag, tag + [1, 2, 3], Array("fLaX".utf8), []] {
            #expect(!FLACFormat.recognizes(Array(bytes.prefix(64)), RandomAccessFile(bytes: bytes)))
        }
    }

    static let arrangements = [
        "SCP", "SPC", "SCIP", "SPCI", "SKCPA", "SCPIP", "SPPC", "SCAP", "SPACI", "SCpP", "SPIpCpA", "SC", "SCI", "SIC",
        "SCp", "SPpPICA", "SCIIP", "SKP", "S", "SCAIPI", "SCPC",
    ].map { FLACArrangement(letters: $0) }

    @Test(arguments: arrangements, FLACChange.allCases)
    func `FLAC files are old or new at every moment of a change`(
        _ arrangement: FLACArrangement, _ change: FLACChange
    ) throws {
        let old = arrangement.file
        let file = RandomAccessFile(bytes: old.bytes)
        let before = try FLACFormat.read(file)
        var after = before
        guard !before.entries.isEmpty || change != .shorter else { return }
        change.apply(to: &after.entries)
        let rewrite = try FLACFormat.rewrite(file, with: after)
        #expect(rewrite.losses == [])
        let wanted = after.entries.map(\.short).sorted()

        let copy = try #require(FLACBytes(parsing: rewrite.rewrite.result(of: old.bytes)))
        #expect(copy.audio == old.audio)
        #expect(copy.opaque == old.opaque)
        let read = try FLACFormat.read(RandomAccessFile(bytes: copy.bytes))
        #expect(read.entries.map(\.short).sorted() == wanted)
        #expect(read.problems == [])

        guard let moments = rewrite.rewrite.moments(of: old.bytes) else { return }
        for moment in moments {
            let parts = try #require(FLACBytes(parsing: moment))
            #expect(parts.audio == old.audio)
            #expect(parts.opaque == old.opaque)
            let now = try FLACFormat.read(RandomAccessFile(bytes: moment)).entries
            #expect(now == before.entries || now.map(\.short).sorted() == wanted)
        }
        let last = try #require(moments.last)
        #expect(last.count == old.bytes.count)
        #expect(try FLACFormat.read(RandomAccessFile(bytes: last)).entries.map(\.short).sorted() == wanted)
        // What was removed is gone, but for what was left from earlier.
        let padding = FLACBytes(parsing: last)?.blocks.filter { $0.type == 1 }.flatMap(\.content) ?? []
        #expect(padding.allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["SCP", "SPC", "SCIP", "SPCI", "SKCPA", "SCPIP", "SPPC", "SCAP", "SPACI", "SCpP"])
    func `FLAC files need no copy if there is padding, wherever it is`(_ letters: String) throws {
        let bytes = FLACArrangement(letters: letters).file.bytes
        let file = RandomAccessFile(bytes: bytes)
        for change in [FLACChange.longer, .shorter, .addPicture, .removeAll, .everything] {
            var metadata = try FLACFormat.read(file)
            change.apply(to: &metadata.entries)
            #expect(try FLACFormat.rewrite(file, with: metadata).rewrite.steps != nil, "\(change)")
        }
    }

    @Test func `FLAC files that are copied get padding, and move the audio by whole pages`() throws {
        let old = FLACArrangement(letters: "SCIA").file
        let file = RandomAccessFile(bytes: old.bytes)
        var metadata = try FLACFormat.read(file)
        metadata.entries[0].value = .text("Ein längerer Titel")
        let new = try FLACFormat.rewrite(file, with: metadata).rewrite.result(of: old.bytes)
        let parts = try #require(FLACBytes(parsing: new))
        #expect(parts.blocks.map(\.type) == [0, 4, 1, 6, 2])
        #expect((4096..<8192).contains(parts.blocks[2].content.count))
        #expect((new.count - old.bytes.count) % 4096 == 0)
    }

    @Test func `Unchanged FLAC files are not written`() throws {
        let file = RandomAccessFile(bytes: Self.real)
        let rewrite = try FLACFormat.rewrite(file, with: FLACFormat.read(file)).rewrite
        #expect(rewrite.method(for: file) == .unchanged)
        #expect(rewrite.segments == [.source(0..<UInt64(Self.real.count))])
    }

    @Test func `FLAC files without comments get a header when there are some`() throws {
        let old = FLACArrangement(letters: "SKP").file
        let file = RandomAccessFile(bytes: old.bytes)
        var metadata = try FLACFormat.read(file)
        #expect(metadata.entries == [])
        metadata.entries = [.comment("TITLE", "Neu"), picture]
        let new = try #require(
            FLACBytes(parsing: FLACFormat.rewrite(file, with: metadata).rewrite.result(of: old.bytes)))
        #expect(new.blocks.map(\.type) == [0, 4, 1, 6, 3])
        #expect(try FLACFormat.read(RandomAccessFile(bytes: new.bytes)).entries == metadata.entries)
    }

    @Test func `FLAC files are changed on the disk`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).flac"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let old = FLACArrangement(letters: "SKCIP").file
        try Data(old.bytes).write(to: URL(fileURLWithPath: path))
        for (size, method) in [(10, FileRewriteMethod.inPlace), (10000, .copy), (10, .inPlace)] {
            let file = try #require(RandomAccessFile(path: path))
            var metadata = try FLACFormat.read(file)
            metadata.entries.append(.comment("N", String(repeating: "x", count: size)))
            #expect(try FLACFormat.rewrite(file, with: metadata).rewrite.apply(to: path, of: file) == method)
            let new = try #require(RandomAccessFile(path: path))
            #expect(try Set(FLACFormat.read(new).entries.map(\.short)) == Set(metadata.entries.map(\.short)))
            #expect(FLACBytes(parsing: new.read(at: 0, count: Int(new.byteCount)))?.audio == old.audio)
        }
    }

    // MARK: Hostile

    @Test func `FLAC files cut off anywhere are read and changed without harm`() {
        for count in 0...Self.real.count {
            let file = RandomAccessFile(bytes: Array(Self.real.prefix(count)))
            guard var metadata = try? FLACFormat.read(file) else { continue }
            if count < 230 { #expect(!metadata.problems.isEmpty) }
            metadata.entries.append(.comment("A", "1"))
            _ = try? FLACFormat.rewrite(file, with: metadata)
        }
    }

    @Test func `FLAC files with any byte changed are read and changed without harm`() {
        for place in Self.real.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = Self.real
                bytes[place] = value
                let file = RandomAccessFile(bytes: bytes)
                guard var metadata = try? FLACFormat.read(file) else { continue }
                metadata.entries.append(.comment("A", "1"))
                _ = try? FLACFormat.rewrite(file, with: metadata)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `FLAC files with endless blocks or comments are read within limits`() throws {
        let many = [UInt8](repeating: 0, count: 1 << 20)
        let blocks = try FLACFormat.read(RandomAccessFile(bytes: Array("fLaC".utf8) + many))
        #expect(blocks.problems == ["there are more than 4096 metadata blocks"])
        var header = VorbisBytes.comments([[UInt8]]())
        header.replaceSubrange((header.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0xFF])
        let comments = FLACBytes([
            FLACBytes.streamInformation, .init(type: 4, content: header + many), .init(type: 4, content: header + many),
        ])
        let file = RandomAccessFile(bytes: comments.bytes)
        var metadata = try FLACFormat.read(file)
        #expect(metadata.entries.count == 1 << 16)
        #expect(try FLACFormat.rewrite(file, with: metadata).rewrite.method(for: file) == .unchanged)
        metadata.entries.removeLast()
        #expect(throws: MetadataError.self) { try FLACFormat.rewrite(file, with: metadata) }
    }

    @Test func `FLAC files whose metadata has no end cannot be written`() throws {
        let file = RandomAccessFile(bytes: Array(Self.real.prefix(100)))
        let metadata = try FLACFormat.read(file)
        #expect(!metadata.problems.isEmpty)
        #expect(throws: MetadataError.self) { try FLACFormat.rewrite(file, with: metadata) }
    }
}
