internal import MediaCore
internal import MediaIO

/// Cover art as it may be shared: the picture, its colours, and nothing that cameras and programs wrote beside it.
package enum PictureFile {
    /// A picture without EXIF, XMP, IPTC, comments, texts, times and thumbnails; `nil` if it cannot be looked through.
    ///
    /// The coded picture itself stays byte for byte. What follows its end goes.
    package static func shareable(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: [0xFF, 0xD8]) { return jpeg(bytes) }
        if bytes.starts(with: pngSignature) { return png(bytes) }
        return nil
    }

    // MARK: JPEG

    /// Source: ITU-T T.81, annex B.
    private static func jpeg(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = [0xFF, 0xD8]
        result.reserveCapacity(bytes.count)
        var position = 2
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1
            case 0xD9: return result + [0xFF, 0xD9]
            case 0x01, 0xD0...0xD7:
                result += [0xFF, marker]
                position += 2
            default:
                guard let length = bytes.bigEndian16(at: position + 2).map(Int.init), length >= 2,
                    position + 2 + length <= bytes.count
                else { return nil }
                let end = position + 2 + length
                if let kept = segment(marker, bytes[(position + 4)..<end]) {
                    result += [0xFF, marker]
                    result.append(bigEndian: UInt16(truncatingIfNeeded: kept.count + 2))
                    result += kept
                }
                position = end
                if marker == 0xDA {
                    let scan = scanEnd(bytes, from: position)
                    result += bytes[position..<scan]
                    position = scan
                }
            }
        }
        return nil
    }

    /// What of a segment is kept, `nil` for nothing.
    private static func segment(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> [UInt8]? {
        switch marker {
        case 0xE0:
            // Its thumbnail shows what the picture was before it was cropped.
            guard content.starts(with: "JFIF\0".utf8), content.count >= 14 else { return nil }
            return Array(content.prefix(12)) + [0, 0]
        case 0xE2: return content.starts(with: "ICC_PROFILE\0".utf8) ? profile(content, after: 14) : nil
        case 0xEE: return content.starts(with: "Adobe".utf8) ? Array(content.prefix(12)) : nil
        case 0xE0...0xEF, 0xFE, 0xF0...0xFD: return nil
        default: return Array(content)
        }
    }

    /// A colour profile without its dates, devices and texts; profiles in several parts stay out of it.
    private static func profile(_ content: ArraySlice<UInt8>, after head: Int) -> [UInt8]? {
        var bytes = Array(content)
        guard bytes.count >= head + 132 else { return nil }
        guard bytes[12] == 1, bytes[13] == 1 else { return bytes }
        ColorProfile.blank(&bytes, from: head)
        return bytes
    }

    /// Where the coded data of a scan end: at the next marker that is none of its own.
    private static func scanEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == 0xFF, bytes[position + 1] != 0, !(0xD0...0xD7).contains(bytes[position + 1]) {
                return position
            }
            position += 1
        }
        return bytes.count
    }

    // MARK: PNG

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The chunks that pictures are made of, and those that say how they are shown.
    static let keptChunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "pHYs",
        "hIST", "iCCP", "acTL", "fcTL", "fdAT",
    ]

    /// Source: PNG (third edition), 5.
    private static func png(_ bytes: [UInt8]) -> [UInt8]? {
        var result = pngSignature
        result.reserveCapacity(bytes.count)
        var position = 8
        while let length = bytes.bigEndian32(at: position).map(Int.init), position + 12 + length <= bytes.count {
            let type = String(latin1: bytes[(position + 4)..<(position + 8)])
            if type == "iCCP" {
                result += namelessProfile(bytes[(position + 8)..<(position + 8 + length)])
            } else if keptChunks.contains(type) {
                result += bytes[position..<(position + 12 + length)]
            }
            position += 12 + length
            if type == "IEND" { return result }
        }
        return nil
    }

    /// A colour profile under a name that says nothing, without its texts; nothing if it cannot be unpacked.
    private static func namelessProfile(_ content: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = content.firstIndex(of: 0),
            var profile = Inflate.content(content.dropFirst(end + 2 - content.startIndex))
        else { return [] }
        let old = profile
        ColorProfile.blank(&profile, from: 0)
        let packed = profile == old ? Array(content.dropFirst(end + 2 - content.startIndex)) : Inflate.stored(profile)
        let body = Array("iCCPicc\0\0".utf8) + packed
        var chunk: [UInt8] = []
        chunk.append(bigEndian: UInt32(body.count - 4))
        chunk += body
        chunk.append(bigEndian: checksum(body))
        return chunk
    }

    /// Source: PNG (third edition), annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 != 0 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
        return ~value
    }
}

/// The texts of a colour profile, which name devices and people.
enum ColorProfile {
    /// Tags that say something to people.
    ///
    /// Source: ICC.1:2022, 9.2; those of Apple's programs.
    private static let texts: Set<String> = [
        "desc", "cprt", "dmnd", "dmdd", "targ", "mmod", "meta", "psid", "pseq", "calt", "scrn", "vued", "dscm",
    ]

    /// Blanks dates, devices, identifiers and texts of a profile that begins at a position.
    ///
    /// Source: ICC.1:2022, 7.2: dates at 24, device at 48, creator at 80, identifier at 84; tags from 128 on.
    static func blank(_ bytes: inout [UInt8], from head: Int) {
        for range in [24..<36, 48..<56, 80..<100] {
            for index in range where head + index < bytes.count { bytes[head + index] = 0 }
        }
        let count = Int(min(100, bytes.bigEndian32(at: head + 128) ?? 0))
        for row in 0..<count {
            let at = head + 132 + row * 12
            guard let offset = bytes.bigEndian32(at: at + 4), let size = bytes.bigEndian32(at: at + 8) else { return }
            guard texts.contains(String(latin1: bytes[at..<(at + 4)])) else { continue }
            let start = head + Int(offset)
            blankText(&bytes, min(start, bytes.count)..<min(bytes.count, start + Int(size)))
        }
    }

    private static func blankText(_ bytes: inout [UInt8], _ range: Range<Int>) {
        guard range.count > 12 else { return }
        let type = String(latin1: bytes[range.lowerBound..<(range.lowerBound + 4)])
        let records = type == "mluc" ? Int(min(1000, bytes.bigEndian32(at: range.lowerBound + 8) ?? 0)) : 0
        // The heads of texts stay, so that readers find what they look for.
        let head = type == "mluc" ? 16 + 12 * records : type == "desc" ? 12 : 8
        for index in range.dropFirst(head) { bytes[index] = 0 }
    }
}
