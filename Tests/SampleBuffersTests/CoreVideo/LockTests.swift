import SampleBuffers
import Testing

/// Locks of a buffer's memory.
struct LockTests {
    @Test func `Locks of a pixel buffer are counted`() throws {
        let made = try buffer(4, 4, kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnInvalidArgument)
        #expect(CVPixelBufferLockBaseAddress(made, []) == kCVReturnSuccess)
        #expect(CVPixelBufferLockBaseAddress(made, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(made, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnInvalidArgument)
        #expect(CVPixelBufferUnlockBaseAddress(made, .readOnly) == kCVReturnInvalidArgument)
    }

    @Test func `An unlock with other flags ends a lock of a pixel buffer`() throws {
        let made = try buffer(4, 4, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(made, CVPixelBufferLockFlags(rawValue: 0))
        #expect(CVPixelBufferUnlockBaseAddress(made, .readOnly) == kCVReturnSuccess)
        CVPixelBufferLockBaseAddress(made, .readOnly)
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnInvalidArgument)
    }

    @Test func `Pixels written under one lock are read under the next`() throws {
        let made = try buffer(3, 2, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        made.withLockedPlanes([]) { planes in
            #expect(planes.map(\.width) == [3, 2])
            #expect(planes.map(\.height) == [2, 1])
            #expect(planes.map(\.rowByteCount) == [3, 4])
            #expect(planes.map(\.bytes.count) == [64 + 3, 4])
            planes[0].row(1)[2] = 7
            planes[1].row(0)[3] = 9
        }
        CVPixelBufferLockBaseAddress(made, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(made, .readOnly) }
        let luma = CVPixelBufferGetBaseAddressOfPlane(made, 0)?.assumingMemoryBound(to: UInt8.self)
        let chroma = CVPixelBufferGetBaseAddressOfPlane(made, 1)?.assumingMemoryBound(to: UInt8.self)
        #expect(luma?[64 + 2] == 7)
        #expect(chroma?[3] == 9)
    }

    @Test func `A body that throws leaves the pixel buffer unlocked`() throws {
        let made = try buffer(3, 2, kCVPixelFormatType_32BGRA)
        #expect(throws: NotMade(result: 5)) {
            try made.withLockedPlanes([]) { _ throws(NotMade) in throw NotMade(result: 5) }
        }
        #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnInvalidArgument)
    }
}
