/// Whether an HEVC track has alpha in a layer of its own, which FFmpeg leaves undecoded.
///
/// Source: ISO/IEC 23008-2, F.14.2.8 (alpha channel information); ISO/IEC 14496-15 (`hvcC`).
package enum HEVCAlpha {
    private static let prefixMessage: UInt8 = 39
    private static let alphaChannelInformation = 165

    /// - Parameter configuration: The content of `hvcC`.
    package static func isAnnounced(in configuration: [UInt8]) -> Bool {
        var reader = configuration.dropFirst(22)
        guard configuration.first == 1, let arrays = reader.popFirst() else { return false }
        for _ in 0..<arrays {
            guard let kind = reader.popFirst(), let count = number(&reader) else { return false }
            for _ in 0..<count {
                guard let length = number(&reader), length <= reader.count else { return false }
                // Two bytes are the unit's header.
                if kind & 0x3f == prefixMessage, isAlpha(reader.prefix(length).dropFirst(2)) { return true }
                reader = reader.dropFirst(length)
            }
        }
        return false
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let high = bytes.popFirst(), let low = bytes.popFirst() else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// Whether one of a unit's messages switches alpha on.
    private static func isAlpha(_ unit: ArraySlice<UInt8>) -> Bool {
        for message in SEIMessages(unit) where message.type == alphaChannelInformation {
            // Its first bit cancels what was said before.
            let payload = unit[message.payload]
            return (payload.first ?? 0x80) & 0x80 == 0
        }
        return false
    }
}
