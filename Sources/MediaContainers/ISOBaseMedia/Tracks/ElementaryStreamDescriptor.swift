/// How MPEG-4 describes the coding of one stream: what the `esds` box holds, and some magic cookies are.
///
/// Source: ISO/IEC 14496-1, 7.2.6.5 to 7.2.6.7 and 8.3.3.
package struct ElementaryStreamDescriptor {
    /// The coding, as the registration authority counts them: 0x40 for AAC, 0x69 and 0x6B for MPEG audio.
    package let objectType: UInt8
    /// What the decoder gets, such as an `AudioSpecificConfig`; empty where there is nothing.
    package let decoderConfiguration: [UInt8]

    /// `nil` for bytes that begin with no such descriptor, or end within it.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var outer = Content(bytes: bytes)
        guard var stream = outer.take(tag: 3), let flags = stream.take(3)?.last else { return nil }
        if flags & 0x80 != 0 { guard stream.take(2) != nil else { return nil } }
        if flags & 0x40 != 0 {
            guard let length = stream.take(1)?.first, stream.take(Int(length)) != nil else { return nil }
        }
        if flags & 0x20 != 0 { guard stream.take(2) != nil else { return nil } }
        // Object type, stream type, size of the buffer and two rates.
        guard var decoder = stream.take(tag: 4), let head = decoder.take(13), let type = head.first else { return nil }
        objectType = type
        decoderConfiguration = decoder.take(tag: 5).map { Array($0.bytes) } ?? []
    }

    /// Bytes that are not read yet.
    private struct Content {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        /// The content of the descriptor that comes next, if it has a tag.
        mutating func take(tag: UInt8) -> Content? {
            guard take(1)?.first == tag else { return nil }
            var length = 0
            for _ in 0..<4 {
                guard let byte = take(1)?.first else { return nil }
                length = length << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            return take(length).map { Content(bytes: $0) }
        }
    }
}
