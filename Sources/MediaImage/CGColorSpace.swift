public import Foundation

/// What the component values of a picture mean: its primaries and its curve.
///
/// Stands in for Core Graphics' class of the same name; names are its constants' values, as `String`. Spaces of RGB and
/// of grey by name are there, and those of a device, which are taken for sRGB and its curve.
public final class CGColorSpace: Sendable, Hashable {
    /// IEC 61966-2-1, what most pictures and all untagged ones are.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// Display P3 with the sRGB curve.
    public static let displayP3 = "kCGColorSpaceDisplayP3"
    /// The primaries of ITU-R BT.2020 with the sRGB curve.
    public static let itur_2020_sRGBGamma = "kCGColorSpaceITUR_2020_sRGBGamma"
    /// ITU-R BT.2100 with the PQ curve.
    public static let itur_2100_PQ = "kCGColorSpaceITUR_2100_PQ"
    /// ITU-R BT.2100 with the HLG curve.
    public static let itur_2100_HLG = "kCGColorSpaceITUR_2100_HLG"
    /// The primaries of ITU-R BT.709 with the PQ curve.
    public static let itur_709_PQ = "kCGColorSpaceITUR_709_PQ"
    /// The primaries of ITU-R BT.709 with the HLG curve.
    public static let itur_709_HLG = "kCGColorSpaceITUR_709_HLG"
    /// Display P3's primaries with the PQ curve.
    public static let displayP3_PQ = "kCGColorSpaceDisplayP3_PQ"
    /// Display P3's primaries with the HLG curve.
    public static let displayP3_HLG = "kCGColorSpaceDisplayP3_HLG"

    /// Grey with a curve of gamma 2.2, here taken for that of sRGB.
    public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"

    private static let deviceRGB = "kCGColorSpaceDeviceRGB"
    private static let deviceGray = "kCGColorSpaceDeviceGray"

    /// Codes of ITU-T H.273: primaries and transfer function.
    private static let codes: [String: (primaries: UInt8, transfer: UInt8)] = [
        sRGB: (1, 13), displayP3: (12, 13), itur_2020_sRGBGamma: (9, 13), itur_2100_PQ: (9, 16),
        itur_2100_HLG: (9, 18), itur_709_PQ: (1, 16), itur_709_HLG: (1, 18), displayP3_PQ: (12, 16),
        displayP3_HLG: (12, 18), genericGrayGamma2_2: (1, 13), deviceRGB: (1, 13), deviceGray: (1, 13),
    ]

    /// The name, one of the constants; never `nil`.
    public let name: String?
    /// The code of the primaries in ITU-T H.273: 1, 9 or 12.
    ///
    /// Beyond Core Graphics.
    public let primariesCode: UInt8
    /// The code of the transfer function in ITU-T H.273: 13, 16 or 18.
    ///
    /// Beyond Core Graphics.
    public let transferCode: UInt8

    /// The colour space of a name, `nil` if there is none.
    ///
    /// For names that are kept as Core Foundation's strings.
    public convenience init?(name: NSString) { self.init(name: name as String) }

    /// The colour space of a name, `nil` if there is none.
    public convenience init?(name: String) {
        guard let codes = Self.codes[name] else { return nil }
        self.init(name: name, primaries: codes.primaries, transfer: codes.transfer)
    }

    private init(name: String, primaries: UInt8, transfer: UInt8) {
        (self.name, primariesCode, transferCode) = (name, primaries, transfer)
    }

    /// What untagged pictures are shown as.
    static let standard = CGColorSpace(name: sRGB, primaries: 1, transfer: 13)

    static let device = CGColorSpace(name: deviceRGB, primaries: 1, transfer: 13)
    static let deviceGrey = CGColorSpace(name: deviceGray, primaries: 1, transfer: 13)

    /// Red, green and blue, or grey.
    public var model: CGColorSpaceModel { isGrey ? .monochrome : .rgb }
    /// Colour components, without alpha: 3, or 1 for grey.
    public var numberOfComponents: Int { isGrey ? 1 : 3 }
    /// Whether the only component is grey.
    package var isGrey: Bool { name == Self.genericGrayGamma2_2 || name == Self.deviceGray }
    /// Whether the components mean what sRGB's mean, whatever the name.
    var isSRGB: Bool { primariesCode == 1 && transferCode == 13 }
    /// Whether there are colours that sRGB has not.
    public var isWideGamutRGB: Bool { primariesCode != 1 }
    /// Whether the curve is PQ or HLG.
    ///
    /// Beyond Core Graphics, which has a function for it.
    public var usesITUR_2100TF: Bool { transferCode != 13 }

