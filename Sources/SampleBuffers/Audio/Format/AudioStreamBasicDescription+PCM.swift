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
