internal import MediaAsset
package import MediaImage

extension PicturePixels {
    /// An image's pixels.
    package init?(_ image: CGImage) {
        let (channels, count) = (image.hasAlpha ? 4 : 3, image.width * image.height)
        let (pixels, isDeep) = (image.pixels, image.bitsPerComponent == 16)
        let components = [UInt16](unsafeUninitializedCapacity: 4 * count) { target, filled in
            for pixel in 0..<count {
                for part in 0..<channels {
                    let index = pixel * channels + part
                    target[4 * pixel + part] =
                        isDeep
                        ? UInt16(pixels[2 * index]) | UInt16(pixels[2 * index + 1]) << 8 : UInt16(pixels[index]) * 257
                }
                if channels == 3 { target[4 * pixel + 3] = 65535 }
            }
            filled = 4 * count
        }
        self.init(components, width: image.width, height: image.height, hasAlpha: image.hasAlpha)
    }
}

extension CGImage {
    /// An image of 8 bits of components that are multiplied by their alpha; without alpha if nothing is seen through.
    package convenience init?(components: [UInt16], width: Int, height: Int) {
        var components = components
        let hasAlpha = stride(from: 3, to: components.count, by: 4).contains { components[$0] < 65535 }
        if hasAlpha { components.divideByAlpha() }
        let channels = hasAlpha ? 4 : 3
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, count in
            for pixel in 0..<(width * height) {
                for part in 0..<channels {
                    target[pixel * channels + part] = UInt8(
                        (UInt32(components[4 * pixel + part]) * 255 + 32767) / 65535)
                }
            }
            count = width * height * channels
        }
        self.init(width: width, height: height, hasAlpha: hasAlpha, pixels: pixels)
    }
}
