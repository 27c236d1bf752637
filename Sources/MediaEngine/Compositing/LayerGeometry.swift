internal import Foundation
internal import MediaAsset
internal import MediaCore

/// Where in a layer's picture the points of the canvas lie.
///
/// `u` and `v` are counted in pixels of the picture from its top left corner; pixel 3 reaches from 3 to 4.
struct LayerGeometry {
    /// What `u` grows by for a pixel to the right, and for one downwards.
    var u: (x: Double, y: Double, origin: Double)
    /// What `v` grows by for a pixel to the right, and for one downwards.
    var v: (x: Double, y: Double, origin: Double)
    /// The part of the picture that is left, in `u` and `v`.
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    /// `nil` if nothing is to be seen: nothing is left of the picture, or the transform makes it a line or a point, or
    /// has numbers that cannot be reckoned with.
    init?(_ layer: PictureLayer) {
        let (width, height) = (Double(layer.pixels.width), Double(layer.pixels.height))
        let (scaleX, scaleY) = (layer.size.width / width, layer.size.height / height)
        guard scaleX > 0, scaleY > 0, let inverse = Self.inverse(of: layer.transform, scaleX, scaleY) else {
            return nil
        }
        (u, v) = inverse
        let crop = layer.cropRectangle
        func span(_ origin: Double, _ length: Double, _ scale: Double, _ limit: Double) -> (Double, Double) {
            let ends = (origin / scale, (origin + length) / scale)
            return (max(0, min(ends.0, ends.1)), min(limit, max(ends.0, ends.1)))
        }
        (left, right) = span(crop.origin.x, crop.size.width, scaleX, width)
        (top, bottom) = span(crop.origin.y, crop.size.height, scaleY, height)
        let isKnown = ![crop.origin.x, crop.origin.y, crop.size.width, crop.size.height].contains(where: \.isNaN)
        guard isKnown, left < right, top < bottom, left >= 0, top >= 0, right <= width, bottom <= height else {
            return nil
        }
    }

    private typealias Row = (x: Double, y: Double, origin: Double)

    private static func inverse(of transform: CGAffineTransform, _ scaleX: Double, _ scaleY: Double) -> (Row, Row)? {
        var (a, b) = (transform.a * scaleX, transform.b * scaleX)
        var (c, d) = (transform.c * scaleY, transform.d * scaleY)
        // A quarter turn by sines and cosines is one: what is 13 digits below the largest number is noise.
        let noise = max(abs(a), abs(b), abs(c), abs(d)) * 1e-13
        func clean(_ value: Double) -> Double { abs(value) <= noise ? 0 : value }
        (a, b, c, d) = (clean(a), clean(b), clean(c), clean(d))
        let determinant = a * d - b * c
        let (x, y) = (transform.tx, transform.ty)
        let u = (x: d / determinant, y: -c / determinant, origin: (c * y - d * x) / determinant)
        let v = (x: -b / determinant, y: a / determinant, origin: (b * x - a * y) / determinant)
        guard determinant != 0, [u.x, u.y, u.origin, v.x, v.y, v.origin].allSatisfy(\.isFinite) else { return nil }
        return (u, v)
    }

    /// The pixels of the picture of which something is left.
    var columns: Range<Int> { Int(left)..<max(Int(left) + 1, Int(right.rounded(.up))) }
    /// The rows of the picture of which something is left.
    var rows: Range<Int> { Int(top)..<max(Int(top) + 1, Int(bottom.rounded(.up))) }

    /// How many pixels of the picture lie side by side in one of the canvas: along `u` and along `v`.
    private var density: (Double, Double) {
        ((u.x * u.x + u.y * u.y).squareRoot(), (v.x * v.x + v.y * v.y).squareRoot())
    }

    /// The blocks of pixels whose means the picture must be made of, so that two neighbours of it are not further
    /// apart than two of the canvas's pixels.
    ///
    /// Interpolation looks at two neighbours each way; it would leave out what lies between, where a picture is drawn at
    /// less than half its size. Means of whole blocks cost one pass over the picture, whatever the transform; what is
    /// left to interpolate lies between full and half size.
    var block: (columns: Int, rows: Int) {
        func factor(_ density: Double, _ count: Int) -> Int {
            density + 1e-9 >= 2 ? min(Int(min(density + 1e-9, 256)), count) : 1
        }
        return (factor(density.0, columns.count), factor(density.1, rows.count))
    }

