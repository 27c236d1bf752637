/// Names of files as Linux has them: bytes, which need not be UTF-8.
///
/// A byte that is part of no UTF-8 sequence is held in a `String` as a scalar of
/// its own, `U+10FE00` plus the byte, from a private area that no name uses. A
/// name that does use it is held byte by byte, so that every name comes back as
/// it was.
extension String {
    private static let firstEscape: UInt32 = 0x10FE00
    private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

    /// The text that stands for a name's bytes.
    package init(pathBytes bytes: [UInt8]) {
        self = ""
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPathEscapes {
            self = text
            return
        }
        var index = 0
        while index < bytes.count {
            let length = Self.scalarLength(at: index, of: bytes)
            let part = bytes[index..<min(bytes.count, index + max(1, length))]
            if length > 0, let text = String(validating: part, as: UTF8.self), !text.hasPathEscapes {
                self += text
            } else {
                for byte in part { unicodeScalars.append(Self.escape(byte)) }
            }
            index += part.count
        }
    }

    /// Calls a closure with the bytes that the text stands for, and a zero after them.
    package func withPathBytes<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        guard hasPathEscapes else { return try withCString(body) }
        return try (pathBytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            // A buffer that holds at least the zero has a beginning.
            guard let base = buffer.baseAddress else { return try "".withCString(body) }
            return try body(base)
        }
    }

    /// The bytes that the text stands for.
    package var pathBytes: [UInt8] {
        unicodeScalars.flatMap { scalar -> [UInt8] in
            Self.escapes.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(Character(scalar)).utf8)
        }
    }

    /// The text with each byte that is not UTF-8 as `\xE9`, for people.
    package var withVisiblePathBytes: String { withVisiblePathBytes(mark: "\\x") }

    /// - Parameter mark: What stands before the byte's two hexadecimal digits.
    package func withVisiblePathBytes(mark: String) -> String {
        guard hasPathEscapes else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if Self.escapes.contains(scalar.value) {
                text += mark + String(scalar.value & 0xff, radix: 16, uppercase: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The name that ``withVisiblePathBytes`` shows so, if no such mark was in the name itself.
    package var withHiddenPathBytes: String {
        guard utf8.contains(UInt8(ascii: "\\")) else { return self }
        let all = Array(utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < all.count {
            if index + 3 < all.count, all[index] == UInt8(ascii: "\\"), all[index + 1] == UInt8(ascii: "x"),
                let byte = UInt8(String(decoding: all[(index + 2)...(index + 3)], as: UTF8.self), radix: 16),
                byte > 0x7f
            {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(all[index])
                index += 1
            }
        }
        return String(pathBytes: bytes)
    }

    private var hasPathEscapes: Bool {
        // All of them begin with this byte.
        utf8.contains(0xf4) && unicodeScalars.contains { Self.escapes.contains($0.value) }
    }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstEscape + UInt32(byte)) ?? "\u{fffd}"
    }

    /// Bytes of the sequence that begins at an index, 0 if none does.
    private static func scalarLength(at index: Int, of bytes: [UInt8]) -> Int {
        (1...4).first { length in
            index + length <= bytes.count
                && String(validating: bytes[index..<(index + length)], as: UTF8.self)?.unicodeScalars.count == 1
        } ?? 0
    }
}
