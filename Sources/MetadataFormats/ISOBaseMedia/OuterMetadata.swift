internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Metadata beside the movie: XMP packets, and what the file's own `meta` box holds.
///
/// AVFoundation does not show these. They are entries so that nothing stays in
/// a file unseen; they can be kept or removed, and XMP packets be written too.
enum OuterMetadata {
    /// The key space of XMP packets in boxes with a UUID.
    static let packetKeySpace = AVMetadataKeySpace(rawValue: "uuid")
    /// The key space of boxes in the file's own `meta` box.
    static let metaKeySpace = AVMetadataKeySpace(rawValue: "meta")
    /// Boxes of such a `meta` box that are metadata: ID3 tags and XML documents.
    static let types: Set<FourCC> = ["ID32", "xml ", "bxml"]

    /// The UUID of XMP packets.
    ///
    /// Source: XMP Specification, Part 3, "MPEG-4".
    static let packetIdentifier: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    static let packetKey = MetadataKey.text("BE7ACFCB-97A9-42E8-9C71-999491E3AFAC")

    static func packet(_ bytes: [UInt8]) -> MetadataEntry {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return MetadataEntry(packetKeySpace, packetKey, .data(bytes), dataType: MetadataDataType.raw)
        }
        return MetadataEntry(packetKeySpace, packetKey, .text(text), dataType: MetadataDataType.utf8)
    }

    static func entry(_ type: FourCC, _ content: [UInt8]) -> MetadataEntry {
        let key = MetadataKey.code(type.rawValue)
        // Version and flags, then the text to its end or a zero.
        let text = content.dropFirst(4).prefix { $0 != 0 }
        if type == "xml ", content.count - 4 - text.count <= 1, let text = String(validating: text, as: UTF8.self) {
            return MetadataEntry(metaKeySpace, key, .text(text), dataType: MetadataDataType.utf8)
        }
        return MetadataEntry(metaKeySpace, key, .data(content), dataType: MetadataDataType.raw)
    }
}
