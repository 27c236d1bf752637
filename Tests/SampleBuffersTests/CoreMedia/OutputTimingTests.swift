import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Samples that are trimmed, played at another speed, or backwards.
struct OutputTimingTests {
    /// Ten samples of a tenth of a second, from 2 to 3 seconds, decoded a fifth of a second before they are shown.
    private let buffer: CMSampleBuffer

    init() throws {
        buffer = try CMSampleBuffer(
            dataBuffer: try CMBlockBuffer(length: 10), formatDescription: nil, numSamples: 10,
            sampleTimings: [timing(time(20, 10), time(1, 10), decode: time(18, 10))], sampleSizes: [1])
    }

    private func trim(_ start: CMTime, _ end: CMTime? = nil) throws {
        let first = try #require(CMTimeCopyAsDictionary(start, allocator: nil))
        buffer.attachments[.trimDurationAtStart] = .shouldPropagate(first)
        guard let end else { return }
        let last = try #require(CMTimeCopyAsDictionary(end, allocator: nil))
        CMSetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd, value: last as CFDictionary,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }

    @Test func `Output times without attachments are those of the samples`() throws {
        #expect(buffer.outputDuration == time(1, 1))
        #expect(buffer.outputPresentationTimeStamp == time(2, 1))
        #expect(buffer.outputDecodeTimeStamp == time(18, 10))
        #expect(try buffer.outputSampleTimingInfos().count == 1)
    }

    @Test func `An output time that is set is used until it is removed`() throws {
        try buffer.setOutputPresentationTimeStamp(time(100, 1))
        #expect(buffer.outputPresentationTimeStamp == time(100, 1))
        #expect(buffer.outputDecodeTimeStamp == time(998, 10))
        #expect(try buffer.outputSampleTimingInfos().first?.presentationTimeStamp == time(100, 1))
        #expect(buffer.presentationTimeStamp == time(2, 1))
        try buffer.setOutputPresentationTimeStamp(.invalid)
        #expect(buffer.outputPresentationTimeStamp == time(2, 1))
    }

    @Test func `Trims shorten the output and move its start`() throws {
        try trim(time(15, 100), time(1, 20))
        #expect(buffer.outputDuration == time(80, 100))
        #expect(buffer.outputPresentationTimeStamp == time(215, 100))
        let infos = try buffer.outputSampleTimingInfos()
        #expect(infos.count == 10)
        #expect(infos[0].duration == .zero)
        #expect(infos[1].duration == time(5, 100))
        #expect(infos[1].presentationTimeStamp == time(215, 100))
        #expect(infos[2].presentationTimeStamp == time(220, 100))
        #expect(infos[9].duration == time(5, 100))
        #expect(infos.reduce(CMTime.zero) { $0 + $1.duration } == buffer.outputDuration)
    }

    @Test func `A speed multiplier divides output times`() throws {
        buffer.attachments[.speedMultiplier] = .shouldPropagate(2)
        #expect(buffer.outputDuration == time(1, 2))
        #expect(buffer.outputPresentationTimeStamp == time(2, 1))
        #expect(buffer.outputDecodeTimeStamp == time(19, 10))
        let info = try #require(try buffer.outputSampleTimingInfos().first)
        #expect(info.duration == time(1, 20))
        buffer.attachments[.speedMultiplier] = .shouldPropagate(0.25)
        #expect(buffer.outputDuration == time(4, 1))
        buffer.attachments[.speedMultiplier] = .shouldPropagate(1.5)
        #expect(buffer.outputDuration == time(2, 3))
        #expect(!buffer.outputDuration.hasBeenRounded)
    }

    @Test(arguments: [0.0, -1, .infinity, .nan])
    func `Impossible speed multipliers leave no valid output times`(_ speed: Double) {
        buffer.attachments[.speedMultiplier] = .shouldPropagate(speed)
        #expect(!buffer.outputDuration.isValid)
    }

    @Test func `A reversed output begins with the last sample`() throws {
        try trim(time(1, 10), time(2, 10))
        buffer.attachments[.reverse] = .shouldPropagate(true)
        #expect(buffer.outputPresentationTimeStamp == time(28, 10))
        #expect(buffer.outputDuration == time(7, 10))
        try buffer.setOutputPresentationTimeStamp(.zero)
        let infos = try buffer.outputSampleTimingInfos()
        #expect(infos[7].presentationTimeStamp == .zero)
        #expect(infos[6].presentationTimeStamp == time(1, 10))
        #expect(infos[1].presentationTimeStamp == time(6, 10))
        #expect(infos[0].duration == .zero)
        #expect(infos[9].duration == .zero)
    }

    @Test func `Malformed attachments do not change output times`() {
        buffer.attachments[.trimDurationAtStart] = .shouldPropagate("much")
        buffer.attachments[.trimDurationAtEnd] = .shouldPropagate(["value": 1])
        buffer.attachments[.speedMultiplier] = .shouldPropagate("fast")
        buffer.attachments[.reverse] = .shouldPropagate([1])
        #expect(buffer.outputDuration == time(1, 1))
        #expect(buffer.outputPresentationTimeStamp == time(2, 1))
    }
}
