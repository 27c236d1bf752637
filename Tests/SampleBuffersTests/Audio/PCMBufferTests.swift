import Foundation
import SampleBuffers
import Testing

/// Buffers of samples in memory of their own.
struct PCMBufferTests {
    private func sizes(_ list: UnsafePointer<AudioBufferList>) -> [UInt32] {
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)).map(\.mDataByteSize)
    }

    @Test func `A PCM buffer is zero and has no frames at first`() throws {
        let made = try buffer(format(channels: 2), frames: 1000)
        #expect(made.frameCapacity == 1000)
        #expect(made.frameLength == 0)
        #expect(made.stride == 1)
        #expect(sizes(made.audioBufferList) == [0, 0])
        #expect(sizes(made.mutableAudioBufferList) == [4000, 4000])
        let data = try #require(made.floatChannelData)
        for channel in 0..<2 { #expect((0..<1000).allSatisfy { data[channel][$0] == 0 }) }
    }

    @Test func `Sizes of a PCM buffer follow the number of frames`() throws {
        let made = try buffer(format(.pcmFormatInt16, channels: 2, interleaved: true), frames: 300)
        made.frameLength = 100
        #expect(sizes(made.audioBufferList) == [400])
        #expect(sizes(made.mutableAudioBufferList) == [1200])
        #expect(made.audioBufferList.pointee.mBuffers.mNumberChannels == 2)
        made.frameLength = 0
        #expect(sizes(made.audioBufferList) == [0])
    }

    @Test func `Frames beyond a PCM buffer's capacity are clamped`() throws {
        let made = try buffer(format(channels: 1), frames: 10)
        made.frameLength = 11
        #expect(made.frameLength == 10)
        made.frameLength = .max
        #expect(made.frameLength == 10)
        #expect(sizes(made.audioBufferList) == [40])
    }

    @Test func `A changed buffer list of a PCM buffer is restored when asked for again`() throws {
        let made = try buffer(format(channels: 2), frames: 10)
        let list = UnsafeMutableAudioBufferListPointer(made.mutableAudioBufferList)
        list[1] = AudioBuffer()
        list.count = 1
        #expect(sizes(made.mutableAudioBufferList) == [40, 40])
        #expect(made.floatChannelData?[1][9] == 0)
    }

    @Test func `Interleaved channels of a PCM buffer are in one segment, a stride apart`() throws {
        let made = try buffer(format(.pcmFormatInt16, channels: 2, interleaved: true), frames: 4)
        made.frameLength = 4
        #expect(made.stride == 2)
        let data = try #require(made.int16ChannelData)
        #expect(data[1] == data[0] + 1)
        for frame in 0..<4 {
            data[0][frame * made.stride] = Int16(frame)
            data[1][frame * made.stride] = Int16(-frame)
        }
        let bytes = UnsafeBufferPointer<Int16>(made.audioBufferList.pointee.mBuffers)
        #expect(Array(bytes) == [0, 0, 1, -1, 2, -2, 3, -3])
    }

    @Test func `Deinterleaved channels of a PCM buffer do not overlap`() throws {
        let made = AVAudioFormat(
            commonFormat: .pcmFormatInt32, sampleRate: 48000, interleaved: false,
            channelLayout: try layout(kAudioChannelLayoutTag_MPEG_5_1_A))
        let buffer = try buffer(made, frames: 33)
        buffer.frameLength = 33
        let data = try #require(buffer.int32ChannelData)
        for channel in 0..<6 { for frame in 0..<33 { data[channel][frame] = Int32(channel * 100 + frame) } }
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
        #expect(list.count == 6)
        for (channel, piece) in list.enumerated() {
            #expect(piece.mNumberChannels == 1)
            #expect(UInt(bitPattern: piece.mData) % 64 == 0)
            #expect(Array(UnsafeBufferPointer<Int32>(piece)) == (0..<33).map { Int32(channel * 100 + $0) })
        }
    }

    @Test func `Pointers of a PCM buffer are to samples of its format alone`() throws {
        let floats = try buffer(format(.pcmFormatFloat32))
        #expect(floats.floatChannelData != nil && floats.int16ChannelData == nil && floats.int32ChannelData == nil)
        let shorts = try buffer(format(.pcmFormatInt16))
        #expect(shorts.floatChannelData == nil && shorts.int16ChannelData != nil && shorts.int32ChannelData == nil)
        let longs = try buffer(format(.pcmFormatInt32))
        #expect(longs.floatChannelData == nil && longs.int16ChannelData == nil && longs.int32ChannelData != nil)
        let doubles = try buffer(format(.pcmFormatFloat64))
        #expect(doubles.floatChannelData == nil && doubles.int16ChannelData == nil && doubles.int32ChannelData == nil)
    }

    @Test func `PCM buffers of other samples have no typed pointers`() throws {
        var packed = stream(flags: 12, bytesPerFrame: 6, channels: 2, bits: 24)
        let made = try buffer(#require(AVAudioFormat(streamDescription: &packed)), frames: 10)
        made.frameLength = 7
        #expect(sizes(made.audioBufferList) == [42])
        #expect(made.int32ChannelData == nil)
    }

    @Test func `Compressed formats have no PCM buffer`() throws {
        var aac = AudioStreamBasicDescription()
        (aac.mFormatID, aac.mSampleRate, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 48000, 2)
        aac.mFramesPerPacket = 1024
        let format = try #require(AVAudioFormat(streamDescription: &aac))
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024) == nil)
    }

    @Test func `Channels of 4 GiB and frames without bytes are refused in a PCM buffer`() throws {
        // 2³² ÷ 4 frames are 4 GiB, one byte more than 32 bits can say.
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 1 << 30) == nil)
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: .max) == nil)
        var wide = stream(flags: 9, bytesPerFrame: .max, channels: 1, bits: 32)
        let widest = try #require(AVAudioFormat(streamDescription: &wide))
        #expect(AVAudioPCMBuffer(pcmFormat: widest, frameCapacity: 2) == nil)
        #expect(AVAudioPCMBuffer(pcmFormat: widest, frameCapacity: .max) == nil)
        var none = stream(flags: 9, bytesPerFrame: 0, channels: 1, bits: 32)
        #expect(
            try AVAudioPCMBuffer(pcmFormat: #require(AVAudioFormat(streamDescription: &none)), frameCapacity: 2) == nil)
    }

    @Test func `Billions of channels are refused in a PCM buffer`() throws {
        var many = stream(flags: 41, bytesPerFrame: 4, channels: .max, bits: 32)
        var description: CMAudioFormatDescription?
        _ = CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &many, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &description)
        let format = AVAudioFormat(cmAudioFormatDescription: try #require(description))
        #expect(format.channelCount == .max)
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0) == nil)
    }

    @Test func `A PCM buffer may have no capacity`() throws {
        let made = try buffer(format(), frames: 0)
        made.frameLength = 1
        #expect(made.frameLength == 0)
        #expect(made.floatChannelData != nil)
    }

    @Test func `A copy of a PCM buffer has its own memory`() throws {
        let made = try buffer(format(channels: 2), frames: 10)
        made.frameLength = 3
        let data = try #require(made.floatChannelData)
        for channel in 0..<2 { for frame in 0..<10 { data[channel][frame] = Float(channel * 10 + frame) } }
        for object in [made.copy(), made.mutableCopy()] {
            let copy = try #require(object as? AVAudioPCMBuffer)
            #expect(copy.format == made.format)
            #expect(copy.frameCapacity == 10)
            #expect(copy.frameLength == 3)
            let copied = try #require(copy.floatChannelData)
            #expect(copied[0] != data[0])
            #expect((0..<10).map { copied[1][$0] } == [10, 11, 12, 0, 0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `Planes of a PCM buffer are all its memory, filled planes its frames`() throws {
        let made = try buffer(format(.pcmFormatInt16, channels: 2), frames: 8)
        made.withPlanes { planes in
            #expect(planes.map(\.count) == [16, 16])
            for (index, plane) in planes.enumerated() { plane[2] = UInt8(index + 7) }
        }
        made.frameLength = 2
        made.withFilledPlanes { planes in
            #expect(planes.map(\.count) == [4, 4])
            #expect(planes.map { $0[2] } == [7, 8])
        }
        #expect(throws: CancellationError.self) { try made.withPlanes { _ in throw CancellationError() } }
    }
}
