extension AVMetadataIdentifier {
    /// The identifier of a key in a key space.
    package init(_ key: MetadataKey, keySpace: AVMetadataKeySpace) {
        var text = keySpace.prefix + "/"
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array(text.utf8)
        for byte in key.bytes {
            if Self.isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
        self.init(rawValue: text)
    }

    /// The key space that the identifier begins with, `nil` if it names none.
    package var keySpace: AVMetadataKeySpace? {
        guard let slash = rawValue.firstIndex(of: "/"), slash != rawValue.startIndex else { return nil }
        return AVMetadataKeySpace(prefix: String(rawValue[..<slash]))
    }

    /// The key as its key space stores it, `nil` if it cannot be one.
    package var key: MetadataKey? {
        guard let keySpace, let bytes = keyBytes, !bytes.isEmpty else { return nil }
        let isCode = bytes.count == 4 && (keySpace.hasCodes || (keySpace == .id3 && bytes[0] == 0))
        if isCode { return .code(bytes.reduce(0) { $0 << 8 | UInt32($1) }) }
        guard !keySpace.hasCodes else { return nil }
        return String(validating: bytes, as: UTF8.self).map { .text($0) }
    }

    /// The bytes after the slash, `nil` if an escape is not complete.
    package var keyBytes: [UInt8]? {
        guard let slash = rawValue.firstIndex(of: "/") else { return nil }
        var bytes: [UInt8] = []
        var rest = rawValue[rawValue.index(after: slash)...].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("-._~".utf8).contains(byte)
        }
    }
}
