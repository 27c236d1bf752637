import MediaMetadata
import MetadataFormats
import Testing

/// Expected bytes follow ITU-T H.264 and H.265, annexes B and D, and the AV1 specification, 5.3.
@Suite struct `Messages among coded pictures` {
    private func scrubbed(_ bytes: [UInt8], codec: String, _ configuration: [UInt8] = []) throws -> [UInt8] {
        let scrubber = try #require(SampleScrubber(codec: codec, configuration: configuration))
        return bytes.withUnsafeBytes { raw in
            SampleScrubber.applying(scrubber.patches(in: raw), to: raw) ?? bytes
        }
    }

    private static let start: [UInt8] = [0, 0, 0, 1]
    private static let slice: [UInt8] = [0, 0, 0, 1, 0x65, 0x88, 0x84, 0, 0x33, 0xFF]

    @Test func `Shared user data become filler of the same length, the coded frame stays`() throws {
        let message: [UInt8] = [5, 20] + Array(repeating: 0x61, count: 20)
        let result = try scrubbed(Self.start + [6] + message + [0x80] + Self.slice, codec: "h264")
        let filler: [UInt8] = [3, 20] + Array(repeating: 0xFF, count: 20)
        #expect(result == Self.start + [6] + filler + [0x80] + Self.slice)
    }

    @Test func `Shared timing, recovery, captions and light metadata stay`() throws {
        let captions: [UInt8] = [4, 10, 0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x41, 0xFF]
        let light: [UInt8] = [144, 4, 1, 2, 3, 4]
        let recovery: [UInt8] = [6, 1, 0xC4]
        let unit = Self.start + [6] + recovery + captions + light + [0x80]
        #expect(try scrubbed(unit + Self.slice, codec: "h264") == unit + Self.slice)
    }

    @Test(arguments: [2, 3, 100, 254, 255, 256, 257, 258, 300, 511, 512, 513, 600])
    func `A shared message of any length keeps the unit's length`(_ count: Int) throws {
        // Zeros, so that bytes against start codes stand in the message and not in the filler.
        let size = [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
        var unit: [UInt8] = [6, 5] + size
        var zeros = 0
        for index in 0..<count {
            let byte: UInt8 = index % 7 == 6 ? 0x41 : 0
            if zeros == 2 {
                unit.append(3)
                zeros = 0
            }
            unit.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        unit += [0x80]
        let bytes = Self.start + unit + Self.slice
        let result = try scrubbed(bytes, codec: "h264")
        #expect(result.count == bytes.count)
        #expect(result.suffix(Self.slice.count) == Self.slice[...])
        #expect(!result.dropLast(Self.slice.count).contains(0x41))
        #expect(try scrubbed(result, codec: "h264") == result)
    }

    @Test func `Shared HEVC has two bytes before its messages, and units with their length`() throws {
        let configuration: [UInt8] = [1] + Array(repeating: 0, count: 20) + [3, 0]
        let unit: [UInt8] = [0x4E, 1, 5, 4, 0x61, 0x62, 0x63, 0x64, 0x80]
        let result = try scrubbed([0, 0, 0, 9] + unit, codec: "hevc", configuration)
        #expect(result == [0, 0, 0, 9, 0x4E, 1, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0x80])
    }

    @Test func `Shared x264 messages keep the version, which decoders go by`() throws {
        let identifier: [UInt8] = [
            0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
        ]
        let text = Array("x264 - core 164 r3095 - options: me=hex".utf8)
        let unit = [6, 5, UInt8(16 + text.count)] + identifier + text + [0x80]
        let kept = Array("x264 - core 164".utf8)
        let spaces = [UInt8](repeating: 0x20, count: text.count - kept.count)
        #expect(
            try scrubbed(Self.start + unit, codec: "h264")
                == Self.start + unit.prefix(3) + identifier + kept + spaces + [0x80])
    }

    @Test func `Shared private metadata of AV1 become padding`() throws {
        // Temporal delimiter; metadata of type 20; metadata of light.
        let light: [UInt8] = [0x2A, 6, 1, 1, 2, 3, 4, 0x80]
        let result = try scrubbed([0x12, 0, 0x2A, 4, 20, 0x61, 0x62, 0x80] + light, codec: "av1")
        #expect(result == [0x12, 0, 0x7A, 4, 0, 0, 0, 0x80] + light)
    }

    @Test func `The head of AV1's configuration is no unit`() throws {
        let scrubber = try #require(SampleScrubber(codec: "av1", configuration: []))
        #expect(scrubber.patches(inConfiguration: [0x81, 0x20, 0, 0]).isEmpty)
        #expect(scrubber.patches(inConfiguration: [0x81, 0x20, 0, 0, 0x2A, 2, 20, 0x80]).map(\.offset) == [4, 6])
    }

    @Test func `Shared user data of MPEG-2 stay if they are captions`() throws {
        let captions: [UInt8] = [0, 0, 1, 0xB2] + Array("GA94".utf8) + [3, 0x41]
        let others: [UInt8] = [0, 0, 1, 0xB2, 0x61, 0x62, 0x63]
        let picture: [UInt8] = [0, 0, 1, 0, 0x11, 0x22]
        let result = try scrubbed(captions + others + picture, codec: "mpeg2video")
        #expect(result == captions + [0, 0, 1, 0xB2, 0xFF, 0xFF, 0xFF] + picture)
    }

    @Test func `Shared segments of Motion JPEG become fill bytes`() throws {
        let tables: [UInt8] = [0xFF, 0xDB, 0, 3, 1]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 3, 1, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD9]
        let comment: [UInt8] = [0xFF, 0xFE, 0, 5, 0x61, 0x62, 0x63]
        let result = try scrubbed([0xFF, 0xD8] + comment + tables + scan, codec: "mjpeg")
        #expect(result == [0xFF, 0xD8] + Array(repeating: 0xFF, count: 7) + tables + scan)
    }

