import MediaCore
import Testing

@testable import FFmpegKit

/// What packets say of how long their sound is.
struct SoundLengthTests {
    @Test func `Packets of Opus last as long as their first byte says`() {
        // Configuration, stereo, count: RFC 6716, 3.1.
        let packets: [([UInt8], Int64?)] = [
            ([0b0000_0000], 10_000), ([0b0001_1000], 60_000), ([0b0110_1000], 20_000), ([0b1000_0000], 2500),
            ([0b1111_1001], 40_000), ([0b1111_1011, 0b1100_0011], 60_000), ([0b1111_1011, 0], nil),
            ([0b1111_1011], nil), ([], nil),
        ]
        for (bytes, microseconds) in packets {
            let duration = bytes.withUnsafeBytes { OpusPacket.duration($0) }
            #expect(duration.map { $0.seconds * 1_000_000 } == microseconds.map(Double.init), "\(bytes)")
        }
    }

    @Test func `Frames of FLAC tell their block size`() {
        func size(_ head: [UInt8]) -> Int64? {
            (head + [UInt8](repeating: 0, count: 20)).withUnsafeBytes { FLACFrame.blockSize($0) }
        }
        #expect(size([0xFF, 0xF8, 0x19, 0, 0]) == 192 && size([0xFF, 0xF8, 0x39, 0, 0]) == 1152)
        #expect(size([0xFF, 0xF8, 0xC9, 0, 0]) == 4096 && size([0xFF, 0xF9, 0x89, 0, 0]) == 256)
        // Written out after a number of one byte, and of three.
        #expect(size([0xFF, 0xF8, 0x69, 0, 0x05, 0x7F]) == 128)
        #expect(size([0xFF, 0xF8, 0x79, 0, 0xE1, 0x80, 0x80, 0x0C, 0xBE]) == 3263)
        #expect(size([0xFF, 0xF8, 0x09, 0, 0]) == nil && size([0xFE, 0xF8, 0x19]) == nil)
        #expect([0xFF, 0xF8, 0x19].withUnsafeBytes { FLACFrame.blockSize($0) } == nil)
    }
}
