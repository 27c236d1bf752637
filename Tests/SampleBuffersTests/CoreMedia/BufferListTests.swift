import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Sound in Core Audio's lists of buffers.
struct BufferListTests {
    private func sound(
        _ data: CMBlockBuffer?, frames: Int, channels: UInt32 = 2, planar: Bool = false
    ) throws -> CMSampleBuffer {
        var made: CMSampleBuffer?
        CMAudioSampleBufferCreateWithPacketDescriptions(
            allocator: nil, dataBuffer: data, dataReady: data != nil, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: try pcm(channels: channels, planar: planar), sampleCount: frames,
            presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &made)
        return try #require(made)
    }

    private func bytes(_ buffer: AudioBuffer) -> [UInt8] { Array(UnsafeBufferPointer<UInt8>(buffer)) }

    @Test func `Audio buffer lists have C's layout`() {
        #expect(MemoryLayout<AudioBuffer>.size == 16)
        #expect(MemoryLayout<AudioBufferList>.size == 24)
        #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 1) == 24)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 6) == 104)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 0) == 24)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: .min) == 24)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: .max) == .max)
    }

    @Test func `An audio buffer list is a collection of its buffers`() {
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        #expect(list.count == 3)
        #expect(list.allSatisfy { $0.mData == nil && $0.mDataByteSize == 0 })
        list[2].mNumberChannels = 7
        list[1] = AudioBuffer(mNumberChannels: 5, mDataByteSize: 9, mData: nil)
        #expect(list.map(\.mNumberChannels) == [0, 5, 7])
        #expect(list.unsafePointer.pointee.mNumberBuffers == 3)
        list.count = 2
        #expect(list.map(\.mNumberChannels) == [0, 5])
        list.count = -1
        #expect(list.isEmpty)
        #expect(UnsafeMutableAudioBufferListPointer(nil) == nil)
    }

