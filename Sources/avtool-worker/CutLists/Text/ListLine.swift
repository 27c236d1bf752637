internal import MediaCore

/// A line of a cut list.
struct ListLine {
    /// More words than this are one: no format has so many.
    private static let maximumWordCount = 32

    /// From 1 on.
    let number: Int
    /// Without spaces and tabs around it.
    let text: Substring

    /// What spaces and tabs are between.
    var words: [Substring] {
        text.utf8.split(maxSplits: Self.maximumWordCount - 1) { $0.isSpace }.map { Substring($0) }
    }

    /// Whether the line is a remark rather than a number of a frame: `# Part 1`, `## Part 2`.
    var isRemark: Bool {
        text.utf8.first == UInt8(ascii: "#") && text.utf8.dropFirst().first?.isDigit != true
    }

    func failure(_ reason: String) -> CutListError { CutListError(line: number, reason) }

    /// A failure about a piece of the line.
    func failure(_ part: Substring, _ reason: String) -> CutListError { failure("\(part.quoted()) \(reason)") }
}

extension Substring {
    /// Whether there are digits and nothing else.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}

extension UInt8 {
    /// Whether it is one of ASCII's digits.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
