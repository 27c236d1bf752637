import MediaContainers
import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

private typealias Make = ISOBaseMediaFile

private func read(_ bytes: [UInt8]) throws -> FileMetadata {
    try ISOBaseMediaFormat.read(RandomAccessFile(bytes: bytes))
}

/// The new version of a file after a change of its metadata.
private func rewrite(
    _ bytes: [UInt8], _ change: (inout FileMetadata) -> Void
) throws -> (bytes: [UInt8], result: MetadataRewrite) {
    let file = RandomAccessFile(bytes: bytes)
    var metadata = try ISOBaseMediaFormat.read(file)
    change(&metadata)
    let result = try ISOBaseMediaFormat.rewrite(file, with: metadata)
    return (result.rewrite.applied(to: bytes), result)
}

private let titleKey = MetadataKey.code(0xA96E_616D)

@Suite struct `Writing metadata of MP4 files` {
    struct FileCase: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    private static let userData: [UInt8] =
        Make.box("\u{A9}cpy", [0, 2, 0, 0, 0x41, 0x8E]) + Make.box("titl", [0, 0, 0, 0, 0x15, 0xC7, 0x54, 0])
        + Make.box("kywd", [0, 0, 0, 0, 0x15, 0xC7, 2, 2, 0x61, 0, 2, 0x62, 0]) + Make.box("Xtra", [1, 2, 3])
    private static let items: [UInt8] =
        Make.box("\u{A9}nam", Make.text("Title")) + Make.box("covr", Make.data(13, [1]) + Make.data(14, [2]))
        + Make.box("trkn", Make.data(0, [0, 0, 0, 3, 0, 12, 0, 0])) + Make.box("tmpo", Make.data(21, [0, 128]))
        + Make.box(
            "----",
            Make.box("mean", [0, 0, 0, 0] + Array("org.x".utf8)) + Make.box("name", [0, 0, 0, 0] + Array("A.B".utf8))
                + Make.text("one") + Make.text("two")) + Make.box("xxxx", Make.data(200, [1]) + Make.box("what", [5]))
    private static let keys = Make.keyed([
        ("com.apple.quicktime.title", Make.text("a") + Make.data(1, [0x62], locale: 0x10B5)),
        ("com.android.capture.fps", Make.data(23, [0x43, 0x70, 0, 0])), ("third", Make.data(67, [0, 0, 0, 4])),
    ])
    private static let all = Make.box("udta", userData) + Make.iTunes(items, free: 100) + keys
    private static let track = Make.box("udta", Make.box("name", [0x41]))

    static let files: [FileCase] = [
        FileCase(name: "movie first", bytes: Make(movieBoxes: all, trackBoxes: track).bytes),
        FileCase(
            name: "movie last",
            bytes: Make(parts: [.media, .movie], movieBoxes: all, trackBoxes: track).bytes),
        FileCase(
            name: "movie first, free space after it",
            bytes: Make(
                parts: [.movie, .box(Make.box("free", [UInt8](repeating: 0, count: 500))), .media], movieBoxes: all
            ).bytes),
        FileCase(name: "QuickTime", bytes: Make(brand: "qt  ", parts: [.media, .movie], movieBoxes: all).bytes),
        FileCase(name: "no metadata", bytes: Make().bytes),
        FileCase(
            name: "terminated user data",
            bytes: Make(brand: nil, movieBoxes: Make.box("udta", userData + [0, 0, 0, 0])).bytes
        ),
    ]

    @Test(arguments: files) func `Writing unchanged metadata of MP4 files changes nothing`(_ example: FileCase) throws {
        let result = try rewrite(example.bytes) { _ in }.result
        #expect(result.rewrite.segments == [.source(0..<UInt64(example.bytes.count))])
        #expect(result.losses.isEmpty)
    }