    /// The geometry of the part of the picture that begins at a pixel, in blocks.
    func reduced(from column: Int, _ row: Int, by block: (columns: Int, rows: Int)) -> LayerGeometry {
        let (width, height) = (Double(block.columns), Double(block.rows))
        var result = self
        result.u = (u.x / width, u.y / width, (u.origin - Double(column)) / width)
        result.v = (v.x / height, v.y / height, (v.origin - Double(row)) / height)
        result.left = (left - Double(column)) / width
        result.right = (right - Double(column)) / width
        result.top = (top - Double(row)) / height
        result.bottom = (bottom - Double(row)) / height
        return result
    }

    // MARK: The canvas

    /// How far `u` and `v` reach from the middle of one of the canvas's pixels.
    var reach: (u: Double, v: Double) { ((abs(u.x) + abs(u.y)) / 2, (abs(v.x) + abs(v.y)) / 2) }

    /// Whether the edges of what is left run along rows and columns of the canvas.
    var isUpright: Bool { (u.y == 0 && v.x == 0) || (u.x == 0 && v.y == 0) }

    /// How far right and down the picture is moved, if nothing else is done to it, by whole pixels.
    var shift: (x: Int, y: Int)? {
        guard u.x == 1, u.y == 0, v.x == 0, v.y == 1, abs(u.origin) < 1e9, abs(v.origin) < 1e9 else { return nil }
        let (x, y) = (u.origin.rounded(), v.origin.rounded())
        guard abs(x - u.origin) < 1e-9, abs(y - v.origin) < 1e-9 else { return nil }
        return (-Int(x), -Int(y))
    }

    /// Whether every pixel of a canvas lies within what is left of the picture.
    func covers(width: Int, height: Int) -> Bool {
        [(0, 0), (width, 0), (0, height), (width, height)].allSatisfy { corner in
            let (x, y) = (Double(corner.0), Double(corner.1))
            let (u, v) = (u.x * x + u.y * y + u.origin, v.x * x + v.y * y + v.origin)
            let slack = (u: reach.u * 1e-6, v: reach.v * 1e-6)
            return u >= left - slack.u && u <= right + slack.u && v >= top - slack.v && v <= bottom + slack.v
        }
    }
}

/// Which pixels of a row of the canvas a layer is drawn on.
struct RowSpans {
    /// All that may have anything of the layer.
    var touched: Range<Int>
    /// Those that lie within the layer altogether.
    var covered: Range<Int>
    /// Those of `covered` whose four neighbours in the picture are all there.
    var inner: Range<Int>
}

extension LayerGeometry {
    /// `u` and `v` at the middle of the first pixel of a row.
    func position(ofRow y: Int) -> (u: Double, v: Double) {
        let middle = Double(y) + 0.5
        return (u.x * 0.5 + u.y * middle + u.origin, v.x * 0.5 + v.y * middle + v.origin)
    }

    /// What of a row of the canvas the layer is drawn on.
    func spans(ofRow y: Int, width: Int) -> RowSpans {
        let start = position(ofRow: y)
        let reach = reach
        // A part in a million of a pixel is none.
        let slack = (u: reach.u * 1e-6, v: reach.v * 1e-6)
        func span(_ grown: (u: Double, v: Double)) -> Range<Int> {
            let first = Self.interval(u.x, start.u, left - grown.u, right + grown.u)
            let second = Self.interval(v.x, start.v, top - grown.v, bottom + grown.v)
            let low = Self.index(max(first.low, second.low).rounded(.up), width)
            let high = Self.index(min(first.high, second.high).rounded(.down) + 1, width)
            return low..<max(low, high)
        }
        let touched = span((reach.u - slack.u, reach.v - slack.v))
        let covered = span((slack.u - reach.u, slack.v - reach.v)).clamped(to: touched)
        // From the middle of the first pixel of the picture to that of the last, less the error of fixed point.
        let margin = 0.5 + 0x1p-16
        let (columns, rows) = (columns, rows)
        let inner = span(
            (
                min(left - Double(columns.lowerBound), Double(columns.upperBound) - right) - margin,
                min(top - Double(rows.lowerBound), Double(rows.upperBound) - bottom) - margin
            ))
        return RowSpans(touched: touched, covered: covered, inner: inner.clamped(to: covered))
    }

