internal import MediaCore

/// Seconds as a decimal number, which becomes a time without a `Double` on the way.
enum DecimalSeconds {
    /// Digits before the point of the longest time that is told apart.
    private static let maximumWholeDigits = 7
    /// Digits after the point that count; more than programs write, and few enough for 64 bits.
    private static let maximumPlaces = 18

    /// The time of a number, nonnegative: exact with up to nine digits after the point.
    ///
    /// With more of them it is the simplest fraction that no `Double` tells from the number, or else the nearest one:
    /// what a program printed of a `Double` that stood for a frame's beginning is that beginning again.
    ///
    /// - Returns: `nil` if the text is no number; infinite if it is ten million or more.
    static func time(_ text: Substring, allowingExponent: Bool = true) -> CMTime? {
        let whole = text.utf8.prefix(while: \.isDigit)
        var rest = text.utf8[whole.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: \.isDigit)
            rest = rest[fraction.endIndex...]
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = 0
        if !rest.isEmpty {
            guard allowingExponent, let number = Self.exponent(Substring(rest)) else { return nil }
            exponent = number
        }
        let digits = Array(whole) + Array(fraction)
        var significant = digits.drop { $0 == UInt8(ascii: "0") }
        // Lengths of the text and a bounded exponent: far from an overflow.
        let point = whole.count + exponent - (digits.count - significant.count)
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        if significant.isEmpty { return .zero }
        return point > maximumWholeDigits ? .positiveInfinity : time(Array(significant), point: point)
    }

    /// - Parameters:
    ///   - digits: The first and the last are not zero.
    ///   - point: Before which of them the point stands, at most ``maximumWholeDigits``.
    private static func time(_ digits: [UInt8], point: Int) -> CMTime {
        func number(_ places: Range<Int>) -> Int64 {
            places.reduce(0) { number, place in
                number * 10 + (digits.indices.contains(place) ? Int64(digits[place] - UInt8(ascii: "0")) : 0)
            }
        }
        let whole = number(0..<max(0, point))
        let places = min(maximumPlaces, max(0, digits.count - point))
        let numerator = number(point..<point + places)
        let denominator = (0..<places).reduce(Int64(1)) { power, _ in power * 10 }
        if let timescale = CMTimeScale(exactly: denominator) {
            return CMTime(value: whole * denominator + numerator, timescale: timescale)
        }
        return nearest(whole, numerator, over: denominator)
    }

    /// The time that stands for a whole number and a fraction below 1, by the fraction's continued fraction.
    private static func nearest(_ whole: Int64, _ numerator: Int64, over denominator: Int64) -> CMTime {
        let limit = Int64(Int32.max)
        var (before, last): (Fraction, Fraction) = ((0, 1), (1, 0))
        var (dividend, divisor) = (numerator, denominator)
        while divisor > 0 {
            let (term, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
            // The most that the denominator leaves room for; the first term of a fraction below 1 is 0.
            let fitting = last.denominator == 0 ? term : min(term, (limit - before.denominator) / last.denominator)
            let next: Fraction = (
                before.numerator + fitting * last.numerator, before.denominator + fitting * last.denominator
            )
            let error = distance(next, numerator, denominator)
            if fitting < term {
                let isNextCloser =
                    error * Int128(last.denominator)
                    < distance(last, numerator, denominator) * Int128(next.denominator)
                return time(whole, isNextCloser ? next : last, isExact: false)
            }
            // Two units in the last of a Double's 53 bits, as programs reckon with times before they print them.
            let tolerance = (Int128(whole + 1) * Int128(denominator) * Int128(next.denominator)) >> 51
            if error <= tolerance { return time(whole, next, isExact: error == 0) }
            (before, last) = (last, next)
            (dividend, divisor) = (divisor, rest)
        }
        return time(whole, last, isExact: true)
    }

    private typealias Fraction = (numerator: Int64, denominator: Int64)

    /// How far a fraction is from another one, times both denominators.
    private static func distance(_ fraction: Fraction, _ numerator: Int64, _ denominator: Int64) -> Int128 {
        let difference =
            Int128(fraction.numerator) * Int128(denominator) - Int128(numerator) * Int128(fraction.denominator)
        return difference < 0 ? -difference : difference
    }

    private static func time(_ whole: Int64, _ fraction: Fraction, isExact: Bool) -> CMTime {
        CMTime(
            value: whole * fraction.denominator + fraction.numerator, timescale: CMTimeScale(fraction.denominator),
            flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
    }

    /// The number after `e`, bounded: beyond are only zeros, or more than any film lasts.
    private static func exponent(_ text: Substring) -> Int? {
        guard text.hasPrefix("e") || text.hasPrefix("E") else { return nil }
        let signed = text.dropFirst()
        let digits = signed.hasPrefix("+") || signed.hasPrefix("-") ? signed.dropFirst() : signed
        guard digits.isDigits else { return nil }
        let magnitude = min(Int(digits) ?? .max, 1 << 30)
        return signed.hasPrefix("-") ? -magnitude : magnitude
    }
}

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
