extension BinaryInteger {
    /// The number with zeros before it, as wide as asked for or wider: `007`.
    ///
    /// - Parameter digits: Digits at the least; a sign is none.
    package func zeroPadded(to digits: Int, radix: Int = 10) -> String {
        let text = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }

    /// The number of tenths, hundredths and so on as a decimal number: `8.340`.
    ///
    /// - Parameter decimals: Digits after the point.
    package func fixedPointText(decimals: Int) -> String {
        let digits = magnitude.zeroPadded(to: decimals + 1)
        let point = decimals > 0 ? "." : ""
        return "\(self < 0 ? "-" : "")\(digits.dropLast(decimals))\(point)\(digits.suffix(decimals))"
    }

    /// The same without needless zeros: `8.34`, `10`.
    package func decimalText(decimals: Int) -> String {
        var text = Substring(fixedPointText(decimals: decimals))
        guard decimals > 0 else { return String(text) }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }
}
