internal import MediaIO

/// A code of four characters: the type of a box, of a sample entry, of a handler; a brand.
///
/// The characters are one byte each; `©` is 0xA9, as in `©nam`.
package struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The four bytes as a number, the first one highest.
    package let rawValue: UInt32

    /// The code of a number.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No code: what stands where none is known.
    package static let none = FourCC(rawValue: 0)

    /// The types of boxes that are there to take up room.
    package static let freeSpace: Set<FourCC> = ["free", "skip", "wide"]

    /// The four bytes.
    package var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) } }

    /// The characters without the spaces that fill them up, as people write the code.
    package var text: String {
        String(latin1: bytes.reversed().drop { $0 == UInt8(ascii: " ") || $0 == 0 }.reversed())
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// The code that a literal of four characters up to U+00FF spells.
    @inlinable
    package init(stringLiteral literal: StaticString) {
        let value = literal.withUTF8Buffer { bytes in
            // Beyond ASCII a character has two bytes, of which the first is 0xC2, or 0xC3 for those from U+00C0 on.
            var (value, carried): (UInt32, UInt32) = (0, 0)
            for byte in bytes {
                if byte == 0xC2 || byte == 0xC3 {
                    carried = UInt32(byte & 1) << 6
                } else {
                    value = value << 8 | UInt32(byte) + carried
                    carried = 0
                }
            }
            return value
        }
        self.init(rawValue: value)
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters.
    package var description: String { String(latin1: bytes) }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The code whose bytes begin `offset` after the first; `nil` if they are not all there.
    package func fourCC(at offset: Int) -> FourCC? { bigEndian32(at: offset).map(FourCC.init) }
}
