/// How sound is coded, with the size of its packets.
///
/// A frame is one sample of each channel, a packet the smallest number of frames that can be decoded.
public struct AudioStreamBasicDescription: Hashable, Sendable {
    /// Frames for each second; 0 if unknown.
    public var mSampleRate: Double
    /// The coding: `kAudioFormatMPEG4AAC`.
    public var mFormatID: AudioFormatID
    /// What is special about the coding, 0 for nothing.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes of a packet; 0 where packets differ.
    public var mBytesPerPacket: UInt32
    /// Frames of a packet; 0 where packets differ.
    public var mFramesPerPacket: UInt32
    /// Bytes of a frame; 0 for compressed sound.
    public var mBytesPerFrame: UInt32
    /// How many channels there are.
    public var mChannelsPerFrame: UInt32
    /// Bits of a sample of one channel; 0 for compressed sound.
    public var mBitsPerChannel: UInt32
    /// Zero.
    public var mReserved: UInt32

    /// A description of zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// A description of its fields.
    public init(
        mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        (self.mSampleRate, self.mFormatID, self.mFormatFlags) = (mSampleRate, mFormatID, mFormatFlags)
        (self.mBytesPerPacket, self.mFramesPerPacket) = (mBytesPerPacket, mFramesPerPacket)
        (self.mBytesPerFrame, self.mChannelsPerFrame) = (mBytesPerFrame, mChannelsPerFrame)
        (self.mBitsPerChannel, self.mReserved) = (mBitsPerChannel, mReserved)
    }
}

/// Where a packet of coded sound lies, and how many frames it has.
public struct AudioStreamPacketDescription: Hashable, Sendable {
    /// Bytes from the start of the buffer to the packet.
    public var mStartOffset: Int64
    /// Frames of the packet; 0 where all packets have the number that the format says.
    public var mVariableFramesInPacket: UInt32
    /// Bytes of the packet.
    public var mDataByteSize: UInt32

    /// A description of zeros.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// A description of its fields.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        (self.mStartOffset, self.mVariableFramesInPacket) = (mStartOffset, mVariableFramesInPacket)
        self.mDataByteSize = mDataByteSize
    }
}

/// One of the ways in which sound can be decoded.
public struct AudioFormatListItem: Sendable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The arrangement of the channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag

    /// An item of its fields.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        (self.mASBD, self.mChannelLayoutTag) = (mASBD, mChannelLayoutTag)
    }
}

/// What coding sound has: one of Core Audio's four-character codes.
public typealias AudioFormatID = UInt32
/// What is special about a coding; the meaning depends on the format.
public typealias AudioFormatFlags = UInt32

/// Samples that are not compressed, `lpcm`.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// Dolby Digital, `ac-3`.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// Dolby Digital in IEC 60958 frames, `cac3`.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// Apple's form of IMA's 4:1 ADPCM, `ima4`.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// AAC of low complexity, `aac `.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// MPEG-4 CELP speech, `celp`.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6C70
/// MPEG-4 HVXC speech, `hvxc`.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// MPEG-4 TwinVQ, `twvq`.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// MACE 3:1, `MAC3`.
public let kAudioFormatMACE3: AudioFormatID = 0x4D41_4333
/// MACE 6:1, `MAC6`.
public let kAudioFormatMACE6: AudioFormatID = 0x4D41_4336
/// µ-law 2:1, `ulaw`.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law 2:1, `alaw`.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// QDesign music, `QDMC`.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4D43
/// QDesign 2 music, `QDM2`.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4D32
/// Qualcomm PureVoice, `Qclp`.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6C70
/// MPEG layer 1, `.mp1`.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// MPEG layer 2, `.mp2`.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// MPEG layer 3, `.mp3`.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Sample times, `time`.
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6D65
/// MIDI packets, `midi`.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D69_6469
/// Values of an audio unit's parameters, `apvs`.
public let kAudioFormatParameterValueStream: AudioFormatID = 0x6170_7673
/// Apple Lossless, `alac`.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// High-efficiency AAC, `aach`.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// AAC of low delay, `aacl`.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636C
/// AAC of enhanced low delay, `aace`.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// AAC of enhanced low delay, with spectral band replication, `aacf`.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// AAC of enhanced low delay, version 2, `aacg`.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// High-efficiency AAC, version 2, `aacp`.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// MPEG-4 spatial audio, `aacs`.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// Unified speech and audio coding, `usac`.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// Adaptive multi-rate speech, `samr`.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72
/// Adaptive multi-rate wideband speech, `sawb`.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audible's audio books, `AUDB`.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// Internet low bit-rate speech, `ilbc`.
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// DVI and Intel IMA ADPCM.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D73_0011
/// Microsoft's GSM 6.10.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D73_0031
/// AES3 as SMPTE 302M has it, `aes3`.
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Dolby Digital Plus, `ec-3`.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// FLAC, `flac`.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus, `opus`.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// Apple Positional Audio Codec, `apac`.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163

