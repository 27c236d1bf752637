/// A picture in memory: square pixels of RGB or grey, with or without alpha.
///
/// Immutable and safe to share. Stands in for Core Graphics' class of the same name. `bitsPerPixel`, `bytesPerRow` and
/// `bitmapInfo` tell what `dataProvider` gives, which is made when it is asked for. What the image itself holds is
/// ``pixels``: packed RGB or RGBA, alpha not premultiplied.
public final class CGImage: Sendable {
    /// Pixels in each row.
    public let width: Int
    /// Rows of pixels.
    public let height: Int
    /// Bits of one component: 8, or 16 for stills that are HDR and pictures that are as deep.
    public let bitsPerComponent: Int
    /// How the pixels lie for a client of Core Graphics.
    package let format: PixelFormat
    /// Bytes from one row of `dataProvider`'s data to the next; padding where the image was made with it.
    public let bytesPerRow: Int
    /// The bytes that the image was made of, if it was.
    let provided: CGDataProvider?
    /// Whether enlarged pixels are to run into one another, as the image was made; `true` for decoded ones.
    public let shouldInterpolate: Bool
    /// The intent that the image was made with.
    public let renderingIntent: CGColorRenderingIntent
    /// Whether each pixel carries an alpha component, not premultiplied.
    ///
    /// Beyond Core Graphics.
    public let hasAlpha: Bool
    /// What the components mean; never `nil`.
    public let colorSpace: CGColorSpace?
    /// Rows from the top, pixels from the left, components R, G, B and, with
    /// `hasAlpha`, A; those of 16 bits in the machine's byte order.
    ///
    /// Rows follow one another without padding.
    ///
    /// Beyond Core Graphics.
    public let pixels: [UInt8]

    /// Makes an image from packed pixels.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameters:
    ///   - width: Pixels in each row.
    ///   - height: Rows of pixels.
    ///   - pixels: `width × height` pixels of 3 components, 4 with alpha, as in the property.
    ///   - bitsPerComponent: 8 or 16.
    ///   - colorSpace: sRGB if `nil`.
    /// - Returns: `nil` if the sizes are not positive or do not agree.
    public convenience init?(
        width: Int, height: Int, hasAlpha: Bool, pixels: [UInt8], bitsPerComponent: Int = 8,
        colorSpace: CGColorSpace? = nil
    ) {
        guard bitsPerComponent == 8 || bitsPerComponent == 16 else { return nil }
        self.init(
            width: width, height: height, pixels: pixels,
            format: .still(hasAlpha: hasAlpha, bitsPerComponent: bitsPerComponent), colorSpace: colorSpace)
    }

    /// Makes an image from packed pixels that a client is to see in a format.
    ///
    /// - Parameters:
    ///   - pixels: As in the property; with alpha if the format has it.
    ///   - bytesPerRow: What a client sees; rows without padding if `nil`.
    ///   - provided: The same picture in the client's format.
    package init?(
        width: Int, height: Int, pixels: [UInt8], format: PixelFormat, colorSpace: CGColorSpace?,
        bytesPerRow: Int? = nil, provided: CGDataProvider? = nil, shouldInterpolate: Bool = true,
        renderingIntent: CGColorRenderingIntent = .defaultIntent
    ) {
        let bytesPerPixel = (format.alpha.hasAlpha ? 4 : 3) * format.bitsPerComponent / 8
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= Int.max / 8, pixels.count == area * bytesPerPixel
        else { return nil }
        (self.width, self.height, self.pixels, self.format) = (width, height, pixels, format)
        (bitsPerComponent, hasAlpha) = (format.bitsPerComponent, format.alpha.hasAlpha)
        self.colorSpace = colorSpace ?? .standard
        self.bytesPerRow = bytesPerRow ?? width * format.bytesPerPixel
        self.provided = provided
        (self.shouldInterpolate, self.renderingIntent) = (shouldInterpolate, renderingIntent)
    }

    /// Bits of one pixel in `dataProvider`'s data: 32 for stills, 64 where components have 16 bits.
    public var bitsPerPixel: Int { format.bitsPerPixel }
    /// Bytes of one pixel in ``pixels``.
    ///
    /// Beyond Core Graphics.
    public var packedBytesPerPixel: Int { (hasAlpha ? 4 : 3) * bitsPerComponent / 8 }
    /// Bytes of one row in ``pixels``.
    ///
    /// Beyond Core Graphics.
    public var packedBytesPerRow: Int { width * packedBytesPerPixel }

    /// The colour space; every image has one.
    var space: CGColorSpace { colorSpace ?? .standard }

    /// A component of 16 bits, rounded to 8.
    private static func byte(_ pixels: [UInt8], at start: Int) -> UInt8 {
        let value = UInt32(pixels[start]) | UInt32(pixels[start + 1]) << 8
        return UInt8((value * 255 + 32767) / 65535)
    }

    /// The components as 8 bits each, alpha left out where not wanted.
    func bytes(withAlpha: Bool) -> [UInt8] {
        guard bitsPerComponent > 8 || hasAlpha != withAlpha else { return pixels }
        let (from, to, size) = (hasAlpha ? 4 : 3, withAlpha && hasAlpha ? 4 : 3, bitsPerComponent / 8)
        return [UInt8](unsafeUninitializedCapacity: width * height * to) { buffer, count in
            for pixel in 0..<(width * height) {
                for component in 0..<to {
                    let start = (pixel * from + component) * size
                    buffer[pixel * to + component] = size == 1 ? pixels[start] : Self.byte(pixels, at: start)
                }
            }
            count = width * height * to
        }
    }
}
