public import Foundation
public import MediaCore

// Keys of what is attached to pictures, with the values that they have in Core Video.

/// The colour space: an object of Core Graphics.
public var kCVImageBufferCGColorSpaceKey: CFString { "CGColorSpace" }
/// The part that is meant to be seen: a dictionary.
public var kCVImageBufferCleanApertureKey: CFString { "CVCleanAperture" }
/// The part that is meant to be seen, where it differs from the clean aperture: a dictionary.
public var kCVImageBufferPreferredCleanApertureKey: CFString { "CVPreferredCleanAperture" }
/// The width of the aperture in pixels: a number.
public var kCVImageBufferCleanApertureWidthKey: CFString { "Width" }
/// The height of the aperture in pixels: a number.
public var kCVImageBufferCleanApertureHeightKey: CFString { "Height" }
/// How far the aperture's middle lies right of the picture's, in pixels: a number.
public var kCVImageBufferCleanApertureHorizontalOffsetKey: CFString { "HorizontalOffset" }
/// How far the aperture's middle lies below the picture's, in pixels: a number.
public var kCVImageBufferCleanApertureVerticalOffsetKey: CFString { "VerticalOffset" }
/// How many fields the picture has, 1 or 2: a number.
public var kCVImageBufferFieldCountKey: CFString { "CVFieldCount" }
/// How two fields lie in the picture: text.
public var kCVImageBufferFieldDetailKey: CFString { "CVFieldDetail" }
/// The shape of a pixel: a dictionary.
public var kCVImageBufferPixelAspectRatioKey: CFString { "CVPixelAspectRatio" }
/// The share of the width: a number.
public var kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString { "HorizontalSpacing" }
/// The share of the height: a number.
public var kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString { "VerticalSpacing" }
/// The size in square pixels: a dictionary.
public var kCVImageBufferDisplayDimensionsKey: CFString { "CVDisplayDimensions" }
/// The width in square pixels: a number.
public var kCVImageBufferDisplayWidthKey: CFString { "Width" }
/// The height in square pixels: a number.
public var kCVImageBufferDisplayHeightKey: CFString { "Height" }
/// The curve's exponent, where it is one: a number.
public var kCVImageBufferGammaLevelKey: CFString { "CVImageBufferGammaLevel" }
/// A profile of the International Color Consortium: bytes.
public var kCVImageBufferICCProfileKey: CFString { "CVImageBufferICCProfile" }
/// The matrix between YCbCr and RGB: text.
public var kCVImageBufferYCbCrMatrixKey: CFString { "CVImageBufferYCbCrMatrix" }
/// The red, green, blue and white points: text.
public var kCVImageBufferColorPrimariesKey: CFString { "CVImageBufferColorPrimaries" }
/// The curve from light to code: text.
public var kCVImageBufferTransferFunctionKey: CFString { "CVImageBufferTransferFunction" }
/// Where chroma samples of the picture, or of its top field, lie: text.
public var kCVImageBufferChromaLocationTopFieldKey: CFString { "CVImageBufferChromaLocationTopField" }
/// Where chroma samples of the bottom field lie: text.
public var kCVImageBufferChromaLocationBottomFieldKey: CFString { "CVImageBufferChromaLocationBottomField" }
/// How many chroma samples there are before they were enlarged: text.
public var kCVImageBufferChromaSubsamplingKey: CFString { "CVImageBufferChromaSubsampling" }
/// Whether alpha, if there is any, is 1 everywhere: true or false.
public var kCVImageBufferAlphaChannelIsOpaque: CFString { "AlphaChannelIsOpaque" }
/// Whether colours are multiplied by alpha: text.
public var kCVImageBufferAlphaChannelModeKey: CFString { "AlphaChannelMode" }
/// The display that it was graded on: 24 bytes.
public var kCVImageBufferMasteringDisplayColorVolumeKey: CFString { "MasteringDisplayColorVolume" }
/// The brightest light: 4 bytes.
public var kCVImageBufferContentLightLevelInfoKey: CFString { "ContentLightLevelInfo" }

// Values of what is attached to pictures, as they are in Core Video and in format descriptions.

