import Foundation
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

@Suite struct `What PNG pictures have packed` {
    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + Array(name.utf8) + content + [1, 2, 3, 4]
    }

    private let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private func without(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes { PackedChunks.without($0) } }

    @Test func `Packed text of PNG images is removed, and the rest stays byte for byte`() {
        let (head, data, end) = (
            chunk("IHDR", Array(repeating: 7, count: 13)), chunk("IDAT", [1, 2]), chunk("IEND", [])
        )
        #expect(without(signature + head + data + end) == nil)
        #expect(
            without(signature + head + chunk("zTXt", [9, 9]) + data + chunk("iTXt", []) + end)
                == signature + head + data + end)
        // Animations share chunks that stand without a signature.
        #expect(without(chunk("zTXt", [9]) + head) == head)
        #expect(without(head + chunk("tEXt", [9])) == nil)
        // What follows a chunk that is cut off is the decoder's to refuse.
        #expect(without(signature + head + [0, 1, 0, 0] + Array("zTXt".utf8) + [1, 2, 3, 4, 5]) == nil)
        #expect(without([]) == nil)
    }

    @Test func `Colour profiles of PNG images stay if they are of a usual size`() {
        let profile = chunk("iCCP", [0x78, 0, 0] + Inflate.stored(Array(repeating: 3, count: 3000)))
        #expect(without(signature + profile) == nil)
        #expect(without(signature + chunk("iCCP", [0x78, 0, 0, 1, 2, 3]) + profile) == signature + profile)
    }
}
