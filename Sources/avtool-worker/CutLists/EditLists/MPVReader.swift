/// Reads the entries of mpv's list, between which are semicolons or ends of lines.
struct MPVReader {
    /// More parameters of an entry than this are not read; mpv knows six.
    private static let maximumParameterCount = 32

    private var rest: Substring.UTF8View
    private(set) var line = 1

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// The first byte of the next entry; `nil` if that is empty.
    var first: UInt8? { rest.first.flatMap { Self.isEnd($0) ? nil : $0 } }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";") }

    /// All of the next entry, of a remark all of its line.
    mutating func entryLine() -> Substring {
        let isRemark = rest.first == UInt8(ascii: "#")
        let content = rest.prefix { isRemark ? $0 != UInt8(ascii: "\n") : !Self.isEnd($0) }
        rest = rest[content.endIndex...]
        skipEnd()
        return Substring(content)
    }

    private mutating func skipEnd() {
        if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
    }

    /// The parameters of the next entry, those without a name with an empty one.
    mutating func parameters() throws(CutListError) -> [(name: String, value: String)] {
        let start = line
        var parameters: [(name: String, value: String)] = []
        while true {
            guard parameters.count < Self.maximumParameterCount else {
                throw CutListError(line: start, "there are more than \(Self.maximumParameterCount) parameters")
            }
            let name = rest.prefix { !"=%,;\n".utf8.contains($0) }
            let hasName = rest[name.endIndex...].first == UInt8(ascii: "=")
            if hasName { rest = rest[name.endIndex...].dropFirst() }
            parameters.append((hasName ? String(Substring(name)) : "", try value()))
            if rest.first == UInt8(ascii: ",") {
                rest.removeFirst()
            } else {
                skipEnd()
                return parameters
            }
        }
    }

    /// A value, of which `%5%` before it tells how many bytes it has, whatever they are.
    private mutating func value() throws(CutListError) -> String {
        guard rest.first == UInt8(ascii: "%") else {
            let value = rest.prefix { $0 != UInt8(ascii: ",") && !Self.isEnd($0) }
            rest = rest[value.endIndex...]
            return String(Substring(value))
        }
        let digits = Substring(rest.dropFirst().prefix(while: \.isDigit))
        let content = rest[digits.endIndex...].dropFirst()
        guard rest[digits.endIndex...].first == UInt8(ascii: "%"), let count = Int(digits), count <= content.count,
            let value = String(validating: content.prefix(count), as: UTF8.self)
        else { throw CutListError(line: line, "there is no text of as many bytes as the number after % says") }
        rest = content.dropFirst(count)
        guard rest.first.map({ $0 == UInt8(ascii: ",") || Self.isEnd($0) }) ?? true else {
            throw CutListError(line: line, "something follows a text whose length is given")
        }
        line += value.utf8.count { $0 == UInt8(ascii: "\n") }
        return value
    }
}
