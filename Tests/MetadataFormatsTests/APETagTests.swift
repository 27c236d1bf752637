import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

@Suite struct `APE tags beside ID3` {
    /// A tag as the specification of APEv2 has it.
    private static func tag(_ items: [(String, String)]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        var body: [UInt8] = []
        for (name, value) in items {
            body += number(value.utf8.count) + number(0)
            body += Array(name.utf8) + [0] + Array(value.utf8)
        }
        func end(_ flags: UInt8) -> [UInt8] {
            var bytes = Array("APETAGEX".utf8) + number(2000) + number(body.count + 32)
            bytes += number(items.count) + [0, 0, 0, flags]
            return bytes + [UInt8](repeating: 0, count: 8)
        }
        return end(0xA0) + body + end(0x80)
    }

    @Test(arguments: [false, true])
    func `APE tags beside ID3 are reported with their fields`(_ hasOldTag: Bool) throws {
        let old = hasOldTag ? Array("TAG".utf8) + [UInt8](repeating: 0, count: 125) : []
        var bytes = ID3Bytes.tag(3, [ID3Bytes.text(3, "TIT2", "New")]) + ID3Bytes.audio
        bytes += Self.tag([("Title", "Old"), ("Album", "B")]) + old
        let metadata = try ID3Format.read(RandomAccessFile(bytes: bytes))
        #expect(metadata.problems.count == 1)
        #expect(metadata.problems.first?.contains("Title “Old”, Album “B”") == true, "\(metadata.problems)")
        let new = try Rewritten.file(ID3Format.self, bytes) { $0.entries[0].value = .text("Newer") }
        #expect(try ID3Format.read(RandomAccessFile(bytes: new.bytes)).problems == metadata.problems)
    }

    @Test func `APE tags cut off or changed anywhere are read without harm`() {
        let tag = Self.tag([("Title", "Old"), ("Album", "B")])
        for count in 0...tag.count {
            for bytes in [Array(tag.prefix(count)), Array(tag.suffix(count))] {
                _ = try? ID3Format.read(RandomAccessFile(bytes: ID3Bytes.audio + bytes))
            }
        }
        for place in tag.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = tag
                bytes[place] = value
                _ = try? ID3Format.read(RandomAccessFile(bytes: ID3Bytes.audio + bytes))
            }
        }
    }
}
