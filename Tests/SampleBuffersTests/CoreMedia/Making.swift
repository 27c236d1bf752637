import Foundation
import MediaCore
import SampleBuffers
import Synchronization
import Testing

/// How often something happened, on whatever thread.
final class Count: Sendable {
    private let value = Mutex(0)
    var now: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

/// A time of so many ticks.
func time(_ value: Int64, _ timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// Times of a sample.
func timing(_ start: CMTime, _ duration: CMTime, decode: CMTime = .invalid) -> CMSampleTimingInfo {
    CMSampleTimingInfo(duration: duration, presentationTimeStamp: start, decodeTimeStamp: decode)
}

/// A block buffer of several pieces, each with the bytes of a list.
func block(_ pieces: [UInt8]...) throws -> CMBlockBuffer {
    let buffer = try CMBlockBuffer()
    for piece in pieces { try buffer.append(bufferReference: try CMBlockBuffer(copying: piece)) }
    return buffer
}

/// A format of linear PCM of 32-bit numbers.
func pcm(rate: Double = 48000, channels: UInt32, planar: Bool = false) throws -> CMFormatDescription {
    let frame = planar ? 4 : 4 * channels
    var stream = AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
            | (planar ? kAudioFormatFlagIsNonInterleaved : 0),
        mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels,
        mBitsPerChannel: 32, mReserved: 0)
    return try sound(&stream)
}

/// A format of AAC: packets of 1024 frames unless said otherwise, of different sizes.
func aac(framesPerPacket: UInt32 = 1024) throws -> CMFormatDescription {
    var stream = AudioStreamBasicDescription(
        mSampleRate: 44100, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: framesPerPacket, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    return try sound(&stream)
}

private func sound(_ stream: inout AudioStreamBasicDescription) throws -> CMFormatDescription {
    var made: CMAudioFormatDescription?
    _ = CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
        extensions: nil, formatDescriptionOut: &made)
    return try #require(made)
}

/// A pixel buffer of 64 × 48 pixels.
func picture(_ width: Int = 64, _ height: Int = 48) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
    return try #require(made)
}

/// Samples of sizes that are shown one after another, a tenth of a second each, from a second on.
func samples(_ sizes: [Int], format: CMFormatDescription? = nil) throws -> CMSampleBuffer {
    let bytes = (0..<sizes.reduce(0, +)).map { UInt8($0 % 251) }
    return try CMSampleBuffer(
        dataBuffer: try block(bytes), formatDescription: format, numSamples: sizes.count,
        sampleTimings: [timing(time(10, 10), time(1, 10))], sampleSizes: sizes)
}

/// The code of the error that a body throws, in the domain of status codes; 0 if it throws none.
func code(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return 0
    } catch let error as NSError {
        return error.domain == NSOSStatusErrorDomain ? OSStatus(error.code) : 1
    }
}
