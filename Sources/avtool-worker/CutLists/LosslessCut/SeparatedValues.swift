internal import MediaCore

/// Reads rows of cells as RFC 4180 has them, between commas or tabs.
struct SeparatedValues {
    /// A row with at least one cell.
    struct Row {
        /// Where it begins.
        let line: Int
        let cells: [Substring]
    }

    /// More cells than this are no list of segments.
    private static let maximumCellCount = 64

    private let separator: UInt8
    private var rest: Substring.UTF8View
    private var line = 1

    init(_ text: String, separator: UInt8) {
        self.separator = separator
        rest = Substring(text).utf8
    }

    /// The next row that is not an empty line.
    mutating func next() throws(CutListError) -> Row? {
        while rest.first == UInt8(ascii: "\n") { skipLineFeed() }
        guard !rest.isEmpty else { return nil }
        let start = line
        var cells: [Substring] = []
        while true {
            cells.append(try cell())
            guard cells.count <= Self.maximumCellCount else {
                throw CutListError(line: start, "there are more than \(Self.maximumCellCount) columns")
            }
            if rest.first == separator {
                rest.removeFirst()
            } else {
                skipLineFeed()
                return Row(line: start, cells: cells)
            }
        }
    }

    private mutating func skipLineFeed() {
        guard rest.first == UInt8(ascii: "\n") else { return }
        rest.removeFirst()
        line += 1
    }

    /// What is before the next separator, or the end of the line.
    private mutating func cell() throws(CutListError) -> Substring {
        // A tab may be the separator, and is no space then.
        let quote = rest.drop { $0 != separator && $0.isSpace }
        if quote.first == UInt8(ascii: "\"") {
            rest = quote.dropFirst()
            return try quotedCell()
        }
        let end = rest.firstIndex { $0 == separator || $0 == UInt8(ascii: "\n") } ?? rest.endIndex
        let content = rest[..<end]
        guard !content.contains(UInt8(ascii: "\"")) else {
            throw CutListError(line: line, "a quotation mark stands in a cell that does not begin with one")
        }
        rest = rest[end...]
        return Substring(content).withoutSpaces
    }

    /// What is before the closing quotation mark; two in a row are one of the content.
    private mutating func quotedCell() throws(CutListError) -> Substring {
        let start = line
        var content: [UInt8] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\"")) {
            content += rest[..<end]
            line += rest[..<end].count { $0 == UInt8(ascii: "\n") }
            rest = rest[end...].dropFirst()
            guard rest.first != UInt8(ascii: "\"") else {
                content.append(UInt8(ascii: "\""))
                rest.removeFirst()
                continue
            }
            rest = rest.drop { $0 != separator && $0.isSpace }
            guard let next = rest.first, next != separator, next != UInt8(ascii: "\n") else {
                return Substring(String(decoding: content, as: UTF8.self)).withoutSpaces
            }
            throw CutListError(line: line, "something follows a quotation mark that ends a cell")
        }
        throw CutListError(line: start, "a quotation mark has no other one that ends the cell")
    }
}
