internal import MediaCore

/// A place as people write it and as files store it.
enum GeographicText {
    /// The place in ISO 6709: `+48.8577+002.2950+035.000/`.
    ///
    /// - Parameter text: ISO 6709 already, or degrees with commas between: `48.8577, 2.295, 35`.
    /// - Returns: `nil` if it is neither, or no place on a globe.
    static func iso6709(_ text: String) -> String? {
        let text = text.filter { $0 != " " }
        if text.hasPrefix("+") || text.hasPrefix("-"), !text.contains(",") { return isISO6709(text) ? text : nil }
        let numbers = text.split(separator: ",").map { Double($0) }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        var place = digits(latitude, 2, decimals: 4) + digits(longitude, 3, decimals: 4)
        if numbers.count == 3 {
            guard let altitude = numbers[2], abs(altitude) < 100_000 else { return nil }
            place += digits(altitude, 3, decimals: 3)
        }
        return place + "/"
    }

    /// Whether a text begins with two signed numbers, and maybe a third.
    static func isISO6709(_ text: String) -> Bool {
        var count = 0
        var rest = text[...]
        while let sign = rest.first, sign == "+" || sign == "-" {
            let number = rest.dropFirst().prefix { $0.isASCII && $0.isNumber || $0 == "." }
            guard number.first?.isNumber == true, number.filter({ $0 == "." }).count <= 1 else { return false }
            rest = rest.dropFirst(number.count + 1)
            count += 1
        }
        return (2...3).contains(count) && (rest.isEmpty || rest == "/" || rest.hasPrefix("CRS"))
    }

    /// Whether two texts are about one place, of which one is rounded.
    static func areSame(_ text: String, _ other: String) -> Bool {
        guard isISO6709(text), isISO6709(other), let first = GeographicPoint(text), let second = GeographicPoint(other)
        else { return text == other }
        let distances = [
            Int64(first.latitude) - Int64(second.latitude), Int64(first.longitude) - Int64(second.longitude),
        ]
        let isKnown = first.altitude != 0 && second.altitude != 0
        let height = Int64(first.altitude) - Int64(second.altitude)
        return distances.allSatisfy { $0.magnitude <= tolerance } && (!isKnown || height.magnitude <= 1 << 16)
    }

    /// A place with the altitude of another text, if it has none of its own.
    static func adding(altitudeOf other: String, to text: String) -> String {
        let numbers = numbers(in: text)
        guard numbers.count == 2, let altitude = self.numbers(in: other).dropFirst(2).first else { return text }
        return numbers.joined() + altitude + text.dropFirst(numbers.joined().count)
    }

    /// The signed numbers that a text begins with.
    private static func numbers(in text: String) -> [Substring] {
        var numbers: [Substring] = []
        var rest = text[...]
        while let sign = rest.first, sign == "+" || sign == "-" {
            let number = rest.prefix(1) + rest.dropFirst().prefix { $0.isASCII && $0.isNumber || $0 == "." }
            numbers.append(number)
            rest = rest.dropFirst(number.count)
        }
        return numbers
    }

    /// A thousandth of a degree, in fractions of 16 bits.
    private static let tolerance = 66

    /// A signed number with leading zeros.
    private static func digits(_ value: Double, _ width: Int, decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let number = Int((abs(value) * Double(scale)).rounded())
        let whole = (number / scale).zeroPadded(to: width)
        return (value < 0 ? "-" : "+") + whole + "." + (number % scale).zeroPadded(to: decimals)
    }
}
