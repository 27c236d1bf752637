internal import MediaCore

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
