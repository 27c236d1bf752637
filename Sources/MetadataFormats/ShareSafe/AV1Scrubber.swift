internal import MediaMetadata

/// Looks through the units of AV1.
///
/// Source: AV1 Bitstream & Decoding Process Specification, 5.3 and 6.7.
enum AV1Scrubber {
    private static let metadata: UInt8 = 5
    private static let padding: UInt8 = 15
    /// Sequence header, temporal delimiter, frame header, tile group, metadata, frame, redundant header, tile list.
    private static let known: Set<UInt8> = [1, 2, 3, 4, 5, 6, 7, 8, 15]

    static func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        var position = 0
        while position < bytes.count {
            let header = bytes[position]
            let type = header >> 3 & 15
            var content = position + (header & 4 != 0 ? 2 : 1)
            var length = bytes.count - content
            if header & 2 != 0 {
                guard let size = number(in: bytes, at: &content) else { break }
                length = size
            }
            guard length >= 0, length <= bytes.count - content else { break }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[content..<(content + length)])
            if let reason = reason(type, payload) {
                patches.append(
                    SamplePatch(offset: position, bytes: [header & 0x87 | padding << 3], reason: reason))
                patches.append(SamplePatch(offset: content, bytes: blank(length), reason: reason))
            }
            position = content + length
        }
        return patches
    }

    /// Why a unit does not stay, `nil` if it does.
    private static func reason(_ type: UInt8, _ payload: UnsafeRawBufferPointer) -> String? {
        guard !payload.isEmpty else { return nil }
        guard known.contains(type) else { return "units of type \(type), which the standard reserves" }
        if type == padding { return payload.dropLast().allSatisfy { $0 == 0 } ? nil : "padding that is none" }
        guard type == metadata else { return nil }
        var position = 0
        guard let kind = number(in: payload, at: &position) else { return "metadata of no type" }
        guard ShareSafeRules.keptMetadataAV1.contains(kind) else { return "metadata of type \(kind)" }
        guard kind == 4 else { return nil }
        let message = Array(payload[position...].prefix(8))
        return RegisteredMessage.isKept(message[...]) ? nil : "registered user data that are no captions or light"
    }

    private static func blank(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, count - 1)) + (count > 0 ? [0x80] : [])
    }

    /// A number of up to eight bytes, seven bits in each.
    private static func number(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
