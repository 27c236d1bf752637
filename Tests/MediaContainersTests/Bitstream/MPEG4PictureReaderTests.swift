import MediaContainers
import Testing

/// Pictures of MPEG-4 part 2 that AVI files have two to a packet.
struct MPEG4PictureReaderTests {
    private func picture(_ type: UInt8, byteCount: Int) -> [UInt8] {
        [0, 0, 1, 0xB6, type << 6 | 0x0B] + [UInt8](repeating: 0x55, count: byteCount - 5)
    }

    @Test func `A place for an earlier picture is none of its own, whatever it says`() {
        let (predicted, bidirectional) = (picture(1, byteCount: 200), picture(2, byteCount: 100))
        // Six bytes that say of themselves that they are coded.
        let placeholder = picture(1, byteCount: 6)
        var reader = MPEG4PictureReader()
        let packets = [
            picture(0, byteCount: 300), predicted + bidirectional, placeholder, predicted + bidirectional, placeholder,
            predicted,
        ]
        let kinds = packets.map { packet in packet.withUnsafeBytes { reader.next($0)?.isBidirectional } }
        #expect(kinds == [false, false, true, false, true, false])
    }

    @Test func `A small picture that stands alone is one`() {
        var reader = MPEG4PictureReader()
        let kind = picture(1, byteCount: 12).withUnsafeBytes { reader.next($0)?.isBidirectional }
        #expect(kind == false)
    }
}
