internal import Foundation
internal import MediaCore

/// What a format says, with the memory that it lends.
struct SoundFormatFacts: Sendable {
    /// The format in C's form.
    let stream: AudioStreamBasicDescription
    /// The same in memory.
    private let streamBytes: LentBytes
    /// Which channels there are.
    let layout: AVAudioChannelLayout?
    /// The same as a description.
    let formatDescription: CMAudioFormatDescription

    /// Facts that need not make sense, but for the rate.
    init(_ stated: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        var stream = stated
        // A rate that is no number would make formats differ from themselves.
        if !stream.mSampleRate.isFinite || stream.mSampleRate < 0 { stream.mSampleRate = 0 }
        (self.stream, self.layout) = (stream, layout)
        streamBytes = .of(withUnsafeBytes(of: stream) { [UInt8]($0) })
        formatDescription = CMFormatDescription(
            mediaType: .audio, mediaSubType: CMFormatDescription.MediaSubType(rawValue: stream.mFormatID),
            dimensions: CMVideoDimensions(width: 0, height: 0), extensions: [:], streamDescription: stream,
            channelLayout: layout?.arrangement.managed)
    }

    /// The format in memory.
    var streamPointer: UnsafePointer<AudioStreamBasicDescription> {
        streamBytes.start.assumingMemoryBound(to: AudioStreamBasicDescription.self)
    }

    /// Facts that make sense.
    ///
    /// - Returns: `nil` for no channels, more than two without a layout, a layout of another number, or a rate that is
    ///   below 0 or no number.
    init?(checking stream: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        let channels = stream.mChannelsPerFrame
        guard channels > 0, stream.mSampleRate.isFinite, stream.mSampleRate >= 0 else { return nil }
        if let layout {
            guard layout.arrangement.channelCount == channels else { return nil }
        } else {
            guard channels <= 2 else { return nil }
        }
        self.init(stream, layout)
    }

    /// The facts of a description, without channels if it is of no sound.
    init(_ description: CMAudioFormatDescription) {
        let stream = description.audioStreamBasicDescription ?? AudioStreamBasicDescription()
        let arrangement = description.audioChannelLayout.map { ChannelArrangement($0) }
        // Descriptions of files may have a layout that says nothing.
        let layout = arrangement.flatMap { arrangement in
            arrangement.channelCount == stream.mChannelsPerFrame ? AVAudioChannelLayout(arrangement) : nil
        }
        self.init(stream, layout)
    }
}

extension SoundFormatFacts {
    /// What formats are compared by.
    struct Meaning: Hashable {
        let stream: AudioStreamBasicDescription
        let arrangement: ChannelArrangement?
    }

    /// What formats are compared by: differences that change no sample are left out.
    var meaning: Meaning {
        var plain = stream
        if plain.mFormatFlags == kAudioFormatFlagsAreAllClear { plain.mFormatFlags = 0 }
        if plain.isPCM {
            if plain.mChannelsPerFrame == 1 { plain.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
            if let bytes = plain.sampleByteCount, plain.mBitsPerChannel % 8 == 0, plain.mBitsPerChannel / 8 == bytes {
                plain.mFormatFlags &= ~(kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh)
            }
        }
        plain.mReserved = 0
        let isUsual = layout?.arrangement.isUsual ?? true
        return Meaning(stream: plain, arrangement: isUsual ? nil : layout?.arrangement)
    }

    /// The format in words.
    var words: String {
        let samples =
            switch stream.commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat where stream.isPCM: "\(stream.mBitsPerChannel) bits"
            case .otherFormat: "'\(stream.mFormatID.characters)'"
            }
        let rate = Int(exactly: stream.mSampleRate).map { "\($0)" } ?? "\(stream.mSampleRate)"
        let words = "\(stream.mChannelsPerFrame) ch, \(rate) Hz, \(samples)"
        guard stream.isPCM, stream.mChannelsPerFrame > 1 else { return words }
        return words + (stream.isInterleaved ? ", interleaved" : ", deinterleaved")
    }
}

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

extension AudioStreamBasicDescription {
    /// Samples that are not compressed, packed, whole numbers with a sign.
    ///
    /// - Parameter channels: So many that the bytes of a frame are no number of 32 bits give frames of 0 bytes, of
    ///   which nobody can make buffers.
    init(
        sampleRate: Double, channels: UInt32, bits: UInt32, isFloat: Bool, isBigEndian: Bool = false,
        isInterleaved: Bool
    ) {
        self.init()
        (mSampleRate, mFormatID) = (sampleRate, kAudioFormatLinearPCM)
        mFormatFlags = kAudioFormatFlagIsPacked
        mFormatFlags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if isBigEndian { mFormatFlags |= kAudioFormatFlagIsBigEndian }
        if !isInterleaved { mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
        (mChannelsPerFrame, mBitsPerChannel, mFramesPerPacket) = (channels, bits, 1)
        let (bytes, tooMany) = (bits / 8).multipliedReportingOverflow(by: isInterleaved ? channels : 1)
        mBytesPerFrame = tooMany ? 0 : bytes
        mBytesPerPacket = mBytesPerFrame
    }

    /// Samples of one of the usual kinds.
    init(_ format: AVAudioCommonFormat, sampleRate: Double, channels: UInt32, isInterleaved: Bool) {
        self.init(
            sampleRate: sampleRate, channels: channels, bits: format.bits, isFloat: format.isFloat,
            isInterleaved: isInterleaved)
    }

    /// Whether samples are not compressed.
    var isPCM: Bool { mFormatID == kAudioFormatLinearPCM }

    /// Whether the channels lie in one buffer, a frame after the other.
    var isInterleaved: Bool { isPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// Buffers that the channels lie in.
    var planeCount: UInt32 { isPCM && !isInterleaved ? mChannelsPerFrame : 1 }

    /// Channels in a buffer.
    var channelsPerPlane: UInt32 { isPCM && !isInterleaved ? 1 : mChannelsPerFrame }

    /// Bytes of a sample, if samples fill frames exactly; otherwise `nil`.
    var sampleByteCount: UInt32? {
        guard isPCM, channelsPerPlane > 0, mBytesPerFrame > 0, mBytesPerFrame % channelsPerPlane == 0 else {
            return nil
        }
        return mBytesPerFrame / channelsPerPlane
    }

    /// Which of the usual kinds the samples are.
    var commonFormat: AVAudioCommonFormat {
        guard let bytes = sampleByteCount, mBitsPerChannel / 8 == bytes, mBitsPerChannel % 8 == 0,
            mFormatFlags & kAudioFormatFlagIsBigEndian == kAudioFormatFlagsNativeEndian & kAudioFormatFlagIsBigEndian,
            mFormatFlags & Self.fractionBits == 0
        else { return .otherFormat }
        let isFloat = mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isSigned = mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        switch mBitsPerChannel {
        case 32 where isFloat: return .pcmFormatFloat32
        case 64 where isFloat: return .pcmFormatFloat64
        case 16 where !isFloat && isSigned: return .pcmFormatInt16
        case 32 where !isFloat && isSigned: return .pcmFormatInt32
        default: return .otherFormat
        }
    }

    /// The flags that say how many bits of a fixed-point number come after its point.
    private static let fractionBits: AudioFormatFlags = 0x3F << 7
}
