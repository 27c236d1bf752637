public import Foundation
public import MediaCore

// Keys of extensions, with the values that they have in Core Media.

/// The coding's name for people: text.
public var kCMFormatDescriptionExtension_FormatName: CFString { "FormatName" }
/// Bits of a pixel, 24 for colour, 32 with alpha: a number.
public var kCMFormatDescriptionExtension_Depth: CFString { "Depth" }
/// The part that is meant to be seen: a dictionary.
public var kCMFormatDescriptionExtension_CleanAperture: CFString { "CVCleanAperture" }
/// How many fields a picture has, 1 or 2: a number.
public var kCMFormatDescriptionExtension_FieldCount: CFString { "CVFieldCount" }
/// How two fields lie in a picture: text.
public var kCMFormatDescriptionExtension_FieldDetail: CFString { "CVFieldDetail" }
/// The shape of a pixel: a dictionary.
public var kCMFormatDescriptionExtension_PixelAspectRatio: CFString { "CVPixelAspectRatio" }
/// The red, green, blue and white points: text.
public var kCMFormatDescriptionExtension_ColorPrimaries: CFString { "CVImageBufferColorPrimaries" }
/// The curve from light to code: text.
public var kCMFormatDescriptionExtension_TransferFunction: CFString { "CVImageBufferTransferFunction" }
/// The curve's exponent, where it is one: a number.
public var kCMFormatDescriptionExtension_GammaLevel: CFString { "CVImageBufferGammaLevel" }
/// The matrix between YCbCr and RGB: text.
public var kCMFormatDescriptionExtension_YCbCrMatrix: CFString { "CVImageBufferYCbCrMatrix" }
/// Whether codes take the full range: true or false.
public var kCMFormatDescriptionExtension_FullRangeVideo: CFString { "FullRangeVideo" }
/// A profile of the International Color Consortium: bytes.
public var kCMFormatDescriptionExtension_ICCProfile: CFString { "CVImageBufferICCProfile" }
/// Bytes from row to row: a number.
public var kCMFormatDescriptionExtension_BytesPerRow: CFString { "CVBytesPerRow" }
/// Where chroma samples of pictures, or of their top field, lie: text.
public var kCMFormatDescriptionExtension_ChromaLocationTopField: CFString { "CVImageBufferChromaLocationTopField" }
/// Where chroma samples of the bottom field lie: text.
public var kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString {
    "CVImageBufferChromaLocationBottomField"
}
/// The quality asked for over time: a number.
public var kCMFormatDescriptionExtension_TemporalQuality: CFString { "TemporalQuality" }
/// The quality asked for in a picture: a number.
public var kCMFormatDescriptionExtension_SpatialQuality: CFString { "SpatialQuality" }
/// The version of a sample description: a number.
public var kCMFormatDescriptionExtension_Version: CFString { "Version" }
/// The revision of a sample description: a number.
public var kCMFormatDescriptionExtension_RevisionLevel: CFString { "RevisionLevel" }
/// Who made the encoder: text.
public var kCMFormatDescriptionExtension_Vendor: CFString { "Vendor" }
/// Bits of one component: a number.
public var kCMFormatDescriptionExtension_BitsPerComponent: CFString { "BitsPerComponent" }
/// Whether there is alpha: true or false.
public var kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString { "ContainsAlphaChannel" }
/// Whether colours are multiplied by alpha: text.
public var kCMFormatDescriptionExtension_AlphaChannelMode: CFString { "AlphaChannelMode" }
/// The display that it was graded on: 24 bytes.
public var kCMFormatDescriptionExtension_MasteringDisplayColorVolume: CFString { "MasteringDisplayColorVolume" }
/// The brightest light: 4 bytes.
public var kCMFormatDescriptionExtension_ContentLightLevelInfo: CFString { "ContentLightLevelInfo" }
/// A curve to prefer: a number of ITU-T H.273.
public var kCMFormatDescriptionExtension_AlternativeTransferCharacteristics: CFString {
    "AlternativeTransferCharacteristics"
}
/// What auxiliary pictures are: text.
public var kCMFormatDescriptionExtension_AuxiliaryTypeInfo: CFString { "AuxiliaryTypeInfo" }
/// What the encoder was asked for: a dictionary.
public var kCMFormatDescriptionExtension_OriginalCompressionSettings: CFString { "OriginalCompressionSettings" }
/// Boxes of the sample description: a dictionary.
public var kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString { "SampleDescriptionExtensionAtoms" }
/// QuickTime's sample description as it is: bytes.
public var kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString { "VerbatimSampleDescription" }
/// The sample entry as it is: bytes.
public var kCMFormatDescriptionExtension_VerbatimISOSampleEntry: CFString { "VerbatimISOSampleEntry" }
/// The width of the aperture in pixels.
public var kCMFormatDescriptionKey_CleanApertureWidth: CFString { "Width" }
/// The height of the aperture in pixels.
public var kCMFormatDescriptionKey_CleanApertureHeight: CFString { "Height" }
/// How far the aperture's middle lies right of the picture's.
public var kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString { "HorizontalOffset" }
/// How far the aperture's middle lies below the picture's.
public var kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString { "VerticalOffset" }
/// The width as numerator and denominator.
public var kCMFormatDescriptionKey_CleanApertureWidthRational: CFString { "WidthRational" }
/// The height as numerator and denominator.
public var kCMFormatDescriptionKey_CleanApertureHeightRational: CFString { "HeightRational" }
/// The horizontal offset as numerator and denominator.
public var kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: CFString { "HorizontalOffsetRational" }
/// The vertical offset as numerator and denominator.
public var kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational: CFString { "VerticalOffsetRational" }
/// The share of the width.
public var kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString { "HorizontalSpacing" }
/// The share of the height.
public var kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString { "VerticalSpacing" }
