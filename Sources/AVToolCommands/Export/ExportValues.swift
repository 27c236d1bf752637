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

/// A box for pictures as people write it.
package struct PictureBox: ExpressibleByArgument, Sendable {
    package let width: Int
    package let height: Int

    package init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        (self.width, self.height) = (width, height)
    }
}

/// Numbers of tracks as people list them.
package struct TrackList: ExpressibleByArgument {
    package let numbers: [Int32]

    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.numbers = numbers
    }
}

/// How loud sound is to be, as people write it.
package enum VolumeChange: ExpressibleByArgument, Sendable {
    case decibels(Double)
    /// In LUFS.
    case loudness(Double)

    package init?(argument: String) {
        let text = argument.lowercased()
        if ["normalize", "normalise"].contains(text) {
            self = .loudness(-23)
            return
        }
        func number(before unit: String) -> Double? {
            guard text.hasSuffix(unit) else { return nil }
            let number = text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
            guard number.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else { return nil }
            return Double(number).flatMap { $0.isFinite ? $0 : nil }
        }
        if let value = number(before: "db"), abs(value) <= 100 {
            self = .decibels(value)
        } else if let value = number(before: "lufs"), -70...0 ~= value {
            self = .loudness(value)
        } else {
            return nil
        }
    }
}

/// How much faster a film is shown, as people write it.
package struct SpeedFactor: ExpressibleByArgument, Sendable {
    /// The factor as a fraction of whole numbers above zero.
    package let numerator: Int64
    package let denominator: Int64

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let values = parts.compactMap { Self.fraction($0) }
        guard values.count == parts.count, 1...2 ~= parts.count else { return nil }
        let divisor = values.count == 2 ? values[1] : (1, 1)
        let (whole, part) = (values[0].0 * divisor.1, values[0].1 * divisor.0)
        guard whole > 0, part > 0 else { return nil }
        var (common, rest) = (whole, part)
        while rest != 0 { (common, rest) = (rest, common % rest) }
        (numerator, denominator) = (whole / common, part / common)
        // Times are multiplied by 32 bits, and beyond a hundred nothing is to be seen.
        guard max(numerator, denominator) <= Int64(Int32.max), 0.01...100 ~= Double(numerator) / Double(denominator)
        else { return nil }
    }

    /// A decimal number without a sign as a fraction.
    private static func fraction(_ text: Substring) -> (Int64, Int64)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.joined().allSatisfy({ $0.isASCII && $0.isNumber }), parts.joined().count <= 9,
            let digits = Int64(parts.joined())
        else { return nil }
        let decimals = parts.count == 2 ? parts[1].count : 0
        return (digits, (0..<decimals).reduce(1) { product, _ in product * 10 })
    }
}

/// Where a picture lies over others, as people write it.
package enum OverlayPlace: ExpressibleByArgument, Sendable {
    /// Shares of the free room, from 0 to 1.
    case share(x: Double, y: Double)
    /// In pixels.
    case offset(x: Int, y: Int)

    private static let names: [String: (Double, Double)] = [
        "top-left": (0, 0), "top": (0.5, 0), "top-right": (1, 0), "left": (0, 0.5), "center": (0.5, 0.5),
        "right": (1, 0.5), "bottom-left": (0, 1), "bottom": (0.5, 1), "bottom-right": (1, 1),
    ]

    package init?(argument: String) {
        if let (x, y) = Self.names[argument.lowercased()] {
            self = .share(x: x, y: y)
            return
        }
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1], max(abs(x), abs(y)) <= 1_000_000 else {
            return nil
        }
        self = .offset(x: x, y: y)
    }
}

/// A share as people write it: 0.5 or 50%.
package struct Percentage: ExpressibleByArgument, Sendable {
    /// From 0 to 1.
    package let share: Double

    package init?(argument: String) {
        let isPercent = argument.hasSuffix("%")
        guard let number = Double(isPercent ? argument.dropLast() : argument[...]), number.isFinite else { return nil }
        share = isPercent ? number / 100 : number
        guard 0...1 ~= share else { return nil }
    }
}
