import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Buffers with memory of their own.
struct CreationTests {
    @Test func `A pixel buffer has the size and format that it was made with`() throws {
        let made = try buffer(1920, 1080, kCVPixelFormatType_32BGRA, ["Width": 5, "Height": 6])
        #expect(CVPixelBufferGetWidth(made) == 1920)
        #expect(CVPixelBufferGetHeight(made) == 1080)
        #expect(CVPixelBufferGetPixelFormatType(made) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetBytesPerRow(made) == 7680)
        #expect(CVPixelBufferGetDataSize(made) == 7680 * 1080)
    }

    @Test func `A pixel buffer in one plane has no planes`() throws {
        let made = try buffer(20, 10, kCVPixelFormatType_32BGRA)
        #expect(!CVPixelBufferIsPlanar(made))
        #expect(CVPixelBufferGetPlaneCount(made) == 0)
        #expect(CVPixelBufferGetBaseAddress(made) != nil)
        #expect(CVPixelBufferGetBaseAddressOfPlane(made, 0) == nil)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(made, 0) == 0)
        #expect(CVPixelBufferGetWidthOfPlane(made, 0) == 0)
        #expect(CVPixelBufferGetHeightOfPlane(made, 0) == 0)
    }

    @Test func `A planar pixel buffer describes its planes, and no others`() throws {
        let made = try buffer(1920, 1080, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferIsPlanar(made))
        #expect(CVPixelBufferGetPlaneCount(made) == 2)
        #expect((-1...2).map { CVPixelBufferGetWidthOfPlane(made, $0) } == [0, 1920, 960, 0])
        #expect((-1...2).map { CVPixelBufferGetHeightOfPlane(made, $0) } == [0, 1080, 540, 0])
        #expect((-1...2).map { CVPixelBufferGetBytesPerRowOfPlane(made, $0) } == [0, 1920, 1920, 0])
        #expect((-1...2).map { CVPixelBufferGetBaseAddressOfPlane(made, $0) != nil } == [false, true, true, false])
        // As many bytes a row as cover both planes.
        #expect(CVPixelBufferGetBytesPerRow(made) == 2880)
        #expect(CVPixelBufferGetBaseAddress(made) == nil)
    }

    @Test func `Pixel buffers of odd sizes have a last column and row of chroma`() throws {
        let made = try buffer(5, 3, kCVPixelFormatType_420YpCbCr8Planar)
        #expect(CVPixelBufferGetPlaneCount(made) == 3)
        #expect((0..<3).map { CVPixelBufferGetWidthOfPlane(made, $0) } == [5, 3, 3])
        #expect((0..<3).map { CVPixelBufferGetHeightOfPlane(made, $0) } == [3, 2, 2])
    }

    @Test(arguments: [
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ])
    func `Rows of a pixel buffer are aligned and its memory is zero`(_ format: OSType) throws {
        for width in [1, 33, 100, 641] {
            let made = try buffer(width, 17, format)
            made.withLockedPlanes(.readOnly) { planes in
                for plane in planes {
                    #expect(plane.bytesPerRow % 64 == 0)
                    #expect(UInt(bitPattern: plane.bytes.baseAddress) % 64 == 0)
                    #expect(plane.bytes.allSatisfy { $0 == 0 })
                }
            }
        }
    }

    @Test func `Other alignments of a pixel buffer are honoured`() throws {
        let narrow = try buffer(10, 2, kCVPixelFormatType_24RGB, [kCVPixelBufferBytesPerRowAlignmentKey as String: 1])
        #expect(CVPixelBufferGetBytesPerRow(narrow) == 30)
        let page = try buffer(
            10, 2, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, [kCVPixelBufferPlaneAlignmentKey as String: 4096])
        for plane in 0..<2 {
            #expect(UInt(bitPattern: CVPixelBufferGetBaseAddressOfPlane(page, plane)) % 4096 == 0)
        }
    }

