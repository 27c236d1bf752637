public import Foundation
internal import MediaCore

/// The size of the picture in its pixels.
@discardableResult
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The size at which the picture is meant to be shown, in square pixels.
///
/// - Returns: The attached display dimensions; without them the clean aperture's size, its width stretched by the
///   attached shape of a pixel.
@discardableResult
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    if let shown = imageBuffer.attachedNumbers(
        kCVImageBufferDisplayDimensionsKey, kCVImageBufferDisplayWidthKey, kCVImageBufferDisplayHeightKey),
        shown.0 > 0, shown.1 > 0
    {
        return CGSize(width: shown.0, height: shown.1)
    }
    var size = CVImageBufferGetCleanRect(imageBuffer).size
    if let spacing = imageBuffer.attachedNumbers(
        kCVImageBufferPixelAspectRatioKey, kCVImageBufferPixelAspectRatioHorizontalSpacingKey,
        kCVImageBufferPixelAspectRatioVerticalSpacingKey),
        spacing.0 > 0, spacing.1 > 0
    {
        size.width = size.width * spacing.0 / spacing.1
    }
    return size
}

/// The part of the picture that is meant to be seen, in its pixels, counted from the lower left corner.
///
/// - Returns: The attached clean aperture; all of the picture where nothing is attached.
@discardableResult
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    let (width, height) = (Double(imageBuffer.width), Double(imageBuffer.height))
    guard
        let size = imageBuffer.attachedNumbers(
            kCVImageBufferCleanApertureKey, kCVImageBufferCleanApertureWidthKey, kCVImageBufferCleanApertureHeightKey)
    else { return CGRect(x: 0, y: 0, width: width, height: height) }
    let offset = imageBuffer.attachedNumbers(
        kCVImageBufferCleanApertureKey, kCVImageBufferCleanApertureHorizontalOffsetKey,
        kCVImageBufferCleanApertureVerticalOffsetKey)
    // Offsets count down, the rectangle counts up.
    return CGRect(
        x: (width - size.0) / 2 + (offset?.0 ?? 0), y: (height - size.1) / 2 - (offset?.1 ?? 0), width: size.0,
        height: size.1)
}

/// Whether the first row is the top one: true.
@discardableResult
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }

extension CVBuffer {
    /// Two numbers of a dictionary that is attached; `nil` unless both are there.
    fileprivate func attachedNumbers(_ key: CFString, _ first: CFString, _ second: CFString) -> (Double, Double)? {
        guard let dictionary = attachment(key)?.value as? NSDictionary,
            let one = realNumber(dictionary.object(forKey: first)),
            let other = realNumber(dictionary.object(forKey: second))
        else { return nil }
        return (one, other)
    }
}
