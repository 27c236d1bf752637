internal import Foundation
internal import MediaAsset
internal import MediaCore
package import MediaImage
internal import SampleBuffers

/// The pixels of a picture in memory: red, green, blue and alpha, 16 bits each.
package struct PicturePixels: Sendable {
    /// The components, row by row.
    let components: [UInt16]
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Components from the start of one row to that of the next, at least four for each pixel.
    let rowStride: Int
    /// Whether the fourth component counts; without, every pixel is opaque whatever it says.
    let hasAlpha: Bool

    /// The longest side that a picture may have.
    static let largestSide = 1 << 20

    /// A picture of components that are not multiplied by alpha; `nil` if there are fewer than its size needs, or it
    /// has none.
    ///
    /// - Parameter rowStride: Four for each pixel by default.
    init?(
        _ components: [UInt16], width: Int, height: Int, rowStride: Int? = nil, hasAlpha: Bool
    ) {
        let sides = 1...Self.largestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let stride = rowStride ?? 4 * width
        guard stride >= 4 * width, stride <= 8 * Self.largestSide,
            components.count >= (height - 1) * stride + 4 * width
        else { return nil }
        (self.components, self.width, self.height) = (components, width, height)
        (self.rowStride, self.hasAlpha) = (stride, hasAlpha)
    }

    /// A picture of rows without gaps.
    private init(rows components: [UInt16], width: Int, height: Int, hasAlpha: Bool) {
        (self.components, self.width, self.height) = (components, width, height)
        (rowStride, self.hasAlpha) = (4 * width, hasAlpha)
    }

    /// A part of the picture, its components multiplied by alpha; the picture itself if it has no alpha.
    func premultiplied(_ columns: Range<Int>, _ rows: Range<Int>) -> (pixels: PicturePixels, isWhole: Bool) {
        guard hasAlpha else { return (self, true) }
        let made = [UInt16](unsafeUninitializedCapacity: 4 * columns.count * rows.count) { target, count in
            var next = 0
            for y in rows {
                for x in columns {
                    let first = y * rowStride + 4 * x
                    let alpha = UInt32(components[first + 3])
                    for index in 0..<3 {
                        // The product and half the divisor are below 2³².
                        target[next + index] = UInt16((UInt32(components[first + index]) * alpha + 32767) / 65535)
                    }
                    target[next + 3] = UInt16(alpha)
                    next += 4
                }
            }
            count = next
        }
        return (PicturePixels(rows: made, width: columns.count, height: rows.count, hasAlpha: true), false)
    }

    /// A part of the picture, each pixel the mean of a block of so many columns and rows; blocks at the right and the
    /// lower edge may be smaller.
    ///
    /// Of components that are multiplied by alpha, or of an opaque picture.
    ///
    /// - Parameter block: At most 256 each way, so that sums fit 32 bits.
    func reduced(_ columns: Range<Int>, _ rows: Range<Int>, by block: (columns: Int, rows: Int))
        -> PicturePixels
    {
        let width = (columns.count + block.columns - 1) / block.columns
        let height = (rows.count + block.rows - 1) / block.rows
        let made = [UInt16](unsafeUninitializedCapacity: 4 * width * height) { target, count in
            components.withUnsafeBufferPointer { source in
                for y in 0..<height {
                    let top = rows.lowerBound + y * block.rows
                    let span = top..<min(top + block.rows, rows.upperBound)
                    Self.average(source, rowStride, span, columns, block.columns, into: target, at: 4 * width * y)
                }
            }
            count = 4 * width * height
        }
        return PicturePixels(rows: made, width: width, height: height, hasAlpha: hasAlpha)
    }

    /// Writes one row of means.
    private static func average(
        _ source: UnsafeBufferPointer<UInt16>, _ rowStride: Int, _ rows: Range<Int>, _ columns: Range<Int>,
        _ block: Int,
        into target: UnsafeMutableBufferPointer<UInt16>, at first: Int
    ) {
        guard let base = source.baseAddress, let target = target.baseAddress else { return }
        var output = target + first
        var left = columns.lowerBound
        if block == 2, rows.count == 2 {
            // Half size is what films are drawn at most, and loops of two turns take twice as long.
            averagePairs(base + rows.lowerBound * rowStride + 4 * left, rowStride, columns.count / 2, into: output)
            output += 4 * (columns.count / 2)
            left += columns.count / 2 * 2
        }
        while left < columns.upperBound {
            let end = min(left + block, columns.upperBound)
            var sum = SIMD4<UInt32>.zero
            for y in rows {
                var pixel = base + y * rowStride + 4 * left
                for _ in left..<end {
                    sum &+= PixelVector.widened(PixelVector.load(pixel))
                    pixel += 4
                }
            }
            let share = 1 / Float(rows.count * (end - left))
            PixelVector.store(PixelVector.rounded(PixelVector.floats(sum) * share), at: output)
            output += 4
            left = end
        }
    }

    /// Writes the means of squares of four pixels.
    private static func averagePairs(
        _ source: UnsafePointer<UInt16>, _ rowStride: Int, _ count: Int, into target: UnsafeMutablePointer<UInt16>
    ) {
        for index in 0..<count {
            let (upper, lower) = (source + 8 * index, source + rowStride + 8 * index)
            let sum =
                (PixelVector.floats(PixelVector.load(upper)) + PixelVector.floats(PixelVector.load(upper + 4)))
                + (PixelVector.floats(PixelVector.load(lower)) + PixelVector.floats(PixelVector.load(lower + 4)))
            PixelVector.store(PixelVector.rounded(sum * 0.25), at: target + 4 * index)
        }
    }
}

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

