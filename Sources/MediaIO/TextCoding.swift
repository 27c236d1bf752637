/// Text as files store it.
package enum TextCoding {
    /// UTF-8 if the bytes are that, else each byte as the character of its number.
    package static func utf8OrLatin1(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
    }

    /// UTF-16; a byte order mark decides, and is no part of the text.
    ///
    /// Halves of pairs that stand alone become U+FFFD. An odd last byte is left out.
    package static func utf16<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, isBigEndian: Bool) -> String
    where Bytes.Index == Int {
        var isBigEndian = isBigEndian
        var index = bytes.startIndex
        if let mark = bytes.bigEndian16(at: 0), mark == 0xFEFF || mark == 0xFFFE {
            isBigEndian = mark == 0xFEFF
            index += 2
        }
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        while index + 1 < bytes.endIndex {
            units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low]))
            index += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// UTF-16, the high byte first, without a byte order mark.
    package static func utf16BigEndian(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// UTF-16, the low byte first, after a byte order mark.
    package static func utf16LittleEndianWithMark(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
}

extension String {
    /// As many bytes of UTF-8 as fit without cutting a character.
    package func utf8Prefix(_ limit: Int) -> [UInt8] {
        guard utf8.count > limit else { return Array(utf8) }
        var bytes: [UInt8] = []
        for character in self {
            let next = character.utf8
            guard bytes.count + next.count <= limit else { break }
            bytes += next
        }
        // One character of many code points: better a part of it than nothing.
        if bytes.isEmpty {
            for scalar in unicodeScalars {
                let next = UTF8.encode(scalar).map(Array.init) ?? []
                guard bytes.count + next.count <= limit else { break }
                bytes += next
            }
        }
        return bytes
    }
}
