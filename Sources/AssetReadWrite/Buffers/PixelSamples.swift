public import MediaCore
public import MediaImage
public import SampleBuffers

/// How a format of pixel buffers holds its samples, in the words of decoders and encoders.
struct PixelSamples: Hashable, Sendable {
    /// One of `kCVPixelFormatType_…`.
    let pixelFormat: OSType
    /// FFmpeg's name of the same layout.
    let name: String
    /// Whether samples use all codes.
    let isFullRange: Bool
    /// What can be had of pictures that lie so in memory already; `any` where the range makes no difference.
    let range: Range

    /// What a format says of the range of its samples.
    enum Range: Sendable { case video, full, any }

    private init(_ pixelFormat: OSType, _ name: String, _ range: Range) {
        (self.pixelFormat, self.name, self.range) = (pixelFormat, name, range)
        isFullRange = range != .video
    }

    /// The formats that pictures can be read in and written from.
    static let all: [PixelSamples] = [
        PixelSamples(kCVPixelFormatType_32BGRA, "bgra", .any),
        PixelSamples(kCVPixelFormatType_32ARGB, "argb", .any),
        PixelSamples(kCVPixelFormatType_32RGBA, "rgba", .any),
        PixelSamples(kCVPixelFormatType_32ABGR, "abgr", .any),
        PixelSamples(kCVPixelFormatType_24RGB, "rgb24", .any),
        PixelSamples(kCVPixelFormatType_24BGR, "bgr24", .any),
        PixelSamples(kCVPixelFormatType_64RGBALE, "rgba64le", .any),
        PixelSamples(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "nv12", .video),
        PixelSamples(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "nv12", .full),
        PixelSamples(kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, "nv16", .video),
        PixelSamples(kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, "nv16", .full),
        PixelSamples(kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, "nv24", .video),
        PixelSamples(kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, "nv24", .full),
        PixelSamples(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, "p010le", .video),
        PixelSamples(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, "p010le", .full),
        PixelSamples(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, "p210le", .video),
        PixelSamples(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, "p210le", .full),
        PixelSamples(kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, "p410le", .video),
        PixelSamples(kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, "p410le", .full),
        PixelSamples(kCVPixelFormatType_422YpCbCr8, "uyvy422", .video),
        PixelSamples(kCVPixelFormatType_422YpCbCr8_yuvs, "yuyv422", .video),
        PixelSamples(kCVPixelFormatType_420YpCbCr8Planar, "yuv420p", .video),
        PixelSamples(kCVPixelFormatType_420YpCbCr8PlanarFullRange, "yuv420p", .full),
        PixelSamples(kCVPixelFormatType_OneComponent8, "gray", .any),
        PixelSamples(kCVPixelFormatType_OneComponent16, "gray16le", .any),
    ]

    private static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.pixelFormat, $0) })

    /// - Returns: `nil` for formats that pictures cannot be read in.
    init?(_ pixelFormat: OSType) {
        guard let known = Self.known[pixelFormat] else { return nil }
        self = known
    }

    /// FFmpeg's name of the same layout where alpha means nothing.
    var opaqueName: String {
        switch name {
        case "bgra": "bgr0"
        case "argb": "0rgb"
        case "rgba": "rgb0"
        case "abgr": "0bgr"
        default: name
        }
    }

    /// A layout that filters give, from which this one is made without loss.
    var filterName: String {
        switch name {
        case "nv12": "yuv420p"
        case "nv16", "uyvy422", "yuyv422": "yuv422p"
        case "nv24": "yuv444p"
        case "p010le": "yuv420p10le"
        case "p210le": "yuv422p10le"
        case "p410le": "yuv444p10le"
        default: name
        }
    }

    /// Whether samples are red, green and blue.
    var isRGB: Bool { !name.hasPrefix("gray") && range == .any }
}

/// Makes an image of the picture in a pixel buffer.
///
/// Pixels are copied, and have 8 bits for each component. YCbCr becomes RGB by the attached matrix, without one by BT.601 below 720 lines and BT.709 from there
/// on.
///
/// - Parameters:
///   - options: None is needed; they are ignored.
///   - imageOut: Is given the image, nil if it fails.
/// - Returns: 0; `kCVReturnInvalidPixelFormat` for formats that ``AVAssetReaderTrackOutput`` does not read in,
///   `kCVReturnAllocationFailed` without memory.
/// - Note: Of Core Video's formats those are taken that an ``AVAssetReaderTrackOutput`` reads in, and no others;
///   options are of no effect.
@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
    _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
    imageOut.initialize(to: nil)
    guard PixelSamples(CVPixelBufferGetPixelFormatType(pixelBuffer)) != nil else { return kCVReturnInvalidPixelFormat }
    imageOut.initialize(to: try? pixelBuffer.makeImage())
    return imageOut.pointee == nil ? kCVReturnAllocationFailed : kCVReturnSuccess
}

extension CGImage {
    /// A pixel buffer with the picture, copied: 32BGRA, or 64RGBALE of images with 16 bits for each component.
    ///
    /// Alpha is not multiplied in. Beyond AVFoundation.
    ///
    /// - Throws: `AVError.outOfMemory`, and `operationNotSupportedForAsset` for images of more than 16,384 pixels a side.
    public func makePixelBuffer() throws -> CVPixelBuffer { try copiedPixelBuffer() }
}
