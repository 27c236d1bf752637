public import Foundation

/// A colour: components from 0 to 1 in a colour space, and alpha.
///
/// Immutable and safe to share. Stands in for Core Graphics' class of the same name; patterns are not there.
public final class CGColor: Sendable, Hashable {
    /// What the components mean; never `nil`.
    public let colorSpace: CGColorSpace?
    /// The components, alpha last; never `nil`.
    public let components: [CGFloat]?

    private init(_ space: CGColorSpace, _ values: [CGFloat]) { (colorSpace, components) = (space, values) }

    /// A colour of a colour space; never `nil`.
    ///
    /// - Parameter components: As many as the space has, and alpha. Fewer are read beyond their end, as in Core
    ///   Graphics.
    public convenience init?(colorSpace: CGColorSpace, components: UnsafePointer<CGFloat>) {
        self.init(colorSpace, (0...colorSpace.numberOfComponents).map { components[$0] })
    }

    /// A colour of sRGB, which stands for the generic RGB of Core Graphics.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.standard, [red, green, blue, alpha])
    }

    /// A colour of sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.standard, [red, green, blue, alpha])
    }

    /// A grey.
    public convenience init(gray: CGFloat, alpha: CGFloat) { self.init(.deviceGrey, [gray, alpha]) }

    /// A grey.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(.deviceGrey, [gray, alpha])
    }

    /// Opaque black.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// Opaque white.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// Nothing.
    public static let clear = CGColor(gray: 0, alpha: 0)

    /// How opaque the colour is, from 0 to 1.
    public var alpha: CGFloat { components?.last ?? 1 }
    /// How many components there are, alpha among them.
    public var numberOfComponents: Int { components?.count ?? 0 }

    /// The same colour; never `nil`.
    public func copy() -> CGColor? { self }

    /// The same colour, as opaque as said; never `nil`.
    public func copy(alpha: CGFloat) -> CGColor? {
        CGColor(colorSpace ?? .standard, (components ?? []).dropLast() + [alpha])
    }

    /// Whether space and components are the same.
    public static func == (left: CGColor, right: CGColor) -> Bool {
        left.colorSpace == right.colorSpace && left.components == right.components
    }

    /// Mixes in the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

/// Brings components of 8 bits from one set of primaries to another, both with sRGB's curve.
struct ColorConversion {
    private let matrix: [Float]
    private static let linear: [Float] = (0..<256).map { code in
        let value = Float(code) / 255
        return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
    /// The codes of 4096 steps of light.
    private static let codes: [UInt8] = (0..<4096).map { step in
        let light = Float(step) / 4095
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
        return UInt8(min(255, max(0, value * 255 + 0.5)))
    }

    /// - Returns: `nil` if components mean the same in both, and where one is HDR, whose light no fixed rule brings to
    ///   that of the other.
    init?(from source: CGColorSpace, to target: CGColorSpace) {
        guard source.transferCode == 13, target.transferCode == 13, source.primariesCode != target.primariesCode,
            let from = Chromaticities.of(code: source.primariesCode),
            let to = Chromaticities.of(code: target.primariesCode)
        else { return nil }
        let rows = Matrix3.multiply(Matrix3.inverse(to.toXYZ), from.toXYZ)
        matrix = rows.flatMap { $0.map { Float($0) } }
    }

    /// Converts packed pixels of a size in bytes, colours first.
    func convert(_ pixels: inout [UInt8], size: Int) {
        for start in stride(from: 0, to: pixels.count, by: size) {
            let light = (0..<3).map { Self.linear[Int(pixels[start + $0])] }
            for index in 0..<3 {
                let sum =
                    matrix[3 * index] * light[0] + matrix[3 * index + 1] * light[1]
                    + matrix[3 * index + 2] * light[2]
                pixels[start + index] = Self.codes[Int(min(1, max(0, sum)) * 4095 + 0.5)]
            }
        }
    }
}
