internal import MediaCore

/// The text of a cut list, with a line feed at the end of each line.
struct ListText {
    /// More bytes than this are not read: ten thousand segments with long names are a few of them.
    static let maximumByteCount = 16 << 20
    /// Longer lines than this are read of LosslessCut's projects only, which may be all in one.
    static let maximumLineByteCount = 1 << 16

    let text: String

    /// Reads bytes of a file.
    ///
    /// - Parameter bytes: UTF-8 with or without a byte order mark, or UTF-16 with one.
    init(_ bytes: [UInt8]) throws(CutListError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw CutListError("files with more than \(Self.maximumByteCount >> 20) MiB are not read")
        }
        let decoded: String
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            decoded = try Self.decodedUTF16(bytes)
        } else {
            let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            guard let string = String(validating: content, as: UTF8.self) else { throw Self.flaw(of: content) }
            decoded = string
        }
        let normalized = Self.withLineFeeds(Array(decoded.utf8))
        if let zero = normalized.firstIndex(of: 0) {
            throw CutListError(line: Self.lineNumber(of: zero, in: normalized[...]), "a zero byte: this is no text")
        }
        text = String(decoding: normalized, as: UTF8.self)
        let first = normalized.first { !$0.isSpace && $0 != UInt8(ascii: "\n") }
        if first != UInt8(ascii: "{"), first != UInt8(ascii: "/") { try checkLines() }
    }

    /// The lines, one after another: there may be millions that say nothing.
    var lines: ListLines { ListLines(text) }

    private func checkLines() throws(CutListError) {
        for line in lines where line.text.utf8.count > Self.maximumLineByteCount {
            throw line.failure("the line has more than \(Self.maximumLineByteCount >> 10) KiB")
        }
    }

    private static func decodedUTF16(_ bytes: [UInt8]) throws(CutListError) -> String {
        guard bytes.count.isMultiple(of: 2) else { throw CutListError("the text ends within a character of UTF-16") }
        let isLittleEndian = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw CutListError("the text is not valid UTF-16")
        }
        return string
    }

    /// Old cue sheets are in a code page that they do not name: tells where that begins to matter.
    private static func flaw(of bytes: ArraySlice<UInt8>) -> CutListError {
        var number = 1
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: line, as: UTF8.self) == nil { break }
            number += 1
        }
        return CutListError(line: number, "this is not UTF-8")
    }

    private static func lineNumber(of index: Int, in bytes: ArraySlice<UInt8>) -> Int {
        1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") }
    }

    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard bytes.contains(carriageReturn) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var followsCarriageReturn = false
        for byte in bytes {
            if !(byte == lineFeed && followsCarriageReturn) { result.append(byte == carriageReturn ? lineFeed : byte) }
            followsCarriageReturn = byte == carriageReturn
        }
        return result
    }
}

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

/// Goes through the lines of a text.
struct ListLines: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View?
    private var number = 0

    init(_ text: String) { rest = Substring(text).utf8 }

    mutating func next() -> ListLine? {
        guard let current = rest else { return nil }
        let end = current.firstIndex(of: UInt8(ascii: "\n"))
        rest = end.map { current[$0...].dropFirst() }
        number += 1
        return ListLine(number: number, text: Substring(current[..<(end ?? current.endIndex)]).withoutSpaces)
    }
}
