internal import MediaAsset

/// Draws one layer on rows of a canvas.
struct LayerPainter {
    private let pixels: PicturePixels
    private let geometry: LayerGeometry
    private let opacity: Float
    private let shift: (x: Int, y: Int)?
    /// Whether what lies within the layer hides all that is below.
    private let isOpaque: Bool

    /// Makes the pixels ready: multiplied by alpha, and averaged where the picture is drawn at less than half its size.
    init(_ layer: PictureLayer, _ geometry: LayerGeometry) {
        var geometry = geometry
        var (pixels, isWhole) = layer.pixels.premultiplied(geometry.columns, geometry.rows)
        if !isWhole {
            geometry = geometry.reduced(from: geometry.columns.lowerBound, geometry.rows.lowerBound, by: (1, 1))
        }
        var block = geometry.block
        while block != (1, 1) {
            let (columns, rows) = (geometry.columns, geometry.rows)
            pixels = pixels.reduced(columns, rows, by: block)
            geometry = geometry.reduced(from: columns.lowerBound, rows.lowerBound, by: block)
            block = geometry.block
        }
        (self.pixels, self.geometry) = (pixels, geometry)
        opacity = Float(min(layer.opacity, 1))
        shift = geometry.shift
        isOpaque = !pixels.hasAlpha && layer.opacity >= 1
    }

