import MediaCore
import Testing

@Suite struct `Decimal numbers` {
    @Test(arguments: [(0, 3, "000"), (7, 3, "007"), (1234, 3, "1234"), (-7, 3, "-007"), (5, 0, "5")])
    func `Decimal numbers are padded with zeros`(_ number: Int, _ digits: Int, _ text: String) {
        #expect(number.zeroPadded(to: digits) == text)
    }

    @Test func `Numbers of another base are padded with zeros`() {
        #expect(UInt8(10).zeroPadded(to: 2, radix: 16) == "0a")
        #expect(Int64.min.zeroPadded(to: 2) == "-9223372036854775808")
    }

    @Test(arguments: [
        (0, 3, "0.000", "0"), (8340, 3, "8.340", "8.34"), (-5, 2, "-0.05", "-0.05"), (10_000, 3, "10.000", "10"),
        (42, 0, "42", "42"), (100, 0, "100", "100"), (10, 1, "1.0", "1"),
    ])
    func `Decimal numbers are written with a fixed or the shortest fraction`(
        _ number: Int, _ decimals: Int, _ fixed: String, _ short: String
    ) {
        #expect(number.fixedPointText(decimals: decimals) == fixed)
        #expect(number.decimalText(decimals: decimals) == short)
    }
}
