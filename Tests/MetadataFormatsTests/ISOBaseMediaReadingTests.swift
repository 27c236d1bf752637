import Foundation
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

private typealias Make = ISOBaseMediaFile

private func read(_ bytes: [UInt8]) throws -> FileMetadata {
    try ISOBaseMediaFormat.read(RandomAccessFile(bytes: bytes))
}

@Suite struct `Metadata of MP4 files` {
    struct ValueCase: Sendable, CustomTestStringConvertible {
        let key: String
        let type: UInt32
        let payload: [UInt8]
        let value: MetadataValue
        let dataType: String?
        var testDescription: String { "\(key) \(type) \(payload)" }

        init(_ key: String, _ type: UInt32, _ payload: [UInt8], _ value: MetadataValue, _ dataType: String?) {
            (self.key, self.type, self.payload, self.value) = (key, type, payload, value)
            self.dataType = dataType.map(MetadataDataType.named)
        }
    }

    static let values: [ValueCase] = [
        ValueCase("\u{A9}nam", 1, Array("Tïtle".utf8), .text("Tïtle"), "UTF-8"),
        ValueCase("\u{A9}nam", 1, [0x41, 0xE9], .text("Aé"), "UTF-8"),
        ValueCase("\u{A9}nam", 2, [0, 0x41, 0x20, 0xAC], .text("A€"), "UTF-16"),
        ValueCase("\u{A9}nam", 0, Array("text".utf8), .text("text"), "UTF-8"),
        ValueCase("purl", 0, Array("http://a".utf8), .text("http://a"), "UTF-8"),
        ValueCase("covr", 13, [0xFF, 0xD8, 0xFF], .data([0xFF, 0xD8, 0xFF]), "JPEG"),
        ValueCase("covr", 14, [0x89, 0x50], .data([0x89, 0x50]), "PNG"),
        ValueCase("covr", 27, [0x42, 0x4D], .data([0x42, 0x4D]), "BMP"),
        ValueCase("cpil", 21, [1], .integer(1), "int8"),
        ValueCase("cpil", 0, [1], .integer(1), "int8"),
        ValueCase("tmpo", 21, [0xFF, 0xFE], .integer(-2), "int16"),
        ValueCase("tvsn", 21, [0, 1, 2], .integer(258), "int32"),
        ValueCase("tvsn", 21, [0, 0, 1, 2], .integer(258), "int32"),
        ValueCase("plID", 21, [0, 0, 1, 0, 0, 0, 0, 2], .integer(1 << 40 + 2), "int64"),
        ValueCase("xxxx", 22, [0xFF], .integer(255), "uint8"),
        ValueCase("xxxx", 22, [0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295), "uint32"),
        ValueCase("xxxx", 22, [UInt8](repeating: 255, count: 8), .data([UInt8](repeating: 255, count: 8)), "uint64"),
        ValueCase("xxxx", 21, [1, 2, 3, 4, 5], .data([1, 2, 3, 4, 5]), nil),
        ValueCase("xxxx", 21, [], .data([]), nil),
        ValueCase("xxxx", 23, [0x3F, 0xC0, 0, 0], .real(1.5), "float32"),
        ValueCase("xxxx", 24, [0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .real(1.5), "float64"),
        ValueCase("xxxx", 67, [0, 0, 0, 4], .integer(4), "int32"),
        ValueCase("trkn", 0, [0, 0, 0, 3, 0, 12, 0, 0], .data([0, 0, 0, 3, 0, 12, 0, 0]), "raw-data"),
        ValueCase("gnre", 0, [0, 18], .data([0, 18]), "raw-data"),
        ValueCase("xxxx", 200, [1], .data([1]), nil),
    ]

    @Test(arguments: values) func `Metadata of MP4 files has values by their types`(_ example: ValueCase) throws {
        let item = Make.box(example.key, Make.data(example.type, example.payload))
        let metadata = try read(Make(movieBoxes: Make.iTunes(item)).bytes)
        let entry = try #require(metadata.entries.first)
        #expect(metadata.entries.count == 1)
        #expect(entry.keySpace == .iTunes)
        #expect(entry.key == .code(example.key.unicodeScalars.reduce(0) { $0 << 8 | $1.value }))
        #expect(entry.value == example.value)
        #expect(entry.dataType == example.dataType)
        #expect(entry.extras[.dataType] == .integer(Int64(example.type)))
        #expect(metadata.problems.isEmpty)
    }

    @Test func `Metadata of MP4 files has an entry for each value, in file order`() throws {
        let free =
            Make.box("mean", [0, 0, 0, 0] + Array("org.x".utf8))
            + Make.box("name", [0, 0, 0, 0] + Array("A.B".utf8)) + Make.text("one") + Make.text("two")
        let items =
            Make.box("covr", Make.data(13, [1]) + Make.data(14, [2])) + Make.box("----", free)
            + Make.box("\u{A9}nam", Make.text("a")) + Make.box("\u{A9}nam", Make.text("b"))
        let metadata = try read(Make(movieBoxes: Make.iTunes(items)).bytes)
        #expect(
            metadata.entries.map(\.identifier.rawValue) == [
                "itsk/covr", "itsk/covr", "itlk/org.x.A.B", "itlk/org.x.A.B", "itsk/%A9nam", "itsk/%A9nam",
            ])
        #expect(metadata.entries.map(\.text) == [nil, nil, "one", "two", "a", "b"])
        #expect(metadata.entries[2].extras[.init(rawValue: "mean")] == .text("org.x"))
        #expect(metadata.entries[2].extras[.init(rawValue: "name")] == .text("A.B"))
    }

