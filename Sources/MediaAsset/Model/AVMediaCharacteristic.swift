/// A property of a track's media by which tracks are chosen.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The name as stored in files or defined by AVFoundation.
    public let rawValue: String
    /// Makes a characteristic of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Something to see.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// Something to hear.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// Something to read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
    /// Made of frames.
    public static let frameBased = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicFrameBased")
    /// PQ or HLG transfer function.
    public static let containsHDRVideo = AVMediaCharacteristic(rawValue: "public.contains-hdr-video")
    /// Primaries wider than BT.709.
    public static let usesWideGamutColorSpace = AVMediaCharacteristic(rawValue: "public.uses-wide-gamut-color-space")
    /// Transparency.
    public static let containsAlphaChannel = AVMediaCharacteristic(rawValue: "public.contains-alpha-channel")
}