    /// Where a line has a value between two others.
    private static func interval(
        _ slope: Double, _ start: Double, _ low: Double, _ high: Double
    ) -> (low: Double, high: Double) {
        guard slope != 0 else {
            return low <= start && start <= high ? (-.infinity, .infinity) : (.infinity, -.infinity)
        }
        let ends = ((low - start) / slope, (high - start) / slope)
        // Between values in the wrong order there is nothing, whichever way the line goes.
        guard low <= high else { return (.infinity, -.infinity) }
        return (min(ends.0, ends.1), max(ends.0, ends.1))
    }

    /// A number as an index from 0 to a limit; 0 for what is no number.
    private static func index(_ value: Double, _ limit: Int) -> Int {
        guard value > 0 else { return 0 }
        return value < Double(limit) ? Int(value) : limit
    }

    // MARK: Edges

    /// How much of one of the canvas's pixels lies within what is left of the picture, from 0 to 1.
    ///
    /// - Parameter middle: `u` and `v` at the middle of the pixel.
    func coverage(at middle: (u: Double, v: Double)) -> Double {
        let low = (u: left - middle.u, v: top - middle.v)
        let high = (u: right - middle.u, v: bottom - middle.v)
        guard isUpright else {
            return PixelPolygon(u: u, v: v).area(from: low, to: high) / abs(u.x * v.y - u.y * v.x)
        }
        let reach = reach
        func share(_ low: Double, _ high: Double, _ reach: Double) -> Double {
            max(0, min(high, reach) - max(low, -reach)) / (2 * reach)
        }
        return share(low.u, high.u, reach.u) * share(low.v, high.v, reach.v)
    }
}

/// What one of the canvas's pixels is in a picture, around its middle: a parallelogram, and what is left of it when it
/// is cut.
struct PixelPolygon {
    // Cutting a convex polygon at a line adds one corner at most: four corners and four lines make eight.
    private var corners: InlineArray<8, SIMD2<Double>>
    private var count = 4

    init(u: (x: Double, y: Double, origin: Double), v: (x: Double, y: Double, origin: Double)) {
        let (right, down) = (SIMD2(u.x, v.x) / 2, SIMD2(u.y, v.y) / 2)
        corners = InlineArray(repeating: .zero)
        (corners[0], corners[1], corners[2], corners[3]) = (-right - down, right - down, right + down, down - right)
    }

    /// The area within a rectangle.
    package consuming func area(from low: (u: Double, v: Double), to high: (u: Double, v: Double)) -> Double {
        cut { $0.x - low.u }
        cut { high.u - $0.x }
        cut { $0.y - low.v }
        cut { high.v - $0.y }
        var twice = 0.0
        for index in 0..<count {
            let (from, to) = (corners[index], corners[(index + 1) % count])
            twice += from.x * to.y - from.y * to.x
        }
        return abs(twice) / 2
    }

    /// Leaves that side of a line on which a distance from it is not below zero.
    @inline(__always) private mutating func cut(_ distance: (SIMD2<Double>) -> Double) {
        var (kept, keptCount) = (InlineArray<8, SIMD2<Double>>(repeating: .zero), 0)
        for index in 0..<count {
            let (from, to) = (corners[index], corners[(index + 1) % count])
            let (first, second) = (distance(from), distance(to))
            if first >= 0, keptCount < 8 {
                kept[keptCount] = from
                keptCount += 1
            }
            if (first >= 0) != (second >= 0), keptCount < 8 {
                kept[keptCount] = from + (to - from) * (first / (first - second))
                keptCount += 1
            }
        }
        (corners, count) = (kept, keptCount)
    }
}

/// The steps between the four components of a pixel in memory and vectors of numbers.
///
/// Written with bit patterns, because the standard library's conversions between vectors go lane by lane on processors
/// that are asked for nothing newer than SSE2.
enum PixelVector {
    /// A float of this size has steps of 1: its lowest bits are a whole number.
    private static let anchor = SIMD4<Float>(repeating: 8_388_608)

