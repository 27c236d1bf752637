import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Numbers and texts as Core Video has them.
struct NameTests {
    @Test func `Results of Core Video have its numbers`() {
        #expect(kCVReturnSuccess == 0)
        #expect(kCVReturnError == -6660)
        #expect(kCVReturnInvalidArgument == -6661)
        #expect(kCVReturnAllocationFailed == -6662)
        #expect(kCVReturnUnsupported == -6663)
        #expect(kCVReturnInvalidPixelFormat == -6680)
        #expect(kCVReturnInvalidSize == -6681)
        #expect(kCVReturnInvalidPixelBufferAttributes == -6682)
        #expect(kCVReturnWouldExceedAllocationThreshold == -6689)
        #expect(kCVReturnPoolAllocationFailed == -6690)
        #expect(kCVReturnInvalidPoolAttributes == -6691)
        #expect(kCVReturnLast == -6699)
    }

    @Test func `Pixel formats are codes of four characters`() {
        #expect(kCVPixelFormatType_32BGRA == code("BGRA"))
        #expect(kCVPixelFormatType_32ARGB == 32)
        #expect(kCVPixelFormatType_32RGBA == code("RGBA"))
        #expect(kCVPixelFormatType_32ABGR == code("ABGR"))
        #expect(kCVPixelFormatType_24RGB == 24)
        #expect(kCVPixelFormatType_24BGR == code("24BG"))
        #expect(kCVPixelFormatType_64RGBALE == code("l64r"))
        #expect(kCVPixelFormatType_64ARGB == code("b64a"))
        #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange == code("420v"))
        #expect(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange == code("420f"))
        #expect(kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange == code("422v"))
        #expect(kCVPixelFormatType_422YpCbCr8BiPlanarFullRange == code("422f"))
        #expect(kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange == code("444v"))
        #expect(kCVPixelFormatType_444YpCbCr8BiPlanarFullRange == code("444f"))
        #expect(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange == code("x420"))
        #expect(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange == code("xf20"))
        #expect(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange == code("x422"))
        #expect(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange == code("xf22"))
        #expect(kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange == code("x444"))
        #expect(kCVPixelFormatType_444YpCbCr10BiPlanarFullRange == code("xf44"))
        #expect(kCVPixelFormatType_422YpCbCr8 == code("2vuy"))
        #expect(kCVPixelFormatType_422YpCbCr8_yuvs == code("yuvs"))
        #expect(kCVPixelFormatType_420YpCbCr8Planar == code("y420"))
        #expect(kCVPixelFormatType_420YpCbCr8PlanarFullRange == code("f420"))
        #expect(kCVPixelFormatType_OneComponent8 == code("L008"))
        #expect(kCVPixelFormatType_OneComponent16 == code("L016"))
        #expect(kCVPixelFormatType_OneComponent16Half == code("L00h"))
        #expect(kCVPixelFormatType_OneComponent32Float == code("L00f"))
    }

    @Test func `Keys of pixel buffers are those of dictionaries that Core Video prints`() {
        #expect(kCVPixelBufferPixelFormatTypeKey as String == "PixelFormatType")
        #expect(kCVPixelBufferExtendedPixelsBottomKey as String == "ExtendedPixelsBottom")
        #expect(kCVPixelBufferIOSurfacePropertiesKey as String == "IOSurfaceProperties")
        #expect(kCVImageBufferAlphaChannelIsOpaque as String == "AlphaChannelIsOpaque")
        #expect(kCVImageBufferFieldCountKey as String == "CVFieldCount")
        #expect(kCVImageBufferPixelAspectRatioKey as String == "CVPixelAspectRatio")
        #expect(kCVImageBufferColorPrimariesKey as String == "CVImageBufferColorPrimaries")
        #expect(kCVImageBufferColorPrimaries_ITU_R_709_2 as String == "ITU_R_709_2")
    }

    @Test func `Flags of Core Video have its bits`() {
        #expect(CVPixelBufferLockFlags.readOnly.rawValue == 1)
        #expect(CVPixelBufferPoolFlushFlags.excessBuffers.rawValue == 1)
        #expect(CVAttachmentMode.shouldNotPropagate.rawValue == 0)
        #expect(CVAttachmentMode.shouldPropagate.rawValue == 1)
    }
}
