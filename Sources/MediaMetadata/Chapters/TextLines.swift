internal import MediaCore

/// The lines of a text, whichever way they end.
struct TextLines {
    /// One line.
    struct Line {
        /// From 1 on.
        let number: Int
        let text: Substring

        /// Without spaces and tabs around it.
        var trimmed: Substring { text.withoutSpaces }
    }

    private(set) var lines: [Line] = []

    /// A byte order mark before the first line is left out.
    ///
    /// - Parameter onlyLineFeeds: Whether a carriage return is a character as others are.
    init(_ text: String, onlyLineFeeds: Bool = false) {
        // Bytes rather than characters: a mark that combines with what is before it must not hide that.
        var rest = Substring(text).utf8
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        while true {
            let end = rest.firstIndex { $0 == lineFeed || $0 == carriageReturn && !onlyLineFeeds } ?? rest.endIndex
            lines.append(Line(number: lines.count + 1, text: Substring(rest[..<end])))
            guard end < rest.endIndex else { return }
            let isPair = rest[end] == carriageReturn && rest[end...].dropFirst().first == lineFeed
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
        }
    }
}

extension Substring {
    /// What is before the first space or tab, and what is after those.
    var splitAtSpace: (first: Substring, rest: Substring) {
        let end = utf8.firstIndex(where: \.isSpace) ?? utf8.endIndex
        return (Substring(utf8[..<end]), Substring(utf8[end...].drop(while: \.isSpace)))
    }
}

extension String {
    /// Without some of its characters, each taken for itself.
    func without(_ isUnwanted: (Unicode.Scalar) -> Bool) -> String {
        var scalars = unicodeScalars
        scalars.removeAll(where: isUnwanted)
        return String(scalars)
    }
}
