internal import Foundation

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
