internal import MediaCore
internal import SampleBuffers

/// The sound side of a track.
public struct AudioDescription: Sendable {
    /// Samples for each second, of one channel.
    public var sampleRate: Int
    /// How many channels there are.
    public var channels: Int
    /// The channels' meaning by FFmpeg's name, such as `stereo`; `nil` if it is not known.
    public var channelLayout: String?
    /// How many bits of a sample the source uses; `nil` if unknown, or for coding that has none.
    package var bitsPerSample: Int?
    /// How many frames a packet holds; `nil` where packets differ, or unknown.
    var framesPerPacket: Int?
}

extension AudioStreamBasicDescription {
    /// How a track's sound is coded.
    init(_ sound: AudioDescription, codec: Codec, format: AudioFormatID) {
        self.init()
        mSampleRate = Double(max(0, sound.sampleRate))
        mFormatID = format
        mChannelsPerFrame = UInt32(clamping: sound.channels)
        if format == kAudioFormatLinearPCM {
            setLinear(sound, codec: codec)
        } else {
            setCompressed(sound, format: format)
        }
    }

    private mutating func setLinear(_ sound: AudioDescription, codec: Codec) {
        let bits = UInt32(clamping: sound.bitsPerSample ?? 0)
        let name = codec.rawValue
        let coding = name.hasPrefix("pcm_") ? name.dropFirst(4) : ""
        if coding.hasPrefix("f") {
            mFormatFlags = kAudioFormatFlagIsFloat
        } else if coding.hasPrefix("s") {
            mFormatFlags = kAudioFormatFlagIsSignedInteger
        }
        if coding.hasSuffix("be") || coding.hasSuffix("be_planar") { mFormatFlags |= kAudioFormatFlagIsBigEndian }
        if bits.isMultiple(of: 8), bits > 0 { mFormatFlags |= kAudioFormatFlagIsPacked }
        mBitsPerChannel = bits
        mBytesPerFrame = (bits + 7) / 8 * mChannelsPerFrame
        (mBytesPerPacket, mFramesPerPacket) = (mBytesPerFrame, 1)
    }

    private mutating func setCompressed(_ sound: AudioDescription, format: AudioFormatID) {
        switch format {
        case kAudioFormatULaw, kAudioFormatALaw:
            (mBitsPerChannel, mFramesPerPacket) = (8, 1)
            (mBytesPerFrame, mBytesPerPacket) = (mChannelsPerFrame, mChannelsPerFrame)
        case kAudioFormatAppleIMA4:
            (mFramesPerPacket, mBytesPerPacket) = (64, 34 * mChannelsPerFrame)
        default:
            mFramesPerPacket = UInt32(clamping: sound.framesPerPacket ?? 0)
        }
        if format == kAudioFormatAppleLossless || format == kAudioFormatFLAC {
            mFormatFlags = Self.sourceFlags[sound.bitsPerSample ?? 0] ?? 0
        }
    }

    private static let sourceFlags = [
        16: kAppleLosslessFormatFlag_16BitSourceData, 20: kAppleLosslessFormatFlag_20BitSourceData,
        24: kAppleLosslessFormatFlag_24BitSourceData, 32: kAppleLosslessFormatFlag_32BitSourceData,
    ]
}

extension ManagedAudioChannelLayout {
    /// The arrangement in which the coding has the channels; `nil` if it is not known.
    init?(_ sound: AudioDescription, codec: Codec) {
        guard let name = sound.channelLayout else { return nil }
        let ofCodec =
            switch codec {
            case .aac, .aacLATM: Self.layoutsOfAAC[name]
            case .ac3, .eac3: Self.layoutsOfAC3[name]
            case .alac: Self.layoutsOfALAC[name]
            default: nil as AudioChannelLayoutTag?
            }
        guard let tag = ofCodec ?? Self.layouts[name], tag & 0xFFFF == sound.channels else { return nil }
        self.init(tag: tag)
    }

    /// In WAVE's order, by FFmpeg's names.
    private static let layouts: [String: AudioChannelLayoutTag] = [
        "mono": kAudioChannelLayoutTag_Mono, "stereo": kAudioChannelLayoutTag_Stereo,
        "binaural": kAudioChannelLayoutTag_Binaural, "2.1": kAudioChannelLayoutTag_WAVE_2_1,
        "3.0": kAudioChannelLayoutTag_WAVE_3_0, "3.0(back)": kAudioChannelLayoutTag_ITU_2_1,
        "4.0": kAudioChannelLayoutTag_MPEG_4_0_A, "quad": kAudioChannelLayoutTag_WAVE_4_0_B,
        "quad(side)": kAudioChannelLayoutTag_WAVE_4_0_A, "3.1": kAudioChannelLayoutTag_DVD_10,
        "4.1": kAudioChannelLayoutTag_DVD_11, "5.0": kAudioChannelLayoutTag_WAVE_5_0_B,
        "5.0(side)": kAudioChannelLayoutTag_WAVE_5_0_A, "5.1": kAudioChannelLayoutTag_WAVE_5_1_B,
        "5.1(side)": kAudioChannelLayoutTag_WAVE_5_1_A, "6.1": kAudioChannelLayoutTag_WAVE_6_1,
        "7.1": kAudioChannelLayoutTag_WAVE_7_1,
    ]
    /// Source: ISO/IEC 14496-3, channel configurations: the centre comes first.
    private static let layoutsOfAAC: [String: AudioChannelLayoutTag] = [
        "3.0": kAudioChannelLayoutTag_AAC_3_0, "4.0": kAudioChannelLayoutTag_AAC_4_0,
        "5.0": kAudioChannelLayoutTag_AAC_5_0, "5.0(side)": kAudioChannelLayoutTag_AAC_5_0,
        "5.1": kAudioChannelLayoutTag_AAC_5_1, "5.1(side)": kAudioChannelLayoutTag_AAC_5_1,
        "6.1": kAudioChannelLayoutTag_AAC_6_1, "6.1(back)": kAudioChannelLayoutTag_AAC_6_1,
        "7.1": kAudioChannelLayoutTag_AAC_7_1_B, "7.1(wide)": kAudioChannelLayoutTag_AAC_7_1,
    ]
    /// Source: ETSI TS 102 366, audio coding modes: left, centre, right, the low frequencies last.
    private static let layoutsOfAC3: [String: AudioChannelLayoutTag] = [
        "3.0": kAudioChannelLayoutTag_AC3_3_0, "4.0": kAudioChannelLayoutTag_AC3_3_1,
        "5.0": kAudioChannelLayoutTag_MPEG_5_0_C, "5.0(side)": kAudioChannelLayoutTag_MPEG_5_0_C,
        "5.1": kAudioChannelLayoutTag_MPEG_5_1_C, "5.1(side)": kAudioChannelLayoutTag_MPEG_5_1_C,
    ]
    /// Source: Apple Lossless' reference implementation, channel layout tags: MPEG's with the centre first.
    private static let layoutsOfALAC: [String: AudioChannelLayoutTag] = [
        "3.0": kAudioChannelLayoutTag_MPEG_3_0_B, "4.0": kAudioChannelLayoutTag_MPEG_4_0_B,
        "5.0": kAudioChannelLayoutTag_MPEG_5_0_D, "5.1": kAudioChannelLayoutTag_MPEG_5_1_D,
        "6.1(back)": kAudioChannelLayoutTag_AAC_6_1, "7.1(wide)": kAudioChannelLayoutTag_MPEG_7_1_B,
    ]
}