/// BT.709.
public var kCVImageBufferColorPrimaries_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// EBU 3213: PAL.
public var kCVImageBufferColorPrimaries_EBU_3213: CFString { "EBU_3213" }
/// SMPTE C: NTSC.
public var kCVImageBufferColorPrimaries_SMPTE_C: CFString { "SMPTE_C" }
/// P22 phosphors.
public var kCVImageBufferColorPrimaries_P22: CFString { "P22" }
/// P3 of cinemas.
public var kCVImageBufferColorPrimaries_DCI_P3: CFString { "DCI_P3" }
/// Display P3.
public var kCVImageBufferColorPrimaries_P3_D65: CFString { "P3_D65" }
/// BT.2020.
public var kCVImageBufferColorPrimaries_ITU_R_2020: CFString { "ITU_R_2020" }
/// BT.709.
public var kCVImageBufferTransferFunction_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// SMPTE 240M.
public var kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString { "SMPTE_240M_1995" }
/// The exponent that the gamma level says.
public var kCVImageBufferTransferFunction_UseGamma: CFString { "UseGamma" }
/// BT.2020.
public var kCVImageBufferTransferFunction_ITU_R_2020: CFString { "ITU_R_2020" }
/// SMPTE ST 428-1.
public var kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString { "SMPTE_ST_428_1" }
/// SMPTE ST 2084: PQ.
public var kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString { "SMPTE_ST_2084_PQ" }
/// BT.2100: hybrid log-gamma.
public var kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString { "ITU_R_2100_HLG" }
/// No curve.
public var kCVImageBufferTransferFunction_Linear: CFString { "Linear" }
/// sRGB.
public var kCVImageBufferTransferFunction_sRGB: CFString { "IEC_sRGB" }
/// BT.709.
public var kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString { "ITU_R_709_2" }
/// BT.601.
public var kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString { "ITU_R_601_4" }
/// SMPTE 240M.
public var kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString { "SMPTE_240M_1995" }
/// BT.2020.
public var kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString { "ITU_R_2020" }
/// Fields follow each other, the top one first.
public var kCVImageBufferFieldDetailTemporalTopFirst: CFString { "TemporalTopFirst" }
/// Fields follow each other, the bottom one first.
public var kCVImageBufferFieldDetailTemporalBottomFirst: CFString { "TemporalBottomFirst" }
/// Lines alternate, the first one of the earlier field.
public var kCVImageBufferFieldDetailSpatialFirstLineEarly: CFString { "SpatialFirstLineEarly" }
/// Lines alternate, the first one of the later field.
public var kCVImageBufferFieldDetailSpatialFirstLineLate: CFString { "SpatialFirstLineLate" }
/// Level with luma at the left.
public var kCVImageBufferChromaLocation_Left: CFString { "Left" }
/// In the middle.
public var kCVImageBufferChromaLocation_Center: CFString { "Center" }
/// On the luma sample at the top left.
public var kCVImageBufferChromaLocation_TopLeft: CFString { "TopLeft" }
/// At the top, between two.
public var kCVImageBufferChromaLocation_Top: CFString { "Top" }
/// On the luma sample at the bottom left.
public var kCVImageBufferChromaLocation_BottomLeft: CFString { "BottomLeft" }
/// At the bottom, between two.
public var kCVImageBufferChromaLocation_Bottom: CFString { "Bottom" }
/// As DV has it.
public var kCVImageBufferChromaLocation_DV420: CFString { "DV 4:2:0" }
/// A quarter of the samples.
public var kCVImageBufferChromaSubsampling_420: CFString { "4:2:0" }
/// Half of the samples.
public var kCVImageBufferChromaSubsampling_422: CFString { "4:2:2" }
/// A quarter of the samples, all in rows.
public var kCVImageBufferChromaSubsampling_411: CFString { "4:1:1" }
/// Colours are as they are.
public var kCVImageBufferAlphaChannelMode_StraightAlpha: CFString { "StraightAlpha" }
/// Colours are multiplied by alpha.
public var kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString { "PremultipliedAlpha" }
