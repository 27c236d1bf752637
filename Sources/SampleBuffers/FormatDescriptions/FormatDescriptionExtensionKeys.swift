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

// Values of extensions, as they are in Core Media.

/// BT.709.
public var kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// EBU 3213: PAL.
public var kCMFormatDescriptionColorPrimaries_EBU_3213: CFString { "EBU_3213" }
/// SMPTE C: NTSC.
public var kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString { "SMPTE_C" }
/// P3 of cinemas.
public var kCMFormatDescriptionColorPrimaries_DCI_P3: CFString { "DCI_P3" }
/// Display P3.
public var kCMFormatDescriptionColorPrimaries_P3_D65: CFString { "P3_D65" }
/// BT.2020.
public var kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString { "ITU_R_2020" }
/// P22 phosphors.
public var kCMFormatDescriptionColorPrimaries_P22: CFString { "P22" }
/// BT.709.
public var kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// SMPTE 240M.
public var kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString { "SMPTE_240M_1995" }
/// The exponent that the gamma level says.
public var kCMFormatDescriptionTransferFunction_UseGamma: CFString { "UseGamma" }
/// BT.2020.
public var kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString { "ITU_R_2020" }
/// SMPTE ST 428-1.
public var kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString { "SMPTE_ST_428_1" }
/// SMPTE ST 2084: PQ.
public var kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString { "SMPTE_ST_2084_PQ" }
/// BT.2100: hybrid log-gamma.
public var kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString { "ITU_R_2100_HLG" }
/// No curve.
public var kCMFormatDescriptionTransferFunction_Linear: CFString { "Linear" }
/// sRGB.
public var kCMFormatDescriptionTransferFunction_sRGB: CFString { "IEC_sRGB" }
/// BT.709.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// BT.601.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString { "ITU_R_601_4" }
/// SMPTE 240M.
public var kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString { "SMPTE_240M_1995" }
/// BT.2020.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString { "ITU_R_2020" }
/// Fields follow each other, the top one first.
public var kCMFormatDescriptionFieldDetail_TemporalTopFirst: CFString { "TemporalTopFirst" }
/// Fields follow each other, the bottom one first.
public var kCMFormatDescriptionFieldDetail_TemporalBottomFirst: CFString { "TemporalBottomFirst" }
/// Lines alternate, the first one of the earlier field.
public var kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly: CFString { "SpatialFirstLineEarly" }
/// Lines alternate, the first one of the later field.
public var kCMFormatDescriptionFieldDetail_SpatialFirstLineLate: CFString { "SpatialFirstLineLate" }
/// Level with luma at the left.
public var kCMFormatDescriptionChromaLocation_Left: CFString { "Left" }
/// In the middle.
public var kCMFormatDescriptionChromaLocation_Center: CFString { "Center" }
/// On the luma sample at the top left.
public var kCMFormatDescriptionChromaLocation_TopLeft: CFString { "TopLeft" }
/// At the top, between two.
public var kCMFormatDescriptionChromaLocation_Top: CFString { "Top" }
/// On the luma sample at the bottom left.
public var kCMFormatDescriptionChromaLocation_BottomLeft: CFString { "BottomLeft" }
/// At the bottom, between two.
public var kCMFormatDescriptionChromaLocation_Bottom: CFString { "Bottom" }
/// As DV has it.
public var kCMFormatDescriptionChromaLocation_DV420: CFString { "DV 4:2:0" }
/// Colours are as they are.
public var kCMFormatDescriptionAlphaChannelMode_StraightAlpha: CFString { "StraightAlpha" }
/// Colours are multiplied by alpha.
public var kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha: CFString { "PremultipliedAlpha" }

// What descriptions of timed metadata are made of, by Core Media's keys.

/// How timed metadata is coded, as a four-character code.
public typealias CMMetadataFormatType = FourCharCode

/// Items in boxes by the numbers of their keys: `mebx`.
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// Titles within Internet radio: `icy `.
public let kCMMetadataFormatType_ICY: CMMetadataFormatType = 0x6963_7920
/// ID3 tags: `id3 `.
public let kCMMetadataFormatType_ID3: CMMetadataFormatType = 0x6964_3320
/// Event messages of MPEG-DASH: `emsg`.
public let kCMMetadataFormatType_EMSG: CMMetadataFormatType = 0x656D_7367

/// The keys of boxed metadata: a list of dictionaries.
public var kCMFormatDescriptionExtensionKey_MetadataKeyTable: CFString { "MetadataKeyTable" }
/// The namespace of a key: the number of a four-character code.
public var kCMMetadataFormatDescriptionKey_Namespace: CFString { "MetadataKeyNamespace" }
/// A key's name in its namespace: bytes.
public var kCMMetadataFormatDescriptionKey_Value: CFString { "MetadataKeyValue" }
/// What samples call a key: a number.
public var kCMMetadataFormatDescriptionKey_LocalID: CFString { "MetadataKeyLocalID" }
/// The type of a key's values: bytes, a well-known type's number or a name, as its namespace says.
public var kCMMetadataFormatDescriptionKey_DataType: CFString { "MetadataKeyDataType" }
/// The namespace of the type: the number 0 for well-known ones, 1 for names.
public var kCMMetadataFormatDescriptionKey_DataTypeNamespace: CFString { "MetadataKeyDataTypeNamespace" }
/// The types that the type is a kind of: a list of dictionaries, each with a type and its namespace.
public var kCMMetadataFormatDescriptionKey_ConformingDataTypes: CFString { "MetadataKeyConformingDataTypes" }
/// The language of a key's values by BCP 47: bytes.
public var kCMMetadataFormatDescriptionKey_LanguageTag: CFString { "MetadataKeyLanguageTag" }
/// What those need who decode a key's values: bytes.
public var kCMMetadataFormatDescriptionKey_SetupData: CFString { "MetadataKeySetupData" }

/// Key space and key as one text, as of `AVMetadataIdentifier`: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString { "MetadataIdentifier" }
/// The type of values, such as `kCMMetadataBaseDataType_SInt8`: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString { "MetadataDataType" }
/// The language of values by BCP 47: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString {
    "MetadataExtendedLanguageTag"
}
/// What those need who decode values: bytes.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_SetupData: CFString { "MetadataSetupData" }
