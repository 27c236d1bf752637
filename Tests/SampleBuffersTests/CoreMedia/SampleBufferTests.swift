import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What sample buffers say of their samples.
struct SampleBufferTests {
    /// Core Media's own example of frames out of order: P2 B0 B1 I5 B3 B4 of H.264.
    private static let reordered = [
        (12012, 10010), (10010, 11011), (11011, 12012), (15015, 13013), (13013, 14014), (14014, 15015),
    ].map { timing(time($0, 30000), time(1001, 30000), decode: time($1, 30000)) }
    private static let sizes = [10580, 1234, 1364, 75660, 1012, 988]

    private func reordered() throws -> CMSampleBuffer {
        try CMSampleBuffer(
            dataBuffer: try CMBlockBuffer(length: 90838), formatDescription: nil, numSamples: 6,
            sampleTimings: Self.reordered, sampleSizes: Self.sizes)
    }

    @Test func `A sample buffer of reordered frames starts with the earliest and lasts for the sum`() throws {
        let buffer = try reordered()
        #expect(buffer.numSamples == 6)
        #expect(buffer.presentationTimeStamp == time(10010, 30000))
        #expect(buffer.presentationTimeStamp.timescale == 30000)
        #expect(buffer.decodeTimeStamp == time(10010, 30000))
        #expect(buffer.duration == time(6006, 30000))
        #expect(buffer.totalSampleSize == 90838)
        #expect(buffer.sampleSize(at: 3) == 75660)
        #expect(try buffer.sampleTimingInfo(at: 3).presentationTimeStamp == time(15015, 30000))
        #expect(try buffer.sampleTimingInfos().count == 6)
        #expect(try buffer.sampleSizes() == Self.sizes)
    }