    @Test(arguments: ["h264", "hevc", "av1", "mpeg4", "mpeg2video", "mjpeg"])
    func `Damaged samples are redacted without an endless loop or a trap`(_ codec: String) throws {
        var state: UInt32 = 1
        for length in [0, 1, 2, 3, 5, 9, 64, 400] {
            for _ in 0..<50 {
                let bytes = (0..<length).map { _ -> UInt8 in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return [0, 0, 1, 6, 0x4E, 0xB2, 0xFF, UInt8(state >> 24)][Int(state >> 16 & 7)]
                }
                #expect(try scrubbed(bytes, codec: codec).count == length)
                #expect(try scrubbed(bytes, codec: codec, [1] + bytes).count == length)
            }
        }
    }
}

@Suite struct `Text that tells a place or a person` {
    @Test(arguments: [
        "+47.0000+008.0000/", "+52.5200+013.4050+034.000/", "GPS (8.5678,47.1234,19)", "GPS(8.5678, 47.1234, 0.0M)",
        "[latitude: 47.12345] [longitude: 8.56789]", "47.1234, 8.5678", "N47.12345 E8.56789", "write to me@example.com",
        "$GPRMC,094105,A,4707.404,N,00834.068,E", "F/2.8, SS 206.14, ISO 100, GPS (151.7713, -33.8932, 14)",
    ])
    func `Text that tells a place or a person is found`(_ text: String) {
        #expect(PrivateText.tellsPlaceOrPerson(text), "\(text)")
    }

    @Test(arguments: [
        "Hello, world", "It is 12.45 or 3.1415", "00:00:01.500 --> 00:00:02.250", "1.5 + 2.25 = 3.75", "@home", "a@b",
        "The GPS is broken", "Chapter 1.2", "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,Hi",
    ])
    func `Text that tells no place or person is left alone`(_ text: String) {
        #expect(!PrivateText.tellsPlaceOrPerson(text), "\(text)")
    }
}
