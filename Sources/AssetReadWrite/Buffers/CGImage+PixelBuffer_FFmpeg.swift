internal import FFmpegKit
internal import MediaCore
internal import MediaImage
internal import SampleBuffers

extension CVBuffer {
    /// The picture as red, green and blue of 8 bits, with alpha where the format has it.
    func makeImage() throws -> CGImage {
        let frame = try Frame.picture(of: self, keepsAlpha: true)
        let whole = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        let hasAlpha = frame.hasAlpha
        let pixels = try PixelConverter().rgb(
            of: frame, crop: whole, width: width, height: height, keepsAlpha: hasAlpha)
        guard let image = CGImage(width: width, height: height, hasAlpha: hasAlpha, pixels: pixels) else {
            throw AVError(.outOfMemory, reason: "there is no memory for a picture")
        }
        return image
    }
}

extension CGImage {
    func copiedPixelBuffer() throws -> CVPixelBuffer {
        let isDeep = bitsPerComponent == 16
        var made: CVPixelBuffer?
        let code = CVPixelBufferCreate(
            nil, width, height, isDeep ? kCVPixelFormatType_64RGBALE : kCVPixelFormatType_32BGRA, nil, &made)
        guard let buffer = made else {
            let isSize = code == kCVReturnInvalidSize
            throw AVError(
                isSize ? .operationNotSupportedForAsset : .outOfMemory,
                reason: isSize
                    ? "a picture of \(width)x\(height) is larger than pixel buffers are"
                    : "there is no memory for a picture (\(code))")
        }
        buffer.withLockedPlanes([]) { planes in
            for y in 0..<height { isDeep ? copyDeep(y, to: planes[0].row(y)) : copy(y, to: planes[0].row(y)) }
        }
        return buffer
    }

    private func copy(_ y: Int, to row: UnsafeMutableRawBufferPointer) {
        let step = packedBytesPerPixel
        pixels.withUnsafeBufferPointer { pixels in
            var source = y * packedBytesPerRow
            for x in 0..<width {
                (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = (pixels[source + 2], pixels[source + 1], pixels[source])
                row[4 * x + 3] = step == 4 ? pixels[source + 3] : .max
                source += step
            }
        }
    }

    private func copyDeep(_ y: Int, to row: UnsafeMutableRawBufferPointer) {
        let count = packedBytesPerPixel / 2
        pixels.withUnsafeBytes { pixels in
            for x in 0..<width {
                for part in 0..<4 {
                    let place = y * packedBytesPerRow + (x * count + part) * 2
                    let value = part < count ? pixels.loadUnaligned(fromByteOffset: place, as: UInt16.self) : .max
                    row.storeBytes(of: value.littleEndian, toByteOffset: 8 * x + 2 * part, as: UInt16.self)
                }
            }
        }
    }
}
