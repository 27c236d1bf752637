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
