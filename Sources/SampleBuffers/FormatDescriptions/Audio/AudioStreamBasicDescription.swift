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
