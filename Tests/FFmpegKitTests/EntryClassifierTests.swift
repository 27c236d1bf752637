import MediaContainers
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

struct EntryCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// Each packet flagged as key, by its position among the stream's packets.
    var entries: [Int: EntryClassifier.Entry]

    var testDescription: String { name }
}

struct BytesCase: Sendable, CustomTestStringConvertible {
    var codec: String
    var bytes: [UInt8]
    var entry: EntryClassifier.Entry

    init(_ codec: String, _ bytes: [UInt8], _ entry: EntryClassifier.Entry) {
        (self.codec, self.bytes, self.entry) = (codec, bytes, entry)
    }

    var testDescription: String { "\(codec) \(bytes.map { String($0, radix: 16) })" }
}

@Suite struct `Where decoding can start` {
    private static let codecs = ["h264", "hevc", "mpeg4", "mpeg1video", "mpeg2video", "vp8", "vp9", "av1", "other"]

    private func classify(_ name: String) throws -> [EntryClassifier.Entry] {
        let demuxer = try Fixture(name).open()
        let stream = demuxer.streams[0]
        let classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        var result: [EntryClassifier.Entry] = []
        while let packet = try demuxer.readPacket() {
            if packet.streamIndex == 0 { result.append(classifier.classify(packet)) }
        }
        return result
    }

