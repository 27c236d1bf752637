public import Foundation
public import MediaCore

/// The number of the type of buffers.
@discardableResult
public func CVPixelBufferGetTypeID() -> CFTypeID { 1 }

/// Pixels in a row.
@discardableResult
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Rows of pixels.
@discardableResult
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The pixel format, one of `kCVPixelFormatType_…`.
@discardableResult
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormat }

/// The address of the first pixel.
///
/// The buffer has to be locked for as long as the address is used.
///
/// - Returns: For planar buffers the descriptor that they were made with, nil if there was none:
///   ``CVPixelBufferGetBaseAddressOfPlane(_:_:)`` has their pixels.
/// - Note: The address is the same whether the buffer is locked or not. Core Video may make a descriptor of its own.
@discardableResult
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.isPlanar ? pixelBuffer.storage.planeDescriptor : pixelBuffer.storage.planes.first?.address
}

/// Bytes from row to row.
///
/// - Returns: For planar buffers so many that, times the height, they cover all planes.
@discardableResult
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
    let storage = pixelBuffer.storage
    return pixelBuffer.isPlanar
        ? storage.byteCount.dividedRoundingUp(by: pixelBuffer.height) : storage.planes.first?.bytesPerRow ?? 0
}

/// Bytes of all planes, with padding and what is around the picture.
///
/// - Returns: Of a planar buffer in memory of the client's, the size that it was made with, if there was one.
@discardableResult
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.storage.byteCount }

/// Whether there is more than one plane.
@discardableResult
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// How many planes there are; 0 for buffers that are not planar.
@discardableResult
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.isPlanar ? pixelBuffer.storage.planes.count : 0
}

/// Columns of a plane: pixels, or samples of chroma.
///
/// - Returns: 0 for buffers that are not planar and planes that there are not.
@discardableResult
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.countedPlane(planeIndex)?.width ?? 0
}

/// Rows of a plane.
///
/// - Returns: 0 for buffers that are not planar and planes that there are not.
@discardableResult
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.countedPlane(planeIndex)?.height ?? 0
}

/// The address of a plane's first pixel.
///
/// The buffer has to be locked for as long as the address is used.
///
/// - Returns: `nil` for buffers that are not planar and planes that there are not.
/// - Note: Unlike Core Video's: the address is the same whether the buffer is locked or not.
@discardableResult
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
    pixelBuffer.countedPlane(planeIndex)?.address
}

/// Bytes from row to row of a plane.
///
/// - Returns: 0 for buffers that are not planar and planes that there are not.
@discardableResult
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.countedPlane(planeIndex)?.bytesPerRow ?? 0
}

/// The attributes that the buffer was made with, and its format, width and height.
@discardableResult
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
    pixelBuffer.attributes
}

/// Whether the buffer is as attributes want it: format, size, alignment, pixels around the picture.
///
/// - Parameter attributes: By `kCVPixelBuffer…Key`; nil for none.
/// - Returns: False also for attributes with values of the wrong type.
/// - Note: Unlike Core Video's: what is asked for the sake of other frameworks (Metal, surfaces) does not count.
@discardableResult
public func CVPixelBufferIsCompatibleWithAttributes(
    _ pixelBuffer: CVPixelBuffer, _ attributes: CFDictionary?
) -> Bool {
    guard let wanted = try? PixelBufferAttributes(attributes) else { return false }
    let (have, want) = (pixelBuffer.layout?.extended ?? ExtendedPixels(), wanted.extended)
    let planes = pixelBuffer.storage.planes
    return (wanted.pixelFormats.isEmpty || wanted.pixelFormats.contains(pixelBuffer.pixelFormat))
        && wanted.width ?? pixelBuffer.width == pixelBuffer.width
        && wanted.height ?? pixelBuffer.height == pixelBuffer.height
        && planes.allSatisfy { isMultiple($0.bytesPerRow, of: wanted.rowAlignment) }
        && have.left >= want.left && have.right >= want.right && have.top >= want.top && have.bottom >= want.bottom
}

private func isMultiple(_ number: Int, of alignment: Int?) -> Bool {
    guard let alignment else { return true }
    return alignment > 0 && number.isMultiple(of: alignment)
}

extension CVBuffer {
    /// A plane as Core Video counts them: none of buffers that are not planar.
    fileprivate func countedPlane(_ index: Int) -> PixelPlane? {
        isPlanar && storage.planes.indices.contains(index) ? storage.planes[index] : nil
    }
}
