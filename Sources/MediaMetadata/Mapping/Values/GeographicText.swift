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

    /// A signed number with leading zeros.
    private static func digits(_ value: Double, _ width: Int, decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let number = Int((abs(value) * Double(scale)).rounded())
        let whole = DateText.digits(number / scale, width)
        return (value < 0 ? "-" : "+") + whole + "." + DateText.digits(number % scale, decimals)
    }
}
