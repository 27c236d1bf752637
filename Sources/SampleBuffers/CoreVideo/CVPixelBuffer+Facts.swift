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

/// How many pixels of memory there are around the picture; 0 unless attributes asked for them.
///
/// - Parameters:
///   - extraColumnsOnLeft: Is given the columns left of the picture; may be nil, as all others.
///   - extraColumnsOnRight: Is given the columns right of the picture.
///   - extraRowsOnTop: Is given the rows above the picture.
///   - extraRowsOnBottom: Is given the rows below the picture.
public func CVPixelBufferGetExtendedPixels(
    _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
    _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
    _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
    let extended = pixelBuffer.layout?.extended ?? ExtendedPixels()
    extraColumnsOnLeft?.pointee = extended.left
    extraColumnsOnRight?.pointee = extended.right
    extraRowsOnTop?.pointee = extended.top
    extraRowsOnBottom?.pointee = extended.bottom
}

/// Repeats the pixels at the picture's edges in what is around it.
///
/// Where pairs of pixels share their chroma, pairs are repeated.
///
/// - Returns: `kCVReturnSuccess`, also if there is nothing around the picture.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
    guard let layout = pixelBuffer.layout else { return kCVReturnSuccess }
    CVPixelBufferLockBaseAddress(pixelBuffer, [])
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, []) }
    for (plane, place) in zip(pixelBuffer.storage.planes, layout.planes) {
        fillSides(plane, place)
        fillTopAndBottom(plane, place)
    }
    return kCVReturnSuccess
}

/// Repeats the first and the last block of each row.
private func fillSides(_ plane: PixelPlane, _ place: PixelBufferLayout.Plane) {
    let (size, last) = (place.description.bytesPerBlock, place.blocksPerRow - 1)
    for row in 0..<plane.height {
        let first = plane.address + row * plane.bytesPerRow
        for block in 0..<place.margin.left {
            (first - (block + 1) * size).copyMemory(from: first, byteCount: size)
        }
        for block in 0..<place.margin.right {
            (first + (last + 1 + block) * size).copyMemory(from: first + last * size, byteCount: size)
        }
    }
}

/// Repeats the first and the last row, with what is beside them.
private func fillTopAndBottom(_ plane: PixelPlane, _ place: PixelBufferLayout.Plane) {
    let size = place.description.bytesPerBlock
    let byteCount = (place.margin.left + place.blocksPerRow + place.margin.right) * size
    let first = plane.address - place.margin.left * size
    let last = first + (plane.height - 1) * plane.bytesPerRow
    for row in 0..<place.margin.top {
        (first - (row + 1) * plane.bytesPerRow).copyMemory(from: first, byteCount: byteCount)
    }
    for row in 0..<place.margin.bottom {
        (last + (row + 1) * plane.bytesPerRow).copyMemory(from: last, byteCount: byteCount)
    }
}
