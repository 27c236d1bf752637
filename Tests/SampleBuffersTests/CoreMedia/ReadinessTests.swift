import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Data that is there later, and buffers that are made invalid.
struct ReadinessTests {
    private func unready(_ handler: CMSampleBufferMakeDataReadyHandler? = nil) throws -> CMSampleBuffer {
        var made: CMSampleBuffer?
        var size = 3
        CMSampleBufferCreateWithMakeDataReadyHandler(nil, nil, false, nil, 1, 0, nil, 1, &size, &made, handler)
        return try #require(made)
    }

    @Test func `Data of a sample buffer comes once and is ready when that is set`() throws {
        let buffer = try unready()
        #expect(!CMSampleBufferDataIsReady(buffer))
        #expect(buffer.dataReadiness == .notReady)
        #expect(CMSampleBufferSetDataBuffer(buffer, newValue: try block([1, 2, 3])) == 0)
        #expect(!CMSampleBufferDataIsReady(buffer))
        #expect(
            CMSampleBufferSetDataBuffer(buffer, newValue: try block([4])) == kCMSampleBufferError_AlreadyHasDataBuffer)
        #expect(CMSampleBufferSetDataReady(buffer) == 0)
        #expect(buffer.dataReadiness == .ready)
        #expect(try buffer.dataBuffer?.dataBytes() == Data([1, 2, 3]))
    }

    @Test func `A handler makes data ready, once`() throws {
        let calls = Count()
        let buffer = try unready { buffer in
            calls.add()
            try? buffer.setDataBuffer(block([1, 2, 3]))
            return noErr
        }
        #expect(CMSampleBufferMakeDataReady(buffer) == 0)
        #expect(CMSampleBufferMakeDataReady(buffer) == 0)
        #expect(calls.now == 1)
        #expect(CMSampleBufferDataIsReady(buffer))
    }

    @Test func `A callback that makes data ready is given its reference`() throws {
        var (made, reference, size): (CMSampleBuffer?, Int, Int) = (nil, 41, 1)
        try withUnsafeMutablePointer(to: &reference) { reference in
            CMSampleBufferCreate(
                allocator: nil, dataBuffer: try block([1]), dataReady: false,
                makeDataReadyCallback: { _, reference in
                    reference?.assumingMemoryBound(to: Int.self).pointee += 1
                    return noErr
                }, refcon: reference, formatDescription: nil, sampleCount: 1, sampleTimingEntryCount: 0,
                sampleTimingArray: nil, sampleSizeEntryCount: 1, sampleSizeArray: &size, sampleBufferOut: &made)
            #expect(CMSampleBufferMakeDataReady(try #require(made)) == 0)
        }
        #expect(reference == 42)
    }

    @Test func `Data without a handler, or with one that fails, does not become ready`() throws {
        #expect(CMSampleBufferMakeDataReady(try unready()) == kCMSampleBufferError_BufferNotReady)
        #expect(CMSampleBufferMakeDataReady(try unready { _ in -1 }) == kCMSampleBufferError_BufferNotReady)
    }

    @Test func `Data that failed stays failed, data that is ready stays ready`() throws {
        let buffer = try unready { _ in noErr }
        var reason: OSStatus = 0
        #expect(!CMSampleBufferHasDataFailed(buffer, statusOut: &reason))
        #expect(CMSampleBufferSetDataFailed(buffer, status: -5) == 0)
        #expect(CMSampleBufferHasDataFailed(buffer, statusOut: &reason))
        #expect(reason == -5)
        #expect(buffer.dataReadiness == .failed(-5))
        #expect(CMSampleBufferSetDataReady(buffer) == kCMSampleBufferError_DataFailed)
        #expect(CMSampleBufferMakeDataReady(buffer) == kCMSampleBufferError_DataFailed)
        let ready = try samples([1])
        #expect(CMSampleBufferSetDataFailed(ready, status: -5) == 0)
        #expect(ready.dataReadiness == .ready)
        #expect(code { try ready.setDataReadiness(.notReady) } == kCMSampleBufferError_BufferNotReady)
    }

    @Test func `A sample buffer that tracks another is ready when that one is`() throws {
        let calls = Count()
        let source = try unready { _ in
            calls.add()
            return noErr
        }
        let (first, second) = (try unready(), try unready())
        try first.trackDataReadiness(source)
        try second.trackDataReadiness(first)
        #expect(!CMSampleBufferDataIsReady(second))
        #expect(CMSampleBufferMakeDataReady(second) == 0)
        #expect(calls.now == 1)
        #expect(CMSampleBufferDataIsReady(first))
        #expect(source.dataReadiness == .ready)
    }

    @Test func `Sample buffers do not wait for each other in circles`() throws {
        let (first, second, third) = (try unready(), try unready(), try unready())
        try first.trackDataReadiness(second)
        try second.trackDataReadiness(third)
        #expect(
            CMSampleBufferTrackDataReadiness(third, sampleBufferToTrack: first)
                == kCMSampleBufferError_RequiredParameterMissing)
        #expect(
            CMSampleBufferTrackDataReadiness(third, sampleBufferToTrack: third)
                == kCMSampleBufferError_RequiredParameterMissing)
    }

    @Test func `A copy of a sample buffer that is not ready waits for it`() throws {
        let buffer = try unready { _ in noErr }
        let copy = try CMSampleBuffer(copying: buffer)
        #expect(!CMSampleBufferDataIsReady(copy))
        #expect(CMSampleBufferSetDataReady(buffer) == 0)
        #expect(CMSampleBufferDataIsReady(copy))
    }

    @Test func `An invalid sample buffer gives nothing and releases its data`() throws {
        let released = Count()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 3, alignment: 1)
        defer { bytes.deallocate() }
        let buffer = try CMSampleBuffer(
            packet: CMBlockBuffer(adopting: UnsafeRawBufferPointer(start: bytes, count: 3)) { released.add() },
            format: try aac(), timings: [timing(.zero, time(1, 1))], sizes: [3])
        var seen: Bool?
        let calls = Count()
        try buffer.setInvalidateHandler { _ in Issue.record("replaced") }
        CMSampleBufferSetInvalidateCallback(
            buffer,
            callback: { buffer, reference in
                seen = CMSampleBufferIsValid(buffer)
                #expect(reference == 9)
                calls.add()
            }, refcon: 9)
        #expect(released.now == 0)
        #expect(CMSampleBufferInvalidate(buffer) == 0)
        #expect(seen == false)
        #expect(released.now == 1)
        #expect(CMSampleBufferInvalidate(buffer) == 0)
        #expect(calls.now == 1)
        #expect(!buffer.isValid && buffer.dataBuffer == nil && buffer.formatDescription == nil)
        #expect(buffer.numSamples == 0 && buffer.totalSampleSize == 0 && buffer.sampleSize(at: 0) == 0)
        #expect(!buffer.duration.isValid && !buffer.presentationTimeStamp.isValid && !buffer.decodeTimeStamp.isValid)
        #expect(!buffer.outputDuration.isValid && !buffer.outputPresentationTimeStamp.isValid)
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true) == nil)
        #expect(!CMSampleBufferDataIsReady(buffer))
        let gone = kCMSampleBufferError_Invalidated
        #expect(code { _ = try buffer.sampleTimingInfos() } == gone)
        #expect(code { _ = try buffer.sampleTimingInfo(at: 0) } == gone)
        #expect(code { _ = try buffer.sampleSizes() } == gone)
        #expect(code { _ = try buffer.audioStreamPacketDescriptions() } == gone)
        #expect(code { _ = try CMSampleBuffer(copying: buffer) } == gone)
        #expect(code { try buffer.setOutputPresentationTimeStamp(.zero) } == gone)
        #expect(code { try buffer.makeDataReady() } == gone)
        #expect(CMSampleBufferSetDataReady(buffer) == gone)
        #expect(CMSampleBufferCallBlockForEachSample(buffer) { _, _ in 0 } == gone)
        #expect(CMSampleBufferSetInvalidateHandler(buffer) { _ in } == gone)
    }

    @Test func `A sample buffer that is released calls no invalidation handler`() throws {
        try samples([1]).setInvalidateHandler { _ in Issue.record("called") }
    }

    @Test func `Data set on many threads is set once`() async throws {
        let buffer = try unready()
        let set = Count()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                group.addTask {
                    guard let data = try? block([UInt8(index)]) else { return }
                    if CMSampleBufferSetDataBuffer(buffer, newValue: data) == 0 { set.add() }
                }
            }
        }
        #expect(set.now == 1)
    }
}
