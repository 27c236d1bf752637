/// A span of an asset as a person writes it, before the asset is known; beyond Core Media.
///
/// `A+D` starts at A and lasts D, `A..B` goes from A up to, not including, B;
/// `A..` goes to the end, `..B` begins at the start. A and B are any
/// ``TimeExpression``, D is a plain time.
public enum TimeRangeExpression: Hashable, Sendable {
    /// From a time, for a length of time.
    case starting(at: TimeExpression, lasting: CMTime)
    /// From a time up to, not including, another.
    case between(TimeExpression, TimeExpression)

    /// The grammar in one line.
    public static let grammar =
        "a range is 1s+3s (from, length), 1s..4s (from, up to), 1s.. or ..4s; its ends may be 1:02, 1m30s, 1/3, 25%, #120, end-2s, 01:00:10:00"

    /// Reads a range, exactly.
    ///
    /// The last `+` of `start+1s+3s` is the one before the length. Spaces around
    /// the range and its ends are ignored.
    ///
    /// - Throws: An error that names the wrong part: no such form, a wrong time,
    ///   or a range that is empty or goes backwards in any asset.
    public static func parse(_ text: some StringProtocol) throws(TimeExpressionError) -> TimeRangeExpression {
        let parser = TimeParser(text: String(text), noun: "range", grammar: grammar)
        return try parser.range(parser.content)
    }

    /// Finds the range on the timeline of an asset.
    ///
    /// The ends are resolved as by
    /// ``TimeExpression/resolve(duration:timecode:frameTime:)``. A range may
    /// reach beyond the duration.
    ///
    /// - Throws: A ``TimeExpressionError`` if the range would be empty or go
    ///   backwards, or an end has no place in the asset; else what `frameTime`
    ///   throws.
    public nonisolated(nonsending) func resolve(
        duration: CMTime, timecode: TimecodeScale? = nil, frameTime: (Int) async throws -> CMTime
    ) async throws -> CMTimeRange {
        let start = try await first.resolve(duration: duration, timecode: timecode, frameTime: frameTime)
        switch self {
        case .starting(_, let length):
            return try range(from: start, lasting: length, of: duration)
        case .between(_, let last):
            let end = try await last.resolve(duration: duration, timecode: timecode, frameTime: frameTime)
            return try range(from: start, lasting: end.distance(from: start, .earlier), of: duration)
        }
    }

    private var first: TimeExpression {
        switch self {
        case .starting(let first, _), .between(let first, _): first
        }
    }

    private func range(
        from start: CMTime, lasting length: CMTime, of duration: CMTime
    ) throws(TimeExpressionError) -> CMTimeRange {
        let range = CMTimeRange(start: start, duration: length)
        guard range.isDefinite, range.duration > .zero, range.duration.kind == .numeric else {
            let isKnown = duration.kind == .numeric
            let lengthOfAsset = isKnown ? ": the duration is \(duration.durationText()) s" : ""
            throw TimeExpressionError(
                text: description, offendingPart: description, reason: "is empty or goes backwards\(lengthOfAsset)",
                position: nil, grammar: nil, noun: "range")
        }
        return range
    }

    /// Whether the end is not after the start in any asset.
    var isEmptyInAnyAsset: Bool {
        switch self {
        case .starting(let first, let length):
            return length <= .zero || first == .end(minus: .zero)
        case .between(let first, let last):
            if first == .end(minus: .zero) || last == .start(plus: .zero) { return true }
            return last.isKnownNotAfter(first)
        }
    }
}

extension TimeExpression {
    /// Whether this time is the other one or before it whatever the asset.
    fileprivate func isKnownNotAfter(_ other: TimeExpression) -> Bool {
        switch (self, other) {
        case (.seconds(let last), .seconds(let first)), (.seconds(let last), .start(plus: let first)),
            (.start(plus: let last), .seconds(let first)), (.start(plus: let last), .start(plus: let first)):
            last <= first
        case (.end(minus: let last), .end(minus: let first)):
            last >= first
        case (.frame(let last), .frame(let first)):
            // Numbers from the end lie anywhere among those from the start.
            (last < 0) == (first < 0) && last <= first
        case (.fraction(let a, let b), .fraction(let c, let d)):
            Int128(a) * Int128(d) <= Int128(c) * Int128(b)
        default:
            false
        }
    }
}

extension TimeRangeExpression: CustomStringConvertible {
    /// A text that ``parse(_:)`` reads as this range.
    public var description: String {
        switch self {
        case .starting(let first, let length): "\(first)+\(length.expressionText)"
        case .between(let first, let last): "\(first)..\(last)"
        }
    }
}

extension TimeParser {
    /// Any range.
    func range(_ part: Substring) throws(TimeExpressionError) -> TimeRangeExpression {
        if let dots = part.firstIndex(ofPair: ".") {
            return try rangeBetween(part[..<dots], part[dots...].dropFirst(2), in: part)
        }
        guard let plus = part.lastPlus else {
            if part.isEmpty { throw failure(part, "must not be empty") }
            throw failure(part, "is not a range: that has .. or + in it")
        }
        let first = Self.trimmed(part[..<plus])
        let length = Self.trimmed(part[plus...].dropFirst())
        if first.isEmpty { throw failure(part, "needs a time before the +") }
        let range = TimeRangeExpression.starting(at: try expression(first), lasting: try plainTime(length))
        if range.isEmptyInAnyAsset { throw failure(part, "is empty") }
        return range
    }

    private func rangeBetween(
        _ first: Substring, _ last: Substring, in part: Substring
    ) throws(TimeExpressionError) -> TimeRangeExpression {
        let (first, last) = (Self.trimmed(first), Self.trimmed(last))
        if last.hasPrefix(".") { throw failure(part, "has more than two points in a row") }
        if first.isEmpty, last.isEmpty { throw failure(part, "needs a time before or after the ..") }
        let range = TimeRangeExpression.between(
            first.isEmpty ? .start(plus: .zero) : try expression(first),
            last.isEmpty ? .end(minus: .zero) : try expression(last))
        if range.isEmptyInAnyAsset { throw failure(part, "is empty or goes backwards") }
        return range
    }
}

extension Substring {
    /// The last `+` that is not the sign of an exponent.
    fileprivate var lastPlus: Index? {
        indices.last { index in
            guard self[index] == "+" else { return false }
            let before = self[..<index]
            let isExponent = before.last == "e" || before.last == "E"
            return !(isExponent && before.dropLast().last?.isASCIIDigit == true)
        }
    }

    /// The first place where a character stands twice in a row.
    fileprivate func firstIndex(ofPair character: Character) -> Index? {
        indices.first { self[$0...].hasPrefix("\(character)\(character)") }
    }
}
