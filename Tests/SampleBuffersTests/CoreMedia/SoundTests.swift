import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Packets of coded sound.
struct SoundTests {
    private func made(
        _ format: CMFormatDescription, _ count: Int, _ packets: [AudioStreamPacketDescription]?,
        start: CMTime = .zero, bytes: Int = 100
    ) throws -> (OSStatus, CMSampleBuffer?) {
        var made: CMSampleBuffer?
        let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: try CMBlockBuffer(length: bytes), formatDescription: format, sampleCount: count,
            presentationTimeStamp: start, packetDescriptions: packets, sampleBufferOut: &made)
        return (status, made)
    }

    private func packets(_ sizes: [UInt32], frames: [UInt32]? = nil) -> [AudioStreamPacketDescription] {
        var start: Int64 = 0
        return sizes.enumerated().map { index, size in
            defer { start += Int64(size) }
            return AudioStreamPacketDescription(
                mStartOffset: start, mVariableFramesInPacket: frames?[index] ?? 0, mDataByteSize: size)
        }
    }

    @Test func `Packets of AAC have their sizes and follow one another`() throws {
        let buffer = try #require(try made(try aac(), 3, packets([20, 30, 25]), start: time(5, 1)).1)
        #expect(try buffer.sampleSizes() == [20, 30, 25])
        #expect(buffer.duration == time(3072, 44100))
        #expect(try buffer.sampleTimingInfos().count == 1)
        // 5 + 2048/44100
        #expect(try buffer.sampleTimingInfo(at: 2).presentationTimeStamp == time(222548, 44100))
        #expect(try buffer.audioStreamPacketDescriptions() == packets([20, 30, 25]))
    }

    @Test func `Packets of different lengths have times of their own`() throws {
        let described = packets([20, 30, 25], frames: [1024, 512, 1024])
        let buffer = try #require(try made(try aac(framesPerPacket: 0), 3, described).1)
        #expect(
            try buffer.sampleTimingInfos().map(\.presentationTimeStamp) == [
                .zero, time(1024, 44100), time(1536, 44100),
            ])
        #expect(buffer.duration == time(2560, 44100))
        #expect(try buffer.audioStreamPacketDescriptions() == described)
    }

    @Test func `Frames of linear PCM need no packet descriptions, and have none`() throws {
        let buffer = try #require(try made(try pcm(channels: 2), 10, nil, start: time(1, 1)).1)
        #expect(buffer.duration == time(10, 48000))
        #expect(try buffer.sampleSizes() == [8])
        #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
        let planar = try #require(try made(try pcm(channels: 2, planar: true), 10, nil).1)
        #expect(code { _ = try planar.sampleSizes() } == kCMSampleBufferError_BufferHasNoSampleSizes)
        #expect(try planar.audioStreamPacketDescriptions().isEmpty)
        #expect(
            code { _ = try CMSampleBuffer(copying: planar, forRange: 0..<1) } == kCMSampleBufferError_CannotSubdivide)
    }

    @Test func `Sample rates that are no integers are rounded finely`() throws {
        let buffer = try #require(try made(try pcm(rate: 44100.5, channels: 1), 2, nil).1)
        #expect(abs(buffer.duration.seconds - 2 / 44100.5) < 1e-8)
    }

    @Test func `Impossible audio sample buffers are refused`() throws {
        let video = try CMFormatDescription(imageBuffer: try picture())
        #expect(try made(video, 1, nil).0 == kCMSampleBufferError_InvalidMediaTypeForOperation)
        #expect(try made(try aac(), 0, packets([1])).0 == kCMSampleBufferError_RequiredParameterMissing)
        #expect(try made(try aac(), -1, packets([1])).0 == kCMSampleBufferError_RequiredParameterMissing)
        #expect(try made(try aac(), 1, nil).0 == kCMSampleBufferError_InvalidMediaFormat)
        #expect(
            try made(try aac(framesPerPacket: 0), 1, packets([1])).0 == kCMSampleBufferError_InvalidMediaFormat)
        #expect(
            try made(try pcm(rate: 0, channels: 1), 1, nil).0 == kCMSampleBufferError_InvalidMediaFormat)
        #expect(
            try made(try aac(), 1, packets([1]), start: .invalid).0 == kCMSampleBufferError_SampleTimingInfoInvalid)
        #expect(
            try made(try aac(), 1, packets([1]), start: .positiveInfinity).0
                == kCMSampleBufferError_SampleTimingInfoInvalid)
        for offset: Int64 in [1, -1, .max, .min] {
            let apart = [
                AudioStreamPacketDescription(mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: 5)
            ]
            #expect(try made(try aac(), 1, apart).0 == kCMSampleBufferError_InvalidSampleData)
        }
        #expect(
            code {
                _ = try CMSampleBuffer(
                    dataBuffer: try block([1]), formatDescription: try aac(), numSamples: 2,
                    presentationTimeStamp: .zero, packetDescriptions: packets([1]))
            } == kCMSampleBufferError_InvalidEntryCount)
    }

    @Test func `Packet descriptions are lent in memory that stays`() throws {
        let buffer = try #require(try made(try aac(), 2, packets([20, 30])).1)
        var (first, second):
            (UnsafePointer<AudioStreamPacketDescription>?, UnsafePointer<AudioStreamPacketDescription>?)
        var size = 0
        #expect(
            CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
                buffer, packetDescriptionsPointerOut: &first, sizeOut: &size) == 0)
        #expect(size == 32)
        #expect(first?[1].mStartOffset == 20)
        CMSampleBufferGetAudioStreamPacketDescriptionsPtr(buffer, packetDescriptionsPointerOut: &second, sizeOut: nil)
        #expect(first == second)
        CMSampleBufferInvalidate(buffer)
        #expect(first?[1].mDataByteSize == 30)
        var copy = [AudioStreamPacketDescription](repeating: .init(), count: 2)
        let other = try #require(try made(try aac(), 2, packets([20, 30])).1)
        #expect(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                other, allocatedSize: 31, packetDescriptionsOut: &copy, packetDescriptionsSizeNeededOut: &size)
                == kCMSampleBufferError_ArrayTooSmall)
        #expect(size == 32)
        #expect(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                other, allocatedSize: 32, packetDescriptionsOut: &copy, packetDescriptionsSizeNeededOut: nil) == 0)
        #expect(copy == packets([20, 30]))
    }

    @Test func `Frames have no audio packets`() throws {
        let buffer = CMSampleBuffer(
            image: try picture(), format: try CMFormatDescription(imageBuffer: try picture()),
            timing: timing(.zero, time(1, 1)))
        #expect(
            code { _ = try buffer.audioStreamPacketDescriptions() }
                == kCMSampleBufferError_InvalidMediaTypeForOperation)
        #expect(
            code { try buffer.withAudioBufferList { _, _ in } } == kCMSampleBufferError_InvalidMediaTypeForOperation)
    }
}
