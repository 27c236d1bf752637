public import Foundation
internal import MediaCore

extension CGContext {
    // MARK: Rectangles

    /// Paints a rectangle with the colour of what is filled.
    public func fill(_ rect: CGRect) {
        guard let region = region(rect) else { return }
        paint(region, state.fill)
    }

    /// Paints rectangles with the colour of what is filled.
    public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }

    /// Draws a line along the edges of a rectangle, half of it inside.
    public func stroke(_ rect: CGRect) { stroke(rect, width: state.lineWidth) }

    /// Draws a line along the edges of a rectangle, half of it inside, so many pixels wide as `width` says where the
    /// context is not scaled.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        let rect = rect.standardized
        guard width > 0, !rect.isNull, let outer = region(rect.insetBy(dx: -width / 2, dy: -width / 2)) else { return }
        let hole = rect.insetBy(dx: width / 2, dy: width / 2)
        let inner = rect.width > width && rect.height > width ? region(hole) : nil
        paint(outer, state.stroke, without: inner)
    }

    /// Empties a rectangle: transparent, or black where there is no alpha.
    public func clear(_ rect: CGRect) {
        guard let region = region(rect) else { return }
        each(region) { x, y, coverage in surface.set(x, y, surface.pixel(x, y) * (1 - coverage)) }
    }

    /// Has everything from now on cut to a rectangle, besides what it is cut to already.
    public func clip(to rect: CGRect) { state.clips.append(region(rect)) }

    private func region(_ rect: CGRect) -> DeviceRegion? {
        DeviceRegion(rect, state.transform, on: surface, isSmooth: state.isSmooth)
    }

    private func paint(_ region: DeviceRegion, _ color: CGColor, without hole: DeviceRegion? = nil) {
        let color = color.premultiplied(in: colorSpace ?? .standard) * Float(state.alpha)
        let mode = state.blendMode
        each(region) { x, y, coverage in
            let share = coverage - (hole.map { min($0.coverage(x, y), coverage) } ?? 0)
            guard share > 0 else { return }
            let below = surface.pixel(x, y)
            surface.set(x, y, below + (mode.joined(color, over: below) - below) * share)
        }
    }

    /// Every pixel of a region that is not cut off, and how much of it.
    private func each(_ region: DeviceRegion, _ body: (Int, Int, Float) -> Void) {
        var (columns, rows) = (region.columns, region.rows)
        var soft: [DeviceRegion] = region.isOnGrid ? [] : [region]
        for clip in state.clips {
            guard let clip else { return }
            columns = columns.clamped(to: clip.columns)
            rows = rows.clamped(to: clip.rows)
            if !clip.isOnGrid { soft.append(clip) }
        }
        for y in rows {
            for x in columns {
                let coverage = soft.reduce(Float(1)) { $0 * $1.coverage(x, y) }
                if coverage > 0 { body(x, y, coverage) }
            }
        }
    }

    // MARK: Images

    /// Draws an image into a rectangle, upright where the transform does not turn it.
    ///
    /// Components are brought to the context's colour space where both have the curve of sRGB. Those of HDR are
    /// taken as they are: no fixed rule brings their light to that of a screen. Of 16 bits, 8 are drawn.
    ///
    /// - Parameter byTiling: Whether the image is repeated in its own size from the rectangle's lower left corner over
    ///   all that is not cut off.
    /// - Complexity: One pass over the image and one over the pixels drawn; an image that is scaled is held once more.
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
        guard !byTiling else { return tile(image, rect.standardized) }
        guard let region = region(rect) else { return }
        let smooth = state.quality != .none && image.shouldInterpolate
        let picture = PictureSource(image, for: region, in: colorSpace ?? .standard, smooth ? state.quality : .none)
        let (mode, alpha) = (state.blendMode, Float(state.alpha))
        let replaces = alpha == 1 && (mode == .copy || mode == .normal && !image.hasAlpha)
        if replaces, region.isOnGrid, picture.isOf(region) {
            return each(region) { x, y, coverage in
                guard coverage < 1 else { return picture.store(x - region.left, y - region.top, on: surface, x, y) }
                let below = surface.pixel(x, y)
                surface.set(x, y, below + (picture.pixel(x - region.left, y - region.top) - below) * coverage)
            }
        }
        each(region) { x, y, coverage in
            let (u, v) = region.place(x, y)
            let source = picture.sample(u, v) * alpha
            let below = surface.pixel(x, y)
            surface.set(x, y, below + (mode.joined(source, over: below) - below) * coverage)
        }
    }

    private func tile(_ image: CGImage, _ rect: CGRect) {
        let everything = CGRect(x: 0, y: 0, width: width, height: height).applying(state.transform.inverted())
        guard rect.width >= 1, rect.height >= 1, !rect.isNull,
            let whole = DeviceRegion(rect, state.transform, on: surface) ?? region(everything),
            whole.across >= 1, whole.down >= 1
        else { return }
        let first = (
            x: ((everything.minX - rect.minX) / rect.width).rounded(.down),
            y: ((everything.minY - rect.minY) / rect.height).rounded(.down)
        )
        let last = (
            x: ((everything.maxX - rect.minX) / rect.width).rounded(.up),
            y: ((everything.maxY - rect.minY) / rect.height).rounded(.up)
        )
        guard last.x - first.x < 65536, last.y - first.y < 65536 else { return }
        for y in stride(from: first.y, to: last.y, by: 1) {
            for x in stride(from: first.x, to: last.x, by: 1) {
                draw(image, in: rect.offsetBy(dx: x * rect.width, dy: y * rect.height))
            }
        }
    }
}

extension CGColor {
    /// Red, green, blue and alpha from 0 to 1 in another space, colours multiplied by alpha.
    func premultiplied(in space: CGColorSpace) -> SIMD4<Float> {
        let values = (components ?? []).map { Float(min(1, max(0, $0))) }
        guard let alpha = values.last else { return .zero }
        var color = values.count >= 4 ? [values[0], values[1], values[2]] : [values[0], values[0], values[0]]
        if let own = colorSpace, let conversion = ColorConversion(from: own, to: space) {
            var bytes = color.map { UInt8($0 * 255 + 0.5) }
            conversion.convert(&bytes, size: 3)
            color = bytes.map { Float($0) / 255 }
        }
        return SIMD4(color[0] * alpha, color[1] * alpha, color[2] * alpha, alpha)
    }
}
