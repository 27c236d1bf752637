extension CGImage {
    /// The image turned and mirrored.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Complexity: One pass over the pixels; none for `.up`.
    public func oriented(_ orientation: ImageOrientation) -> CGImage {
        guard orientation != .up else { return self }
        let channels = packedBytesPerPixel  // bytes of a pixel
        let outWidth = orientation.swapsAxes ? height : width
        let outHeight = orientation.swapsAxes ? width : height
        // Steps through the source for one step right and one step down in the result.
        let alongX = orientation.swapsAxes ? packedBytesPerRow : channels
        let alongY = orientation.swapsAxes ? channels : packedBytesPerRow
        let stepX = orientation.flipsHorizontally ? -alongX : alongX
        let stepY = orientation.flipsVertically ? -alongY : alongY
        let first =
            (orientation.flipsHorizontally ? (outWidth - 1) * alongX : 0)
            + (orientation.flipsVertically ? (outHeight - 1) * alongY : 0)
        let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            pixels.withUnsafeBufferPointer { source in
                var target = 0
                for y in 0..<outHeight {
                    var offset = first + y * stepY
                    for _ in 0..<outWidth {
                        for component in 0..<channels { buffer[target + component] = source[offset + component] }
                        target += channels
                        offset += stepX
                    }
                }
            }
            count = pixels.count
        }
        return CGImage(
            width: outWidth, height: outHeight, hasAlpha: hasAlpha, pixels: turned, bitsPerComponent: bitsPerComponent,
            colorSpace: colorSpace) ?? self
    }
}