    @Test(arguments: files) func `Metadata of MP4 files is removed and written back`(_ example: FileCase) throws {
        let old = try read(example.bytes)
        let (empty, removed) = try rewrite(example.bytes) { ($0.entries, $0.tracks) = ([], []) }
        let none = try read(empty)
        #expect(none.entries.isEmpty && none.tracks.isEmpty && none.problems.isEmpty)
        #expect(removed.losses.isEmpty)
        #expect(Make.media(of: empty) == Make.media)
        // Nothing of it stays in free space either.
        #expect(!String(latin1: empty).contains("com.apple.quicktime.title"))
        let (full, written) = try rewrite(empty) { ($0.entries, $0.tracks) = (old.entries, old.tracks) }
        #expect(written.losses.isEmpty)
        #expect(Make.media(of: full) == Make.media)
        let new = try read(full)
        // Kinds of metadata each have their place, so that only the order within a kind is kept.
        for keySpace in Set(old.entries.map(\.keySpace)) {
            #expect(new.entries.filter { $0.keySpace == keySpace } == old.entries.filter { $0.keySpace == keySpace })
        }
        #expect(new.tracks == old.tracks)
        #expect(new.problems.isEmpty)
    }

    @Test(arguments: files, [5, 60, 400, 9000])
    func `Writing metadata of MP4 files leaves media and the rest as they were`(
        _ example: FileCase, _ size: Int
    ) throws {
        let old = try read(example.bytes)
        let comment = MetadataEntry(.iTunes, .code(0xA963_6D74), .text(String(repeating: "x", count: size)))
        let (bytes, result) = try rewrite(example.bytes) { $0.entries.append(comment) }
        #expect(result.losses.isEmpty)
        #expect(Make.media(of: bytes) == Make.media)
        let new = try read(bytes)
        #expect(new.entries.filter { $0.key != comment.key } == old.entries)
        #expect(new.entries.first { $0.key == comment.key }?.value == comment.value)
        #expect(new.tracks == old.tracks)
    }

    /// Each moment of a change in place, with the process killed or the power gone, leaves one or the other.
    @Test(arguments: files, [0, 40, 300, 5000])
    func `MP4 files are old or new at every moment of a change in place`(_ example: FileCase, _ size: Int) throws {
        let old = try read(example.bytes)
        let comment = MetadataEntry(.iTunes, .code(0xA963_6D74), .text(String(repeating: "x", count: size)))
        let change: (inout FileMetadata) -> Void = { metadata in
            metadata.entries = size == 0 ? Array(metadata.entries.dropFirst(2)) : metadata.entries + [comment]
        }
        let (whole, result) = try rewrite(example.bytes, change)
        guard let steps = result.rewrite.steps else { return }
        let new = try read(whole)
        var bytes = example.bytes
        for step in steps {
            for moment in step.breaks.map({ step.applied(to: bytes, upTo: $0) }) + [step.applied(to: bytes)] {
                let seen = try read(moment)
                #expect(seen.entries == old.entries || seen.entries == new.entries)
                #expect(seen.problems.isEmpty)
                #expect(Make.media(of: moment) == Make.media)
                // A later change clears up what a broken one left.
                let (later, _) = try rewrite(moment) { $0.entries = [] }
                #expect(try read(later).entries.isEmpty)
                #expect(Make.media(of: later) == Make.media)
                #expect(Make.types(of: later).count { $0 == "moov" } == 1)
            }
            bytes = step.applied(to: bytes)
        }
        #expect(bytes == whole)
    }

    @Test func `Writing metadata of MP4 files uses free space within metadata first`() throws {
        let bytes = Make(movieBoxes: Make.iTunes(Make.box("\u{A9}nam", Make.text("Title")), free: 64)).bytes
        let file = RandomAccessFile(bytes: bytes)
        for title in ["A longer title", "T", String(repeating: "x", count: 5 + 64)] {
            let (new, result) = try rewrite(bytes) { $0.entries[0].value = .text(title) }
            #expect(new.count == bytes.count)
            #expect(Make.types(of: new) == Make.types(of: bytes))
            #expect(result.rewrite.method(for: file) == .inPlace)
            #expect(try read(new).entries.map(\.text) == [title])
        }
    }

    @Test func `Writing metadata of MP4 files leaves data in free space alone`() throws {
        let secret = Make.box("free", Array("GPS data of a camera, in free space".utf8))
        let bytes = Make(parts: [.movie, .box(secret), .media]).bytes
        let (new, _) = try rewrite(bytes) { $0.entries = [MetadataEntry(.iTunes, titleKey, .text("Title"))] }
        #expect(String(latin1: new).contains("GPS data of a camera, in free space"))
    }

