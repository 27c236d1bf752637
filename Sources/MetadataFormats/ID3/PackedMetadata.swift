package import MediaIO
package import MediaMetadata

/// Metadata that files have packed, before it is unpacked by readers that do not ask how much it is.
///
/// Our own readers leave packed frames of ID3 tags as they are. libavformat unpacks them, each to as much as it claims,
/// when it opens a file that begins with a tag, or has one in a chunk of its own.
///
/// Source: ID3 tag version 2.4.0, 4.1.2; libavformat/id3v2.c, which takes the flags of that version for those of 2.3.
package enum PackedMetadata {
    /// The bits of a frame's second flags that say that it is packed, and that its length unpacked comes first.
    private static let flags: UInt8 = 0x08 | 0x01
    /// What DEFLATE can make of a byte at most.
    private static let maximumGrowth: UInt64 = 1032

    /// Fails if the tags of a file have more bytes, unpacked, than are to be in memory.
    ///
    /// - Complexity: Reads the tags of files that begin with one, and of WAV and AIFF; of others, their first bytes.
    package static func check(_ file: RandomAccessFile) throws(MetadataError) {
        let tags = tags(of: file)
        if let tooLarge = tags.compactMap(\.obstacle).first(where: { $0.kind == .limit }) { throw tooLarge }
        let limit = file.limits.metadataSize
        let size = tags.flatMap(\.frames).reduce(0 as UInt64) { $0 + unpackedSize(of: $1) }
        guard size <= UInt64(limit) else {
            throw MetadataError(
                .limit, "the packed frames of the ID3 tag may have \(size) bytes, the limit is \(limit)",
                limit: .metadataSize)
        }
    }

    /// Where the tags at a file's beginning end, however many there are; 0 if there are none.
    ///
    /// libavformat takes what follows for the file, of whatever format.
    package static func end(ofTagsIn file: RandomAccessFile) -> UInt64 {
        var end: UInt64 = 0
        while let header = ID3TagHeader(file.read(at: end, count: ID3Tag.headerLength)), end < file.byteCount {
            end += header.tagLength
        }
        return min(end, file.byteCount)
    }

    private static func tags(of file: RandomAccessFile) -> [ID3Tag] {
        let head = file.read(at: 0, count: 64)
        if ID3TagHeader(head) != nil { return leadingTags(of: file) }
        // Lists of sound only: those of films have no such chunk.
        guard let layout = ChunkFile(file), ["WAVE", "AIFF", "AIFC"].contains(layout.type) else { return [] }
        return ID3Tag.tags(file, in: layout.chunks.filter { $0.name.lowercased() == "id3 " }.map(\.content))
    }

    /// All tags at the beginning, however many there are.
    private static func leadingTags(of file: RandomAccessFile) -> [ID3Tag] {
        var tags: [ID3Tag] = []
        var start: UInt64 = 0
        var room = UInt64(file.limits.metadataSize)
        while let tag = ID3Tag(file, at: start, end: file.byteCount, room: room), tag.range.length > 0 {
            tags.append(tag)
            start = tag.range.upperBound
            room -= min(room, tag.range.length)
        }
        return tags
    }

    private static func unpackedSize(of frame: ID3Frame) -> UInt64 {
        guard frame.version != .v22, frame.formatFlags & flags == flags else { return 0 }
        let content = Array(frame.bytes.dropFirst(frame.version.frameHeaderLength))
        guard let claimed = content.bigEndian32(at: 0) else { return 0 }
        return min(UInt64(claimed), UInt64(content.count) * maximumGrowth)
    }
}