    /// The four components at an address, which need not be aligned.
    @inline(__always) static func load(_ pointer: UnsafePointer<UInt16>) -> SIMD4<UInt16> {
        UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<UInt16>.self)
    }

    @inline(__always) static func widened(_ pixel: SIMD4<UInt16>) -> SIMD4<UInt32> {
        unsafeBitCast(interleaved(pixel, high: 0), to: SIMD4<UInt32>.self)
    }

    /// The components as floats from 0 to 65535, exactly.
    @inline(__always) static func floats(_ pixel: SIMD4<UInt16>) -> SIMD4<Float> {
        unsafeBitCast(interleaved(pixel, high: 0x4B00), to: SIMD4<Float>.self) - anchor
    }

    /// Whole numbers as floats, which hold 24 bits of them.
    @inline(__always) static func floats(_ values: SIMD4<UInt32>) -> SIMD4<Float> {
        let exponent = SIMD4<UInt32>(repeating: 0x4B00_0000)
        let low = unsafeBitCast(values & 0xFFFF | exponent, to: SIMD4<Float>.self) - anchor
        let high = unsafeBitCast(values &>> 16 | exponent, to: SIMD4<Float>.self) - anchor
        return high * 65536 + low
    }

    @inline(__always) private static func interleaved(_ pixel: SIMD4<UInt16>, high: UInt16) -> SIMD8<UInt16> {
        SIMD8(pixel.x, high, pixel.y, high, pixel.z, high, pixel.w, high)
    }

    /// The nearest whole numbers to floats that lie between 0 and 65535, or a fraction of a step outside.
    @inline(__always) static func rounded(_ values: SIMD4<Float>) -> SIMD4<UInt16> {
        unsafeBitCast(values + anchor, to: SIMD8<UInt16>.self).evenHalf
    }

    @inline(__always) static func store(_ pixel: SIMD4<UInt16>, at pointer: UnsafeMutablePointer<UInt16>) {
        UnsafeMutableRawPointer(pointer).storeBytes(of: pixel, as: SIMD4<UInt16>.self)
    }

    /// A value between two others.
    @inline(__always) static func mix(
        _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ fraction: Float
    ) -> SIMD4<Float> {
        first + (second - first) * fraction
    }

    /// A pixel whose components are multiplied by alpha, laid over another one.
    @inline(__always) static func over(
        _ pixel: SIMD4<Float>, _ share: Float, _ below: SIMD4<UInt16>
    ) -> SIMD4<UInt16> {
        let above = pixel * share
        return rounded(above + floats(below) * (1 - above.w * (1 / 65535)))
    }
}

/// Positions at even distances along a row, as whole numbers and fractions of 2⁻³².
///
/// Floats are too coarse for positions in large pictures, and doubles slow to take apart.
struct FixedLine {
    private let start: Int64
    /// What the position grows by.
    let step: Int64

    /// `nil` unless all positions lie from 0 up to, not including, a limit.
    ///
    /// They lie on a line: if the first and the last do, all do.
    init?(_ start: Double, _ step: Double, _ count: Int, below limit: Int) {
        guard count > 0, abs(start) < 0x1p24, abs(step) < 0x1p24, count < 1 << 24 else { return nil }
        self.start = Int64((start * 0x1p32).rounded())
        self.step = Int64((step * 0x1p32).rounded())
        let (distance, isTooFar) = self.step.multipliedReportingOverflow(by: Int64(count - 1))
        let (last, isBeyond) = self.start.addingReportingOverflow(distance)
        let end = Int64(limit) << 32
        guard !isTooFar, !isBeyond, self.start >= 0, self.start < end, last >= 0, last < end else { return nil }
    }

    /// The whole number at or before a position.
    @inline(__always) func whole(_ index: Int) -> Int { Int(position(index) >> 32) }

    /// How far the position lies behind that.
    @inline(__always) func fraction(_ index: Int) -> Float {
        // 24 bits, which is what a float holds; through a signed number, which is a single instruction.
        Float(Int32(truncatingIfNeeded: (position(index) >> 8) & 0xFF_FFFF)) * 0x1p-24
    }

    @inline(__always) private func position(_ index: Int) -> Int64 { start &+ step &* Int64(truncatingIfNeeded: index) }
}
