import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Sample buffers of pictures, and their formats.
struct PictureTests {
    @Test func `A frame in a sample buffer is one sample without a size`() throws {
        let image = try picture()
        let buffer = try CMSampleBuffer(
            imageBuffer: image, formatDescription: try CMFormatDescription(imageBuffer: image),
            sampleTiming: timing(time(3, 25), time(1, 25)))
        #expect(buffer.imageBuffer == image)
        #expect(buffer.dataBuffer == nil)
        #expect(buffer.numSamples == 1)
        #expect(buffer.presentationTimeStamp == time(3, 25))
        #expect(buffer.duration == time(1, 25))
        #expect(buffer.totalSampleSize == 0)
        #expect(code { _ = try buffer.sampleSizes() } == kCMSampleBufferError_BufferHasNoSampleSizes)
        #expect(
            CMSampleBufferSetDataBuffer(buffer, newValue: try block([1])) == kCMSampleBufferError_AlreadyHasDataBuffer)
        let copy = try CMSampleBuffer(copying: buffer, withNewTiming: [timing(.zero, time(1, 1))])
        #expect(copy.imageBuffer == image)
        #expect(copy.presentationTimeStamp == .zero)
        #expect(buffer.dataReadiness == .ready)
    }

    @Test func `A frame is released when its sample buffer is made invalid`() throws {
        weak var seen: CVPixelBuffer?
        let buffer: CMSampleBuffer
        do {
            let image = try picture()
            seen = image
            buffer = CMSampleBuffer(
                image: image, format: try CMFormatDescription(imageBuffer: image), timing: timing(.zero, .invalid))
        }
        #expect(seen != nil)
        CMSampleBufferInvalidate(buffer)
        #expect(seen == nil)
    }

    @Test func `The format of a frame is that of its pixels and attachments`() throws {
        let image = try picture(720, 576)
        CVBufferSetAttachment(
            image, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
        CVBufferSetAttachment(
            image, kCVImageBufferPixelAspectRatioKey,
            ["HorizontalSpacing": 16, "VerticalSpacing": 15] as CFDictionary, .shouldPropagate)
        CVBufferSetAttachment(image, "private" as CFString, kCFBooleanTrue, .shouldPropagate)
        var made: CMVideoFormatDescription?
        #expect(
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: nil, imageBuffer: image, formatDescriptionOut: &made) == 0)
        let format = try #require(made)
        #expect(format.mediaType == .video)
        #expect(format.mediaSubType.rawValue == kCVPixelFormatType_32BGRA)
        #expect(format.dimensions == CMVideoDimensions(width: 720, height: 576))
        #expect(format.extensions.count == 2)
        #expect(
            CMFormatDescriptionGetExtension(format, extensionKey: kCMFormatDescriptionExtension_YCbCrMatrix) as? String
                == "ITU_R_601_4")
        #expect(format.presentationDimensions() == CGSize(width: 768, height: 576))
        #expect(try CMFormatDescription(imageBuffer: image) == format)
    }

    @Test func `A format has to match the frame in all that both describe`() throws {
        let image = try picture()
        let format = try CMFormatDescription(imageBuffer: image)
        func matches() -> Bool { CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: image) }
        #expect(matches())
        CVBufferSetAttachment(image, "private" as CFString, kCFBooleanTrue, .shouldPropagate)
        #expect(matches())
        CVBufferSetAttachment(image, kCVImageBufferGammaLevelKey, 2.2 as NSNumber, .shouldPropagate)
        #expect(!matches())
        #expect(
            code {
                _ = try CMSampleBuffer(
                    imageBuffer: image, formatDescription: format, sampleTiming: timing(.zero, .invalid))
            } == kCMSampleBufferError_InvalidMediaFormat)
        var (made, times): (CMSampleBuffer?, CMSampleTimingInfo) = (nil, .invalid)
        #expect(
            CMSampleBufferCreateForImageBuffer(
                allocator: nil, imageBuffer: image, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
                formatDescription: try CMFormatDescription(imageBuffer: image), sampleTiming: &times,
                sampleBufferOut: &made) == 0)
        #expect(!CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: try picture(65, 48)))
        #expect(!CMVideoFormatDescriptionMatchesImageBuffer(try aac(), imageBuffer: image))
    }

    @Test func `Integer and floating-point extensions of equal value match`() throws {
        let image = try picture()
        let aperture: [String: Double] = ["Width": 64, "Height": 40, "HorizontalOffset": 0, "VerticalOffset": 0.5]
        CVBufferSetAttachment(image, kCVImageBufferCleanApertureKey, aperture as CFDictionary, .shouldPropagate)
        var made: CMVideoFormatDescription?
        let extensions: [String: Any] = [
            "CVCleanAperture": ["Width": 64, "Height": 40, "HorizontalOffset": 0, "VerticalOffset": 0.5]
        ]
        _ = CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCVPixelFormatType_32BGRA, width: 64, height: 48,
            extensions: extensions as CFDictionary, formatDescriptionOut: &made)
        #expect(CMVideoFormatDescriptionMatchesImageBuffer(try #require(made), imageBuffer: image))
    }

    @Test func `Extension keys that pixel buffers share are listed`() {
        let keys = CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() as? [String]
        #expect(keys?.contains("CVImageBufferColorPrimaries") == true)
        #expect(keys?.contains("CVFieldCount") == true)
        #expect(keys?.contains("Depth") == false)
    }

    @Test func `A marker carries only its attachments`() throws {
        let marker = try CMSampleBuffer(markerAt: time(5, 1))
        #expect(marker.numSamples == 0)
        #expect(marker.outputPresentationTimeStamp == time(5, 1))
        #expect(CMSampleBufferDataIsReady(marker))
        #expect(CMSampleBufferCallBlockForEachSample(marker) { _, _ in -1 } == 0)
        #expect(try CMSampleBuffer(copying: marker).outputPresentationTimeStamp == time(5, 1))
    }
}
