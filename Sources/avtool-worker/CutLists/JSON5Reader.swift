/// Reads the smallest parts of JSON5: space, words, strings.
struct JSON5Reader {
    /// Longer words than this are neither a key nor a number.
    private static let maximumWordByteCount = 1024

    private var rest: Substring.UTF8View
    private(set) var line = 1

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }
    var first: UInt8? { rest.first }

    func failure(_ reason: String) -> CutListError {
        CutListError(line: line, isAtEnd ? "the text ends too early" : reason)
    }

    /// Skips a byte, if there is one.
    mutating func skipByte() {
        if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
    }

    /// Skips space and comments.
    mutating func skipSpace() throws(CutListError) {
        while let byte = first {
            if "\n\t\u{B}\u{C} ".utf8.contains(byte) {
                skipByte()
            } else if rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                try skipBlockComment()
            } else if byte >= 0x80,
                let space = ["\u{A0}", "\u{FEFF}", "\u{2028}", "\u{2029}"].first(where: {
                    rest.starts(with: $0.utf8)
                })
            {
                rest = rest.dropFirst(space.utf8.count)
            } else {
                return
            }
        }
    }

    private mutating func skipBlockComment() throws(CutListError) {
        let start = line
        rest = rest.dropFirst(2)
        while !rest.starts(with: "*/".utf8) {
            guard !isAtEnd else { throw CutListError(line: start, "a comment does not end") }
            skipByte()
        }
        rest = rest.dropFirst(2)
    }

    /// Whether a list is over, whose closing bracket is skipped then.
    mutating func ends(with bracket: UInt8) throws(CutListError) -> Bool {
        try skipSpace()
        guard first == bracket else { return false }
        skipByte()
        return true
    }

    /// Skips the comma after an element, which the last one need not have.
    mutating func skipComma(before bracket: UInt8) throws(CutListError) {
        try skipSpace()
        if first == UInt8(ascii: ",") {
            skipByte()
        } else if first != bracket {
            throw failure("a comma is missing")
        }
    }

    /// A key without quotation marks, a number, or a word; empty if there is none, or only an endless one.
    mutating func bareWord() -> Substring {
        let word = rest.prefix { byte in
            byte >= 0x80 || byte.isDigit || (0x41...0x5A).contains(byte & 0xDF) || "+-._$".utf8.contains(byte)
        }
        guard word.count <= Self.maximumWordByteCount else { return "" }
        rest = rest[word.endIndex...]
        return Substring(word)
    }

    /// A string between quotation marks, which stands next.
    mutating func string() throws(CutListError) -> String {
        guard let quote = rest.popFirst() else { throw failure("") }
        var units: [UInt8] = []
        while let byte = first {
            switch byte {
            case quote:
                skipByte()
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                skipByte()
                try readEscape(into: &units)
            case UInt8(ascii: "\n"):
                throw failure("a string goes on after the end of its line")
            default:
                units.append(byte)
                skipByte()
            }
        }
        throw failure("")
    }

    /// What follows a backslash.
    private mutating func readEscape(into units: inout [UInt8]) throws(CutListError) {
        guard let byte = first else { throw failure("") }
        skipByte()
        switch byte {
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "v"): units.append(0x0B)
        case UInt8(ascii: "x"): units += String(Unicode.Scalar(UInt8(truncatingIfNeeded: try hexadecimal(2)))).utf8
        case UInt8(ascii: "u"): units += try codePoint()
        case _ where byte.isDigit: throw failure("there is no such escape in a string")
        default: units.append(byte)
        }
    }

    /// The character of `\uXXXX`, or of two of them.
    private mutating func codePoint() throws(CutListError) -> String.UTF8View {
        var units = [UInt16(truncatingIfNeeded: try hexadecimal(4))]
        if UTF16.isLeadSurrogate(units[0]), rest.starts(with: "\\u".utf8) {
            rest = rest.dropFirst(2)
            units.append(UInt16(truncatingIfNeeded: try hexadecimal(4)))
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("an escape in a string is no character")
        }
        return text.utf8
    }

    private mutating func hexadecimal(_ count: Int) throws(CutListError) -> UInt32 {
        let digits = Substring(rest.prefix(count))
        guard digits.utf8.count == count, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
            let number = UInt32(digits, radix: 16), number > 0
        else { throw failure("an escape in a string is no character") }
        rest = rest.dropFirst(count)
        return number
    }
}

