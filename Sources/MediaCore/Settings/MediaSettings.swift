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

// Keys of the settings for sound and their values, as they are on Apple's platforms.

/// How sound is coded: an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Samples for each second: a number.
public let AVSampleRateKey = "AVSampleRateKey"
/// How many channels: a number.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The arrangement of the channels: the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// Bits of a sample, 8, 16, 24 or 32: a number.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether the highest byte comes first: true or false.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating-point numbers: true or false.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a buffer of its own: true or false.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The kind of file: an `AudioFileTypeID`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// Bits for each second: a number.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits for each second and channel: a number.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// Whether bits may vary over time: one of the strategies.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits of a sample of the source: a number.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// How good: the number of an `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// How good at a variable rate: the number of an `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"
/// How the sample rate is changed: one of the algorithms.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// How well the sample rate is changed: the number of an `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// The same at all times.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// The same on average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// As the sound needs, within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// As the sound needs.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
/// The usual algorithm.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The algorithm for mastering.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The algorithm of minimum phase.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// How pictures are coded, in settings: a four-character code as text.
public struct AVVideoCodecType: BridgedToNSString, Hashable, Sendable {
    /// The code, such as `avc1`.
    public let rawValue: String
    /// Makes a type of its code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// H.264: `avc1`.
    public static let h264 = AVVideoCodecType(rawValue: "avc1")
    /// HEVC: `hvc1`.
    public static let hevc = AVVideoCodecType(rawValue: "hvc1")
    /// HEVC with alpha: `muxa`.
    public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
    /// JPEG: `jpeg`.
    public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
    /// JPEG XL: `jxlc`.
    public static let JPEGXL = AVVideoCodecType(rawValue: "jxlc")
    /// ProRes 4444: `ap4h`.
    public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
    /// ProRes 4444 XQ: `ap4x`.
    public static let proRes4444XQ = AVVideoCodecType(rawValue: "ap4x")
    /// ProRes 422: `apcn`.
    public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
    /// ProRes 422 HQ: `apch`.
    public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
    /// ProRes 422 LT: `apcs`.
    public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
    /// ProRes 422 Proxy: `apco`.
    public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
    /// ProRes RAW: `aprn`.
    public static let proResRAW = AVVideoCodecType(rawValue: "aprn")
    /// ProRes RAW HQ: `aprh`.
    public static let proResRAWHQ = AVVideoCodecType(rawValue: "aprh")
}

/// How good sound is to be coded or converted.
public enum AVAudioQuality: Int, Sendable {
    /// As bad as it gets.
    case min = 0
    /// Low.
    case low = 0x20
    /// Medium.
    case medium = 0x40
    /// High.
    case high = 0x60
    /// As good as it gets.
    case max = 0x7F
}