    @Test(arguments: [
        (0, 10, "BGRA", kCVReturnInvalidArgument), (10, 0, "BGRA", kCVReturnInvalidArgument),
        (-1, 10, "BGRA", kCVReturnInvalidArgument), (Int.min, Int.min, "BGRA", kCVReturnInvalidArgument),
        (16385, 1, "BGRA", kCVReturnInvalidSize), (1, 16385, "420v", kCVReturnInvalidSize),
        (Int.max, Int.max, "BGRA", kCVReturnInvalidSize), (10, 10, "none", kCVReturnInvalidPixelFormat),
    ])
    func `Impossible sizes and formats of pixel buffers are refused`(
        _ width: Int, _ height: Int, _ format: String, _ result: CVReturn
    ) throws {
        var made: CVPixelBuffer? = try buffer(1, 1, kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, width, height, code(format), nil, &made) == result)
        #expect(made == nil)
    }

    @Test(arguments: [
        (kCVPixelBufferBytesPerRowAlignmentKey as String, 0), (kCVPixelBufferBytesPerRowAlignmentKey as String, -64),
        (kCVPixelBufferBytesPerRowAlignmentKey as String, Int.max), (kCVPixelBufferPlaneAlignmentKey as String, 48),
        (kCVPixelBufferPlaneAlignmentKey as String, Int.min), (kCVPixelBufferExtendedPixelsLeftKey as String, -1),
        (kCVPixelBufferExtendedPixelsBottomKey as String, Int.max),
    ])
    func `Impossible attributes of pixel buffers are refused`(_ key: String, _ value: Int) {
        #expect(throws: NotMade(result: kCVReturnInvalidPixelBufferAttributes)) {
            try buffer(10, 10, kCVPixelFormatType_32BGRA, [key: value])
        }
    }

    @Test func `Attributes of pixel buffers of the wrong type are refused`() {
        for value in ["wide" as Any, [1, 2] as Any, Double.nan as Any, Double.infinity as Any] {
            #expect(throws: NotMade(result: kCVReturnInvalidPixelBufferAttributes)) {
                try buffer(10, 10, kCVPixelFormatType_32BGRA, [kCVPixelBufferWidthKey as String: value])
            }
        }
    }

    @Test func `Pixel buffers of the longest sides are allowed`() throws {
        let made = try buffer(16384, 16384, kCVPixelFormatType_64ARGB)
        #expect(CVPixelBufferGetDataSize(made) == 2_147_483_648)
    }

    @Test func `Attributes of a pixel buffer can be copied, with its actual size`() throws {
        let made = try buffer(
            20, 10, kCVPixelFormatType_32BGRA,
            [kCVPixelBufferMetalCompatibilityKey as String: true, kCVPixelBufferWidthKey as String: 5])
        let attributes = try #require(CVPixelBufferCopyCreationAttributes(made) as? [String: Any])
        #expect(attributes[kCVPixelBufferMetalCompatibilityKey as String] as? Bool == true)
        #expect(attributes[kCVPixelBufferWidthKey as String] as? Int == 20)
        #expect(attributes[kCVPixelBufferHeightKey as String] as? Int == 10)
        #expect(
            (attributes[kCVPixelBufferPixelFormatTypeKey as String] as? NSNumber)?.uint32Value
                == kCVPixelFormatType_32BGRA)
    }

    @Test func `A pixel buffer suits attributes that it fulfils`() throws {
        let made = try buffer(20, 10, kCVPixelFormatType_32BGRA)
        func suits(_ attributes: [CFString: Any]) -> Bool {
            CVPixelBufferIsCompatibleWithAttributes(made, attributes as CFDictionary)
        }
        #expect(CVPixelBufferIsCompatibleWithAttributes(made, nil))
        #expect(suits([kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]))
        #expect(suits([kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA]]))
        #expect(!suits([kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32ARGB]))
        #expect(suits([kCVPixelBufferWidthKey: 20, kCVPixelBufferHeightKey: 10]))
        #expect(!suits([kCVPixelBufferWidthKey: 21]))
        #expect(suits([kCVPixelBufferBytesPerRowAlignmentKey: 16]))
        #expect(!suits([kCVPixelBufferBytesPerRowAlignmentKey: 1000]))
        #expect(!suits([kCVPixelBufferExtendedPixelsTopKey: 1]))
    }

    @Test func `Pixel buffers are equal only to themselves`() throws {
        let (one, other) = (try buffer(2, 2, kCVPixelFormatType_32BGRA), try buffer(2, 2, kCVPixelFormatType_32BGRA))
        #expect(one == one)
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
        #expect(CVPixelBufferGetTypeID() != CVPixelBufferPoolGetTypeID())
    }
}