    @Test(arguments: [false, true])
    func `Metadata of MP4 files has keys in reverse domain order`(_ isFull: Bool) throws {
        let boxes = Make.keyed(
            [
                ("com.apple.quicktime.title", Make.text("a") + Make.data(1, Array("ä".utf8), locale: 0x4445_10B5)),
                ("com.android.capture.fps", Make.data(23, [0x43, 0x70, 0, 0])),
            ], isFull: isFull)
        let metadata = try read(Make(movieBoxes: boxes).bytes)
        #expect(
            metadata.entries.map(\.identifier.rawValue) == [
                "mdta/com.apple.quicktime.title", "mdta/com.apple.quicktime.title", "mdta/com.android.capture.fps",
            ])
        #expect(metadata.entries.map(\.value) == [.text("a"), .text("ä"), .real(240)])
        #expect(metadata.entries.map(\.languageTag) == [nil, "de-DE", nil])
    }

    @Test func `Metadata of MP4 files has user data of 3GPP`() throws {
        // Made by AtomicParsley: titl, albm, yrrc, rtng, clsf, loci; kywd by the specification.
        let userData =
            Make.box("titl", [0, 0, 0, 0, 0x15, 0xC7, 0x54, 0xC3, 0xA9, 0])
            + Make.box("perf", [0, 0, 0, 0, 0x55, 0xC4, 0xFE, 0xFF, 0x20, 0xAC, 0, 0])
            + Make.box("albm", [0, 0, 0, 0, 0x55, 0xC4, 0x41, 0, 7]) + Make.box("yrrc", [0, 0, 0, 0, 0x07, 0xCF])
            + Make.box("rtng", [0, 0, 0, 0] + Array("MPAAPG13".utf8) + [0x15, 0xC7, 0x52, 0])
            + Make.box("clsf", [0, 0, 0, 0] + Array("ENTY".utf8) + [0, 5, 0x15, 0xC7, 0x43, 0])
            + Make.box("kywd", [0, 0, 0, 0, 0x15, 0xC7, 2, 2, 0x61, 0, 3, 0x62, 0x63, 0])
            + Make.box(
                "loci",
                [0, 0, 0, 0, 0x15, 0xC7, 0x50, 0, 1, 0xFF, 0xB6, 0x80, 0, 0, 0x28, 0xC0, 0, 0, 0, 0, 0]
                    + Array("earth".utf8) + [0, 0])
        let metadata = try read(Make(brand: "3gp5", movieBoxes: Make.box("udta", userData)).bytes)
        let entries = metadata.entries
        #expect(entries.allSatisfy { $0.keySpace == .isoUserData })
        #expect(
            entries.map(\.value) == [
                .text("Té"), .text("€"), .text("A"), .integer(1999), .text("R"), .text("C"), .text("a"), .text("bc"),
                .text("+40.75-073.5/"),
            ])
        #expect(entries[0].languageTag == "en")
        #expect(entries[1].languageTag == nil)
        #expect(entries[2].extras[.init(rawValue: "trackNumber")] == .integer(7))
        #expect(entries[4].extras[.init(rawValue: "entity")] == .text("MPAA"))
        #expect(entries[4].extras[.init(rawValue: "criteria")] == .text("PG13"))
        #expect(entries[5].extras[.init(rawValue: "criteria")] == .integer(5))
        #expect(entries[8].info == "P")
        #expect(entries[8].extras[.init(rawValue: "role")] == .integer(1))
        #expect(entries[8].extras[.init(rawValue: "astronomicalBody")] == .text("earth"))
    }

    @Test func `Metadata of MP4 files has tracks' own entries and the date`() throws {
        let boxes = Make.box("udta", Make.box("name", Array("Commentary".utf8)))
        let metadata = try read(Make(trackBoxes: boxes).bytes)
        #expect(metadata.container == .isoBaseMedia)
        #expect(metadata.entries.isEmpty)
        #expect(metadata.tracks.map(\.trackID) == [1])
        #expect(metadata.tracks.first?.entries.map(\.identifier.rawValue) == ["uiso/name"])
        #expect(metadata.tracks.first?.entries.map(\.text) == ["Commentary"])
        #expect(metadata.creationDate == Date(timeIntervalSince1970: 1_714_979_289))
    }

    @Test func `Metadata of MP4 files keeps unknown boxes as bytes`() throws {
        let userData = Make.box("Xtra", [1, 2, 3]) + Make.box("zero", []) + Make.box("titl", [9, 9])
        let metadata = try read(Make(movieBoxes: Make.box("udta", userData)).bytes)
        #expect(metadata.entries.map(\.value) == [.data([1, 2, 3]), .data([]), .data([9, 9])])
    }

    @Test func `Metadata of MP4 files has XMP beside the movie`() throws {
        let identifier: [UInt8] = [
            0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
        ]
        let packet = Make.box("uuid", identifier + Array("<x/>".utf8))
        let metadata = try read(Make(parts: [.movie, .media, .box(packet)]).bytes)
        #expect(metadata.entries.map(\.text) == ["<x/>"])
        #expect(metadata.entries.map(\.identifier.rawValue) == ["uuid/BE7ACFCB-97A9-42E8-9C71-999491E3AFAC"])
    }
}

