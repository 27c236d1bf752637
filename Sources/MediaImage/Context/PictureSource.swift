/// An image made ready for drawing into a region: components multiplied by alpha, and about as large as the region.
struct PictureSource {
    private let width: Int
    private let height: Int
    /// R, G, B, A.
    private let pixels: [UInt8]
    private let isNearest: Bool

    init(_ image: CGImage, for region: DeviceRegion, in space: CGColorSpace, _ quality: CGInterpolationQuality) {
        var pixels = Self.opaqueOrPremultiplied(image, ColorConversion(from: image.space, to: space))
        var (width, height) = (image.width, image.height)
        isNearest = quality == .none
        let target = (width: max(1, Int(region.across.rounded())), height: max(1, Int(region.down.rounded())))
        let isReduced = target.width < width || target.height < height
        // What is enlarged beyond the region's visible part would cost memory for nothing.
        let isNear = target.width <= 4 * max(width, region.columns.count)
            && target.height <= 4 * max(height, region.rows.count)
        let isWanted = isReduced || quality != .low
        if !isNearest, isWanted, isNear, target != (width, height),
            let scaled = CGImage(width: width, height: height, hasAlpha: true, pixels: pixels).flatMap({
                try? $0.scaled(width: target.width, height: target.height)
            })
        {
            pixels = scaled.pixels
            (width, height) = target
            if image.hasAlpha { Self.limit(&pixels) }
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    private static func opaqueOrPremultiplied(_ image: CGImage, _ conversion: ColorConversion?) -> [UInt8] {
        var source = image.bytes(withAlpha: true)
        let from = image.hasAlpha ? 4 : 3
        conversion?.convert(&source, size: from)
        let area = image.width * image.height
        return [UInt8](unsafeUninitializedCapacity: 4 * area) { target, count in
            for pixel in 0..<area {
                let alpha = from == 4 ? source[4 * pixel + 3] : 255
                for index in 0..<3 {
                    let value = source[from * pixel + index]
                    target[4 * pixel + index] = alpha == 255 ? value : value.multiplied(alpha)
                }
                target[4 * pixel + 3] = alpha
            }
            count = 4 * area
        }
    }

    /// A cubic filter overshoots; no colour is more than its alpha.
    private static func limit(_ pixels: inout [UInt8]) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            for index in 0..<3 { pixels[start + index] = min(pixels[start + index], pixels[start + 3]) }
        }
    }

    /// Whether there is a pixel for each of the region's.
    func isOf(_ region: DeviceRegion) -> Bool {
        Double(width) == region.across.rounded() && Double(height) == region.down.rounded()
    }

    /// A pixel, from 0 to 1, alpha last; the nearest one outside.
    @inline(__always)
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let start = 4 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1))
        return SIMD4(
            Float(pixels[start]), Float(pixels[start + 1]), Float(pixels[start + 2]), Float(pixels[start + 3])) / 255
    }

    func store(_ x: Int, _ y: Int, on surface: BitmapSurface, _ column: Int, _ row: Int) {
        let start = 4 * (y * width + x)
        surface.store(column, row, pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
    }

    /// The colour at a place of the unit square, between the four nearest pixels unless the nearest is wanted.
    @inline(__always)
    func sample(_ u: Double, _ v: Double) -> SIMD4<Float> {
        let (x, y) = (u * Double(width), v * Double(height))
        if isNearest { return pixel(Int(x.rounded(.down)), Int(y.rounded(.down))) }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (dx, dy) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
        let (column, row) = (Int(left), Int(top))
        let upper = pixel(column, row) * (1 - dx) + pixel(column + 1, row) * dx
        let lower = pixel(column, row + 1) * (1 - dx) + pixel(column + 1, row + 1) * dx
        return upper * (1 - dy) + lower * dy
    }
}