/// Numbers are floating-point ones.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The highest byte comes first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Numbers are whole and signed.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// Bits of a number fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Bits of a number lie in the high part of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The format can be mixed with no other.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// No flag is set, said in so many words.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 1 << 31
/// The order of bytes of this machine.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Floating-point numbers of this machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
/// What Core Audio once called its canonical format.
public let kAudioFormatFlagsCanonical: AudioFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
/// Numbers are floating-point ones.
public let kLinearPCMFormatFlagIsFloat: AudioFormatFlags = kAudioFormatFlagIsFloat
/// The highest byte comes first.
public let kLinearPCMFormatFlagIsBigEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
/// Numbers are whole and signed.
public let kLinearPCMFormatFlagIsSignedInteger: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
/// Bits of a number fill its bytes.
public let kLinearPCMFormatFlagIsPacked: AudioFormatFlags = kAudioFormatFlagIsPacked
/// Bits of a number lie in the high part of its bytes.
public let kLinearPCMFormatFlagIsAlignedHigh: AudioFormatFlags = kAudioFormatFlagIsAlignedHigh
/// Each channel has a buffer of its own.
public let kLinearPCMFormatFlagIsNonInterleaved: AudioFormatFlags = kAudioFormatFlagIsNonInterleaved
/// The format can be mixed with no other.
public let kLinearPCMFormatFlagIsNonMixable: AudioFormatFlags = kAudioFormatFlagIsNonMixable
/// The source has 16 bits.
public let kAppleLosslessFormatFlag_16BitSourceData: AudioFormatFlags = 1
/// The source has 20 bits.
public let kAppleLosslessFormatFlag_20BitSourceData: AudioFormatFlags = 2
/// The source has 24 bits.
public let kAppleLosslessFormatFlag_24BitSourceData: AudioFormatFlags = 3
/// The source has 32 bits.
public let kAppleLosslessFormatFlag_32BitSourceData: AudioFormatFlags = 4

/// The sound side of a format description, which lends its facts as C's functions do.
final class SoundFormat: @unchecked Sendable {
    // @unchecked Sendable: the memory is written once, before anybody else knows of it.

    let streamDescription: AudioStreamBasicDescription
    let channelLayout: ManagedAudioChannelLayout?
    /// What a decoder is set up with; empty for nothing.
    let magicCookie: [UInt8]
    private let streamMemory: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let layoutMemory: UnsafeMutablePointer<AudioChannelLayout>?

    init(
        _ streamDescription: AudioStreamBasicDescription, channelLayout: ManagedAudioChannelLayout?,
        magicCookie: [UInt8] = []
    ) {
        (self.streamDescription, self.channelLayout) = (streamDescription, channelLayout)
        self.magicCookie = magicCookie
        streamMemory = .allocate(capacity: 1)
        streamMemory.initialize(to: streamDescription)
        layoutMemory = channelLayout.map { layout in
            let memory = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
            memory.initialize(to: layout.plain)
            return memory
        }
    }

    deinit {
        streamMemory.deallocate()
        layoutMemory?.deallocate()
    }

    /// The description in memory that lasts as long as this object.
    var streamPointer: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(streamMemory) }
    /// The layout in memory that lasts as long as this object.
    var layoutPointer: UnsafePointer<AudioChannelLayout>? { layoutMemory.map { UnsafePointer($0) } }
}