@Suite struct `Metadata of QuickTime movies` {
    struct TextCase: Sendable, CustomTestStringConvertible {
        let content: [UInt8]
        let texts: [String]
        let languages: [String?]
        var testDescription: String { "\(texts)" }

        init(_ content: [UInt8], _ texts: [String], _ languages: [String?]) {
            (self.content, self.texts, self.languages) = (content, texts, languages)
        }
    }

    static let texts: [TextCase] = [
        TextCase([0, 2, 0, 0, 0x41, 0x8E], ["Aé"], [nil]),
        TextCase([0, 3, 0, 0, 0x41, 0xC3, 0xA9], ["Aé"], [nil]),
        TextCase([0, 1, 0, 2, 0x42], ["B"], ["de"]),
        TextCase([0, 3, 0x15, 0xC7, 0x41, 0xC3, 0xA9], ["Aé"], ["en"]),
        TextCase([0, 4, 0x55, 0xC4, 0xFE, 0xFF, 0x20, 0xAC], ["€"], [nil]),
        TextCase([0, 1, 0, 0, 0x41, 0, 1, 0, 1, 0x42], ["A", "B"], [nil, "fr"]),
        TextCase([0, 2, 0x15, 0xC7, 0x41, 0], ["A"], ["en"]),
        // A last zero that the length leaves out, and a length that counts itself.
        TextCase([0, 1, 0x15, 0xC7, 0x41, 0], ["A"], ["en"]),
        TextCase([0, 5, 0x15, 0xC7, 0x41], ["A"], ["en"]),
        TextCase([0, 0, 0, 0], [""], [nil]),
        TextCase(Array("+35.6-120.1/".utf8), ["+35.6-120.1/"], [nil]),
        TextCase(ISOBaseMediaFile.text("item"), ["item"], [nil]),
    ]

