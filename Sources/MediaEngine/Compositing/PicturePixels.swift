internal import MediaAsset

/// The pixels of a picture in memory: red, green, blue and alpha, 16 bits each.
package struct PicturePixels: Sendable {
    /// The components, row by row.
    package let components: [UInt16]
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Components from the start of one row to that of the next, at least four for each pixel.
    package let rowStride: Int
    /// Whether the fourth component counts; without, every pixel is opaque whatever it says.
    package let hasAlpha: Bool

    /// The longest side that a picture may have.
    static let largestSide = 1 << 20

    /// A picture of components that are not multiplied by alpha; `nil` if there are fewer than its size needs, or it
    /// has none.
    ///
    /// - Parameter rowStride: Four for each pixel by default.
    package init?(
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
    package func reduced(_ columns: Range<Int>, _ rows: Range<Int>, by block: (columns: Int, rows: Int))
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
