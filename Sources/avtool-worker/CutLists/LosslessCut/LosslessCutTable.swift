internal import MediaCore

/// A segment in each row: start, end, name, and tags that mean nothing here.
enum LosslessCutTable {
    /// Columns where no header names them.
    private static let maximumColumnCount = 4

    static func parse(_ text: ListText, as format: CutList.Format) throws(CutListError) -> CutList {
        let isCommas = format == .losslessCutCSV
        var rows = SeparatedValues(text.text, separator: UInt8(ascii: isCommas ? "," : "\t"))
        var segments: [CutList.Segment] = []
        var columnCount = maximumColumnCount
        var isFirst = true
        while let row = try rows.next() {
            if isFirst, isHeader(row.cells) {
                columnCount = row.cells.count
            } else {
                guard row.cells.count >= 2 else {
                    let separators = isCommas ? "commas" : "tabs"
                    throw CutListError(line: row.line, "there is no end: \(separators) are between start, end and name")
                }
                guard row.cells.count <= columnCount else {
                    throw CutListError(
                        line: row.line,
                        "there are \(row.cells.count) columns instead of \(columnCount) at the most; "
                            + "names with \(isCommas ? "commas" : "tabs") need quotation marks")
                }
                try add(row, to: &segments)
            }
            isFirst = false
        }
        return CutList(format: format, meaning: .keep, segments: segments)
    }

    /// Whether the first row tells what the columns are: `Start,End,Name`.
    private static func isHeader(_ cells: [Substring]) -> Bool {
        guard cells.count >= 2 else { return false }
        return cells[0].lowercased().hasPrefix("start") && cells[1].lowercased().hasPrefix("end")
    }

    private static func add(_ row: SeparatedValues.Row, to segments: inout [CutList.Segment]) throws(CutListError) {
        let (start, end) = (row.cells[0], row.cells[1])
        // Spreadsheets end in rows of nothing but commas, which do not mean the whole film.
        guard row.cells.contains(where: { !$0.isEmpty }) else {
            throw CutListError(line: row.line, "all columns are empty")
        }
        try segments.add(
            from: start.isEmpty ? .zero : try TimeText.time(start, line: row.line),
            to: end.isEmpty ? nil : try TimeText.time(end, line: row.line),
            name: row.cells.count > 2 ? row.cells[2] : "", line: row.line)
    }
}
