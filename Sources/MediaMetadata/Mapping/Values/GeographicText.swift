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

/// A point on a globe, in degrees and metres of 16.16 bits.
package struct GeographicPoint: Hashable {
    package var longitude: Int32
    package var latitude: Int32
    package var altitude: Int32

    package init(longitude: Int32, latitude: Int32, altitude: Int32) {
        (self.longitude, self.latitude, self.altitude) = (longitude, latitude, altitude)
    }

    /// The point in ISO 6709, with as many digits as tell all values apart.
    package var text: String {
        Self.text(latitude, digits: 2) + Self.text(longitude, digits: 3)
            + (altitude == 0 ? "" : Self.text(altitude, digits: 1)) + "/"
    }

    private static func text(_ number: Int32, digits: Int) -> String {
        // Five decimals, rounded, all of which 16 bits can tell apart.
        let scaled = (Int64(number.magnitude) * 100_000 + 32_768) >> 16
        var text = number < 0 ? "-" : "+"
        text += (scaled / 100_000).zeroPadded(to: digits) + "." + (scaled % 100_000).zeroPadded(to: 5)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return text
    }

    /// The point that a text in ISO 6709 begins with, in degrees; `nil` if it has another form.
    package init?(_ text: String) {
        var numbers: [Int32] = []
        var rest = text.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "C") }[...]
        while let sign = rest.popFirst(), numbers.count < 3 {
            guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
            let digits = rest.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
            rest = rest.dropFirst(digits.count)
            // Degrees alone; degrees with minutes would have four or five digits before the point.
            let whole = digits.prefix { $0 != UInt8(ascii: ".") }
            guard !whole.isEmpty, whole.count <= (numbers.count < 2 ? 3 : 5),
                let value = Double(String(decoding: digits, as: UTF8.self)), value <= 32_767
            else { return nil }
            let number = Int32((value * 65_536).rounded())
            numbers.append(sign == UInt8(ascii: "-") ? -number : number)
        }
        guard numbers.count >= 2, numbers[0].magnitude <= 90 << 16, numbers[1].magnitude <= 360 << 16 else {
            return nil
        }
        self.init(longitude: numbers[1], latitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : 0)
    }
}