    @Test func `Writing metadata of MP4 files moves media by whole pages and leaves room`() throws {
        let bytes = Make().bytes
        let (new, result) = try rewrite(bytes) { $0.entries = [MetadataEntry(.iTunes, titleKey, .text("Title"))] }
        #expect((new.count - bytes.count) % 4096 == 0)
        #expect(Make.types(of: new) == ["ftyp", "moov", "free", "mdat"])
        #expect(result.rewrite.method(for: RandomAccessFile(bytes: bytes)) == .copy)
        let (again, more) = try rewrite(new) {
            $0.entries.append(MetadataEntry(.iTunes, .code(0xA963_6D74), .text(String(repeating: "x", count: 3000))))
        }
        #expect(again.count == new.count)
        #expect(more.rewrite.method(for: RandomAccessFile(bytes: new)) == .inPlace)
    }

    @Test func `Writing metadata of MP4 files makes only the structures that it needs`() throws {
        let entries = [
            MetadataEntry(.iTunes, titleKey, .text("I")), MetadataEntry(.quickTimeMetadata, .text("k"), .text("Q")),
            MetadataEntry(.quickTimeUserData, .code(0xA963_7079), .text("U")),
            MetadataEntry(.isoUserData, .code(0x7469_746C), .text("3"), languageTag: "de"),
        ]
        let (bytes, result) = try rewrite(Make().bytes) { $0.entries = entries }
        #expect(result.losses.isEmpty)
        let new = String(latin1: bytes)
        #expect(new.contains(String(latin1: Make.box("\u{A9}cpy", [0, 1, 0x55, 0xC4, 0x55]))))
        #expect(new.contains(String(latin1: Make.box("titl", [0, 0, 0, 0, 0x10, 0xB5, 0x33, 0]))))
        #expect(new.contains(String(latin1: Make.keyed([("k", Make.text("Q"))]))))
        #expect(new.contains(String(latin1: Make.box("ilst", Make.box("\u{A9}nam", Make.text("I"))))))
        let (empty, _) = try rewrite(bytes) { $0.entries = [] }
        for type in ["udta", "meta", "hdlr\0\0\0\0\0\0\0\0mdir", "keys"] {
            #expect(!String(latin1: empty).contains(type))
        }
    }

    @Test func `Keys of MP4 metadata are numbered anew when one is removed`() throws {
        let bytes = Make(
            movieBoxes: Make.keyed([("a", Make.text("1")), ("b", Make.text("2")), ("c", Make.text("3"))])
        ).bytes
        let (new, _) = try rewrite(bytes) { metadata in
            metadata.entries.remove(at: 0)
            metadata.entries[1].value = .text("33")
            metadata.entries.append(MetadataEntry(.quickTimeMetadata, .text("d"), .text("4")))
        }
        let expected = Make.keyed([("b", Make.text("2")), ("c", Make.text("33")), ("d", Make.text("4"))])
        #expect(String(latin1: new).contains(String(latin1: expected)))
    }

    @Test func `Writing metadata of MP4 files adds values to the item of their key`() throws {
        let bytes = Make(movieBoxes: Make.iTunes(Make.box("covr", Make.data(13, [1])))).bytes
        let (new, _) = try rewrite(bytes) {
            $0.entries.append(MetadataEntry(.iTunes, .code(0x636F_7672), .data([0x89, 0x50, 0x4E, 0x47])))
        }
        let expected = Make.box("covr", Make.data(13, [1]) + Make.data(14, [0x89, 0x50, 0x4E, 0x47]))
        #expect(String(latin1: new).contains(String(latin1: expected)))
    }

    struct EncodingCase: Sendable, CustomTestStringConvertible {
        let entry: MetadataEntry
        let bytes: [UInt8]
        var testDescription: String { entry.identifier.rawValue }

