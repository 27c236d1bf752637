import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Sample buffers as values, and the bytes and pictures that they carry.
struct ReadySampleBufferTests {
    @Test func `Bytes of a ready block buffer in segments are a collection`() throws {
        var block = CMReadOnlyDataBlockBuffer(Data([1, 2, 3]))
        #expect(block.isContiguous)
        let first = block
        block.append(referenceOf: CMReadOnlyDataBlockBuffer(Data([4, 5])))
        block += CMReadOnlyDataBlockBuffer()
        #expect(Array(first) == [1, 2, 3])
        #expect(Array(block) == [1, 2, 3, 4, 5])
        #expect(Data(block) == Data([1, 2, 3, 4, 5]))
        #expect(block.count == 5)
        #expect(block[3] == 4)
        #expect(block[1..<4].map { $0 } == [2, 3, 4])
        #expect(block.regions.map { Array($0) } == [[1, 2, 3], [4, 5]])
        #expect(block.withContiguousStorageIfAvailable { $0.count } == nil)
        #expect(first.withContiguousStorageIfAvailable { Array($0) } == [1, 2, 3])
        var copy = [UInt8](repeating: 0, count: 4)
        let copied = copy.withUnsafeMutableBytes { block.copyBytes(to: $0, from: 1..<5) }
        #expect(copied == 4)
        #expect(copy == [2, 3, 4, 5])
        #expect((first + block).count == 8)
        #expect(Array(CMReadOnlyDataBlockBuffer()).isEmpty)
        #expect(block.withUnsafeBlockBuffer { $0.dataLength } == 5)
    }

    private func picture() throws -> CVReadOnlyPixelBuffer {
        var buffer = try CVMutablePixelBuffer(
            CVPixelBufferCreationAttributes(
                pixelFormatType: CVPixelFormatType(rawValue: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
                size: CVImageSize(width: 6, height: 4)))
        let (isPlanar, planeCount) = (buffer.isPlanar, buffer.planeCount)
        #expect(isPlanar && planeCount == 2)
        buffer.accessUnsafeMutableRawPlaneBytes { planes in
            for (index, plane) in planes.enumerated() {
                _ = plane.bytes.initializeMemory(as: UInt8.self, repeating: UInt8(100 + index))
            }
        }
        return CVReadOnlyPixelBuffer(buffer)
    }

    @Test func `A ready frame has planes, a size and times`() throws {
        let picture = try picture()
        #expect(picture.size == CVImageSize(width: 6, height: 4))
        #expect(
            picture.planeProperties.map(\.size) == [CVImageSize(width: 6, height: 4), CVImageSize(width: 3, height: 2)])
        let values = picture.accessUnsafeRawPlaneBytes { planes in planes.compactMap { $0.bytes.first } }
        #expect(values == [100, 101])
        var sample = CMReadySampleBuffer(
            pixelBuffer: picture, presentationTimeStamp: CMTime(value: 1, timescale: 2),
            duration: CMTime(value: 1, timescale: 25))
        let before = CMReadySampleBuffer<CMSampleBuffer.DynamicContent>(sample)
        sample.presentationTimeStamp = CMTime(value: 3, timescale: 2)
        #expect(sample.presentationTimeStamp == CMTime(value: 3, timescale: 2))
        #expect(sample.duration == CMTime(value: 1, timescale: 25))
        sample.outputPresentationTimeStamp = CMTime(value: 9, timescale: 1)
        #expect(sample.outputPresentationTimeStamp == CMTime(value: 9, timescale: 1))
        // A value: the other one is what it was.
        #expect(before.presentationTimeStamp == CMTime(value: 1, timescale: 2))
        #expect(before.outputPresentationTimeStamp == CMTime(value: 1, timescale: 2))
        #expect(before.contentType == .pixelBuffer)
        #expect(before.formatDescription?.mediaType == .video)
        #expect(before.formatDescription?.dimensions.width == 6)
        guard case .pixelBuffer(let same) = before.content else {
            Issue.record("it carries no picture")
            return
        }
        #expect(same.withUnsafeBuffer { $0 } == picture.withUnsafeBuffer { $0 })
        #expect(CMReadySampleBuffer<CVReadOnlyPixelBuffer>(before) != nil)
        #expect(CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>(before) == nil)
        #expect(CMReadySampleBuffer<Never>(before) == nil)
    }

    @Test func `Ready audio has as many samples as its bytes hold`() throws {
        var stream = AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagIsSignedInteger,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
            mReserved: 0)
        var made: CMFormatDescription?
        _ = CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &made)
        let format = try #require(made)
        let sound = CMReadySampleBuffer(
            audioDataBuffer: CMReadOnlyDataBlockBuffer(Data(repeating: 7, count: 400)), formatDescription: format,
            sampleCount: 100, presentationTimeStamp: CMTime(value: 48, timescale: 48_000))
        #expect(sound.sampleCount == 100)
        #expect(sound.totalSampleSize == 400)
        #expect(sound.duration == CMTime(value: 100, timescale: 48_000))
        #expect(Data(sound.content) == Data(repeating: 7, count: 400))
        let wrong = CMReadySampleBuffer(
            audioDataBuffer: CMReadOnlyDataBlockBuffer(), formatDescription: format, sampleCount: 0,
            presentationTimeStamp: .zero)
        #expect(wrong.sampleCount == 0)
        #expect(wrong.content.isEmpty)
    }

    @Test func `Impossible ready buffers are errors`() {
        let none = CVPixelBufferCreationAttributes(
            pixelFormatType: CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA), size: .zero)
        #expect(throws: NSError.self) { _ = try CVMutablePixelBuffer(none) }
        let one = CVPixelBufferCreationAttributes(
            pixelFormatType: CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA),
            size: CVImageSize(width: 1, height: 1))
        #expect(throws: CVError.wouldExceedAllocationThreshold) {
            let pool = try CVMutablePixelBuffer.Pool(pixelBufferAttributes: one)
            let first = try pool.makeMutablePixelBuffer(.init(allocationThreshold: 1))
            let second = try pool.makeMutablePixelBuffer(.init(allocationThreshold: 1))
            _ = (first.size, second.size)
        }
    }
}
