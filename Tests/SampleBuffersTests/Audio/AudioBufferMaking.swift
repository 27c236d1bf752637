import Foundation
import SampleBuffers
import Testing

/// A format of one or two channels that has to come about for a test to make sense.
func format(
    _ kind: AVAudioCommonFormat = .pcmFormatFloat32, rate: Double = 48000, channels: UInt32 = 2,
    interleaved: Bool = false
) throws -> AVAudioFormat {
    try #require(
        AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved))
}

/// A buffer that has to come about for a test to make sense.
func buffer(_ format: AVAudioFormat, frames: UInt32 = 100) throws -> AVAudioPCMBuffer {
    try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames))
}

/// A layout of a tag that has to come about for a test to make sense.
func layout(_ tag: AudioChannelLayoutTag) throws -> AVAudioChannelLayout {
    try #require(AVAudioChannelLayout(layoutTag: tag))
}

/// A stream description as Core Audio's headers define its fields.
func stream(
    rate: Double = 48000, id: AudioFormatID = kAudioFormatLinearPCM, flags: AudioFormatFlags, bytesPerFrame: UInt32,
    channels: UInt32, bits: UInt32
) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1,
        mBytesPerFrame: bytesPerFrame, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
}

/// The bytes of C's `AudioChannelLayout`: three words, and for each label one description.
func layoutBytes(tag: UInt32, bitmap: UInt32 = 0, labels: [UInt32] = []) -> Data {
    var words = [tag, bitmap, UInt32(labels.count)]
    for label in labels { words += [label, 0, 0, 0, 0] }
    return words.withUnsafeBytes { Data($0) }
}

/// A layout of C's bytes.
func layout(bytes: Data) -> AVAudioChannelLayout {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { memory.deallocate() }
    bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
    return AVAudioChannelLayout(layout: memory.bindMemory(to: AudioChannelLayout.self, capacity: 1))
}
