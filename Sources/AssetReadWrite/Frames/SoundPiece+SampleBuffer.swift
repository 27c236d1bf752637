internal import Foundation
public import MediaCore
package import SampleBuffers

extension SoundPiece {
    /// A piece of sound that a program has made.
    ///
    /// - Parameters:
    ///   - channels: The samples of each channel, all as many; at least one.
    ///   - sampleRate: Samples in a second, above zero.
    ///   - time: Of its first sample.
    /// - Returns: `nil` for no channels, or unequal ones, or a rate that is none.
    public init?(channels: [[Float]], sampleRate: Int, time: CMTime) {
        guard let first = channels.first, !first.isEmpty, channels.allSatisfy({ $0.count == first.count }),
            (1...10_000_000).contains(sampleRate)
        else { return nil }
        self.init(
            time: time, sampleRate: sampleRate, sampleCount: first.count, channelCount: channels.count,
            samples: channels.flatMap { $0 })
    }

    /// The sound as a sample buffer, the channels after each other.
    package func sampleBuffer(at time: CMTime) throws -> CMSampleBuffer {
        let stream = AudioStreamBasicDescription(
            mSampleRate: Double(sampleRate), mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
            mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: 32, mReserved: 0)
        let format = CMFormatDescription(
            mediaType: .audio, mediaSubType: .linearPCM, dimensions: CMVideoDimensions(width: 0, height: 0),
            extensions: [:], streamDescription: stream)
        let block = try samples.withUnsafeBytes { bytes in try CMBlockBuffer(copying: bytes) }
        return try CMSampleBuffer(
            packet: block, format: format, count: sampleCount,
            timings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: CMTimeScale(clamping: sampleRate)),
                    presentationTimeStamp: time, decodeTimeStamp: .invalid)
            ], sizes: [4 * channelCount])
    }
}
