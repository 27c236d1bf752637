public import MediaCore
public import MediaImage
public import SampleBuffers

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
    imageOut.pointee = nil
    guard PixelSamples(CVPixelBufferGetPixelFormatType(pixelBuffer)) != nil else { return kCVReturnInvalidPixelFormat }
    imageOut.pointee = try? pixelBuffer.makeImage()
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