    @Test func `An audio buffer is made of typed memory, and read as such`() {
        let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5)
        defer { memory.deallocate() }
        let buffer = AudioBuffer(memory, numberOfChannels: 2)
        #expect(buffer.mDataByteSize == 20)
        #expect(buffer.mNumberChannels == 2)
        #expect(UnsafeMutableBufferPointer<Int16>(buffer).count == 10)
        #expect(UnsafeBufferPointer<Double>(buffer).count == 2)
        #expect(UnsafeBufferPointer<Double>(AudioBuffer()).isEmpty)
    }

    @Test func `Interleaved audio is one buffer, in place`() throws {
        let data = try block(Array(0..<24))
        let buffer = try sound(data, frames: 3)
        try buffer.withAudioBufferList { list, owner in
            #expect(list.count == 1)
            #expect(list[0].mNumberChannels == 2)
            #expect(bytes(list[0]) == Array(0..<24))
            #expect(owner.dataLength == 24)
            try data.withUnsafeMutableBytes { #expect($0.baseAddress == list[0].mData) }
        }
    }

    @Test func `Planar audio is one buffer for each channel`() throws {
        let buffer = try sound(try block(Array(0..<24)), frames: 3, planar: true)
        try buffer.withAudioBufferList { list, _ in
            #expect(list.count == 2)
            #expect(list.map(\.mNumberChannels) == [1, 1])
            #expect(bytes(list[0]) == Array(0..<12))
            #expect(bytes(list[1]) == Array(12..<24))
        }
    }

    @Test func `Segments of audio are joined, and memory is aligned if asked for`() throws {
        let whole = try block(Array(0..<40))
        let data = try CMBlockBuffer()
        try data.append(bufferReference: whole[1..<9])
        try data.append(bufferReference: whole[17..<33])
        let buffer = try sound(data, frames: 3)
        var (size, list): (Int, AudioBufferList) = (0, AudioBufferList())
        var kept: CMBlockBuffer?
        #expect(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: &size, bufferListOut: &list,
                bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
                blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment,
                blockBufferOut: &kept) == 0)
        #expect(size == 24)
        #expect(Int(bitPattern: list.mBuffers.mData) % 16 == 0)
        try whole.fillDataBytes(with: 0)
        #expect(bytes(list.mBuffers) == Array(1..<9) + Array(17..<33))
        #expect(kept != nil)
        let odd = try CMBlockBuffer(bufferReference: try block(Array(0..<40))[1..<25])
        try sound(odd, frames: 3).withAudioBufferList { list, _ in
            #expect(bytes(list[0]) == Array(1..<25))
        }
        try sound(odd, frames: 3).withAudioBufferList(flags: .audioBufferListAssure16ByteAlignment) { list, _ in
            #expect(Int(bitPattern: list[0].mData) % 16 == 0)
            #expect(bytes(list[0]) == Array(1..<25))
        }
    }

    @Test func `Audio buffer lists that do not fit are refused`() throws {
        let buffer = try sound(try block(Array(0..<24)), frames: 3, planar: true)
        var (size, list): (Int, AudioBufferList) = (0, AudioBufferList())
        var kept: CMBlockBuffer?
        func get(_ out: UnsafeMutablePointer<AudioBufferList>?, _ length: Int) -> OSStatus {
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: &size, bufferListOut: out, bufferListSize: length,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &kept)
        }
        #expect(get(&list, 24) == kCMSampleBufferError_ArrayTooSmall)
        #expect(size == 40)
        #expect(kept == nil)
        #expect(get(nil, 0) == 0)
        #expect(kept?.dataLength == 24)
        #expect(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil) == 0)
        #expect(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: nil, bufferListOut: &list, bufferListSize: 100,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
                == kCMSampleBufferError_RequiredParameterMissing)
    }

    @Test func `Bytes that channels cannot share, and missing ones, give no audio buffer list`() throws {
        let odd = try sound(try block([1, 2, 3]), frames: 1, planar: true)
        #expect(code { try odd.withAudioBufferList { _, _ in } } == kCMSampleBufferError_InvalidSampleData)
        let none = try sound(try CMBlockBuffer(), frames: 1)
        #expect(code { try none.withAudioBufferList { _, _ in } } == kCMSampleBufferError_InvalidSampleData)
        let missing = try sound(nil, frames: 1)
        #expect(code { try missing.withAudioBufferList { _, _ in } } == kCMSampleBufferError_BufferNotReady)
        let promised = try sound(try CMBlockBuffer(length: 8), frames: 1)
        #expect(code { try promised.withAudioBufferList { _, _ in } } == kCMBlockBufferUnallocatedBlockErr)
    }

    @Test func `Audio of a buffer list is copied into a sample buffer, which is ready`() throws {
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var (left, right): ([UInt8], [UInt8]) = (Array(0..<12), Array(100..<112))
        let buffer = try sound(nil, frames: 3, planar: true)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                list[0] = AudioBuffer(left, numberOfChannels: 1)
                list[1] = AudioBuffer(right, numberOfChannels: 1)
                #expect(
                    CMSampleBufferSetDataBufferFromAudioBufferList(
                        buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                        bufferList: list.unsafePointer) == 0)
                #expect(
                    CMSampleBufferSetDataBufferFromAudioBufferList(
                        buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                        bufferList: list.unsafePointer) == kCMSampleBufferError_AlreadyHasDataBuffer)
            }
        }
        left[0] = 99
        #expect(CMSampleBufferDataIsReady(buffer))
        #expect(try buffer.dataBuffer?.dataBytes() == Data(Array(0..<12) + Array(100..<112)))
        let other = try sound(nil, frames: 3)
        #expect(
            code { try other.setDataBuffer(fromAudioBufferList: list.unsafePointer) }
                == kCMSampleBufferError_InvalidMediaFormat)
        list.count = 1
        list[0].mData = nil
        #expect(
            code { try other.setDataBuffer(fromAudioBufferList: list.unsafePointer) }
                == kCMSampleBufferError_RequiredParameterMissing)
        #expect(other.dataBuffer == nil)
    }

    @Test func `Audio frames are copied into a client's memory`() throws {
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16)
        defer { memory.deallocate() }
        memory.initialize(repeating: 255)
        for index in 0..<2 {
            list[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: 8, mData: memory.baseAddress.map { $0 + 8 * index })
        }
        let planar = try sound(try block(Array(0..<12), Array(12..<24)), frames: 3, planar: true)
        #expect(
            CMSampleBufferCopyPCMDataIntoAudioBufferList(
                planar, at: 1, frameCount: 2, into: list.unsafeMutablePointer) == 0)
        #expect(Array(memory) == Array(4..<12) + Array(16..<24))
        func copied(_ range: Range<Int>) -> OSStatus {
            code { try planar.copyPCMData(fromRange: range, into: list.unsafeMutablePointer) }
        }
        #expect(copied(0..<3) == kCMSampleBufferError_ArrayTooSmall)
        #expect(copied(2..<4) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copied(-1..<1) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copied(.min ..< .max) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copied(3..<3) == 0)
        #expect(
            CMSampleBufferCopyPCMDataIntoAudioBufferList(
                planar, at: .max, frameCount: .max, into: list.unsafeMutablePointer)
                == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(
            CMSampleBufferCopyPCMDataIntoAudioBufferList(
                planar, at: 0, frameCount: -1, into: list.unsafeMutablePointer)
                == kCMSampleBufferError_SampleIndexOutOfRange)
        let interleaved = try sound(try block(Array(0..<24)), frames: 3)
        #expect(
            code { try interleaved.copyPCMData(fromRange: 0..<1, into: list.unsafeMutablePointer) }
                == kCMSampleBufferError_InvalidMediaFormat)
        // More samples than there are bytes for.
        let short = try sound(try block(Array(0..<8)), frames: 3, planar: true)
        #expect(
            code { try short.copyPCMData(fromRange: 1..<2, into: list.unsafeMutablePointer) }
                == kCMSampleBufferError_SampleIndexOutOfRange)
    }
}
