import Foundation
import SampleBuffers
import Testing

/// Buffers of packets.
struct CompressedBufferTests {
    private func compressed(_ id: AudioFormatID, bytesPerPacket: UInt32 = 0) throws -> AVAudioFormat {
        var description = stream(id: id, flags: 0, bytesPerFrame: 0, channels: 2, bits: 0)
        description.mBytesPerPacket = bytesPerPacket
        return try #require(AVAudioFormat(streamDescription: &description))
    }

    @Test func `Packets of varying size have descriptions in a compressed buffer`() throws {
        let made = AVAudioCompressedBuffer(
            format: try compressed(kAudioFormatMPEG4AAC), packetCapacity: 8, maximumPacketSize: 768)
        #expect(made.packetCapacity == 8)
        #expect(made.maximumPacketSize == 768)
        #expect(made.byteCapacity == 6144)
        #expect(made.byteLength == 0)
        #expect(made.packetCount == 0)
        let descriptions = try #require(made.packetDescriptions)
        #expect((0..<8).allSatisfy { descriptions[$0] == AudioStreamPacketDescription() })
        made.byteLength = 500
        #expect(made.audioBufferList.pointee.mBuffers.mDataByteSize == 500)
        #expect(made.audioBufferList.pointee.mBuffers.mData == made.data)
        #expect(made.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 6144)
    }

    @Test func `Packets of one size have no descriptions in a compressed buffer`() throws {
        let made = AVAudioCompressedBuffer(
            format: try compressed(kAudioFormatAppleIMA4, bytesPerPacket: 68), packetCapacity: 10)
        #expect(made.byteCapacity == 680)
        #expect(made.packetDescriptions == nil)
    }

    @Test func `Counts beyond a compressed buffer's capacity are clamped`() throws {
        let made = AVAudioCompressedBuffer(
            format: try compressed(kAudioFormatOpus), packetCapacity: 2, maximumPacketSize: 10)
        (made.packetCount, made.byteLength) = (3, .max)
        #expect(made.packetCount == 2)
        #expect(made.byteLength == 20)
    }

    @Test(arguments: [-1, Int.min, Int.max, 1 << 31])
    func `Impossible sizes leave a compressed buffer no capacity`(_ size: Int) throws {
        let made = AVAudioCompressedBuffer(
            format: try compressed(kAudioFormatOpus), packetCapacity: 2, maximumPacketSize: size)
        #expect(made.packetCapacity == 0)
        #expect(made.maximumPacketSize == 0)
        (made.packetCount, made.byteLength) = (1, 1)
        #expect(made.packetCount == 0 && made.byteLength == 0)
        #expect(made.packetDescriptions == nil)
    }

    @Test func `Formats of samples and packets of unknown size leave a compressed buffer no capacity`() throws {
        #expect(
            AVAudioCompressedBuffer(format: try format(), packetCapacity: 2, maximumPacketSize: 4).packetCapacity == 0)
        #expect(
            AVAudioCompressedBuffer(format: try compressed(kAudioFormatOpus), packetCapacity: 2).packetCapacity == 0)
    }

    @Test func `A copy of a compressed buffer has its own memory`() throws {
        let made = AVAudioCompressedBuffer(
            format: try compressed(kAudioFormatMPEG4AAC), packetCapacity: 2, maximumPacketSize: 4)
        (made.packetCount, made.byteLength) = (1, 3)
        for index in 0..<8 { made.data.storeBytes(of: UInt8(index + 1), toByteOffset: index, as: UInt8.self) }
        made.packetDescriptions?[0] = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 3)
        let copy = try #require(made.copy() as? AVAudioCompressedBuffer)
        #expect(copy.data != made.data)
        #expect(copy.packetCount == 1 && copy.byteLength == 3 && copy.packetCapacity == 2)
        #expect(Array(UnsafeRawBufferPointer(start: copy.data, count: 8)) == [1, 2, 3, 0, 0, 0, 0, 0])
        #expect(copy.packetDescriptions?[0].mDataByteSize == 3)
    }
}
