internal import MediaCore

/// Times as the lists have them.
enum TimeText {
    /// Times of more hours than this are mistakes, or attacks on arithmetic.
    static let maximumHours: Int64 = 1000

    /// The time that seconds or a clock say: `83.5`, `1:23.5`, `00:01:23.500`.
    static func time(_ text: Substring, line: Int) throws(CutListError) -> CMTime {
        let isNegative = text.hasPrefix("-")
        let magnitude = isNegative ? text.dropFirst() : text
        guard let time = magnitude.contains(":") ? clock(magnitude) : DecimalSeconds.time(magnitude) else {
            throw CutListError(line: line, "\(text.quoted()) is no time such as 83.5 or 00:01:23.5")
        }
        if isNegative, time > .zero { throw CutListError(line: line, "\(text.quoted()) is before zero") }
        return try checked(time, text, line: line)
    }

    /// A time that no film lasts is none.
    ///
    /// - Parameter text: How the list has it.
    static func checked(_ time: CMTime, _ text: Substring, line: Int) throws(CutListError) -> CMTime {
        guard time <= CMTime(value: maximumHours * 3600, timescale: 1) else {
            throw CutListError(line: line, "\(text.quoted()) is more than \(maximumHours) hours")
        }
        return time
    }

    /// Where a frame begins.
    ///
    /// - Parameters:
    ///   - digits: Its number, from 0 on.
    ///   - frames: How the film's frames are numbered.
    static func time(ofFrame digits: Substring, _ frames: TimecodeScale, line: Int) throws(CutListError) -> CMTime {
        guard digits.isDigits else { throw CutListError(line: line, "\(digits.quoted()) is no number of a frame") }
        let time = Int(digits).map(frames.time(ofFrame:)) ?? .positiveInfinity
        // What overflows is later than any film's end, too.
        return try checked(time.isNumeric ? time : .positiveInfinity, digits, line: line)
    }

    /// Hours, minutes and seconds, or minutes and seconds.
    ///
    /// - Returns: `nil` if the text is none; infinite if it is out of all bounds.
    private static func clock(_ text: Substring) -> CMTime? {
        let fields = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), let last = fields.last, fields[0].isDigits else { return nil }
        guard let seconds = DecimalSeconds.time(last, allowingExponent: false), last.utf8.first?.isDigit == true,
            last.utf8.prefix(while: \.isDigit).count <= 2, seconds < CMTime(value: 60, timescale: 1)
        else { return nil }
        var total: Int64 = 0
        for (index, field) in fields.dropLast().enumerated() {
            guard field.isDigits, index == 0 || field.utf8.count <= 2 else { return nil }
            // Nine digits of hours leave room for the factors.
            guard let number = Int64(field), number < 1_000_000_000 else { return .positiveInfinity }
            guard index == 0 || number < 60 else { return nil }
            total = total * 60 + number
        }
        return CMTime(value: total * 60, timescale: 1) + seconds
    }
}
