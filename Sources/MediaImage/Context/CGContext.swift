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
