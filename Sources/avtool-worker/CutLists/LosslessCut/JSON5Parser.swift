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
