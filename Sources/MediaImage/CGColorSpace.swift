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
    package var isSRGB: Bool { primariesCode == 1 && transferCode == 13 }
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
