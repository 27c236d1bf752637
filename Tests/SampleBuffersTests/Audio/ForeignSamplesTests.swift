import Foundation
import SampleBuffers
import Synchronization
import Testing

/// Buffers in memory of the client's.
struct ForeignSamplesTests {
    /// Memory that a list tells of.
    final class Memory {
        let list: UnsafeMutableAudioBufferListPointer
        private let bytes: UnsafeMutableRawPointer

        init(sizes: [Int], channels: UInt32 = 1, offset: Int = 0) {
            bytes = .allocate(byteCount: sizes.reduce(64, +), alignment: 64)
            bytes.initializeMemory(as: UInt8.self, repeating: 0, count: sizes.reduce(64, +))
            list = AudioBufferList.allocate(maximumBuffers: sizes.count)
            var start = bytes + offset
            for (index, size) in sizes.enumerated() {
                list[index] = AudioBuffer(
                    mNumberChannels: channels, mDataByteSize: UInt32(clamping: size), mData: start)
                start += size
            }
        }

        deinit {
            bytes.deallocate()
            free(list.unsafeMutablePointer)
        }
    }

    /// How often memory was given back, on whatever thread.
    final class Releases: Sendable {
        let count = Mutex(0)
    }

    @Test func `A client's audio memory is used as it is and counts as filled`() throws {
        let memory = Memory(sizes: [40, 40])
        let made = try #require(
            AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: memory.list.unsafePointer))
        #expect(made.frameCapacity == 10)
        #expect(made.frameLength == 10)
        #expect(made.floatChannelData.map { UnsafeMutableRawPointer($0[1]) } == memory.list[1].mData)
        #expect(made.audioBufferList.pointee.mBuffers.mDataByteSize == 40)
    }

    @Test func `A client's audio buffer list may be changed afterwards`() throws {
        let memory = Memory(sizes: [40, 40])
        let made = try #require(
            AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: memory.list.unsafePointer))
        memory.list[0] = AudioBuffer()
        #expect(made.floatChannelData?[0][0] == 0)
    }

    @Test func `A client's audio memory is given back once, when the last reference goes`() throws {
        let (memory, releases) = (Memory(sizes: [40, 40]), Releases())
        let expected = memory.list.map(\.mData)
        do {
            let buffer = try #require(
                AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: memory.list.unsafePointer) { list in
                    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
                    #expect(given.map(\.mData) == expected)
                    #expect(given.map(\.mDataByteSize) == [40, 40])
                    releases.count.withLock { $0 += 1 }
                })
            buffer.frameLength = 1
            buffer.mutableAudioBufferList.pointee.mNumberBuffers = 0
            // A copy has memory of its own.
            _ = buffer.copy()
        }
        #expect(releases.count.withLock { $0 } == 1)
    }

    @Test func `A client's audio memory is given back on the thread that releases the buffer`() async throws {
        let releases = Releases()
        for _ in 0..<20 {
            nonisolated(unsafe) let memory = Memory(sizes: [400])
            let kind = try format(.pcmFormatInt16, channels: 1)
            await Task.detached {
                _ = AVAudioPCMBuffer(pcmFormat: kind, bufferListNoCopy: memory.list.unsafePointer) { _ in
                    releases.count.withLock { $0 += 1 }
                }
            }.value
        }
        #expect(releases.count.withLock { $0 } == 20)
    }

    @Test func `A client's audio buffer lists that do not fit are refused and not released`() throws {
        func refuses(_ memory: Memory, _ format: AVAudioFormat) -> Bool {
            AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: memory.list.unsafePointer) { _ in
                Issue.record("given back")
            } == nil
        }
        let (apart, together) = (try format(), try format(interleaved: true))
        #expect(refuses(Memory(sizes: [40]), apart))
        #expect(refuses(Memory(sizes: [40, 40]), together))
        #expect(refuses(Memory(sizes: [40, 36]), apart))
        #expect(refuses(Memory(sizes: [0, 0]), apart))
        let nothing = Memory(sizes: [40, 40])
        nothing.list[1].mData = nil
        #expect(refuses(nothing, apart))
        let none = Memory(sizes: [40, 40])
        none.list.count = 0
        #expect(refuses(none, apart))
        var aac = AudioStreamBasicDescription()
        (aac.mFormatID, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 2)
        #expect(refuses(Memory(sizes: [40]), try #require(AVAudioFormat(streamDescription: &aac))))
    }

    @Test func `Bytes of an incomplete audio frame are left out`() throws {
        let memory = Memory(sizes: [43])
        let made = try #require(
            AVAudioPCMBuffer(
                pcmFormat: format(.pcmFormatInt16, interleaved: true), bufferListNoCopy: memory.list.unsafePointer))
        #expect(made.frameCapacity == 10)
        #expect(made.audioBufferList.pointee.mBuffers.mDataByteSize == 40)
        let copy = try #require(made.copy() as? AVAudioPCMBuffer)
        #expect(copy.frameCapacity == 10)
    }

    @Test func `Samples at odd addresses are lent as bytes only`() throws {
        let memory = Memory(sizes: [40], offset: 1)
        let made = try #require(
            AVAudioPCMBuffer(
                pcmFormat: format(channels: 1), bufferListNoCopy: memory.list.unsafePointer))
        #expect(made.floatChannelData == nil)
        made.withFilledPlanes { #expect($0.map(\.count) == [40]) }
        let copy = try #require(made.copy() as? AVAudioPCMBuffer)
        #expect(copy.floatChannelData != nil)
    }
}
