internal import MediaCore
internal import MediaIO

/// A date as files write it: a year, maybe with month, day and time.
struct DateText: Hashable, Sendable {
    var year: Int
    var month: Int?
    var day: Int?
    var hour: Int?
    var minute: Int?
    /// What follows the minute: seconds and time zone.
    var rest = ""

    /// Reads the beginning of ISO 8601: `2004`, `2004-05`, `2004-05-06T07:08:09Z`.
    init?(_ text: String) {
        var scanner = Scanner(text: text[...])
        guard let year = scanner.number(digits: 4) else { return nil }
        self.year = year
        defer { rest = String(scanner.text) }
        guard let month = scanner.number(after: "-", in: 1...12) else { return }
        self.month = month
        guard let day = scanner.number(after: "-", in: 1...31) else { return }
        self.day = day
        var time = scanner
        guard let hour = time.number(after: "T", in: 0...23) ?? time.number(after: " ", in: 0...23),
            let minute = time.number(after: ":", in: 0...59)
        else { return }
        (self.hour, self.minute) = (hour, minute)
        scanner = time
    }

    /// Whether its month has its day.
    var isInCalendar: Bool {
        guard let month, let day else { return true }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return day <= (month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31)
    }

    /// Joins ID3v2.3's frames: the year, day and month as `0605`, hour and minute as `0708`.
    ///
    /// - Returns: `nil` if the first one is no year.
    init?(year: String, dayAndMonth: String?, time: String?) {
        self.init(year)
        guard month == nil, let (day, month) = dayAndMonth.flatMap(Self.twoNumbers), (1...12).contains(month),
            (1...31).contains(day)
        else { return }
        (self.day, self.month) = (day, month)
        guard let (hour, minute) = time.flatMap(Self.twoNumbers), hour < 24, minute < 60 else { return }
        (self.hour, self.minute) = (hour, minute)
    }

    private static let months = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]

    /// Reads what cameras write into AVI files: `Mon Mar 10 15:04:43 2003`.
    init?(clockText text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 5, let month = Self.months.firstIndex(of: words[1].uppercased()), words[4].count == 4,
            let day = Int(words[2]), let year = Int(words[4])
        else { return nil }
        let date = [year.zeroPadded(to: 4), (month + 1).zeroPadded(to: 2), day.zeroPadded(to: 2)].joined(separator: "-")
        self.init(date + "T" + words[3])
        guard minute != nil else { return nil }
    }

    private static func twoNumbers(_ text: String) -> (Int, Int)? {
        var scanner = Scanner(text: text[...])
        guard let first = scanner.number(digits: 2), let second = scanner.number(digits: 2) else { return nil }
        return (first, second)
    }

    /// The date in ISO 8601.
    var text: String {
        var text = year.zeroPadded(to: 4)
        if let month { text += "-" + month.zeroPadded(to: 2) }
        if let day { text += "-" + day.zeroPadded(to: 2) }
        if let hour, let minute { text += "T" + hour.zeroPadded(to: 2) + ":" + minute.zeroPadded(to: 2) }
        return text + rest
    }

    /// ID3v2.3's day and month, `nil` if one of them is missing.
    var dayAndMonth: String? { day.flatMap { day in month.map { day.zeroPadded(to: 2) + $0.zeroPadded(to: 2) } } }

    /// ID3v2.3's hour and minute, `nil` if they are missing.
    var time: String? { hour.flatMap { hour in minute.map { hour.zeroPadded(to: 2) + $0.zeroPadded(to: 2) } } }

    /// The year that any text of a date names: the first four digits in a row.
    static func year(in text: String) -> Int? {
        var digits = ""
        for character in text + " " {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                if digits.count == 4 || digits.count == 8 { return Int(digits.prefix(4)).flatMap { $0 > 0 ? $0 : nil } }
                digits = ""
            }
        }
        return nil
    }

    private struct Scanner {
        var text: Substring

        mutating func number(digits: Int) -> Int? {
            let head = text.prefix(digits)
            guard head.count == digits, head.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            text = text.dropFirst(digits)
            return Int(head)
        }

        /// Two digits of a number after a character; nothing is read if they are others.
        mutating func number(after character: Character, in range: ClosedRange<Int>) -> Int? {
            guard text.first == character else { return nil }
            var rest = Scanner(text: text.dropFirst())
            guard let number = rest.number(digits: 2), range.contains(number) else { return nil }
            self = rest
            return number
        }
    }
}

/// A number, and how many there are: track 3 of 12, counted from 1.
///
/// Beyond AVFoundation, whose items have such pairs as bytes or text.
public struct NumberPair: Hashable, Sendable {
    /// The number, counted from 1; `nil` if it is not known, which files also say by zero.
    public var number: Int?
    /// How many there are; `nil` if it is not known.
    public var total: Int?

    /// Makes a pair of numbers counted from 1; those below 1 count as not known.
    public init(number: Int? = nil, total: Int? = nil) {
        self.number = number.flatMap { $0 > 0 ? $0 : nil }
        self.total = total.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Reads `8`, `08`, `8/10`, `/10` or `8 of 10`; `nil` if there is no number.
    public init?(_ text: String) {
        let text = text.lowercased().replacing(" of ", with: "/")
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(number: parts.first.flatMap(Self.integer), total: parts.dropFirst().first.flatMap(Self.integer))
        guard number != nil || total != nil else { return nil }
    }

    /// Reads iTunes' value, `trkn` or `disk`: two zero bytes, then 16 bits each, the high byte first; `nil` if there
    /// is no number.
    public init?(bytes: [UInt8]) {
        guard let number = bytes.bigEndian16(at: 2) else { return nil }
        self.init(number: Int(number), total: bytes.bigEndian16(at: 4).map(Int.init))
        guard self.number != nil || total != nil else { return nil }
    }

    private static func integer(_ text: Substring) -> Int? {
        let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        return Int(digits)
    }

    /// The pair as text: `8/10`, `8`, `0/10`.
    public var text: String {
        guard let total else { return String(number ?? 0) }
        return "\(number ?? 0)/\(total)"
    }

    /// The pair as text, as wide as an older text: `08` after `07`.
    func text(like old: String?) -> String {
        guard let old, old.hasPrefix("0"), let number else { return text }
        let width = old.prefix { $0.isASCII && $0.isNumber }.count
        let digits = number.zeroPadded(to: width)
        return total.map { "\(digits)/\($0)" } ?? digits
    }

    /// iTunes' value, `nil` if a number does not fit into 16 bits.
    ///
    /// - Parameter count: How many bytes: 8 for tracks, 6 for discs.
    public func bytes(count: Int) -> [UInt8]? {
        guard let number = UInt16(exactly: number ?? 0), let total = UInt16(exactly: total ?? 0) else { return nil }
        var bytes: [UInt8] = [0, 0]
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: total)
        return bytes + Array(repeating: 0, count: max(0, count - bytes.count))
    }
}
