public import Foundation

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
