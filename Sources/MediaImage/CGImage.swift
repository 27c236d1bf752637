/// A picture in memory: upright, square pixels, 8 bits for each component.
///
/// Immutable and safe to share. Stands in for Core Graphics' class of the same
/// name as far as still images of video need it.
public final class CGImage: Sendable {
    /// Pixels in each row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bits of one component: 8.
    public let bitsPerComponent = 8
    /// Whether each pixel carries an alpha component, not premultiplied.
    public let hasAlpha: Bool
    /// Rows from the top, pixels from the left, components R, G, B and, with
    /// `hasAlpha`, A.
    public let pixels: [UInt8]

    /// Makes an image from packed pixels.
    ///
    /// - Parameter pixels: `width × height` pixels of 3 bytes, 4 with alpha.
    /// - Returns: `nil` if the sizes are not positive or do not agree.
    public init?(width: Int, height: Int, hasAlpha: Bool, pixels: [UInt8]) {
        let channels = hasAlpha ? 4 : 3
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= Int.max / channels, pixels.count == area * channels else {
            return nil
        }
        self.width = width
        self.height = height
        self.hasAlpha = hasAlpha
        self.pixels = pixels
    }

    /// Bits of one pixel: 24, or 32 with alpha.
    public var bitsPerPixel: Int { hasAlpha ? 32 : 24 }
    /// Bytes from one row to the next.
    public var bytesPerRow: Int { width * bitsPerPixel / 8 }
}

/// A picture could not be encoded.
public struct ImageEncodingError: Error, Sendable, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}