    @Test(arguments: texts)
    func `Metadata of QuickTime movies has texts in several languages`(_ example: TextCase) throws {
        let userData = Make.box("udta", Make.box("\u{A9}xyz", example.content) + [0, 0, 0, 0])
        let metadata = try read(Make(brand: nil, movieBoxes: userData).bytes)
        #expect(metadata.container == .quickTime)
        #expect(metadata.entries.map(\.text) == example.texts)
        #expect(metadata.entries.map(\.languageTag) == example.languages)
        #expect(metadata.entries.allSatisfy { $0.identifier.rawValue == "udta/%A9xyz" })
    }

    @Test func `Metadata of QuickTime movies keeps unreadable texts as bytes`() throws {
        let content: [UInt8] = [0xFF, 0xFF, 0, 0, 1]
        let userData = Make.box("udta", Make.box("\u{A9}nam", content) + Make.box("\u{A9}cpy", []))
        let metadata = try read(Make(brand: "qt  ", movieBoxes: userData).bytes)
        #expect(metadata.entries.map(\.value) == [.data(content), .data([])])
    }

    @Test func `Metadata of QuickTime movies has bare texts`() throws {
        let userData = Make.box("udta", Make.box("tagc", Array("public.main-program-content".utf8)))
        let metadata = try read(Make(brand: "qt  ", movieBoxes: userData).bytes)
        #expect(metadata.entries.map(\.identifier.rawValue) == ["udta/tagc"])
        #expect(metadata.entries.map(\.text) == ["public.main-program-content"])
    }
}

@Suite struct `Hostile MP4 files` {
    private static let whole: [UInt8] = {
        let items =
            Make.box("\u{A9}nam", Make.text("Title")) + Make.box("covr", Make.data(13, [1]) + Make.data(14, [2]))
        let userData = Make.box("\u{A9}cpy", [0, 1, 0, 0, 0x41]) + Make.box("loci", [UInt8](repeating: 0, count: 30))
        return Make(
            movieBoxes: Make.iTunes(items) + Make.box("udta", userData) + Make.keyed([("k", Make.text("v"))]),
            trackBoxes: Make.box("udta", Make.box("name", [0x41]))
        ).bytes
    }()

    /// Reads and rewrites, which may throw but not crash.
    private func use(_ bytes: [UInt8]) {
        let file = RandomAccessFile(bytes: bytes)
        guard var metadata = try? ISOBaseMediaFormat.read(file) else { return }
        metadata.entries.append(MetadataEntry(.iTunes, .code(0xA96E_616D), .text(String(repeating: "x", count: 99))))
        metadata.entries.append(MetadataEntry(.quickTimeMetadata, .text("new"), .integer(5)))
        _ = try? ISOBaseMediaFormat.rewrite(file, with: metadata)
    }

    @Test func `MP4 files cut anywhere are read without harm`() {
        for length in 0..<Self.whole.count { use(Array(Self.whole[..<length])) }
    }

    @Test(arguments: [0, 1, 7, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
    func `MP4 files with any box size are read without harm`(_ size: UInt32) {
        for offset in 0..<(Self.whole.count - 4) {
            var bytes = Self.whole
            var number: [UInt8] = []
            number.append(bigEndian: size)
            bytes.replaceSubrange(offset..<(offset + 4), with: number)
            use(bytes)
        }
    }

    @Test func `MP4 files with deeply nested boxes are read without harm`() {
        var bytes = Make.text("x")
        for index in 0..<2000 { bytes = Make.box(["moov", "udta", "meta", "ilst", "trak"][index % 5], bytes) }
        use(bytes)
        use(Make(movieBoxes: bytes).bytes)
    }

    @Test(.timeLimit(.minutes(5))) func `MP4 files made of headers are read without harm`() throws {
        let headers = [[UInt8]](repeating: Make.box("\u{A9}nam", []), count: 60_000).flatMap { $0 }
        let bytes = Make(movieBoxes: Make.box("udta", headers) + Make.iTunes(headers)).bytes
        let metadata = try read(bytes)
        #expect(metadata.entries.count == 120_000)
        use(bytes)
    }
}
