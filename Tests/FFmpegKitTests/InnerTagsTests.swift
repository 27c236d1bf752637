import Testing

@testable import FFmpegKit

@Suite struct InnerTagsTests {
    private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0x11, count: 100)
    private static let lengthFrame: [UInt8] =
        [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 17)
        + Array("Xing".utf8) + [UInt8](repeating: 0, count: 60)

    private func packet(_ bytes: [UInt8], at ticks: Int64 = 0) throws -> Packet {
        try bytes.withUnsafeBytes {
            try Packet.make($0, presentation: ticks, decode: ticks, duration: 1152, isKey: true, isDiscarded: false)
        }
    }

    @Test(arguments: [
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5] + [1, 2, 3, 4, 5],
        Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 2] + [1, 2] + Array("3DI".utf8) + [4, 0, 0x10, 0, 0, 0, 2],
        Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125),
        Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xA0]
            + [UInt8](repeating: 0, count: 48),
    ])
    func `A tag in front of a frame is left out`(tag: [UInt8]) throws {
        var tags = InnerTags()
        for bytes in [tag + Self.frame, tag + tag + Self.frame, Self.frame] {
            let sound = try #require(try tags.next(packet(bytes)))
            #expect(sound.withBytes { Array($0) } == Self.frame)
            #expect(sound.presentationTicks == 0)
        }
    }

    @Test func `What is no sound takes up no time`() throws {
        var tags = InnerTags()
        #expect(try tags.next(packet(Self.frame, at: 0))?.presentationTicks == 0)
        #expect(try tags.next(packet(Self.lengthFrame, at: 1152)) == nil)
        #expect(try tags.next(packet(Array("TAG".utf8) + [UInt8](repeating: 0, count: 125), at: 2304)) == nil)
        #expect(try tags.next(packet(Self.frame, at: 3456))?.presentationTicks == 1152)
    }

    @Test func `What only looks like a tag stays`() throws {
        var tags = InnerTags()
        let unsafe = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0x80] + Self.frame
        #expect(try tags.next(packet(unsafe))?.byteCount == unsafe.count)
        #expect(try tags.next(packet([]))?.byteCount == nil)
        #expect(try tags.next(packet([0xFF]))?.byteCount == 1)
    }
}
