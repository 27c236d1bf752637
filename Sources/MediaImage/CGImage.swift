/// A picture in memory: square pixels, packed components.
///
/// Immutable and safe to share. Stands in for Core Graphics' class of the same
/// name as far as still images of video need it: RGB or RGBA, alpha not premultiplied.
public final class CGImage: Sendable {
    /// Pixels in each row.
    public let width: Int
    /// Rows of pixels.
    public let height: Int
    /// Bits of one component: 8, or 16 for stills that are HDR.
    public let bitsPerComponent: Int
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
    public init?(
        width: Int, height: Int, hasAlpha: Bool, pixels: [UInt8], bitsPerComponent: Int = 8,
        colorSpace: CGColorSpace? = nil
    ) {
        guard bitsPerComponent == 8 || bitsPerComponent == 16 else { return nil }
        let bytesPerPixel = (hasAlpha ? 4 : 3) * bitsPerComponent / 8
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= Int.max / bytesPerPixel, pixels.count == area * bytesPerPixel
        else { return nil }
        self.width = width
        self.height = height
        self.bitsPerComponent = bitsPerComponent
        self.hasAlpha = hasAlpha
        self.colorSpace = colorSpace ?? .standard
        self.pixels = pixels
    }

    /// Bits of one pixel, alpha included.
    public var bitsPerPixel: Int { (hasAlpha ? 4 : 3) * bitsPerComponent }
    /// Bytes from one row to the next, without padding.
    public var bytesPerRow: Int { width * bitsPerPixel / 8 }

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
