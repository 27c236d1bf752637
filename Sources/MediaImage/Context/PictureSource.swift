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
        let isNear =
            target.width <= 4 * max(width, region.columns.count)
            && target.height <= 4 * max(height, region.rows.count)
        let isWanted = isReduced || quality != .low
        if !isNearest, isReduced, min(width, height, target.width, target.height) < Self.smallest {
            pixels = Self.averaged(pixels, (width, height), to: target)
            (width, height) = target
        } else if !isNearest, isWanted, isNear, target != (width, height),
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

    /// Below so many pixels in a direction, swscale's averages are those of a part of the picture.
    private static let smallest = 16

    /// Each pixel the mean of what it covers.
    private static func averaged(
        _ pixels: [UInt8], _ size: (width: Int, height: Int), to target: (width: Int, height: Int)
    ) -> [UInt8] {
        func spans(_ count: Int, _ targets: Int) -> [(first: Int, weights: [Float])] {
            (0..<targets).map { index in
                let low = Double(index * count) / Double(targets)
                let high = Double((index + 1) * count) / Double(targets)
                let (first, end) = (Int(low.rounded(.down)), min(count, Int(high.rounded(.up))))
                return (
                    first,
                    (first..<end).map { Float((min(high, Double($0 + 1)) - max(low, Double($0))) / (high - low)) }
                )
            }
        }
        let (columns, rows) = (spans(size.width, target.width), spans(size.height, target.height))
        var result: [UInt8] = []
        result.reserveCapacity(4 * target.width * target.height)
        for row in rows {
            for column in columns {
                var sum = SIMD4<Float>.zero
                for (y, vertical) in row.weights.enumerated() {
                    for (x, horizontal) in column.weights.enumerated() {
                        let start = 4 * ((row.first + y) * size.width + column.first + x)
                        let pixel = SIMD4(pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
                        sum += SIMD4<Float>(pixel) * (vertical * horizontal)
                    }
                }
                for index in 0..<4 { result.append(UInt8(min(255, sum[index] + 0.5))) }
            }
        }
        return result
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
