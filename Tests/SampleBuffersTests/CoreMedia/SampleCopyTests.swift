import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Copies of sample buffers, whole and in parts.
struct SampleCopyTests {
    @Test func `A copy of a sample buffer shares the data and has the attachments that propagate`() throws {
        let buffer = try samples([2, 3])
        buffer.attachments["goes"] = .shouldPropagate(1)
        buffer.attachments["stays"] = .shouldNotPropagate(2)
        buffer.sampleAttachments[1][.notSync] = true
        try buffer.setOutputPresentationTimeStamp(time(7, 1))
        let copy = try CMSampleBuffer(copying: buffer)
        #expect(copy != buffer)
        #expect(copy.dataBuffer == buffer.dataBuffer)
        #expect(copy.attachments["goes"]?.value as? Int == 1)
        #expect(copy.attachments["stays"] == nil)
        #expect(copy.outputPresentationTimeStamp == time(7, 1))
        #expect(copy.sampleAttachments[1][.notSync] as? Bool == true)
        copy.sampleAttachments[1][.notSync] = false
        #expect(buffer.sampleAttachments[1][.notSync] as? Bool == true)
    }

    @Test func `A copy of a sample buffer with other times calculates its output anew`() throws {
        let buffer = try samples([2, 3])
        try buffer.setOutputPresentationTimeStamp(time(7, 1))
        let copy = try CMSampleBuffer(copying: buffer, withNewTiming: [timing(time(5, 1), time(1, 2))])
        #expect(copy.presentationTimeStamp == time(5, 1))
        #expect(copy.duration == time(1, 1))
        #expect(copy.outputPresentationTimeStamp == time(5, 1))
        #expect(copy.totalSampleSize == 5)
        let three = Array(repeating: timing(.zero, time(1, 1)), count: 3)
        #expect(
            code { _ = try CMSampleBuffer(copying: buffer, withNewTiming: three) }
                == kCMSampleBufferError_InvalidEntryCount)
        var made: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateCopyWithNewTiming(
                allocator: nil, sampleBuffer: buffer, sampleTimingEntryCount: 1, sampleTimingArray: nil,
                sampleBufferOut: &made) == kCMSampleBufferError_RequiredParameterMissing)
        let none = try CMSampleBuffer(copying: buffer, withNewTiming: [])
        #expect(!none.presentationTimeStamp.isValid)
    }

    @Test func `A range of a sample buffer has its samples' bytes, times, sizes and attachments`() throws {
        let buffer = try samples([2, 3, 4])
        buffer.sampleAttachments[1][.dependsOnOthers] = true
        var made: CMSampleBuffer?
        #expect(
            CMSampleBufferCopySampleBufferForRange(
                allocator: nil, sampleBuffer: buffer, sampleRange: CFRangeMake(1, 2), sampleBufferOut: &made) == 0)
        let part = try #require(made)
        #expect(try part.dataBuffer?.dataBytes() == Data([2, 3, 4, 5, 6, 7, 8]))
        #expect(try part.sampleSizes() == [3, 4])
        #expect(part.presentationTimeStamp == time(11, 10))
        #expect(part.duration == time(2, 10))
        #expect(part.sampleAttachments[0][.dependsOnOthers] as? Bool == true)
        #expect(part.sampleAttachments[1][.dependsOnOthers] == nil)
    }

    @Test func `Ranges beyond a sample buffer are refused`() throws {
        let buffer = try samples([2, 3, 4])
        func copied(_ location: Int, _ length: Int) -> OSStatus {
            var made: CMSampleBuffer?
            return CMSampleBufferCopySampleBufferForRange(
                allocator: nil, sampleBuffer: buffer, sampleRange: CFRange(location: location, length: length),
                sampleBufferOut: &made)
        }
        for (location, length) in [(-1, 2), (2, 2), (0, 4), (1, .max), (.max, 1), (.min, -1), (0, -1)] {
            #expect(copied(location, length) == kCMSampleBufferError_SampleIndexOutOfRange)
        }
        #expect(copied(0, 3) == 0)
    }

    @Test func `Samples of unknown sizes cannot be separated`() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: try block([1, 2]), formatDescription: nil, numSamples: 2,
            sampleTimings: [timing(.zero, time(1, 1))], sampleSizes: [])
        #expect(
            code { _ = try CMSampleBuffer(copying: buffer, forRange: 0..<1) } == kCMSampleBufferError_CannotSubdivide)
        #expect(code { _ = try buffer.singleSampleBuffers() } == kCMSampleBufferError_CannotSubdivide)
        #expect(try CMSampleBuffer(copying: buffer, forRange: 0..<2).numSamples == 2)
        let one = try CMSampleBuffer(
            imageBuffer: try picture(), formatDescription: .init(imageBuffer: try picture()),
            sampleTiming: timing(.zero, time(1, 1)))
        #expect(Array(try one.singleSampleBuffers()).count == 1)
    }

    @Test func `Sample sizes beyond the data fail where they are used`() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: try block([1, 2, 3]), formatDescription: nil, numSamples: 2, sampleTimings: [],
            sampleSizes: [2, 2])
        #expect(try CMSampleBuffer(copying: buffer, forRange: 0..<1).totalSampleSize == 2)
        #expect(
            code { _ = try CMSampleBuffer(copying: buffer, forRange: 1..<2) } == kCMBlockBufferBadLengthParameterErr)
        #expect(Array(try buffer.singleSampleBuffers()).count == 1)
    }

    @Test func `Samples are visited one after another, until the block stops`() throws {
        let buffer = try samples([2, 3, 4])
        var starts: [CMTime] = []
        let status = CMSampleBufferCallBlockForEachSample(buffer) { sample, index in
            #expect(sample.numSamples == 1)
            #expect(sample.totalSampleSize == index + 2)
            starts.append(sample.presentationTimeStamp)
            return index == 1 ? -9 : 0
        }
        #expect(status == -9)
        #expect(starts == [time(10, 10), time(11, 10)])
        #expect(try buffer.singleSampleBuffers().map(\.totalSampleSize) == [2, 3, 4])
        var reference = 0
        let all = CMSampleBufferCallForEachSample(
            buffer,
            callback: { _, _, reference in
                reference?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, refcon: &reference)
        #expect(all == 0)
        #expect(reference == 3)
    }

    /// AAC's usual priming of 2112 frames in packets of 1024: two packets and 64 frames of the third.
    @Test func `A trim is divided among the samples that it falls into`() throws {
        let packets = try CMSampleBuffer(
            packet: try block(Array(0..<8)), format: try aac(), count: 4,
            timings: [timing(.zero, time(1024, 44100))], sizes: [2], trimAtStart: time(2112, 44100),
            trimAtEnd: time(1000, 44100))
        let singles = Array(try packets.singleSampleBuffers())
        #expect(singles.map(\.outputDuration) == [.zero, .zero, time(960, 44100), time(24, 44100)])
        #expect(singles[2].outputPresentationTimeStamp == time(2112, 44100))
        #expect(singles[3].outputPresentationTimeStamp == time(3072, 44100))
        #expect(singles[3].attachments[.trimDurationAtStart] == nil)
        #expect(singles[0].attachments[.trimDurationAtEnd] == nil)
        let sum = singles.reduce(CMTime.zero) { $0 + $1.outputDuration }
        #expect(sum == packets.outputDuration)
        #expect(sum == time(4096 - 2112 - 1000, 44100))
    }
}