/// A format of pixel buffers whose components are red, green, blue and alpha of equal size.
struct ComponentFormat {
    let pixelFormat: OSType
    /// Where red, green, blue and alpha lie, in components; alpha may be missing.
    private let places: [Int]
    private let componentsOfPixel: Int
    private let isDeep: Bool

    static let usual = ComponentFormat(kCVPixelFormatType_32BGRA, [2, 1, 0, 3], 4)

    private init(_ pixelFormat: OSType, _ places: [Int], _ count: Int, isDeep: Bool = false) {
        (self.pixelFormat, self.places, componentsOfPixel, self.isDeep) = (pixelFormat, places, count, isDeep)
    }

    /// `nil` for formats of other kinds.
    init?(_ pixelFormat: OSType) {
        switch pixelFormat {
        case kCVPixelFormatType_32BGRA: self = .usual
        case kCVPixelFormatType_32RGBA: self.init(pixelFormat, [0, 1, 2, 3], 4)
        case kCVPixelFormatType_32ARGB: self.init(pixelFormat, [1, 2, 3, 0], 4)
        case kCVPixelFormatType_32ABGR: self.init(pixelFormat, [3, 2, 1, 0], 4)
        case kCVPixelFormatType_24RGB: self.init(pixelFormat, [0, 1, 2], 3)
        case kCVPixelFormatType_64RGBALE: self.init(pixelFormat, [0, 1, 2, 3], 4, isDeep: true)
        default: return nil
        }
    }

    /// A buffer with a picture, multiplied by its alpha.
    func buffer(of picture: PicturePixels) throws -> CVPixelBuffer {
        let picture = picture.premultiplied(0..<picture.width, 0..<picture.height).pixels
        var made: CVPixelBuffer?
        let code = CVPixelBufferCreate(nil, picture.width, picture.height, pixelFormat, nil, &made)
        guard let buffer = made else {
            throw AVError(.outOfMemory, reason: "there is no memory for a picture (\(code))")
        }
        buffer.withLockedPlanes([]) { planes in
            guard let plane = planes.first else { return }
            for y in 0..<picture.height { write(picture, row: y, to: plane.row(y)) }
        }
        return buffer
    }

    private func write(_ picture: PicturePixels, row y: Int, to row: UnsafeMutableRawBufferPointer) {
        let first = y * picture.rowStride
        for x in 0..<picture.width {
            for (part, place) in places.enumerated() {
                let isOpaque = part == 3 && !picture.hasAlpha
                let value = isOpaque ? 65535 : picture.components[first + 4 * x + part]
                let index = x * componentsOfPixel + place
                if isDeep {
                    row.storeBytes(of: value.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
                } else {
                    row[index] = UInt8((UInt32(value) * 255 + 32767) / 65535)
                }
            }
        }
    }

    /// Red, green, blue and alpha of 16 bits, row by row; `nil` if the buffer's memory is not as large as that.
    func components(of buffer: CVPixelBuffer) -> [UInt16]? {
        let (width, height) = (buffer.width, buffer.height)
        return buffer.withLockedPlanes(.readOnly) { planes in
            guard let plane = planes.first, plane.width >= width, plane.height >= height else { return nil }
            return [UInt16](unsafeUninitializedCapacity: 4 * width * height) { target, count in
                for y in 0..<height {
                    let row = plane.row(y)
                    for x in 0..<width {
                        for part in 0..<4 {
                            target[4 * (y * width + x) + part] = value(row, x, part)
                        }
                    }
                }
                count = 4 * width * height
            }
        }
    }

    private func value(_ row: UnsafeMutableRawBufferPointer, _ x: Int, _ part: Int) -> UInt16 {
        guard part < places.count else { return 65535 }
        let index = x * componentsOfPixel + places[part]
        return isDeep
            ? UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
            : UInt16(row[index]) * 257
    }
}
