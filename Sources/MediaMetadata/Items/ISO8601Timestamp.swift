package import Foundation

/// Complete timestamps of ISO 8601: `2026-01-09T18:32:07+0900`.
package enum ISO8601Timestamp {
    /// The moment that a timestamp names, `nil` if a part is missing or out of range.
    ///
    /// Day and time may be separated by `T` or a space; a missing zone means UTC.
    package static func date(of text: String) -> Date? {
        var rest = Substring(text.trimmingCharacters(in: .whitespaces))
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), skip(&rest, "T") || skip(&rest, " "), let hour = number(&rest, 2),
            skip(&rest, ":"), let minute = number(&rest, 2), skip(&rest, ":"), let second = number(&rest, 2)
        else { return nil }
        var fraction = 0.0
        if skip(&rest, ".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let value = Double("0." + digits) else { return nil }
            fraction = value
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = zone(&rest), rest.isEmpty, (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let seconds = days(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// The timestamp of a moment, in UTC, to the second.
    package static func text(of date: Date) -> String {
        let format = ISO8601DateFormatter()
        return format.string(from: date)
    }

    private static func zone(_ rest: inout Substring) -> Int? {
        if rest.isEmpty || skip(&rest, "Z") { return 0 }
        let sign = skip(&rest, "+") ? 1 : skip(&rest, "-") ? -1 : 0
        guard sign != 0, let hours = number(&rest, 2) else { return nil }
        _ = skip(&rest, ":")
        let minutes = number(&rest, 2) ?? 0
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let part = rest.prefix(digits)
        guard part.utf8.count == digits, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(part)
    }

    private static func skip(_ rest: inout Substring, _ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March put the leap day at their end.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let century = shifted / 400
        let yearOfCentury = shifted - century * 400
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 719_468
    }
}