    /// Whether two spaces are the same.
    public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool { left.name == right.name }
    /// Mixes in the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The colour space of a device that nothing is known of: here, sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .device }

/// The grey of a device that nothing is known of: here, with the curve of sRGB.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .deviceGrey }

/// What kinds of components a colour space has.
///
/// Stands in for Core Graphics' type of the same name. Spaces of ours are `.rgb` or `.monochrome`.
public enum CGColorSpaceModel: Int32, Sendable {
    /// Not known.
    case unknown = -1
    /// Grey.
    case monochrome = 0
    /// Red, green, blue.
    case rgb = 1
    /// Cyan, magenta, yellow, black.
    case cmyk = 2
    /// Lightness and two opponent colours.
    case lab = 3
    /// Any inks.
    case deviceN = 4
    /// A table of another space's colours.
    case indexed = 5
    /// Patterns.
    case pattern = 6
    /// The values of CIE 1931.
    case XYZ = 7
}

extension CGColorSpace {
    /// The space as an ICC profile (ISO 15076-1, version 4, matrix and curve),
    /// `nil` for HDR, which such a profile cannot hold, and for grey.
    public func copyICCData() -> Data? {
        guard transferCode == 13, !isGrey, let primaries = Chromaticities.of(code: primariesCode) else { return nil }
        let columns = primaries.toD50()
        let text = ICCText.localized(name.map { String($0.dropFirst("kCGColorSpace".count)) } ?? "RGB")
        let curve = ICCText.sRGBCurve
        var tags: [(String, [UInt8])] = [
            ("desc", text), ("cprt", ICCText.localized("CC0")), ("wtpt", ICCText.xyz(Chromaticities.d50)),
        ]
        for (name, column) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) { tags.append((name, ICCText.xyz(column))) }
        for name in ["rTRC", "gTRC", "bTRC"] { tags.append((name, curve)) }
        tags.append(("chad", ICCText.fixedArray(Chromaticities.d65ToD50.flatMap { $0 })))
        return Data(Self.profile(tags))
    }

    private static func profile(_ tags: [(String, [UInt8])]) -> [UInt8] {
        var table: [UInt8] = ICCText.number(UInt32(tags.count))
        var content: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, data) in tags {
            table += Array(name.utf8) + ICCText.number(UInt32(start + content.count))
            table += ICCText.number(UInt32(data.count))
            content += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
        }
        var header: [UInt8] = ICCText.number(UInt32(start + content.count)) + [0, 0, 0, 0]
        header += ICCText.number(0x0430_0000) + Array("mntrRGB XYZ ".utf8)
        // A fixed date keeps profiles, and so files, equal.
        header += [0x07, 0xe8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + Chromaticities.d50.flatMap { ICCText.fixed($0) }
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + content
    }
}

/// The building blocks of ICC profiles.
private enum ICCText {
    static func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    static func fixed(_ value: Double) -> [UInt8] {
        number(UInt32(bitPattern: Int32((value * 65536).rounded())))
    }

    static func fixedArray(_ values: [Double]) -> [UInt8] {
        Array("sf32".utf8) + [0, 0, 0, 0] + values.flatMap { fixed($0) }
    }

    static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { fixed($0) }
    }

    static func localized(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return Array("mluc".utf8) + [0, 0, 0, 0] + number(1) + number(12) + Array("enUS".utf8)
            + number(UInt32(units.count)) + number(28) + units
    }

    /// The curve of IEC 61966-2-1 as a parametric one: gamma, a, b, c, d.
    static let sRGBCurve: [UInt8] =
        Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0]
        + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { fixed($0) }
}

/// The points of a set of primaries in CIE xy, white at D65.
package struct Chromaticities: Sendable {
    let red: (x: Double, y: Double), green: (x: Double, y: Double), blue: (x: Double, y: Double)

    static let d50 = [0.9642, 1.0, 0.8249]
    private static let d65 = (x: 0.3127, y: 0.3290)
    /// The Bradford adaptation from D65 to D50, in rows.
    static let d65ToD50 = [
        [1.047886, 0.022919, -0.050216], [0.029582, 0.990484, -0.017079], [-0.009252, 0.015073, 0.751678],
    ]

    package static let bt709 = Chromaticities(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
    package static let displayP3 = Chromaticities(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))
    package static let bt2020 = Chromaticities(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))

    static func of(code: UInt8) -> Chromaticities? {
        switch code {
        case 1: bt709
        case 9: bt2020
        case 12: displayP3
        default: nil
        }
    }

    /// The matrix from linear RGB to XYZ, in rows, white at Y = 1.
    package var toXYZ: [[Double]] {
        func xyz(_ point: (x: Double, y: Double)) -> [Double] {
            [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
        }
        let columns = [xyz(red), xyz(green), xyz(blue)]
        let rows = (0..<3).map { row in columns.map { $0[row] } }
        let scale = Matrix3.multiply(Matrix3.inverse(rows), xyz(Self.d65))
        return rows.map { row in zip(row, scale).map { $0 * $1 } }
    }

    /// The colours of the primaries in D50's XYZ, one array each.
    func toD50() -> [[Double]] {
        let matrix = Matrix3.multiply(Self.d65ToD50, toXYZ)
        return (0..<3).map { column in matrix.map { $0[column] } }
    }
}

/// What little of linear algebra colours need; matrices are arrays of rows.
package enum Matrix3 {
    static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    package static func multiply(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
        left.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right[$1][column] } } }
    }

    package static func inverse(_ m: [[Double]]) -> [[Double]] {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, c) = ((row + 1) % 3, (column + 1) % 3)
            let (r2, c2) = ((row + 2) % 3, (column + 2) % 3)
            return m[r][c] * m[r2][c2] - m[r][c2] * m[r2][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        return (0..<3).map { row in (0..<3).map { column in minor(column, row) / determinant } }
    }
}
