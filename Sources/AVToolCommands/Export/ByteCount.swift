internal import ArgumentParser
internal import Foundation

/// A number of bytes as people write it.
package struct ByteCount: ExpressibleByArgument {
    package let value: Int64

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]

    package init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(number.count).trimmingCharacters(in: .whitespaces).lowercased()
        guard let factor = Self.units[unit], let amount = Double(number) else { return nil }
        let bytes = amount * Double(factor)
        guard bytes >= 1, bytes < Double(Int64.max) else { return nil }
        value = Int64(bytes)
    }
}
