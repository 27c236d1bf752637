internal import MediaIO
internal import MediaMetadata

/// Looks through what decoders of sound get first, which holds tags in some codings.
package enum CodecHeaderScrubber {
    /// What is to be overwritten.
    ///
    /// - Parameters:
    ///   - codec: FFmpeg's name, or Matroska's.
    ///   - bytes: The headers as Matroska and FFmpeg keep them.
    package static func patches(codec: String, _ bytes: [UInt8]) -> [SamplePatch] {
        switch codec {
        case "vorbis", "A_VORBIS", "theora", "V_THEORA": packets(bytes).flatMap { comments(bytes, $0) }
        // To FFmpeg it is the stream's facts alone, without a marker.
        case "flac", "A_FLAC": bytes.starts(with: Array("fLaC".utf8)) ? blocks(bytes, from: 4) : []
        case "dfLa": blocks(bytes, from: 4)
        default: []
        }
    }

    /// The packets of headers: each with its length before it, or with all lengths first.
    private static func packets(_ bytes: [UInt8]) -> [Range<Int>] {
        guard bytes.count > 6 else { return [] }
        if bytes[0] == 0, bytes[1] == 30 || bytes[1] == 42 {
            var packets: [Range<Int>] = []
            var position = 0
            while let length = bytes.bigEndian16(at: position).map(Int.init), position + 2 + length <= bytes.count {
                packets.append((position + 2)..<(position + 2 + length))
                position += 2 + length
            }
            return packets
        }
        var lengths: [Int] = []
        var position = 1
        for _ in 0..<min(8, Int(bytes[0])) {
            var length = 0
            while position < bytes.count {
                length += Int(bytes[position])
                position += 1
                if bytes[position - 1] != 255 { break }
            }
            lengths.append(length)
        }
        var packets: [Range<Int>] = []
        for length in lengths where position + length <= bytes.count {
            packets.append(position..<(position + length))
            position += length
        }
        return packets + [position..<bytes.count]
    }

    /// A header of comments as one with none, whose maker's name is as long as all that was there.
    private static func comments(_ bytes: [UInt8], _ packet: Range<Int>) -> [SamplePatch] {
        let isVorbis = bytes[packet].starts(with: [3] + Array("vorbis".utf8))
        guard isVorbis || bytes[packet].starts(with: [0x81] + Array("theora".utf8)) else { return [] }
        let body = packet.dropFirst(7)
        let rest = body.count - 8 - (isVorbis ? 1 : 0)
        guard rest >= 0, let vendor = bytes.littleEndian32(at: body.startIndex).map(Int.init) else { return [] }
        let countAt = body.startIndex + 4 + vendor
        guard bytes.littleEndian32(at: countAt) ?? 0 > 0 else { return [] }
        var new: [UInt8] = []
        for shift in [0, 8, 16, 24] { new.append(UInt8(rest >> shift & 255)) }
        new += [UInt8](repeating: 0x20, count: rest) + [0, 0, 0, 0] + (isVorbis ? [1] : [])
        return [SamplePatch(offset: body.startIndex, bytes: new, reason: "comments in a decoder's headers")]
    }

    /// Blocks of FLAC other than the stream's facts, its seek table and cues, as padding.
    private static func blocks(_ bytes: [UInt8], from start: Int) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        var position = start
        while position + 4 <= bytes.count, let length = bytes.bigEndian24(at: position + 1).map(Int.init) {
            let type = bytes[position] & 0x7F
            let end = min(bytes.count, position + 4 + length)
            let content = bytes[(position + 4)..<end]
            if ![0, 3].contains(type), type != 1 || content.contains(where: { $0 != 0 }) {
                let header = [bytes[position] & 0x80 | 1] + bytes[(position + 1)..<(position + 4)]
                patches.append(
                    SamplePatch(
                        offset: position, bytes: header + [UInt8](repeating: 0, count: content.count),
                        reason: "tags in a decoder's headers"))
            }
            if bytes[position] & 0x80 != 0 { break }
            position = end
        }
        return patches
    }
}
