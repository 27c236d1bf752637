import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Code as programs for Apple's platforms have it.
struct ClientCodeTests {
    /// A unit of H.264 with its length before it, to be decoded at once.
    private func sampleBuffer(_ unit: [UInt8]) -> CMSampleBuffer? {
        var blockBuffer: CMBlockBuffer?
        var status = CMBlockBufferCreateWithMemoryBlock(
            allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: unit.count + 4,
            blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0, dataLength: unit.count + 4,
            flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &blockBuffer)
        guard status == kCMBlockBufferNoErr, let blockBuffer else { return nil }
        var length = UInt32(unit.count).bigEndian
        CMBlockBufferReplaceDataBytes(with: &length, blockBuffer: blockBuffer, offsetIntoDestination: 0, dataLength: 4)
        status = CMBlockBufferReplaceDataBytes(
            with: unit, blockBuffer: blockBuffer, offsetIntoDestination: 4, dataLength: unit.count)
        guard status == noErr else { return nil }

        var sampleBuffer: CMSampleBuffer?
        var sampleSize = unit.count + 4
        var timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: CMTime(value: 1, timescale: 30), decodeTimeStamp: .invalid)
        status = CMSampleBufferCreateReady(
            allocator: kCFAllocatorDefault, dataBuffer: blockBuffer, formatDescription: nil, sampleCount: 1,
            sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 1,
            sampleSizeArray: &sampleSize, sampleBufferOut: &sampleBuffer)
        guard status == noErr, let sampleBuffer else { return nil }
        if let attachments = CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: true) as NSArray?,
            let attachment = attachments.firstObject as? NSMutableDictionary
        {
            attachment[kCMSampleAttachmentKey_DisplayImmediately] = true
        }
        return sampleBuffer
    }

    @Test func `Client code makes a decoder's input and takes it apart`() throws {
        let buffer = try #require(sampleBuffer([0x65, 1, 2, 3]))
        let attachments =
            CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) as? [[CFString: Any]]
        #expect(attachments?.first?[kCMSampleAttachmentKey_DisplayImmediately] as? Bool == true)
        let isKeyFrame = !(attachments?.first?[kCMSampleAttachmentKey_NotSync] as? Bool ?? false)
        #expect(isKeyFrame)
        let data = try #require(CMSampleBufferGetDataBuffer(buffer))
        var (lengthAtOffset, totalLength) = (0, 0)
        var pointer: UnsafeMutablePointer<Int8>?
        #expect(
            CMBlockBufferGetDataPointer(
                data, atOffset: 0, lengthAtOffsetOut: &lengthAtOffset, totalLengthOut: &totalLength,
                dataPointerOut: &pointer) == noErr)
        #expect(lengthAtOffset == totalLength && totalLength == 8)
        var length: UInt32 = 0
        memcpy(&length, try #require(pointer), 4)
        #expect(CFSwapInt32BigToHost(length) == 4)
    }

    @Test func `Client code moves times so that a recording starts at zero`() throws {
        let sample = try samples([5, 6])
        var count: CMItemCount = 0
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
        var info = [CMSampleTimingInfo](repeating: CMSampleTimingInfo(), count: count)
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: count, arrayToFill: &info, entriesNeededOut: &count)
        let offset = CMSampleBufferGetPresentationTimeStamp(sample)
        for index in 0..<count {
            info[index].decodeTimeStamp = CMTimeSubtract(info[index].decodeTimeStamp, offset)
            info[index].presentationTimeStamp = CMTimeSubtract(info[index].presentationTimeStamp, offset)
        }
        var out: CMSampleBuffer?
        CMSampleBufferCreateCopyWithNewTiming(
            allocator: kCFAllocatorDefault, sampleBuffer: sample, sampleTimingEntryCount: count,
            sampleTimingArray: &info, sampleBufferOut: &out)
        #expect(out.map { CMSampleBufferGetPresentationTimeStamp($0) } == .zero)
        #expect(out.map { CMSampleBufferGetDuration($0) } == CMTime(value: 1, timescale: 5))
    }

    @Test func `Client code reads levels of audio from a list of buffers`() throws {
        var numbers: [Int32] = [1, -7, 3, 4]
        let data = try CMBlockBuffer(length: 16)
        CMBlockBufferReplaceDataBytes(with: &numbers, blockBuffer: data, offsetIntoDestination: 0, dataLength: 16)
        let sampleBuffer = try CMSampleBuffer(
            dataBuffer: data, formatDescription: try pcm(channels: 2), numSamples: 2,
            presentationTimeStamp: .zero, packetDescriptions: [])
        var audioBufferList = AudioBufferList()
        var blockBuffer: CMBlockBuffer?
        CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            sampleBuffer, bufferListSizeNeededOut: nil, bufferListOut: &audioBufferList,
            bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
            blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment,
            blockBufferOut: &blockBuffer)
        var peak: Int32 = 0
        withUnsafeMutablePointer(to: &audioBufferList) { list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let frames = UnsafeBufferPointer<Int32>(buffer)
                peak = max(peak, frames.map { abs($0) }.max() ?? 0)
            }
        }
        #expect(peak == 7)
        #expect(blockBuffer != nil)
    }

    @Test func `Client code wraps a pixel buffer with its format`() throws {
        let pixelBuffer = try picture()
        var formatDescription: CMFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(
            allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescriptionOut: &formatDescription)
        var sampleTiming = CMSampleTimingInfo(
            duration: CMTimeMake(value: 1, timescale: 30), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
        var sampleBuffer: CMSampleBuffer?
        CMSampleBufferCreateReadyWithImageBuffer(
            allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer,
            formatDescription: try #require(formatDescription), sampleTiming: &sampleTiming,
            sampleBufferOut: &sampleBuffer)
        let made = try #require(sampleBuffer)
        #expect(CMSampleBufferGetImageBuffer(made) === pixelBuffer)
        #expect(CMSampleBufferGetFormatDescription(made) == formatDescription)
        #expect(CMSampleBufferGetNumSamples(made) == 1)
        #expect(CMSampleBufferIsValid(made))
    }
}
