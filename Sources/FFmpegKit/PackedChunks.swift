internal import MediaCore

/// Parts of PNG pictures that are packed and no part of the picture, left out before a decoder sees them: it unpacks
/// them whole, however much that is.
///
/// Text goes, as nothing here reads it of a decoded picture. A colour profile goes only if it is more than any is.
///
/// Source: PNG Specification (Third Edition), 5.3, 11.3; libavcodec/pngdec.c.
enum PackedChunks {
    /// The most bytes that a colour profile may have unpacked; those of printers have some megabytes.
    private static let maximumProfile = 16 << 20
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The bytes of a picture, or chunks alone, without those parts; `nil` if it has none.
    static func without(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var kept: [Range<Int>] = []
        var position = bytes.starts(with: signature) ? signature.count : 0
        var start = 0
        while position + 12 <= bytes.count {
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            // The decoder ends at a chunk that is cut off, too.
            guard length <= bytes.count - position - 12 else { break }
            let end = position + 12 + length
            if isUnwanted(UnsafeRawBufferPointer(rebasing: bytes[(position + 4)..<(end - 4)])) {
                kept.append(start..<position)
                start = end
            }
            position = end
        }
        guard start > 0 else { return nil }
        return (kept + [start..<bytes.count]).flatMap { bytes[$0] }
    }

    /// - Parameter chunk: Its name and its content.
    private static func isUnwanted(_ chunk: UnsafeRawBufferPointer) -> Bool {
        switch String(decoding: chunk.prefix(4), as: UTF8.self) {
        case "zTXt", "iTXt": return true
        case "iCCP":
            let content = Array(chunk.dropFirst(4))
            guard let end = content.firstIndex(of: 0), end + 2 < content.count else { return true }
            return Inflate.content(content[(end + 2)...], limit: maximumProfile) == nil
        default: return false
        }
    }
}