    /// Draws on one row.
    ///
    /// - Parameters:
    ///   - target: The row's first pixel; the row has so many pixels as `width` says.
    func paint(row y: Int, of width: Int, at target: UnsafeMutablePointer<UInt16>) {
        var spans = geometry.spans(ofRow: y, width: width)
        guard !spans.touched.isEmpty else { return }
        pixels.components.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            if let shift {
                spans.inner = copyRange(spans.covered, row: y, shift)
                if !spans.inner.isEmpty {
                    copy(spans.inner, from: base + (y - shift.y) * pixels.rowStride - 4 * shift.x, to: target)
                }
            } else {
                spans.inner = interpolate(spans.inner, row: y, from: base, to: target)
            }
            paintEdges(spans.touched.lowerBound..<spans.inner.lowerBound, spans, row: y, from: base, to: target)
            paintEdges(spans.inner.upperBound..<spans.touched.upperBound, spans, row: y, from: base, to: target)
        }
    }

    // MARK: Copies

    /// The part of a range of the canvas's pixels to which pixels of the picture correspond.
    private func copyRange(_ range: Range<Int>, row y: Int, _ shift: (x: Int, y: Int)) -> Range<Int> {
        guard (0..<pixels.height).contains(y - shift.y) else { return range.lowerBound..<range.lowerBound }
        let known = shift.x..<(shift.x + pixels.width)
        return range.overlaps(known) ? range.clamped(to: known) : range.lowerBound..<range.lowerBound
    }

    private func copy(
        _ range: Range<Int>, from source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt16>
    ) {
        if isOpaque {
            for x in range {
                PixelVector.store(PixelVector.load(source + 4 * x) | Self.alpha, at: target + 4 * x)
            }
        } else {
            for x in range {
                blend(PixelVector.floats(PixelVector.load(source + 4 * x)), 1, at: target + 4 * x)
            }
        }
    }

    private static let alpha = SIMD4<UInt16>(0, 0, 0, .max)

    /// Lays a pixel over one of the canvas's, to a part of it.
    @inline(__always) private func blend(
        _ pixel: SIMD4<Float>, _ coverage: Float, at target: UnsafeMutablePointer<UInt16>
    ) {
        var pixel = pixel
        if !pixels.hasAlpha { pixel.w = 65535 }
        PixelVector.store(PixelVector.over(pixel, opacity * coverage, PixelVector.load(target)), at: target)
    }

    // MARK: Interpolation

    /// Draws pixels whose four neighbours in the picture are all there.
    ///
    /// - Returns: Which it has drawn: the range, or nothing if positions are too large for fixed point.
    private func interpolate(
        _ range: Range<Int>, row y: Int, from base: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt16>
    ) -> Range<Int> {
        let nothing = range.lowerBound..<range.lowerBound
        let start = geometry.position(ofRow: y)
        let first = Double(range.lowerBound)
        guard !range.isEmpty,
            let u = FixedLine(start.u - 0.5 + geometry.u.x * first, geometry.u.x, range.count, below: pixels.width - 1),
            let v = FixedLine(start.v - 0.5 + geometry.v.x * first, geometry.v.x, range.count, below: pixels.height - 1)
        else { return nothing }
        let output = target + 4 * range.lowerBound
        if v.step == 0 {
            interpolate(u, from: base + v.whole(0) * pixels.rowStride, v.fraction(0), range.count, to: output)
        } else {
            interpolate(u, v, from: base, range.count, to: output)
        }
        return range
    }

    /// Draws pixels that all lie between the same two rows of the picture.
    private func interpolate(
        _ u: FixedLine, from base: UnsafePointer<UInt16>, _ down: Float, _ count: Int,
        to target: UnsafeMutablePointer<UInt16>
    ) {
        let below = base + (down == 0 ? 0 : pixels.rowStride)
        for index in 0..<count {
            let offset = 4 * u.whole(index)
            let across = u.fraction(index)
            let top = PixelVector.mix(pixel(base + offset), pixel(base + offset + 4), across)
            let bottom = PixelVector.mix(pixel(below + offset), pixel(below + offset + 4), across)
            put(PixelVector.mix(top, bottom, down), at: target + 4 * index)
        }
    }

    /// Draws pixels that lie anywhere in the picture.
    private func interpolate(
        _ u: FixedLine, _ v: FixedLine, from base: UnsafePointer<UInt16>, _ count: Int,
        to target: UnsafeMutablePointer<UInt16>
    ) {
        let rowStride = pixels.rowStride
        for index in 0..<count {
            let first = base + (v.whole(index) * rowStride + 4 * u.whole(index))
            let (across, down) = (u.fraction(index), v.fraction(index))
            let top = PixelVector.mix(pixel(first), pixel(first + 4), across)
            let bottom = PixelVector.mix(pixel(first + rowStride), pixel(first + rowStride + 4), across)
            put(PixelVector.mix(top, bottom, down), at: target + 4 * index)
        }
    }

    @inline(__always) private func pixel(_ pointer: UnsafePointer<UInt16>) -> SIMD4<Float> {
        PixelVector.floats(PixelVector.load(pointer))
    }

    @inline(__always) private func put(_ pixel: SIMD4<Float>, at target: UnsafeMutablePointer<UInt16>) {
        if isOpaque {
            PixelVector.store(PixelVector.rounded(pixel) | Self.alpha, at: target)
        } else {
            blend(pixel, 1, at: target)
        }
    }

    // MARK: Edges

    /// Draws pixels of which a part lies outside the layer, or whose neighbours in the picture are not all there: the
    /// outermost ones that are left stand for those.
    private func paintEdges(
        _ range: Range<Int>, _ spans: RowSpans, row y: Int, from base: UnsafePointer<UInt16>,
        to target: UnsafeMutablePointer<UInt16>
    ) {
        let start = geometry.position(ofRow: y)
        let (columns, rows) = (geometry.columns, geometry.rows)
        for x in range {
            let middle = (u: start.u + geometry.u.x * Double(x), v: start.v + geometry.v.x * Double(x))
            let coverage = spans.covered.contains(x) ? 1 : min(1, geometry.coverage(at: middle))
            guard coverage > 0 else { continue }
            let (left, right, across) = Self.neighbors(of: middle.u - 0.5, in: columns)
            let (top, bottom, down) = Self.neighbors(of: middle.v - 0.5, in: rows)
            let (upper, lower) = (base + top * pixels.rowStride, base + bottom * pixels.rowStride)
            let color = PixelVector.mix(
                PixelVector.mix(pixel(upper + 4 * left), pixel(upper + 4 * right), across),
                PixelVector.mix(pixel(lower + 4 * left), pixel(lower + 4 * right), across), down)
            blend(color, Float(coverage), at: target + 4 * x)
        }
    }

    /// The two pixels of a range that a position lies between, and how far it is from the first.
    private static func neighbors(of position: Double, in range: Range<Int>) -> (Int, Int, Float) {
        let last = range.upperBound - 1
        let position = min(max(position, Double(range.lowerBound)), Double(last))
        let first = min(Int(position), last)
        return (first, min(first + 1, last), Float(position - Double(first)))
    }
}
