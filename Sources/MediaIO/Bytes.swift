package import Foundation

extension String {
    /// Each byte as the code point of the same number.
    @inlinable
    package init(latin1 bytes: some Collection<UInt8>) {
        // By way of UTF-8, which is many times faster than scalars; that counts where texts fill megabytes.
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                utf8.append(byte)
            } else {
                utf8.append(0xC0 | byte >> 6)
                utf8.append(0x80 | byte & 0x3F)
            }
        }
        self.init(decoding: utf8, as: UTF8.self)
    }

    /// The characters as one byte each, `nil` if one lies beyond U+00FF.
    package var latin1: [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

// Inlined into other modules: without that each call goes through the collection's generic interface.
extension RandomAccessCollection<UInt8> where Index == Int {
    /// The 16-bit number whose bytes begin `offset` after the first; `nil` if it is not all there.
    @inlinable
    package func bigEndian16(at offset: Int) -> UInt16? { number(at: offset) }
    /// The 24-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian24(at offset: Int) -> UInt32? {
        guard let high = bigEndian16(at: offset), offset + 2 < count else { return nil }
        return UInt32(high) << 8 | UInt32(self[startIndex + offset + 2])
    }
    /// The 32-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian32(at offset: Int) -> UInt32? { number(at: offset) }
    /// The 64-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian64(at offset: Int) -> UInt64? { number(at: offset) }
    /// The 16-bit number, its low byte first.
    @inlinable
    package func littleEndian16(at offset: Int) -> UInt16? { bigEndian16(at: offset)?.byteSwapped }
    /// The 32-bit number, its low byte first.
    @inlinable
    package func littleEndian32(at offset: Int) -> UInt32? { bigEndian32(at: offset)?.byteSwapped }
    /// The 64-bit number, its low byte first.
    @inlinable
    package func littleEndian64(at offset: Int) -> UInt64? { bigEndian64(at: offset)?.byteSwapped }

    /// A number whose bytes begin `offset` after the first.
    @inlinable
    package func number<T: FixedWidthInteger>(at offset: Int) -> T? {
        let size = T.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        let start = startIndex + offset
        return self[start..<(start + size)].reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }
}

extension [UInt8] {
    /// Adds a number's bytes, the high one first.
    ///
    /// All at once: tables have millions of numbers.
    @inlinable
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Adds a number's bytes, the low one first.
    @inlinable
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        append(bigEndian: number.byteSwapped)
    }
}

extension Range<UInt64> {
    /// The bytes from its beginning to its end.
    package var length: UInt64 { upperBound - lowerBound }

    /// Without the first so many.
    package func dropping(_ count: UInt64) -> Range { Swift.min(upperBound, lowerBound + count)..<upperBound }
}

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

/// Finds where a document breaks JSON's grammar, for messages that help to mend it.
package enum JSONSyntax {
    /// The place of the first error, as people count: `line 3, column 1`, `its end`; `nil` if there is none.
    package static func placeOfError(in document: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)
            return nil
        } catch {
            let description = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
            guard let match = description.firstMatch(of: /character ([0-9]+)/), let offset = Int(match.1) else {
                // Without a place, something is missing.
                return "its end"
            }
            let before = document.prefix(min(max(0, offset), document.count))
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return "line \(line), column \(column)"
        }
    }
}
