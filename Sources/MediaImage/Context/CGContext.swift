public import Foundation
public import MediaCore

/// Draws images and rectangles into a bitmap.
///
/// Stands in for Core Graphics' class of the same name, as far as bitmaps of 8 bits for each component go. The origin
/// is at the lower left, as there. Paths, text, gradients, shadows and layers are not there. Not to be used by two
/// threads at a time.
public final class CGContext {
    let surface: BitmapSurface
    var state = GraphicsState()
    private var saved: [GraphicsState] = []
    /// What the components mean; never `nil`.
    public let colorSpace: CGColorSpace?

    /// Makes a context of a bitmap.
    ///
    /// - Parameters:
    ///   - data: Memory of at least `bytesPerRow × height` bytes, which has to outlive the context; its own, cleared,
    ///     if `nil`.
    ///   - bitsPerComponent: 8.
    ///   - bytesPerRow: 0 for as many as a row needs, if `data` is `nil`.
    ///   - space: RGB or grey.
    ///   - bitmapInfo: For RGB, 32 bits: alpha premultiplied or skipped, first or last, the bytes in any order of 32.
    ///     For grey, no alpha.
    /// - Returns: `nil` for other combinations, of which Core Graphics has some more (16 bits, floating-point, CMYK),
    ///   for sizes that are not positive, and if there is not enough memory.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        let info = CGBitmapInfo(rawValue: bitmapInfo)
        let bits = space.isGrey ? 8 : 32
        guard bitsPerComponent == 8, width > 0, height > 0, width <= Int.max / 8, height <= Int32.max,
            space.isGrey ? info.alpha == .none : info.alpha.isPremultiplied || info.alpha.isSkipped,
            let format = PixelFormat(bitsPerComponent: 8, bitsPerPixel: bits, bitmapInfo: info, isGrey: space.isGrey)
        else { return nil }
        let least = width * format.bytesPerPixel
        let rowBytes = bytesPerRow == 0 && data == nil ? least : bytesPerRow
        guard rowBytes >= least,
            let surface = BitmapSurface(
                width: width, height: height, bytesPerRow: rowBytes, format: format, memory: data)
        else { return nil }
        self.surface = surface
        colorSpace = space
    }

    /// Makes a context of a bitmap, its format as a `CGBitmapInfo`; `nil` as with its number.
    public convenience init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: CGBitmapInfo
    ) {
        self.init(
            data: data, width: width, height: height, bitsPerComponent: bitsPerComponent, bytesPerRow: bytesPerRow,
            space: space, bitmapInfo: bitmapInfo.rawValue)
    }

    // MARK: The bitmap

    /// The first byte of the bitmap, its upper row first; never `nil`.
    ///
    /// Valid as long as the context lives.
    public var data: UnsafeMutableRawPointer? { surface.memory }
    /// Pixels in each row.
    public var width: Int { surface.width }
    /// Rows of pixels.
    public var height: Int { surface.height }
    /// Bits of one component: 8.
    public var bitsPerComponent: Int { 8 }
    /// Bits of one pixel: 32, or 8 for grey.
    public var bitsPerPixel: Int { surface.format.bitsPerPixel }
    /// Bytes from one row to the next.
    public var bytesPerRow: Int { surface.bytesPerRow }
    /// How the components of a pixel lie in memory.
    public var bitmapInfo: CGBitmapInfo { surface.format.bitmapInfo }
    /// Whether there is alpha, and where.
    public var alphaInfo: CGImageAlphaInfo { surface.format.alpha }

    /// The picture so far, which what is drawn later does not change; `nil` where memory for it is short.
    ///
    /// - Complexity: One pass over the pixels.
    public func makeImage() -> CGImage? { surface.image(colorSpace) }

    /// Nothing: what is drawn is in the bitmap at once.
    public func flush() {}
    /// Nothing: what is drawn is in the bitmap at once.
    public func synchronize() {}

    // MARK: The state

    /// Puts the state aside: transform, clip, colours, alpha, line width, blend mode, interpolation quality.
    public func saveGState() { saved.append(state) }
    /// Brings back the state put aside last; nothing if there is none.
    public func restoreGState() { if let last = saved.popLast() { state = last } }

    /// From the space that is drawn in to that of the bitmap, whose origin is at the lower left.
    public var ctm: CGAffineTransform { state.transform }
    /// Has what is drawn from now on transformed before everything else.
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }
    /// Scales what is drawn from now on.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }
    /// Shifts what is drawn from now on.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) { concatenate(CGAffineTransform(translationX: tx, y: ty)) }
    /// Turns what is drawn from now on, counter-clockwise, by an angle in radians.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    /// How images are scaled.
    public var interpolationQuality: CGInterpolationQuality {
        get { state.quality }
        set { state.quality = newValue }
    }
    /// Has everything drawn as opaque as said, from 0 to 1, besides what alpha there is.
    public func setAlpha(_ alpha: CGFloat) { state.alpha = min(1, max(0, alpha)) }
    /// How what is drawn from now on is joined with what is there.
    public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }
    /// Whether pixels that are covered in part are drawn in part; `true` at first.
    public func setShouldAntialias(_ should: Bool) { state.isSmooth = should }
    /// Whether that is allowed at all; here the same as whether it is wanted.
    public func setAllowsAntialiasing(_ allows: Bool) { state.isSmooth = allows }
    /// The width of lines, in pixels where the context is not scaled; 1 at first.
    public func setLineWidth(_ width: CGFloat) { state.lineWidth = max(0, width) }

    /// The colour of what is filled; black at first.
    public func setFillColor(_ color: CGColor) { state.fill = color }
    /// The colour of what is filled.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// The colour of what is filled.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fill = CGColor(gray: gray, alpha: alpha) }
    /// The colour of lines; black at first.
    public func setStrokeColor(_ color: CGColor) { state.stroke = color }
    /// The colour of lines.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// The colour of lines.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { state.stroke = CGColor(gray: gray, alpha: alpha) }
}

/// What a context remembers beside its pixels.
struct GraphicsState {
    var transform = CGAffineTransform.identity
    /// What everything is cut to; `nil` stands for a region that nothing lies in.
    var clips: [DeviceRegion?] = []
    var fill = CGColor.black
    var stroke = CGColor.black
    var lineWidth: CGFloat = 1
    var alpha: CGFloat = 1
    var blendMode = CGBlendMode.normal
    var quality = CGInterpolationQuality.default
    var isSmooth = true
}

extension CGImageAlphaInfo {
    /// Whether there is room for alpha and none.
    var isSkipped: Bool { self == .noneSkipFirst || self == .noneSkipLast }
}

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

/// How pixels are made where an image is drawn larger or smaller than it is.
///
/// Stands in for Core Graphics' type of the same name, with its values.
public enum CGInterpolationQuality: Int32, Sendable {
    /// Left to the context: as `medium`.
    case `default` = 0
    /// The nearest pixel.
    case none = 1
    /// Between the nearest pixels; averages where the image gets smaller.
    case low = 2
    /// As `low`, but cubic where the image gets larger.
    case medium = 4
    /// As `medium`.
    case high = 3
}
