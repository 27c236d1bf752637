internal import Foundation
internal import MediaCore

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

/// The memory of a context: pixels of 8 bits for each component, colours multiplied by alpha.
///
/// Pixels are counted from the upper left. The memory is the client's or its own.
final class BitmapSurface {
    let width: Int
    let height: Int
    let bytesPerRow: Int
    let format: PixelFormat
    let memory: UnsafeMutableRawPointer
    private let ownsMemory: Bool
    private let places: (red: Int, green: Int, blue: Int, alpha: Int?)

    /// - Parameter memory: At least `bytesPerRow × height` bytes; cleared memory of its own if `nil`.
    init?(width: Int, height: Int, bytesPerRow: Int, format: PixelFormat, memory: UnsafeMutableRawPointer?) {
        let (size, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
        guard !overflow, size > 0 else { return nil }
        if let memory {
            (self.memory, ownsMemory) = (memory, false)
        } else {
            // `calloc` gives no memory where there is not enough, rather than none at all.
            guard let own = calloc(size, 1) else { return nil }
            (self.memory, ownsMemory) = (own, true)
        }
        (self.width, self.height, self.bytesPerRow, self.format) = (width, height, bytesPerRow, format)
        let (colors, rest) = format.places
        places = (colors[0], colors[1], colors[2], rest)
    }

    deinit { if ownsMemory { free(memory) } }

    /// Red, green, blue and alpha from 0 to 1.
    @inline(__always)
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let bytes = (memory + y * bytesPerRow + x * format.bytesPerPixel).assumingMemoryBound(to: UInt8.self)
        let alpha = format.alpha.hasAlpha ? places.alpha.map { bytes[$0] } ?? 255 : 255
        return SIMD4(Float(bytes[places.red]), Float(bytes[places.green]), Float(bytes[places.blue]), Float(alpha))
            / 255
    }

    @inline(__always)
    func set(_ x: Int, _ y: Int, _ color: SIMD4<Float>) {
        let rounded = (color * 255 + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        store(x, y, UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z), UInt8(rounded.w))
    }

    @inline(__always)
    func store(_ x: Int, _ y: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) {
        let bytes = (memory + y * bytesPerRow + x * format.bytesPerPixel).assumingMemoryBound(to: UInt8.self)
        if format.isGrey {
            bytes[places.red] = red == green && green == blue ? red : .grey(red, green, blue)
        } else {
            (bytes[places.red], bytes[places.green], bytes[places.blue]) = (red, green, blue)
        }
        if let place = places.alpha { bytes[place] = format.alpha.hasAlpha ? alpha : 255 }
    }

    /// The picture so far.
    func image(_ space: CGColorSpace?) -> CGImage? {
        let source = UnsafeRawBufferPointer(start: memory, count: bytesPerRow * height)
        let pixels = format.packed(source, width: width, height: height, bytesPerRow: bytesPerRow)
        return CGImage(
            width: width, height: height, pixels: pixels, format: format, colorSpace: space, bytesPerRow: bytesPerRow)
    }
}

/// What a transform makes of a rectangle, on the pixels of a surface: a parallelogram.
struct DeviceRegion {
    /// From places on the surface, counted from its upper left, to the unit square: right, and down.
    let inverse: CGAffineTransform
    /// The lengths of the sides in pixels.
    let across: Double, down: Double
    /// The pixels that the region touches.
    let columns: Range<Int>, rows: Range<Int>
    /// Whether the region is upright, not mirrored, and ends between pixels.
    let isOnGrid: Bool
    /// Its upper left corner, where it is on the grid.
    let left: Int, top: Int
    private let isSmooth: Bool

    /// - Parameter isSmooth: Whether pixels that are covered in part are drawn in part.
    /// - Returns: `nil` if nothing of it lies on the surface.
    init?(_ rect: CGRect, _ transform: CGAffineTransform, on surface: BitmapSurface, isSmooth: Bool = true) {
        let rect = rect.standardized
        guard !rect.isNull, rect.width > 0, rect.height > 0 else { return nil }
        let matrix = CGAffineTransform(a: rect.width, b: 0, c: 0, d: -rect.height, tx: rect.minX, ty: rect.maxY)
            .concatenating(transform)
            .concatenating(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(surface.height)))
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e9 }),
            abs(matrix.a * matrix.d - matrix.b * matrix.c) > 1e-9
        else { return nil }
        inverse = matrix.inverted()
        (across, down) = (hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d))
        let box = CGRect(x: 0, y: 0, width: 1, height: 1).applying(matrix)
        func touched(_ low: CGFloat, _ high: CGFloat, _ count: Int) -> Range<Int> {
            let first = Int(max(0, min((low + 1e-6).rounded(.down), CGFloat(count))))
            return first..<max(first, Int(max(0, min((high - 1e-6).rounded(.up), CGFloat(count)))))
        }
        columns = touched(box.minX, box.maxX, surface.width)
        rows = touched(box.minY, box.maxY, surface.height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        func isWhole(_ value: CGFloat) -> Bool { abs(value - value.rounded()) < 1e-6 }
        isOnGrid =
            matrix.b == 0 && matrix.c == 0 && matrix.a > 0 && matrix.d > 0
            && [matrix.tx, matrix.ty, matrix.a, matrix.d].allSatisfy(isWhole)
        (left, top) = (Int(matrix.tx.rounded()), Int(matrix.ty.rounded()))
        self.isSmooth = isSmooth
    }

    /// The place in the unit square of a pixel's middle.
    @inline(__always)
    func place(_ x: Int, _ y: Int) -> (u: Double, v: Double) {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        return (
            inverse.a * px + inverse.c * py + inverse.tx, inverse.b * px + inverse.d * py + inverse.ty
        )
    }

    /// How much of a pixel lies inside, from 0 to 1.
    ///
    /// Exact for upright regions; for others the distance from the edges tells.
    @inline(__always)
    func coverage(_ x: Int, _ y: Int) -> Float {
        if isOnGrid { return columns.contains(x) && rows.contains(y) ? 1 : 0 }
        let (u, v) = place(x, y)
        guard isSmooth else { return u >= 0 && u < 1 && v >= 0 && v < 1 ? 1 : 0 }
        func part(_ position: Double, _ length: Double) -> Double {
            // The part of a pixel's width that lies between both edges.
            let start = position * length
            return max(0, min(start + 0.5, length) - max(start - 0.5, 0))
        }
        return Float(part(u, across) * part(v, down))
    }
}
