import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Packed frames of ID3 tags` {
    private func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 127) } }

    private func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }

    /// A frame that claims a size.
    private func frame(claiming size: Int, bytes: Int = 1000, flags: UInt8 = 9, version: UInt8 = 4) -> [UInt8] {
        let content = big(size) + Array(repeating: 1, count: bytes)
        return Array("APIC".utf8) + (version == 4 ? synchsafe(content.count) : big(content.count)) + [0, flags]
            + content
    }

    private func tag(_ frames: [UInt8]..., version: UInt8 = 4) -> [UInt8] {
        let content = frames.flatMap { $0 }
        return Array("ID3".utf8) + [version, 0, 0] + synchsafe(content.count) + content
    }

    private func error(_ bytes: [UInt8], limit: Int64 = 100_000) -> MetadataError? {
        var limits = MediaLimits()
        limits.metadataSize = limit
        do {
            try PackedMetadata.check(RandomAccessFile(bytes: bytes + Array(repeating: 0, count: 500), limits: limits))
            return nil
        } catch {
            return error
        }
    }

    @Test func `Compressed ID3 frames count as the size that they claim, all together`() {
        #expect(error(tag(frame(claiming: 50_000), frame(claiming: 50_000))) == nil)
        #expect(error(tag(frame(claiming: 50_000), frame(claiming: 50_001)))?.limit == .metadataSize)
        #expect(error(tag(frame(claiming: 60_000)) + tag(frame(claiming: 60_000)))?.limit == .metadataSize)
        #expect(error(tag(frame(claiming: 200_000, version: 3), version: 3))?.limit == .metadataSize)
    }

    @Test func `Compressed ID3 frames count as no more than their bytes can expand to`() {
        #expect(error(tag(frame(claiming: 0x7FFF_FFFF, bytes: 90))) == nil)
        #expect(error(tag(frame(claiming: 0x7FFF_FFFF, bytes: 100)))?.limit == .metadataSize)
    }

    @Test func `Uncompressed ID3 frames do not count against the limit`() {
        for flags in [0, 1, 8, 2] as [UInt8] { #expect(error(tag(frame(claiming: 0x7FFF_FFFF, flags: flags))) == nil) }
        #expect(error(Array("RIFF".utf8)) == nil)
    }

    @Test func `Compressed ID3 frames are found in the chunks of WAV files`() {
        let tag = tag(frame(claiming: 200_000))
        let little = [UInt8](big(tag.count).reversed())
        let content = Array("WAVE".utf8) + Array("id3 ".utf8) + little + tag
        let file = Array("RIFF".utf8) + [UInt8](big(content.count).reversed()) + content
        #expect(error(file)?.limit == .metadataSize)
    }

    @Test func `An ID3 tag larger than the limit is refused`() {
        #expect(error(tag(Array(repeating: 0, count: 200_000)))?.limit == .metadataSize)
        #expect(error(tag(Array(repeating: 0, count: 90_000))) == nil)
    }
}
