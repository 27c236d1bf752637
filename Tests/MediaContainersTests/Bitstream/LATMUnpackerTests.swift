import Testing

@testable import MediaContainers

@Suite struct `AAC in LATM` {
    /// Writes bits, most significant first.
    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func put(_ value: Int, _ width: Int) {
            for bit in (0..<width).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << (7 - count % 8)
                count += 1
            }
        }
    }

    /// An element with frames of AAC, low complexity, 48 kHz, stereo.
    private func element(_ frames: [[UInt8]], hasConfiguration: Bool = true, rate: Int = 3) -> [UInt8] {
        var bits = Bits()
        bits.put(hasConfiguration ? 0 : 1, 1)
        if hasConfiguration {
            bits.put(0, 1)  // the version
            bits.put(1, 1)  // all have the same times
            bits.put(frames.count - 1, 6)
            bits.put(0, 4 + 3)  // one program, one layer
            bits.put(2, 5)
            bits.put(rate, 4)
            bits.put(2, 4)
            bits.put(0, 3)
            bits.put(0, 3)  // lengths are told with frames
            bits.put(255, 8)
            bits.put(0, 2)  // no other data, no checksum
        }
        for frame in frames {
            for _ in 0..<(frame.count / 255) { bits.put(255, 8) }
            bits.put(frame.count % 255, 8)
            for byte in frame { bits.put(Int(byte), 8) }
        }
        let size = bits.bytes.count
        return [0x56, 0xe0 | UInt8(size >> 8), UInt8(size & 255)] + bits.bytes
    }

    @Test func `Frames are taken out of elements, each with its bits in place`() {
        var unpacker = LATMUnpacker()
        let frames: [[UInt8]] = [[1, 2, 3, 0xff], [UInt8](repeating: 0xa5, count: 600)]
        #expect(element(frames).withUnsafeBytes { unpacker.frames(in: $0) } == frames)
        // Two, 48 kHz, stereo.
        #expect(unpacker.configuration == [0x11, 0x90])
        let later = element([[9], [8, 7]], hasConfiguration: false)
        #expect(later.withUnsafeBytes { unpacker.frames(in: $0) } == [[9], [8, 7]])
    }

    @Test func `An element before any configuration, of another one or cut short has no frames`() {
        var unpacker = LATMUnpacker()
        let late = element([[9]], hasConfiguration: false)
        #expect(late.withUnsafeBytes { unpacker.frames(in: $0) } == nil)
        #expect(unpacker.configuration == nil)
        let first = element([[1, 2, 3]])
        for count in 0..<first.count {
            #expect(Array(first.prefix(count)).withUnsafeBytes { unpacker.frames(in: $0) } == nil)
        }
        #expect(first.withUnsafeBytes { unpacker.frames(in: $0) } == [[1, 2, 3]])
        #expect(element([[1]], rate: 4).withUnsafeBytes { unpacker.frames(in: $0) } == nil)
    }

    @Test func `Elements of any bytes are read to their end at most`() {
        var state: UInt64 = 1
        for _ in 0..<2000 {
            var bytes = element([[1, 2, 3, 4, 5, 6]])
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[3 + Int(state >> 33) % (bytes.count - 3)] = UInt8(state >> 24 & 255)
            var unpacker = LATMUnpacker()
            _ = bytes.withUnsafeBytes { unpacker.frames(in: $0) }
        }
    }
}