    @Test func `One time stands for all frames of linear PCM, exactly`() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: try CMBlockBuffer(length: 192000), formatDescription: try pcm(channels: 2),
            numSamples: 24000, sampleTimings: [timing(time(1, 3), time(1, 48000))], sampleSizes: [8])
        #expect(buffer.duration == time(1, 2))
        #expect(buffer.presentationTimeStamp == time(1, 3))
        #expect(!buffer.decodeTimeStamp.isValid)
        #expect(try buffer.sampleTimingInfo(at: 0).presentationTimeStamp == time(1, 3))
        // 1/3 + 23999/48000 is 39999/48000.
        let last = try buffer.sampleTimingInfo(at: 23999)
        #expect(last.presentationTimeStamp == time(39999, 48000))
        #expect(!last.presentationTimeStamp.hasBeenRounded)
        #expect(last.duration == time(1, 48000))
        #expect(!last.decodeTimeStamp.isValid)
        #expect(buffer.totalSampleSize == 192000)
        #expect(buffer.sampleSize(at: 23999) == 8)
        #expect(try buffer.sampleTimingInfos().count == 1)
        #expect(try buffer.sampleSizes() == [8])
    }

    @Test func `Samples beyond a 32-bit number are counted in time`() throws {
        let count = 5_000_000_000
        let buffer = try CMSampleBuffer(
            dataBuffer: try CMBlockBuffer(length: count), formatDescription: nil, numSamples: count,
            sampleTimings: [timing(.zero, time(1, 1000), decode: time(1, 1))], sampleSizes: [1])
        #expect(buffer.duration == time(5_000_000, 1))
        let last = try buffer.sampleTimingInfo(at: count - 1)
        #expect(last.presentationTimeStamp == time(4_999_999_999, 1000))
        #expect(last.decodeTimeStamp == time(5_000_000_999, 1000))
    }

    @Test func `Samples beyond the count have no time and no size`() throws {
        let buffer = try reordered()
        for index in [-1, 6, .max, .min] {
            #expect(code { _ = try buffer.sampleTimingInfo(at: index) } == kCMSampleBufferError_SampleIndexOutOfRange)
            #expect(buffer.sampleSize(at: index) == 0)
        }
    }

    @Test func `Unknown times and sizes of samples are errors, or invalid`() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: try block([1]), formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: [])
        #expect(!buffer.duration.isValid)
        #expect(!buffer.presentationTimeStamp.isValid)
        #expect(!buffer.outputPresentationTimeStamp.isValid)
        #expect(buffer.totalSampleSize == 0)
        #expect(buffer.formatDescription == nil)
        #expect(code { _ = try buffer.sampleTimingInfos() } == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        #expect(code { _ = try buffer.outputSampleTimingInfos() } == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        #expect(code { _ = try buffer.sampleTimingInfo(at: 0) } == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        #expect(code { _ = try buffer.sampleSizes() } == kCMSampleBufferError_BufferHasNoSampleSizes)
        var needed = 7
        #expect(
            CMSampleBufferGetSampleSizeArray(buffer, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed)
                == kCMSampleBufferError_BufferHasNoSampleSizes)
        #expect(needed == 0)
    }

    @Test func `A sample of unknown duration leaves the sum unknown`() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: try block([1, 2]), formatDescription: nil, numSamples: 2,
            sampleTimings: [timing(time(2, 1), .invalid), timing(time(1, 1), time(1, 1))], sampleSizes: [1])
        #expect(!buffer.duration.isValid)
        #expect(buffer.presentationTimeStamp == time(1, 1))
    }

    @Test func `Entries of times and sizes are none, one or as many as samples`() throws {
        func made(_ count: Int, _ timings: Int, _ sizes: Int) -> OSStatus {
            code {
                _ = try CMSampleBuffer(
                    dataBuffer: try block([1, 2, 3]), formatDescription: nil, numSamples: count,
                    sampleTimings: Array(repeating: timing(.zero, time(1, 1)), count: timings),
                    sampleSizes: Array(repeating: 1, count: sizes))
            }
        }
        #expect(made(3, 0, 0) == 0)
        #expect(made(3, 1, 1) == 0)
        #expect(made(3, 3, 3) == 0)
        #expect(made(0, 1, 1) == 0)
        #expect(made(3, 2, 1) == kCMSampleBufferError_InvalidEntryCount)
        #expect(made(3, 1, 4) == kCMSampleBufferError_InvalidEntryCount)
        #expect(made(-1, 0, 0) == kCMSampleBufferError_InvalidEntryCount)
        #expect(made(.min, 1, 1) == kCMSampleBufferError_InvalidEntryCount)
    }

    @Test func `Sample sizes below zero and beyond counting are refused`() throws {
        func made(_ count: Int, _ sizes: [Int]) -> OSStatus {
            code {
                _ = try CMSampleBuffer(
                    dataBuffer: try block([1]), formatDescription: nil, numSamples: count, sampleTimings: [],
                    sampleSizes: sizes)
            }
        }
        #expect(made(1, [-1]) == kCMSampleBufferError_InvalidSampleData)
        #expect(made(2, [.max, 1]) == kCMSampleBufferError_InvalidSampleData)
        #expect(made(.max, [2]) == kCMSampleBufferError_InvalidSampleData)
        #expect(made(2, [5, -5]) == kCMSampleBufferError_InvalidSampleData)
    }

    @Test func `C functions of sample buffers report missing parameters`() throws {
        var made: CMSampleBuffer? = try reordered()
        #expect(
            CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: try block([1]), formatDescription: nil, sampleCount: 1,
                sampleTimingEntryCount: 1, sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil,
                sampleBufferOut: &made) == kCMSampleBufferError_RequiredParameterMissing)
        #expect(made == nil)
        #expect(
            CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: 1, sampleTimingEntryCount: 0,
                sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &made)
                == kCMSampleBufferError_RequiredParameterMissing)
        #expect(
            CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: try block([1]), formatDescription: nil, sampleCount: 1,
                sampleTimingEntryCount: -1, sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil,
                sampleBufferOut: &made) == kCMSampleBufferError_InvalidEntryCount)
        #expect(
            CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: 0, sampleTimingEntryCount: 0,
                sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &made) == 0)
        #expect(made.map { CMSampleBufferDataIsReady($0) } == true)
    }

    @Test func `C functions of sample buffers report how much memory they need`() throws {
        let buffer = try reordered()
        var needed = 0
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed) == 0)
        #expect(needed == 6)
        var one = CMSampleTimingInfo()
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 1, arrayToFill: &one, entriesNeededOut: nil)
                == kCMSampleBufferError_ArrayTooSmall)
        #expect(!one.duration.isValid)
        var all = [CMSampleTimingInfo](repeating: .invalid, count: 6)
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 6, arrayToFill: &all, entriesNeededOut: nil) == 0)
        #expect(all[5].decodeTimeStamp == time(15015, 30000))
        var sizes = [Int](repeating: 0, count: 6)
        #expect(
            CMSampleBufferGetSampleSizeArray(
                buffer, entryCount: 6, arrayToFill: &sizes, entriesNeededOut: &needed) == 0)
        #expect(sizes == Self.sizes)
        #expect(
            CMSampleBufferGetSampleSizeArray(
                buffer, entryCount: 5, arrayToFill: &sizes, entriesNeededOut: &needed)
                == kCMSampleBufferError_ArrayTooSmall)
    }

    @Test func `Sample buffers are equal only to themselves`() throws {
        let (one, other) = (try samples([1]), try samples([1]))
        #expect(one == one)
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
    }

    @Test func `Sample timing of invalid times has a constant`() {
        for timing in [kCMTimingInfoInvalid, .invalid, CMSampleTimingInfo()] {
            #expect(!timing.duration.isValid && !timing.presentationTimeStamp.isValid)
            #expect(!timing.decodeTimeStamp.isValid)
        }
    }
}
