/// Finds in text what tells a place or a person: positions and e-mail addresses.
package enum PrivateText {
    /// Longer texts are looked at up to here.
    private static let maximumLength = 1 << 16

    /// Whether a text holds a position or an e-mail address.
    package static func tellsPlaceOrPerson(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(maximumLength))
        return hasPosition(bytes) || hasAddress(bytes)
    }

    /// Whether a text holds a position: as in ISO 6709, behind a word such as `GPS`, or as a pair of degrees.
    package static func tellsPlace(_ text: String) -> Bool { hasPosition(Array(text.utf8.prefix(maximumLength))) }

    /// Whether coded text, of whatever form, holds a position or an e-mail address.
    package static func tellsPlaceOrPerson(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = Array(bytes.prefix(maximumLength))
        return hasPosition(bytes) || hasAddress(bytes)
    }

    // MARK: Positions

    /// Words that cameras and drones put before a position.
    private static let words = [
        "gps", "latitude", "longitude", "geotag", "$gpgga", "$gprmc", "$gngga", "$gnrmc", "$gpgll", "iso6709", "lat:",
        "lon:", "lng:", "lat=", "lon=", "long:", "lat ", "lon ",
    ].map { Array($0.utf8) }

    private static func hasPosition(_ bytes: [UInt8]) -> Bool {
        let lower = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        if words.contains(where: { hasWord($0, in: lower) }) { return true }
        return hasNumbers(bytes)
    }

    /// Whether a word stands in a text, not within another one, with a digit not far behind it.
    private static func hasWord(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count > word.count, let first = word.first else { return false }
        for start in 0..<(bytes.count - word.count) where bytes[start] == first {
            guard bytes[start..<(start + word.count)].elementsEqual(word) else { continue }
            if start > 0, isLetter(bytes[start - 1]) { continue }
            if bytes[(start + word.count)...].prefix(24).contains(where: isDigit) { return true }
        }
        return false
    }

    /// Two numbers with three places or more, one behind the other, that can be degrees; ISO 6709's among them.
    private static func hasNumbers(_ bytes: [UInt8]) -> Bool {
        var last: (end: Int, isSigned: Bool, places: Int)?
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]), index == 0 || !isDigit(bytes[index - 1]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            let whole = index - start
            var places = 0
            if index < bytes.count, bytes[index] == 0x2E {
                let point = index
                index += 1
                while index < bytes.count, isDigit(bytes[index]) { index += 1 }
                places = index - point - 1
            }
            guard places >= 2, whole <= 7 else {
                last = nil
                continue
            }
            let isSigned = start > 0 && (bytes[start - 1] == 0x2B || bytes[start - 1] == 0x2D)
            if let last {
                let between = bytes[last.end..<(start - (isSigned ? 1 : 0))]
                // ISO 6709 has sign after sign with nothing between.
                if last.isSigned, isSigned, between.isEmpty { return true }
                if last.places >= 4, places >= 4, between.count <= 12, !between.contains(0x0A) { return true }
            }
            last = (index, isSigned, places)
        }
        return false
    }

    // MARK: Addresses

    private static func hasAddress(_ bytes: [UInt8]) -> Bool {
        for index in bytes.indices where bytes[index] == 0x40 {
            guard index > 0, isName(bytes[index - 1]) else { continue }
            let host = bytes[(index + 1)...].prefix { isName($0) }
            if let point = host.lastIndex(of: 0x2E), point > index + 1, host.endIndex - point > 2 { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
    private static func isName(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte >= 0x80 || byte == 0x2E || byte == 0x2D || byte == 0x5F || byte == 0x2B
    }
}
