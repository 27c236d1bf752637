internal import Foundation

/// A colour in sRGB, opaque.
public struct RGBColor: Sendable, Hashable, Codable {
    /// Red, from 0 to 255.
    public var red: UInt8
    /// Green, from 0 to 255.
    public var green: UInt8
    /// Blue, from 0 to 255.
    public var blue: UInt8

    /// Makes a colour of its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Black.
    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// Reads `#rrggbb`, `#rgb`, `white` or `black`; `nil` for anything else.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "white": self = .white
        case "black": self = .black
        default:
            guard text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
            let digits = text.dropFirst().compactMap { $0.hexDigitValue }
            switch digits.count {
            case 6: self.init(digits: stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] })
            case 3: self.init(digits: digits.map { $0 * 17 })
            default: return nil
            }
        }
    }

    private init(digits: [Int]) {
        self.init(red: UInt8(digits[0]), green: UInt8(digits[1]), blue: UInt8(digits[2]))
    }

    /// How bright it looks beside white, from 0 to 1: relative luminance of the sRGB standard.
    public var luminance: Double {
        func linear(_ component: UInt8) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// A colour on the way to another one: `share` 0 is this one, 1 the other.
    package func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: Int((Double(one) + (Double(two) - Double(one)) * share).rounded()))
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
