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
