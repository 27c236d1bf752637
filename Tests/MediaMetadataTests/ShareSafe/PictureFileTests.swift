import MediaMetadata
import Testing

@Suite struct `Pictures as they may be shared` {
    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    private static let scan: [UInt8] = [0xFF, 0xDA, 0, 3, 1, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD3, 0x56, 0xFF, 0xD9]

    @Test func `A shared JPEG keeps its image and loses all that was written beside it`() {
        let head: [UInt8] = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        let tables = [UInt8](repeating: 7, count: 300)
        let picture = segment(0xDB, tables) + segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 17, 0]) + Self.scan
        let others =
            segment(0xE1, Array("Exif\0\0secret".utf8)) + segment(0xED, Array("Photoshop 3.0".utf8))
            + segment(0xFE, Array("comment".utf8)) + segment(0xEC, [1])
        let bytes =
            [0xFF, 0xD8] + segment(0xE0, head) + others + segment(0xEE, adobe) + picture + Array("trailer".utf8)
        let expected = [0xFF, 0xD8] + segment(0xE0, head) + segment(0xEE, adobe) + picture
        #expect(PictureFile.shareable(bytes) == expected)
        #expect(PictureFile.shareable(expected) == expected)
    }

    @Test func `A shared JPEG loses its thumbnail`() {
        let head: [UInt8] = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
        let bytes = [0xFF, 0xD8] + segment(0xE0, head) + Self.scan
        let plain: [UInt8] = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]
        #expect(PictureFile.shareable(bytes) == [0xFF, 0xD8] + segment(0xE0, plain) + Self.scan)
    }

    @Test(arguments: [
        [UInt8](), [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF, 1], [0xFF, 0xD8, 1, 2, 3],
        Array("GIF89a".utf8), Array("RIFF\0\0\0\0WEBP".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0],
    ]) func `An image that cannot be looked through is not shared`(_ bytes: [UInt8]) {
        #expect(PictureFile.shareable(bytes) == nil)
    }

    @Test func `A shared PNG keeps its image and its colours`() {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [1, 2, 3, 4]
        }
        let kept = chunk("IHDR", [1]) + chunk("gAMA", [2]) + chunk("IDAT", [3, 4])
        let bytes =
            signature + chunk("IHDR", [1]) + chunk("tEXt", Array("Author".utf8)) + chunk("eXIf", [9])
            + chunk("gAMA", [2])
            + chunk("IDAT", [3, 4]) + chunk("tIME", [1]) + chunk("IEND", []) + Array("trailer".utf8)
        #expect(PictureFile.shareable(bytes) == signature + kept + chunk("IEND", []))
    }
}