/// A value of JSON5, and where it stands.
struct JSON5Value {
    /// What a value is.
    enum Content {
        case null
        case bool(Bool)
        /// The digits as they are written, so that nothing is lost.
        case number(Substring)
        case string(String)
        case array([JSON5Value])
        case object([String: JSON5Value])
    }

    let line: Int
    let content: Content

    /// A member of an object; `nil` if there is none, or if it is null.
    subscript(_ key: String) -> JSON5Value? {
        guard case .object(let members) = content, let member = members[key] else { return nil }
        if case .null = member.content { return nil }
        return member
    }
}

/// Reads JSON5: JSON with comments, trailing commas, bare keys and either quotation mark.
struct JSON5Parser {
    /// Deeper nesting than this is none of LosslessCut's, and a danger to the stack.
    private static let maximumDepth = 32
    /// More values than this are not read: ten thousand segments with many tags each are fewer.
    private static let maximumValueCount = 1 << 18

    var reader: JSON5Reader
    private var valueCount = 0

    private init(_ text: String) { reader = JSON5Reader(text) }

    /// The only value of a text.
    static func parse(_ text: String) throws(CutListError) -> JSON5Value {
        var parser = JSON5Parser(text)
        let value = try parser.value(depth: 0)
        try parser.reader.skipSpace()
        guard parser.reader.isAtEnd else { throw parser.reader.failure("something follows the end") }
        return value
    }

    private mutating func value(depth: Int) throws(CutListError) -> JSON5Value {
        try reader.skipSpace()
        let line = reader.line
        valueCount += 1
        guard depth < Self.maximumDepth, valueCount <= Self.maximumValueCount else {
            throw reader.failure("there are too many values, or too many in each other")
        }
        let content: JSON5Value.Content
        switch reader.first {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth))
        case UInt8(ascii: "\""), UInt8(ascii: "'"): content = .string(try reader.string())
        default: content = try bareValue()
        }
        return JSON5Value(line: line, content: content)
    }

    /// A number, or a word that stands for a value.
    private mutating func bareValue() throws(CutListError) -> JSON5Value.Content {
        let word = reader.bareWord()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            let magnitude = word.hasPrefix("+") || word.hasPrefix("-") ? word.dropFirst() : word
            guard Self.isNumber(magnitude) else { throw reader.failure("there is no value") }
            // JSON5 has a sign that our times have not.
            return .number(word.hasPrefix("+") ? magnitude : word)
        }
    }

    private static func isNumber(_ word: Substring) -> Bool {
        if word.hasPrefix("0x") || word.hasPrefix("0X") { return UInt64(word.dropFirst(2), radix: 16) != nil }
        return word == "NaN" || word == "Infinity" || DecimalSeconds.time(word) != nil
    }

    private mutating func elements(depth: Int) throws(CutListError) -> [JSON5Value] {
        var elements: [JSON5Value] = []
        reader.skipByte()
        while try !reader.ends(with: UInt8(ascii: "]")) {
            elements.append(try value(depth: depth + 1))
            try reader.skipComma(before: UInt8(ascii: "]"))
        }
        return elements
    }

    private mutating func members(depth: Int) throws(CutListError) -> [String: JSON5Value] {
        var members: [String: JSON5Value] = [:]
        reader.skipByte()
        while try !reader.ends(with: UInt8(ascii: "}")) {
            let isQuoted = reader.first == UInt8(ascii: "\"") || reader.first == UInt8(ascii: "'")
            let key = isQuoted ? try reader.string() : String(reader.bareWord())
            let isBare = key.utf8.first?.isDigit == false && !key.utf8.contains { "+-.".utf8.contains($0) }
            guard isQuoted || isBare else {
                throw reader.failure("there is no key")
            }
            try reader.skipSpace()
            guard reader.first == UInt8(ascii: ":") else { throw reader.failure("a colon is missing after a key") }
            reader.skipByte()
            guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw reader.failure("a key stands twice")
            }
            try reader.skipComma(before: UInt8(ascii: "}"))
        }
        return members
    }
}
