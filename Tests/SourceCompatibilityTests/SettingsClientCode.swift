// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// Settings of a writer, as exporters make them.
struct WriterSettings {
    var size: CGSize
    var bitRate: Int
    var frameRate: Int
    var codec: AVVideoCodecType = .h264
    var isHDR = false

    var video: [String: Any] {
        var compression: [String: Any] = [
            AVVideoAverageBitRateKey: bitRate,
            AVVideoMaxKeyFrameIntervalKey: frameRate * 2,
            AVVideoExpectedSourceFrameRateKey: frameRate,
            AVVideoAllowFrameReorderingKey: true,
        ]
        if codec == .h264 {
            compression[AVVideoProfileLevelKey] = AVVideoProfileLevelH264HighAutoLevel
            compression[AVVideoH264EntropyModeKey] = AVVideoH264EntropyModeCABAC
        }
        return [
            AVVideoCodecKey: codec,
            AVVideoWidthKey: NSNumber(value: Float(size.width)),
            AVVideoHeightKey: NSNumber(value: Float(size.height)),
            AVVideoScalingModeKey: AVVideoScalingModeResizeAspectFill,
            AVVideoCompressionPropertiesKey: compression,
            AVVideoColorPropertiesKey: [
                AVVideoColorPrimariesKey: isHDR ? AVVideoColorPrimaries_ITU_R_2020 : AVVideoColorPrimaries_ITU_R_709_2,
                AVVideoTransferFunctionKey: isHDR
                    ? AVVideoTransferFunction_ITU_R_2100_HLG : AVVideoTransferFunction_ITU_R_709_2,
                AVVideoYCbCrMatrixKey: isHDR ? AVVideoYCbCrMatrix_ITU_R_2020 : AVVideoYCbCrMatrix_ITU_R_709_2,
            ],
            AVVideoPixelAspectRatioKey: [
                AVVideoPixelAspectRatioHorizontalSpacingKey: 1, AVVideoPixelAspectRatioVerticalSpacingKey: 1,
            ],
            AVVideoCleanApertureKey: [
                AVVideoCleanApertureWidthKey: size.width, AVVideoCleanApertureHeightKey: size.height,
                AVVideoCleanApertureHorizontalOffsetKey: 0, AVVideoCleanApertureVerticalOffsetKey: 0,
            ],
        ]
    }

    static func aac(channels: Int, sampleRate: Double) -> [String: Any] {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = channels == 1 ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo
        return [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC),
            AVNumberOfChannelsKey: channels,
            AVSampleRateKey: sampleRate,
            AVEncoderBitRateKey: 128_000,
            AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_VariableConstrained,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
            AVChannelLayoutKey: Data(bytes: &layout, count: MemoryLayout<AudioChannelLayout>.size),
        ]
    }

    static let samples: [String: any Sendable] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
        AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
    ]
}

/// Copies the colours of a track into the settings of a writer.
func colorProperties(of format: CMFormatDescription) -> [String: String]? {
    let pairs: [(String, CFString)] = [
        (AVVideoColorPrimariesKey, kCMFormatDescriptionExtension_ColorPrimaries),
        (AVVideoTransferFunctionKey, kCMFormatDescriptionExtension_TransferFunction),
        (AVVideoYCbCrMatrixKey, kCMFormatDescriptionExtension_YCbCrMatrix),
    ]
    var properties: [String: String] = [:]
    for (key, extensionKey) in pairs {
        properties[key] = CMFormatDescriptionGetExtension(format, extensionKey: extensionKey) as? String
    }
    return properties.count == pairs.count ? properties : nil
}
