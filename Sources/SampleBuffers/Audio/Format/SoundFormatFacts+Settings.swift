internal import Foundation
internal import MediaCore

extension SoundFormatFacts {
    /// The facts that settings state.
    ///
    /// - Throws: What is missing or wrong.
    init(settings: [String: Any]) throws(PCMSettingsError) {
        let values = SettingValues(settings)
        guard let format = try values.formatID() else { throw PCMSettingsError(missing: AVFormatIDKey) }
        guard let rate = try values.sampleRate() else { throw PCMSettingsError(missing: AVSampleRateKey) }
        let layout = try values.channelLayout()
        guard let channels = try values.channelCount(layout) else {
            throw PCMSettingsError(missing: AVNumberOfChannelsKey)
        }
        let stream =
            format == kAudioFormatLinearPCM
            ? try PCMLayout(settings: settings).streamDescription(sampleRate: rate, channels: channels)
            : AudioStreamBasicDescription(compressed: format, sampleRate: rate, channels: UInt32(clamping: channels))
        guard let facts = Self(checking: stream, layout) else { throw PCMSettingsError(missing: AVChannelLayoutKey) }
        self = facts
    }

    /// The format by the keys of settings.
    var settings: [String: Any] {
        // Numbers as objects: clients cast them to whatever number they like, as on Apple's platforms.
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: stream.mFormatID), AVSampleRateKey: NSNumber(value: stream.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: stream.mChannelsPerFrame),
        ]
        if stream.isPCM {
            func flag(_ flag: AudioFormatFlags) -> NSNumber { NSNumber(value: stream.mFormatFlags & flag != 0) }
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: stream.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = flag(kAudioFormatFlagIsFloat)
            settings[AVLinearPCMIsBigEndianKey] = flag(kAudioFormatFlagIsBigEndian)
            settings[AVLinearPCMIsNonInterleaved] = flag(kAudioFormatFlagIsNonInterleaved)
        }
        if let layout { settings[AVChannelLayoutKey] = Data(layout.arrangement.bytes) }
        return settings
    }
}

extension AudioStreamBasicDescription {
    /// Compressed sound, with the size of its packets where the coding alone says it.
    init(compressed format: AudioFormatID, sampleRate: Double, channels: UInt32) {
        self.init()
        (mSampleRate, mFormatID, mChannelsPerFrame) = (sampleRate, format, channels)
        switch format {
        case kAudioFormatULaw, kAudioFormatALaw:
            (mBitsPerChannel, mFramesPerPacket, mBytesPerFrame, mBytesPerPacket) = (8, 1, channels, channels)
        case kAudioFormatAppleIMA4:
            let (bytes, tooMany) = channels.multipliedReportingOverflow(by: 34)
            (mFramesPerPacket, mBytesPerPacket) = (64, tooMany ? 0 : bytes)
        default:
            mFramesPerPacket = Self.framesPerPacket[format] ?? 0
        }
    }

    /// The frames of a packet as the standards of the codings have them, Apple Lossless as its encoder makes it.
    private static let framesPerPacket: [AudioFormatID: UInt32] = [
        kAudioFormatMPEG4AAC: 1024, kAudioFormatMPEG4AAC_HE: 2048, kAudioFormatMPEG4AAC_HE_V2: 2048,
        kAudioFormatMPEG4AAC_LD: 512, kAudioFormatMPEG4AAC_ELD: 512, kAudioFormatAppleLossless: 4096,
        kAudioFormatMPEGLayer1: 384, kAudioFormatMPEGLayer2: 1152, kAudioFormatMPEGLayer3: 1152,
        kAudioFormatAC3: 1536, kAudioFormatEnhancedAC3: 1536,
    ]
}
