// Keys of the settings for pictures and their values, as they are on Apple's platforms.

/// How pictures are coded: an `AVVideoCodecType`, or its text.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Pixels in each row: a number.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Rows of pixels: a number.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// The shape of a pixel: a dictionary.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// The share of a pixel's width: a number.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
/// The share of a pixel's height: a number.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The part that is meant to be seen: a dictionary.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
/// The width of the aperture in pixels: a number.
public let AVVideoCleanApertureWidthKey = "Width"
/// The height of the aperture in pixels: a number.
public let AVVideoCleanApertureHeightKey = "Height"
/// How far the aperture's middle lies right of the picture's: a number.
public let AVVideoCleanApertureHorizontalOffsetKey = "HorizontalOffset"
/// How far the aperture's middle lies below the picture's: a number.
public let AVVideoCleanApertureVerticalOffsetKey = "VerticalOffset"
/// How pictures of another shape are fitted: one of the scaling modes.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// Crop to the clean aperture and scale down to fit; nothing is enlarged.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// Stretch to the size.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Keep the shape, with bars.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// Keep the shape, and crop.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
/// Colour tags: a dictionary of the three keys for them.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"
/// The red, green, blue and white points.
public let AVVideoColorPrimariesKey = "ColorPrimaries"
/// BT.709.
public let AVVideoColorPrimaries_ITU_R_709_2 = "ITU_R_709_2"
/// EBU 3213: PAL.
public let AVVideoColorPrimaries_EBU_3213 = "EBU_3213"
/// SMPTE C: NTSC.
public let AVVideoColorPrimaries_SMPTE_C = "SMPTE_C"
/// Display P3.
public let AVVideoColorPrimaries_P3_D65 = "P3_D65"
/// BT.2020.
public let AVVideoColorPrimaries_ITU_R_2020 = "ITU_R_2020"
/// The curve from light to code.
public let AVVideoTransferFunctionKey = "TransferFunction"
/// BT.709.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"
/// SMPTE 240M.
public let AVVideoTransferFunction_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// SMPTE ST 2084: PQ.
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ = "SMPTE_ST_2084_PQ"
/// BT.2100: hybrid log-gamma.
public let AVVideoTransferFunction_ITU_R_2100_HLG = "ITU_R_2100_HLG"
/// No curve.
public let AVVideoTransferFunction_Linear = "Linear"
/// sRGB.
public let AVVideoTransferFunction_IEC_sRGB = "IEC_sRGB"
/// The matrix between YCbCr and RGB.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"
/// BT.709.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"
/// BT.601.
public let AVVideoYCbCrMatrix_ITU_R_601_4 = "ITU_R_601_4"
/// SMPTE 240M.
public let AVVideoYCbCrMatrix_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// BT.2020.
public let AVVideoYCbCrMatrix_ITU_R_2020 = "ITU_R_2020"
/// Whether colours beyond BT.709 may be used: true or false.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// What the encoder is asked for: a dictionary of the keys that follow.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// Bits for each second: a number.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// Quality from 0 to 1: a number.
public let AVVideoQualityKey = "Quality"
/// Frames from one sync sample to the next at most: a number.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// Seconds from one sync sample to the next at most: a number.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// Whether frames may be coded in another order: true or false.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// Frames for each second that will come: a number.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
/// Frames for each second that others depend on: a number.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"
/// How H.264 codes its symbols.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
/// By variable-length codes.
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
/// By arithmetic codes.
public let AVVideoH264EntropyModeCABAC = "CABAC"
/// The profile and level.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// H.264 Baseline, level 3.
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"
/// H.264 Baseline, level 3.1.
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"
/// H.264 Baseline, level 4.1.
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"
/// H.264 Baseline, the level that fits.
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
/// H.264 Main, level 3.
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"
/// H.264 Main, level 3.1.
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"
/// H.264 Main, level 3.2.
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"
/// H.264 Main, level 4.1.
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"
/// H.264 Main, the level that fits.
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
/// H.264 High, level 4.
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"
/// H.264 High, level 4.1.
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"
/// H.264 High, the level that fits.
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
