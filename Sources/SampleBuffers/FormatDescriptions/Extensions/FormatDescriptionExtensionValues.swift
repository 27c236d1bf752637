public import Foundation
public import MediaCore

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
