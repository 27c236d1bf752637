internal import MediaCore

/// What LosslessCut keeps beside a film: `{ version, mediaFileName, cutSegments: [{ start, end, name, selected }] }`.
enum LosslessCutProject {
    static func parse(_ text: ListText) throws(CutListError) -> CutList {
        let root = try JSON5Parser.parse(text.text)
        guard case .object = root.content else { throw CutListError(line: root.line, "the project is no object") }
        let version = try root["version"].map(version) ?? 1
        guard let list = root["cutSegments"], case .array(let elements) = list.content else {
            throw CutListError(line: root["cutSegments"]?.line ?? root.line, "cutSegments is no list of segments")
        }
        var segments: [CutList.Segment] = []
        for element in elements { try add(element, version: version, to: &segments) }
        if segments.isEmpty, !elements.isEmpty {
            throw CutListError(line: list.line, "no segment is selected and has an end")
        }
        let name = try string("mediaFileName", of: root)
        return CutList(
            format: .losslessCutProject, meaning: .keep, segments: segments,
            mediaFileName: name.isEmpty ? nil : String(name))
    }

    private static func version(_ value: JSON5Value) throws(CutListError) -> Int {
        if case .number("1") = value.content { return 1 }
        if case .number("2") = value.content { return 2 }
        throw CutListError(line: value.line, "this version of LosslessCut's projects is not known, only 1 and 2")
    }

    private static func add(
        _ element: JSON5Value, version: Int, to segments: inout [CutList.Segment]
    ) throws(CutListError) {
        guard case .object = element.content else { throw CutListError(line: element.line, "a segment is no object") }
        let (start, end) = (try time("start", of: element), try time("end", of: element))
        let name = try string("name", of: element)
        if let selected = element["selected"] {
            guard case .bool(let isSelected) = selected.content else {
                throw CutListError(line: selected.line, "selected is neither true nor false")
            }
            guard isSelected else { return }
        }
        // Since version 2 what has no end is a marker, which LosslessCut does not export; it was an open end before.
        if version >= 2, end == nil { return }
        try segments.add(from: start ?? .zero, to: end, name: name, line: element.line)
    }

    private static func time(_ key: String, of element: JSON5Value) throws(CutListError) -> CMTime? {
        guard let value = element[key] else { return nil }
        guard case .number(let digits) = value.content else {
            throw CutListError(line: value.line, "\(key) is no number of seconds")
        }
        return try TimeText.time(digits, line: value.line)
    }

    /// A text, empty if there is none.
    private static func string(_ key: String, of element: JSON5Value) throws(CutListError) -> Substring {
        guard let value = element[key] else { return "" }
        guard case .string(let text) = value.content else { throw CutListError(line: value.line, "\(key) is no text") }
        return text[...]
    }
}

/// A segment in each row: start, end, name, and tags that mean nothing here.
enum LosslessCutTable {
    static func parse(_ text: ListText, as format: CutList.Format) throws(CutListError) -> CutList {
        let isCommas = format == .losslessCutCSV
        var rows = SeparatedValues(text.text, separator: UInt8(ascii: isCommas ? "," : "\t"))
        var segments: [CutList.Segment] = []
        var columns = Columns()
        var isFirst = true
        while let row = try rows.next() {
            if isFirst, let named = Columns(header: row.cells) {
                columns = named
            } else {
                guard row.cells.count > max(columns.start, columns.end) else {
                    let separators = isCommas ? "commas" : "tabs"
                    throw CutListError(line: row.line, "there is no end: \(separators) are between start, end and name")
                }
                guard row.cells.count <= columns.count else {
                    throw CutListError(
                        line: row.line,
                        "there are \(row.cells.count) columns instead of \(columns.count) at the most; "
                            + "names with \(isCommas ? "commas" : "tabs") need quotation marks")
                }
                try add(row, columns, to: &segments)
            }
            isFirst = false
        }
        return CutList(format: format, meaning: .keep, segments: segments)
    }

    /// Which columns hold what.
    private struct Columns {
        var (start, end) = (0, 1)
        var name: Int? = 2
        /// How many there are at the most where no header names them.
        var count = 4

        init() {}

        /// Columns as the first row names them: `Start,End,Name`, and those of `avtool scenes`; `nil` for a row of values.
        init?(header cells: [Substring]) {
            let names = cells.map { $0.lowercased() }
            guard let start = names.firstIndex(where: { $0.hasPrefix("start") }),
                let end = names.firstIndex(where: { $0.hasPrefix("end") })
            else { return nil }
            (self.start, self.end, count) = (start, end, cells.count)
            let isPlain = (start, end) == (0, 1)
            name = names.firstIndex { ["name", "title", "label"].contains($0) } ?? (isPlain ? 2 : nil)
        }
    }

    private static func add(
        _ row: SeparatedValues.Row, _ columns: Columns, to segments: inout [CutList.Segment]
    ) throws(CutListError) {
        let (start, end) = (row.cells[columns.start], row.cells[columns.end])
        // Spreadsheets end in rows of nothing but commas, which do not mean the whole film.
        guard row.cells.contains(where: { !$0.isEmpty }) else {
            throw CutListError(line: row.line, "all columns are empty")
        }
        let name = columns.name.flatMap { row.cells.indices.contains($0) ? row.cells[$0] : nil } ?? ""
        try segments.add(
            from: start.isEmpty ? .zero : try TimeText.time(start, line: row.line),
            to: end.isEmpty ? nil : try TimeText.time(end, line: row.line), name: name, line: row.line)
    }
}

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
