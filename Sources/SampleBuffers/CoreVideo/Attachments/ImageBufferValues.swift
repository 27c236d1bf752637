public import Foundation
public import MediaCore

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