    @Test(arguments: [
        EntryCase(name: "movie.mp4", entries: [0: .clean, 25: .clean, 50: .clean, 225: .clean]),
        EntryCase(name: "h264.ts", entries: [0: .clean, 25: .clean, 50: .clean, 75: .clean]),
        EntryCase(name: "h264-open-gop.mp4", entries: [0: .clean]),
        EntryCase(name: "h264-intra-refresh.mp4", entries: [0: .clean, 25: .gradual, 50: .gradual, 75: .gradual]),
        EntryCase(name: "hevc-open-gop.mp4", entries: [0: .clean]),
        EntryCase(name: "mpeg4-b.avi", entries: [0: .clean]), EntryCase(name: "raw.m2v", entries: [0: .clean]),
        EntryCase(name: "vp8.webm", entries: [0: .clean]), EntryCase(name: "vp9.webm", entries: [0: .clean]),
        EntryCase(name: "long-gop.mp4", entries: [0: .clean]),
        EntryCase(name: "mjpeg.avi", entries: [0: .clean, 24: .clean]),
    ])
    func `Random access points of fixtures are classified from their packets`(_ c: EntryCase) throws {
        let found = try classify(c.name)
        for (position, entry) in c.entries { #expect(found[position] == entry, "packet \(position)") }
        #expect(found[1] == .none || c.name == "mjpeg.avi")
    }

    /// As many entries as the fixture was made with (Fixtures/README.md).
    @Test(arguments: [
        ("movie.mp4", 10, 0, 0), ("h264-open-gop.mp4", 1, 3, 0), ("h264-open-gop.ts", 1, 3, 0),
        ("h264-intra-refresh.mp4", 1, 0, 3), ("hevc-open-gop.mp4", 4, 0, 0), ("hevc-open-gop.ts", 4, 0, 0),
        ("long-gop.mp4", 1, 0, 0), ("h264.ts", 4, 0, 0), ("vp8.webm", 2, 0, 0), ("vp9.webm", 2, 0, 0),
        ("mpeg4-b.avi", 4, 0, 0), ("av1.webm", 4, 0, 0),
    ])
    func `Random access points are as many as the fixture was made with`(
        _ name: String, _ clean: Int, _ recovery: Int, _ gradual: Int
    ) throws {
        let found = try classify(name)
        let counts = [EntryClassifier.Entry.clean, .recovery, .gradual].map { kind in found.count { $0 == kind } }
        #expect(counts == [clean, recovery, gradual])
    }

    @Test(arguments: [
        BytesCase("h264", [0, 0, 1, 0x65, 0x88], .clean), BytesCase("h264", [0, 0, 0, 1, 0x65, 0x88], .clean),
        BytesCase("h264", [0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 1, 0x65, 3], .clean),
        // first_mb 0, slice type 7 (all I): 1, 0001000.
        BytesCase("h264", [0, 0, 1, 0x41, 0b1000_1000, 0x80], .recovery),
        // Slice type 5 (all P): 1, 00110.
        BytesCase("h264", [0, 0, 1, 0x41, 0b1001_1000, 0x80], .none),
        BytesCase("h264", [0, 0, 1, 0x06, 6, 1, 0xc0, 0x80, 0, 0, 1, 0x41, 0b1001_1000, 0x80], .gradual),
        BytesCase("h264", [0, 0, 1, 0x09, 0xf0], .none), BytesCase("hevc", [0, 0, 1, 0x26, 1, 1], .clean),
        BytesCase("hevc", [0, 0, 1, 0x02, 1, 1], .none),
        BytesCase("hevc", [0, 0, 1, 0x40, 1, 0, 0, 1, 0x2a, 1], .clean),
        BytesCase("mpeg4", [0, 0, 1, 0xb6, 0x10] + [UInt8](repeating: 0xaa, count: 30), .clean),
        BytesCase("mpeg4", [0, 0, 1, 0xb6, 0x50] + [UInt8](repeating: 0xaa, count: 30), .none),
        // What holds a place in a packed stream.
        BytesCase("mpeg4", [0, 0, 1, 0xb6, 0x1a, 0x4f], .none),
        // A temporal delimiter and a frame: show_existing_frame 0, frame type 0 (key) and 1 (inter).
        BytesCase("av1", [0x12, 0, 0x32, 2, 0x10, 0], .clean), BytesCase("av1", [0x12, 0, 0x32, 2, 0x30, 0], .none),
        // The start code, a temporal reference, five bits, the format, and the type.
        BytesCase("h263", [0, 0, 0x80, 0x02, 0x08], .clean), BytesCase("h263", [0, 0, 0x80, 0x02, 0x0a], .none),
        BytesCase("h263", [1, 2, 3], .none),
        BytesCase("flv1", [0, 0, 0x84, 0x01, 0x00], .clean), BytesCase("flv1", [0, 0, 0x84, 0x01, 0x20], .none),
        BytesCase("theora", [0x00], .clean), BytesCase("theora", [0x40], .none), BytesCase("theora", [], .none),
        BytesCase("msmpeg4v3", [0x20], .clean), BytesCase("msmpeg4v3", [0x60], .none),
        BytesCase("wmv2", [0x00], .clean), BytesCase("wmv2", [0x80], .none),
        BytesCase("cinepak", [1, 2, 3], .recovery),
        BytesCase("mpeg2video", [0, 0, 1, 0, 0, 0x08], .clean), BytesCase("mpeg2video", [0, 0, 1, 0, 0, 0x10], .none),
        BytesCase("vp8", [0x10], .clean), BytesCase("vp8", [0x11], .none),
        BytesCase("vp9", [0x82], .clean), BytesCase("vp9", [0x86], .none), BytesCase("vp9", [0x00], .none),
    ])
    func `Random access points follow the first bytes of a packet`(_ c: BytesCase) {
        #expect(EntryClassifier(codec: Codec(rawValue: c.codec), extradata: []).classify(.key(c.bytes)) == c.entry)
    }

    @Test func `A packet without the keyframe flag is no random access point`() throws {
        let packet = Packet()
        #expect(EntryClassifier(codec: .motionJPEG, extradata: []).classify(packet) == .none)
    }

    @Test(arguments: ["h264", "hevc", "mpeg4", "mpeg1video", "mpeg2video", "vp8", "vp9"])
    func `An empty packet is no random access point`(_ codec: String) {
        #expect(EntryClassifier(codec: Codec(rawValue: codec), extradata: []).classify(.key([])) == .none)
    }

    @Test func `Packets of random bytes are classified without harm`() {
        var random = SeededGenerator(seed: 99)
        let avcC: [UInt8] = [1, 100, 0, 31, 0xff, 0xe1, 0, 0]
        let hvcC = [1] + [UInt8](repeating: 0xff, count: 30)
        var count = 0
        for _ in 0..<1500 {
            var bytes = random.bytes(Int.random(in: 0...48, using: &random))
            // Start codes and NAL headers are rare in noise.
            if bytes.count > 6, Bool.random(using: &random) { bytes.replaceSubrange(0..<3, with: [0, 0, 1]) }
            let packet = Packet.key(bytes)
            for codec in Self.codecs {
                for extradata in [[], avcC, hvcC, Array(avcC.prefix(5))] {
                    _ = EntryClassifier(codec: Codec(rawValue: codec), extradata: extradata).classify(packet)
                    count += 1
                }
            }
        }
        #expect(count == 1500 * 9 * 4)
    }

    private static let lies: [[UInt8]] = [
        [0xff, 0xff, 0xff, 0xff, 0x65], [0, 0, 0, 200, 0x65, 1], [0, 0, 0, 0, 0, 0, 0, 0], [0x80, 0, 0, 0, 0x65],
        [0, 0, 0, 1], [0, 0, 0],
    ]

    @Test(arguments: lies)
    func `Packets with false lengths are classified without harm`(_ bytes: [UInt8]) {
        for size in 0..<4 {
            let extradata: [UInt8] = [1, 100, 0, 31, 0xfc | UInt8(size), 0xe1, 0, 0]
            let entry = EntryClassifier(codec: .h264, extradata: extradata).classify(.key(bytes))
            #expect(entry == .none || bytes.contains(0x65))
        }
    }

    @Test func `Packets cut at any byte are classified without harm`() throws {
        for name in ["movie.mp4", "h264-open-gop.ts", "hevc-open-gop.mp4", "mpeg4-b.avi", "raw.m2v", "vp9.webm"] {
            let demuxer = try Fixture(name).open()
            let stream = demuxer.streams[0]
            let classifier = EntryClassifier(
                codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
            var packet = try #require(try demuxer.readPacket())
            while packet.streamIndex != 0 { packet = try #require(try demuxer.readPacket()) }
            let bytes = packet.withBytes { [UInt8]($0.prefix(600)) }
            #expect(classifier.classify(packet) == .clean, "\(name)")
            for length in 0...bytes.count {
                let entry = classifier.classify(.key(Array(bytes.prefix(length))))
                #expect(entry == .none || entry == .clean)
            }
        }
    }
}

@Suite struct `Bits of a header` {
    @Test func `Bits of a header are read from the most significant on, up to the end`() {
        let bytes: [UInt8] = [0b1010_0110, 0xff]
        bytes.withUnsafeBytes { buffer in
            var bits = BitReader(bytes: buffer)
            #expect(bits.read(3) == 0b101)
            #expect(bits.read(5) == 0b00110)
            #expect(bits.read(9) == nil)
            #expect(bits.read(8) == 0xff)
            #expect(bits.read(1) == nil)
            #expect(bits.read(0) == 0)
        }
    }

    private static let codes: [([UInt8], UInt32)] = [
        ([0x80], 0), ([0x40], 1), ([0x60], 2), ([0x20], 3), ([0x38], 6), ([0x08, 0x80], 16),
    ]
    private static let broken: [[UInt8]] = [[], [0], [0, 0, 0, 0, 0, 0, 0, 0], [0x01]]

    @Test(arguments: codes)
    func `Exp-Golomb codes are read as their values`(_ bytes: [UInt8], _ value: UInt32) {
        bytes.withUnsafeBytes { buffer in
            var bits = BitReader(bytes: buffer)
            #expect(bits.readExpGolomb() == value)
        }
    }

    @Test(arguments: broken)
    func `Incomplete Exp-Golomb codes give nothing`(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var bits = BitReader(bytes: buffer)
            #expect(bits.readExpGolomb() == nil)
        }
    }
}