        init(_ key: String, _ value: MetadataValue, _ bytes: [UInt8], dataType: String? = nil) {
            let code = key.unicodeScalars.reduce(0) { $0 << 8 | $1.value }
            entry = MetadataEntry(.iTunes, .code(code), value, dataType: dataType.map(MetadataDataType.named))
            self.bytes = ISOBaseMediaFile.box(key, bytes)
        }
    }

    static let encodings: [EncodingCase] = [
        EncodingCase("\u{A9}nam", .text("é"), Make.data(1, [0xC3, 0xA9])),
        EncodingCase("\u{A9}nam", .text("é"), Make.data(2, [0, 0xE9]), dataType: "UTF-16"),
        EncodingCase("tmpo", .integer(128), Make.data(21, [0, 128])),
        EncodingCase("cpil", .integer(1), Make.data(21, [1])),
        EncodingCase("tvsn", .integer(1), Make.data(21, [0, 0, 0, 1])),
        EncodingCase("plID", .integer(1), Make.data(21, [0, 0, 0, 0, 0, 0, 0, 1])),
        EncodingCase("cpil", .integer(300), Make.data(21, [1, 44])),
        EncodingCase("xxxx", .integer(-1), Make.data(21, [255])),
        EncodingCase("xxxx", .integer(255), Make.data(22, [255]), dataType: "uint8"),
        EncodingCase("xxxx", .integer(1), Make.data(21, [0, 0, 0, 1]), dataType: "int32"),
        EncodingCase("xxxx", .real(1.5), Make.data(23, [0x3F, 0xC0, 0, 0]), dataType: "float32"),
        EncodingCase("xxxx", .real(1.5), Make.data(24, [0x3F, 0xF8, 0, 0, 0, 0, 0, 0])),
        EncodingCase("trkn", .data([0, 0, 0, 3, 0, 12, 0, 0]), Make.data(0, [0, 0, 0, 3, 0, 12, 0, 0])),
        EncodingCase("trkn", .integer(3), Make.data(0, [0, 0, 0, 3, 0, 0, 0, 0])),
        EncodingCase("disk", .integer(2), Make.data(0, [0, 0, 0, 2, 0, 0])),
        EncodingCase("disk", .data([0, 0, 0, 2, 0, 3, 0, 0]), Make.data(0, [0, 0, 0, 2, 0, 3])),
        EncodingCase("disk", .text("2/3"), Make.data(0, [0, 0, 0, 2, 0, 3])),
        EncodingCase("trkn", .data([0, 0, 0, 2, 0, 3]), Make.data(0, [0, 0, 0, 2, 0, 3, 0, 0])),
        EncodingCase("trkn", .text("7"), Make.data(0, [0, 0, 0, 7, 0, 0, 0, 0])),
        EncodingCase("trkn", .data([1, 2]), Make.data(0, [1, 2])),
        EncodingCase("gnre", .integer(18), Make.data(0, [0, 18])),
        EncodingCase("covr", .data([0xFF, 0xD8, 0xFF]), Make.data(13, [0xFF, 0xD8, 0xFF])),
        EncodingCase("covr", .data([1, 2]), Make.data(14, [1, 2]), dataType: "PNG"),
    ]

    @Test(arguments: encodings)
    func `Writing metadata of MP4 files gives values their usual types`(_ example: EncodingCase) throws {
        let (bytes, result) = try rewrite(Make().bytes) { $0.entries = [example.entry] }
        #expect(result.losses.isEmpty)
        #expect(String(latin1: bytes).contains(String(latin1: example.bytes)))
    }

    static let unfit: [MetadataEntry] = [
        MetadataEntry(.id3, .text("TIT2"), .text("x")), MetadataEntry(.vorbisComment, .text("TITLE"), .text("x")),
        MetadataEntry(.iTunes, .text("too long"), .text("x")), MetadataEntry(.iTunes, .code(0x2D2D_2D2D), .text("x")),
        MetadataEntry(.quickTimeMetadata, .text(""), .text("x")),
        MetadataEntry(.isoUserData, .code(0x6D65_7461), .data([1])),
        MetadataEntry(.isoUserData, .code(0x7878_7878), .text("x")),
        MetadataEntry(.isoUserData, .code(0x6C6F_6369), .text("nowhere")),
        MetadataEntry(.quickTimeUserData, .code(0xA96E_616D), .text(String(repeating: "x", count: 70_000))),
        MetadataEntry(.quickTimeUserData, .code(0xA96E_616D), .integer(5)),
    ]

