/// A small XML document: elements and their text.
///
/// Reads what files of chapters have: elements, text, CDATA sections, comments,
/// processing instructions, a document type without declarations of its own,
/// the five named references and those by number. Attributes are checked and
/// left out. There is nothing in it that could refer to another file, or grow:
/// a document type with declarations is refused.
struct XMLTree {
    /// An element.
    struct Element {
        let name: String
        /// Where it begins, from 1 on.
        let line: Int
        /// The text directly within it.
        var text = ""
        var children: [Element] = []

        /// The first child of a name.
        func child(_ name: String) -> Element? { children.first { $0.name == name } }
        /// The text of the first child of a name, without white space around it.
        func value(_ name: String) -> String? { child(name)?.trimmedText }
        /// The text without white space around it.
        var trimmedText: String {
            let scalars = text.unicodeScalars
            guard let first = scalars.firstIndex(where: { !XMLTree.isSpace($0) }),
                let last = scalars.lastIndex(where: { !XMLTree.isSpace($0) })
            else { return "" }
            return String(scalars[first...last])
        }
    }

    let root: Element

    /// Deeper than any chapters are nested.
    private static let maximumDepth = 64
    /// More elements than this are not read.
    private static let maximumElements = 1 << 20

    init(_ text: String) throws(MetadataError) {
        var parser = Parser(text)
        root = try parser.document()
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    /// The character of `#228` or `#xE4`; `nil` if that is none that XML allows.
    static func scalar(ofReference name: some StringProtocol) -> Unicode.Scalar? {
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x"
        let number = isHexadecimal ? digits.dropFirst() : digits
        guard (1...8).contains(number.utf8.count), number.utf8.first != UInt8(ascii: "+"),
            let value = UInt32(number, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
            isAllowed(scalar)
        else { return nil }
        return scalar
    }

    /// Whether XML 1.0 can hold a character.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || isSpace(scalar)
    }

    private struct Parser {
        private let bytes: [UInt8]
        private var position = 0
        private var elements = 0
        /// The line of a position that has been asked for.
        private var lastLine = (position: 0, number: 1)

        init(_ text: String) {
            // As XML has it, lines end with a line feed whatever they ended with.
            let lines = TextLines(text).lines.map { $0.text.utf8 }
            bytes = Array(lines.joined(separator: "\n".utf8))
        }

        /// Elements that are open, the root first.
        mutating func document() throws(MetadataError) -> Element {
            var open: [Element] = []
            var root: Element?
            while position < bytes.count {
                if has("<![CDATA[") {
                    guard !open.isEmpty else { throw error("text outside of an element") }
                    open[open.count - 1].text += try text(upTo: "]]>")
                } else if has("<!--") {
                    _ = try text(upTo: "-->")
                } else if has("<?") {
                    _ = try text(upTo: "?>")
                } else if has("<!DOCTYPE") {
                    guard open.isEmpty, root == nil, !(try text(upTo: ">")).contains("[") else {
                        throw error("document types with declarations are not read")
                    }
                } else if has("</") {
                    let name = try name()
                    skipSpace()
                    guard has(">"), let element = open.popLast(), element.name == name else {
                        throw error("</\(name.prefix(40))> ends no element that is open")
                    }
                    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
                } else if has("<") {
                    guard root == nil else { throw error("a second root element") }
                    try begin(&open, &root)
                } else {
                    try characters(&open)
                }
            }
            guard open.isEmpty, let root else { throw error("the document is not complete") }
            return root
        }

        private mutating func begin(_ open: inout [Element], _ root: inout Element?) throws(MetadataError) {
            let element = Element(name: try name(), line: line())
            elements += 1
            guard open.count < maximumDepth, elements <= maximumElements else {
                throw MetadataError(.limit, "line \(line()): too many elements, or too deep")
            }
            while true {
                skipSpace()
                if has("/>") {
                    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
                    return
                }
                if has(">") {
                    open.append(element)
                    return
                }
                _ = try name()
                skipSpace()
                guard has("=") else { throw error("an attribute without a value") }
                skipSpace()
                guard let quote = ["\"", "'"].first(where: { has($0) }) else {
                    throw error("an attribute without quotes")
                }
                guard !(try text(upTo: quote)).contains("<") else { throw error("< within an attribute") }
            }
        }

        /// Text up to the next tag.
        private mutating func characters(_ open: inout [Element]) throws(MetadataError) {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
            var text = String.UnicodeScalarView()
            var rest = String(decoding: bytes[start..<position], as: UTF8.self).unicodeScalars[...]
            while let scalar = rest.popFirst() {
                guard scalar == "&" else {
                    guard XMLTree.isAllowed(scalar) else { throw error("a character that XML has not") }
                    text.append(scalar)
                    continue
                }
                guard let end = rest.prefix(12).firstIndex(of: ";"), let character = reference(rest[..<end]) else {
                    throw error("& without a reference that is known")
                }
                text.append(character)
                rest = rest[rest.index(after: end)...]
            }
            if !open.isEmpty {
                open[open.count - 1].text.unicodeScalars += text
            } else if !text.allSatisfy(XMLTree.isSpace) {
                throw error("text outside of an element")
            }
        }

        private func reference(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
            switch String(name) {
            case "amp": "&"
            case "lt": "<"
            case "gt": ">"
            case "quot": "\""
            case "apos": "'"
            case let name: XMLTree.scalar(ofReference: name)
            }
        }

        /// Goes on after a text if it comes next.
        private mutating func has(_ text: String) -> Bool {
            guard bytes[position...].starts(with: text.utf8) else { return false }
            position += text.utf8.count
            return true
        }

        /// What comes before a text, which is left behind.
        private mutating func text(upTo end: String) throws(MetadataError) -> String {
            let mark = Array(end.utf8)
            let start = position
            while bytes.count - position >= mark.count {
                if bytes[position] == mark[0], bytes[position...].starts(with: mark) {
                    defer { position += mark.count }
                    return String(decoding: bytes[start..<position], as: UTF8.self)
                }
                position += 1
            }
            position = start
            throw error("\(end) is missing")
        }

        private mutating func name() throws(MetadataError) -> String {
            let start = position
            while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
            guard position > start else { throw error("a name is missing") }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private static func isNamePart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: ":"), 0x80...:
                true
            default: false
            }
        }

        private mutating func skipSpace() {
            while position < bytes.count, XMLTree.isSpace(Unicode.Scalar(bytes[position])) { position += 1 }
        }

        /// The line that is being read.
        private mutating func line() -> Int {
            let passed = bytes[lastLine.position..<max(position, lastLine.position)]
            lastLine = (position, lastLine.number + passed.count { $0 == UInt8(ascii: "\n") })
            return lastLine.number
        }

        private mutating func error(_ reason: String) -> MetadataError { .inLine(line(), reason) }
    }
}
