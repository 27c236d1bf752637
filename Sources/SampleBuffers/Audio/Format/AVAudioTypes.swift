/// A number of frames: one sample of each channel.
public typealias AVAudioFrameCount = UInt32
/// A place in sound, in frames from a zero that the context has.
public typealias AVAudioFramePosition = Int64
/// A number of packets: the smallest pieces of coded sound that can be decoded.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
