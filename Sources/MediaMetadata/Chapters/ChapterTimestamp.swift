internal import MediaCore

/// Times as hours, minutes, seconds and a decimal fraction.
enum ChapterTimestamp {
    /// Ticks of one nanosecond, the finest that these formats have.
    static let nanoseconds: CMTimeScale = 1_000_000_000

    /// The time that `HH:MM:SS.fff` says; hours may be left out, or minutes as well.
    ///
    /// Up to three decimals are milliseconds, up to nine nanoseconds. A comma
    /// may stand for the point.
    static func time(_ text: some StringProtocol) -> CMTime? {
        let parts = Substring(text).split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard seconds.count <= 2 else { return nil }
        var total: Int64 = 0
        for (index, part) in (parts.dropLast() + [seconds[0]]).enumerated() {
            // Ten digits of hours are more than a CMTime needs, and overflow nothing.
            guard let number = number(part, maximumDigits: 10), index == 0 || number < 60 else { return nil }
            total = total * 60 + number
        }
        let fraction = seconds.count == 2 ? seconds[1] : ""
        guard seconds.count == 1 || (1...9).contains(fraction.utf8.count) else { return nil }
        let digits = fraction.utf8.count <= 3 ? 3 : 9
        let padded = String(fraction) + String(repeating: "0", count: digits - fraction.utf8.count)
        guard let ticks = number(padded, maximumDigits: 9) else { return nil }
        let timescale: CMTimeScale = digits == 3 ? 1000 : nanoseconds
        let (product, isTooLong) = total.multipliedReportingOverflow(by: Int64(timescale))
        let (value, isOver) = product.addingReportingOverflow(ticks)
        return isTooLong || isOver ? nil : CMTime(value: value, timescale: timescale)
    }

    private static func number(_ text: some StringProtocol, maximumDigits: Int) -> Int64? {
        guard (1...maximumDigits).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// `HH:MM:SS.fff` of a time, rounded to so many decimals; negative times are zero.
    static func text(_ time: CMTime, decimals: Int) -> String {
        let scale: CMTimeScale = decimals == 3 ? 1000 : nanoseconds
        let time = time.convertScale(scale, method: .default)
        let ticks = time.isNumeric ? max(0, time.value) : 0
        let seconds = ticks / Int64(scale)
        let fraction = (ticks % Int64(scale)).zeroPadded(to: decimals == 3 ? 3 : 9)
        return "\((seconds / 3600).zeroPadded(to: 2)):\((seconds / 60 % 60).zeroPadded(to: 2))"
            + ":\((seconds % 60).zeroPadded(to: 2)).\(fraction)"
    }

    /// Whether the text of a time says it exactly.
    static func isExact(_ time: CMTime, decimals: Int) -> Bool {
        time >= .zero && time.convertScale(decimals == 3 ? 1000 : nanoseconds, method: .default) == time
    }
}

extension LinearChapters {
    /// Tells how many times are not whole milliseconds, which is what a format counts in.
    mutating func loseFractionsOfMilliseconds(ofEnds hasEnds: Bool) {
        var rounded = 0
        for item in items {
            rounded += ChapterTimestamp.isExact(item.start, decimals: 3) ? 0 : 1
            rounded += !hasEnds || !item.end.isValid || ChapterTimestamp.isExact(item.end, decimals: 3) ? 0 : 1
        }
        change(rounded, "times are rounded to milliseconds")
    }

    /// Tells how many chapters end elsewhere than where the next one begins, for formats without ends.
    mutating func loseEnds(until duration: CMTime) {
        var lost = 0
        for (index, item) in items.enumerated() where item.end.isNumeric && !item.hasChildren {
            let next = index + 1 < items.count ? items[index + 1].start : duration
            lost += next.isNumeric && next != item.end ? 1 : 0
        }
        lose(lost, "chapters end before or after the next one's beginning, which is not stored")
    }
}
