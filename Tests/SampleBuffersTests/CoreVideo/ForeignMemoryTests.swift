import Foundation
import MediaCore
import SampleBuffers
import Synchronization
import Testing

/// Buffers in memory of the client's.
struct ForeignMemoryTests {
    /// What callbacks were given.
    final class Log {
        var calls: [(address: UnsafeRawPointer?, planes: [UnsafeRawPointer?], size: Int)] = []
        var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    }

    /// How often memory was released, on whatever thread.
    final class Releases: Sendable {
        let count = Mutex(0)
    }

    private let chunkyCallback: CVPixelBufferReleaseBytesCallback = { reference, address in
        guard let reference else { return }
        Unmanaged<Log>.fromOpaque(reference).takeUnretainedValue().calls.append((address, [], 0))
    }

    private let planarCallback: CVPixelBufferReleasePlanarBytesCallback = { reference, data, size, count, addresses in
        guard let reference else { return }
        let planes = (0..<count).map { addresses?[$0] }
        Unmanaged<Log>.fromOpaque(reference).takeUnretainedValue().calls.append((data, planes, size))
    }

    @Test func `A client's bytes are used by a pixel buffer as they are`() throws {
        let (log, bytes) = (Log(), UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 16))
        defer { bytes.deallocate() }
        do {
            var made: CVPixelBuffer?
            let result = CVPixelBufferCreateWithBytes(
                nil, 9, 10, kCVPixelFormatType_32BGRA, bytes, 40, chunkyCallback, log.reference, nil, &made)
            #expect(result == kCVReturnSuccess)
            let buffer = try #require(made)
            #expect(CVPixelBufferGetBaseAddress(buffer) == bytes)
            #expect(CVPixelBufferGetBytesPerRow(buffer) == 40)
            #expect(CVPixelBufferGetDataSize(buffer) == 400)
            #expect(!CVPixelBufferIsPlanar(buffer))
            #expect(log.calls.isEmpty)
        }
        #expect(log.calls.count == 1)
    }

    @Test func `A client's bytes are given back once, when the last reference goes`() throws {
        let (log, bytes) = (Log(), UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 16))
        defer { bytes.deallocate() }
        var references: [CVPixelBuffer?] = [nil, nil]
        CVPixelBufferCreateWithBytes(
            nil, 10, 10, kCVPixelFormatType_32BGRA, bytes, 40, chunkyCallback, log.reference, nil, &references[0])
        references[1] = references[0]
        references[0] = nil
        #expect(log.calls.isEmpty)
        references[1] = nil
        #expect(log.calls.count == 1)
        #expect(log.calls.first?.address == UnsafeRawPointer(bytes))
    }

    @Test func `A client's bytes that are too few or of planar formats are refused and not released`() {
        let (log, bytes) = (Log(), UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 16))
        defer { bytes.deallocate() }
        func make(_ width: Int, _ height: Int, _ format: OSType, _ bytesPerRow: Int) -> CVReturn {
            var made: CVPixelBuffer?
            return CVPixelBufferCreateWithBytes(
                nil, width, height, format, bytes, bytesPerRow, chunkyCallback, log.reference, nil, &made)
        }
        #expect(make(10, 10, kCVPixelFormatType_32BGRA, 39) == kCVReturnInvalidArgument)
        #expect(make(10, 10, kCVPixelFormatType_32BGRA, 0) == kCVReturnInvalidArgument)
        #expect(make(10, 10, kCVPixelFormatType_32BGRA, -40) == kCVReturnInvalidArgument)
        #expect(make(10, 10, kCVPixelFormatType_32BGRA, Int.max) == kCVReturnInvalidArgument)
        #expect(make(0, 10, kCVPixelFormatType_32BGRA, 40) == kCVReturnInvalidArgument)
        #expect(make(16385, 1, kCVPixelFormatType_32BGRA, 65540) == kCVReturnInvalidSize)
        #expect(make(10, 10, code("none"), 40) == kCVReturnInvalidPixelFormat)
        #expect(make(10, 10, kCVPixelFormatType_420YpCbCr8Planar, 40) == kCVReturnInvalidPixelFormat)
        #expect(log.calls.isEmpty)
    }

    @Test func `A client's planes are used by a pixel buffer as they are and given back once`() throws {
        let (log, bytes) = (Log(), UnsafeMutableRawPointer.allocate(byteCount: 600, alignment: 16))
        defer { bytes.deallocate() }
        var addresses: [UnsafeMutableRawPointer?] = [bytes, bytes + 400]
        var (widths, heights, rows) = ([20, 10], [20, 10], [20, 20])
        var made: CVPixelBuffer?
        #expect(
            CVPixelBufferCreateWithPlanarBytes(
                nil, 20, 20, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 600, 2, &addresses, &widths,
                &heights, &rows, planarCallback, log.reference, nil, &made) == kCVReturnSuccess)
        do {
            let buffer = try #require(made)
            #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == bytes)
            #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 1) == bytes + 400)
            #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) == 20)
            #expect(CVPixelBufferGetBaseAddress(buffer) == bytes)
            #expect(CVPixelBufferGetDataSize(buffer) == 600)
            #expect(CVPixelBufferGetBytesPerRow(buffer) == 30)
            made = nil
            #expect(log.calls.isEmpty)
        }
        #expect(log.calls.count == 1)
        #expect(log.calls.first?.address == UnsafeRawPointer(bytes))
        #expect(log.calls.first?.planes == [UnsafeRawPointer(bytes), UnsafeRawPointer(bytes + 400)])
        #expect(log.calls.first?.size == 600)
    }

    @Test func `A client's planes that are missing or too small are refused and not released`() {
        let (log, bytes) = (Log(), UnsafeMutableRawPointer.allocate(byteCount: 600, alignment: 16))
        defer { bytes.deallocate() }
        func make(
            _ format: OSType, _ planes: [UnsafeMutableRawPointer?], _ widths: [Int], _ rows: [Int], size: Int = 0
        ) -> CVReturn {
            var (planes, widths, heights, rows) = (planes, widths, [20, 10, 10], rows)
            var made: CVPixelBuffer?
            return CVPixelBufferCreateWithPlanarBytes(
                nil, 20, 20, format, nil, size, planes.count, &planes, &widths, &heights, &rows, planarCallback,
                log.reference, nil, &made)
        }
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        #expect(make(format, [bytes], [20], [20]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, nil], [20, 10], [20, 20]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, bytes], [20, 10], [20, 19]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, bytes], [20, 0], [20, 20]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, bytes], [20, Int.max], [20, Int.max]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, bytes], [20, 10], [Int.max, Int.max]) == kCVReturnInvalidArgument)
        #expect(make(format, [bytes, bytes], [20, 10], [20, 20], size: -1) == kCVReturnInvalidArgument)
        #expect(make(kCVPixelFormatType_32BGRA, [bytes], [20], [80]) == kCVReturnInvalidPixelFormat)
        #expect(log.calls.isEmpty)
    }

    @Test func `A frame is adopted without a copy, and released once`() throws {
        let released = Releases()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 640, alignment: 64)
        defer { bytes.deallocate() }
        let planes = [
            PixelPlane(address: bytes, width: 16, height: 16, bytesPerRow: 32),
            PixelPlane(address: bytes + 512, width: 8, height: 4, bytesPerRow: 16),
        ]
        do {
            // The planes of decoders are larger than the picture.
            let buffer = try CVBuffer(
                adopting: planes, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 15, height: 7
            ) { released.count.withLock { $0 += 1 } }
            #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 1) == bytes + 512)
            #expect((0..<2).map { CVPixelBufferGetWidthOfPlane(buffer, $0) } == [15, 8])
            #expect((0..<2).map { CVPixelBufferGetHeightOfPlane(buffer, $0) } == [7, 4])
            let counts = buffer.withLockedPlanes(.readOnly) { $0.map(\.bytes.count) }
            #expect(counts == [6 * 32 + 15, 3 * 16 + 16])
            #expect(released.count.withLock { $0 } == 0)
        }
        #expect(released.count.withLock { $0 } == 1)
    }

    @Test func `A frame that does not fit is not adopted, nor released`() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { bytes.deallocate() }
        func adopt(_ width: Int, _ format: OSType, _ planes: [PixelPlane]) throws(PixelBufferFailure) {
            _ = try CVBuffer(adopting: planes, pixelFormat: format, width: width, height: 2) {
                Issue.record("released")
            }
        }
        let plane = PixelPlane(address: bytes, width: 8, height: 2, bytesPerRow: 32)
        let bgra = kCVPixelFormatType_32BGRA
        #expect(throws: PixelBufferFailure(kCVReturnInvalidArgument)) { try adopt(9, bgra, [plane]) }
        #expect(throws: PixelBufferFailure(kCVReturnInvalidArgument)) { try adopt(8, bgra, [plane, plane]) }
        #expect(throws: PixelBufferFailure(kCVReturnInvalidArgument)) { try adopt(8, bgra, []) }
        #expect(throws: PixelBufferFailure(kCVReturnInvalidPixelFormat)) { try adopt(8, 7, [plane]) }
    }
}
