internal import MediaIO

/// Leaves out what stands between the frames of MPEG sound where files were put behind each other: the tags that one ends
/// and the next begins with, and the frame without sound that tells how long it is.
///
/// Source: ID3v2.4, 3.1 and 3.4; ID3v1; APEv2, header; the Xing header lies behind the side information of a frame.
struct InnerTags {
    /// Where the tag ends that lies at the place that was read last.
    private var end: Int64 = 0
    /// Whether a packet was read.
    private var hasBegun = false
    /// How long what was left out would have lasted, in ticks.
    private var leftOut: Int64 = 0

    private static let (id3v2, id3v1, ape) = (Array("ID3".utf8), Array("TAG".utf8), Array("APETAGEX".utf8))
    private static let lengthMarks = [Array("Xing".utf8), Array("Info".utf8)]

    /// The packet without what is no sound, at its time; `nil` if nothing of it is sound.
    ///
    /// - Parameter file: Tells whether a tag really ends where it says, if that lies beyond the packet.
    mutating func next(_ packet: Packet, of file: RandomAccessFile? = nil) throws(FFmpegError) -> Packet? {
        let position = packet.position
        var skipped = 0
        packet.withBytes { bytes in
            if let position { skipped = Int(clamping: min(max(0, end - position), Int64(bytes.count))) }
            while skipped < bytes.count, let length = Self.tagLength(bytes, at: skipped) {
                let (tagEnd, overflow) = skipped.addingReportingOverflow(length)
                guard !overflow else { break }
                if tagEnd > bytes.count {
                    guard let position, let file, Self.isEnd(position + Int64(tagEnd), of: file) else { break }
                    end = position + Int64(tagEnd)
                }
                skipped = min(tagEnd, bytes.count)
            }
        }
        // FFmpeg leaves out the one at the file's beginning, where that tells something.
        let isSilent = hasBegun && packet.withBytes { Self.tellsLength($0, at: skipped) }
        hasBegun = true
        guard skipped < packet.byteCount, !isSilent else {
            leftOut = leftOut.addingReportingOverflow(packet.durationTicks ?? 0).partialValue
            return nil
        }
        let sound = skipped == 0 ? packet : try packet.replacingData(with: Array(packet.lastingBytes[skipped...]))
        guard leftOut > 0 else { return sound }
        sound.set(
            presentation: sound.presentationTicks.map { $0 &- leftOut }, decode: sound.decodeTicks.map { $0 &- leftOut }
        )
        return sound
    }

    /// Whether something that follows a tag lies at a place, or the file ends there.
    private static func isEnd(_ position: Int64, of file: RandomAccessFile) -> Bool {
        guard let place = UInt64(exactly: position), place <= file.byteCount else { return false }
        let bytes = file.read(at: place, count: ape.count)
        return bytes.count < 2 || bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0
            || [id3v2, id3v1, ape].contains { bytes.starts(with: $0) }
    }

    /// The bytes of the tag that begins at a place; `nil` if none does.
    private static func tagLength(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        if rest.count >= 10, rest.starts(with: id3v2), rest[6...9].allSatisfy({ $0 < 0x80 }) {
            let size = rest[6...9].reduce(0) { $0 << 7 | Int($1) }
            return 10 + size + (rest[5] & 0x10 != 0 ? 10 : 0)
        }
        if rest.starts(with: id3v1) { return 128 }
        if rest.count >= 32, rest.starts(with: ape) {
            let size = (0..<4).reduce(0) { $0 | Int(rest[12 + $1]) << (8 * $1) }
            // Its size counts the footer, which has the same form, and what lies between.
            return rest[23] & 0x20 != 0 ? 32 + size : 32
        }
        return nil
    }

    /// Whether a frame has no sound but the header that Xing's encoder began with.
    private static func tellsLength(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard bytes.count - start > 40, bytes[start] == 0xFF, bytes[start + 1] & 0xE0 == 0xE0 else { return false }
        let isFirstVersion = bytes[start + 1] & 0x18 == 0x18
        let isMono = bytes[start + 3] & 0xC0 == 0xC0
        let place = start + (isFirstVersion ? (isMono ? 21 : 36) : (isMono ? 13 : 21))
        return lengthMarks.contains { bytes[place...].starts(with: $0) }
    }
}