    @Test(arguments: unfit)
    func `Entries that MP4 files cannot hold are reported as lost`(_ entry: MetadataEntry) throws {
        let bytes = Make().bytes
        let (new, result) = try rewrite(bytes) { $0.entries = [entry] }
        #expect(result.losses.map(\.item) == [entry.identifier.rawValue])
        #expect(new == bytes)
    }

    @Test func `Languages and tracks that MP4 files cannot hold are reported as lost`() throws {
        let text = MetadataEntry(.quickTimeUserData, .code(0xA96E_616D), .text("x"), languageTag: "en-GB")
        let (_, result) = try rewrite(Make().bytes) { metadata in
            metadata.entries = [text]
            metadata.tracks = [.init(trackID: 9, entries: [text])]
        }
        #expect(
            result.losses.map(\.reason) == ["of its language, en-GB, only en can be stored", "there is no such track"])
    }

    @Test func `XMP of MP4 files is removed without moving anything, and written`() throws {
        let identifier: [UInt8] = [
            0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
        ]
        let packet = Make.box("uuid", identifier + Array("<packet/>".utf8))
        let bytes = Make(parts: [.movie, .box(packet), .media]).bytes
        let (none, _) = try rewrite(bytes) { $0.entries = [] }
        #expect(none.count == bytes.count)
        #expect(Make.types(of: none) == ["ftyp", "moov", "free", "mdat"])
        #expect(!String(latin1: none).contains("packet"))
        let (new, _) = try rewrite(bytes) { $0.entries[0].value = .text("<another packet/>") }
        #expect(try read(new).entries.map(\.text) == ["<another packet/>"])
        #expect(Make.media(of: new) == Make.media)
    }

    @Test func `Writing chapters of MP4 files changes nothing else`() throws {
        for parts in [[.movie, .media], [.media, .movie]] as [[Make.Part]] {
            let bytes = Make(parts: parts, movieBoxes: Make.iTunes(Make.box("\u{A9}nam", Make.text("Title")))).bytes
            let chapters = [0, 4].map { seconds in
                Chapter(
                    start: CMTime(value: seconds * 1000, timescale: 1000),
                    titles: [Chapter.Title("At \(seconds)", languageTag: "en")])
            }
            let (new, result) = try rewrite(bytes) {
                $0.chapterLists = [
                    ChapterList(form: .quickTimeTrack, languageTag: "en", chapters: chapters),
                    ChapterList(form: .nero, chapters: chapters),
                ]
            }
            #expect(result.losses.isEmpty)
            #expect(Make.media(of: new) == Make.media)
            let metadata = try read(new)
            #expect(metadata.problems.isEmpty)
            #expect(metadata.chapterLists.map(\.form) == [.quickTimeTrack, .nero])
            for list in metadata.chapterLists { #expect(list.chapters.map(\.title) == ["At 0", "At 4"]) }
            #expect(metadata.chapterLists[0].trackID == 2)
            #expect(metadata.entries.map(\.text) == ["Title"])
            // The header counts the new track; the duration stays.
            let reader = BoxReader(file: RandomAccessFile(bytes: new))
            let header = try #require(reader.box(["moov", "mvhd"], in: 0..<UInt64(new.count)))
            #expect(reader.bytes(of: header).bigEndian32(at: 96) == 3)
            #expect(reader.bytes(of: header).bigEndian32(at: 16) == 10_000)
            let (same, _) = try rewrite(new) { $0.entries[0].value = .text("Other") }
            #expect(try read(same).chapterLists == metadata.chapterLists)
            let (none, _) = try rewrite(new) { $0.chapterLists = [] }
            #expect(try read(none).chapterLists.isEmpty)
            #expect(!String(latin1: none).contains("tref") && !String(latin1: none).contains("chpl"))
            #expect(Make.media(of: none) == Make.media)
        }
    }
}
