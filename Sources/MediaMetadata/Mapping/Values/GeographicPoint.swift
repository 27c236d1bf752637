internal import MediaCore

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
