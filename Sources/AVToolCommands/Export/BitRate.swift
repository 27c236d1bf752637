internal import ArgumentParser
internal import Foundation

/// Bits a second as people write them.
package struct BitRate: ExpressibleByArgument {
    package let value: Int64

    private static let units: [String: Double] = [
        "": 1, "k": 1000, "kbps": 1000, "kbit/s": 1000, "m": 1_000_000, "mbps": 1_000_000, "mbit/s": 1_000_000,
    ]

    package init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(number.count).trimmingCharacters(in: .whitespaces).lowercased()
        guard let factor = Self.units[unit], let amount = Double(number), amount * factor < 1e15 else { return nil }
        value = Int64((amount * factor).rounded())
    }
}
