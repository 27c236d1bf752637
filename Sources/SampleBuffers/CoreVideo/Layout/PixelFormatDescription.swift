package import MediaCore

/// What a pixel format puts into memory, whatever the size of the picture.
package struct PixelFormatDescription: Hashable, Sendable {
    /// One plane of a format: blocks of bytes in rows.
    package struct Plane: Hashable, Sendable {
        /// Bytes of a block: of a pixel, a pair of chroma samples or, packed, a pair of pixels.
        package let bytesPerBlock: Int
        /// Columns of the plane in a block: 1, or 2 where pairs of pixels share their chroma.
        package let blockWidth: Int
        /// Pixels of the picture across one column of the plane.
        package let horizontalSubsampling: Int
        /// Pixels of the picture down one row of the plane.
        package let verticalSubsampling: Int

        fileprivate init(_ bytesPerBlock: Int, blockWidth: Int = 1, across: Int = 1, down: Int = 1) {
            (self.bytesPerBlock, self.blockWidth) = (bytesPerBlock, blockWidth)
            (horizontalSubsampling, verticalSubsampling) = (across, down)
        }

        /// Columns and rows of the plane for a picture's, a last one for what is left.
        package func size(width: Int, height: Int) -> (width: Int, height: Int) { (columns(width), rows(height)) }

        /// Columns of the plane for pixels of the picture, a last one for what is left.
        func columns(_ pixels: Int) -> Int { pixels.dividedRoundingUp(by: horizontalSubsampling) }
        /// Rows of the plane for pixels of the picture, a last one for what is left.
        func rows(_ pixels: Int) -> Int { pixels.dividedRoundingUp(by: verticalSubsampling) }
        /// Blocks for columns of the plane, a last one for what is left.
        func blocks(_ columns: Int) -> Int { columns.dividedRoundingUp(by: blockWidth) }
        /// Bytes of a row of so many columns of the plane, without padding; `nil` if they cannot be counted.
        func rowByteCount(_ columns: Int) -> Int? {
            let (bytes, overflow) = blocks(columns).multipliedReportingOverflow(by: bytesPerBlock)
            return overflow ? nil : bytes
        }
    }

    /// The planes in their order; one for formats that are not planar.
    package let planes: [Plane]
    /// Whether Core Video counts planes: not for formats that keep everything in one.
    package let isPlanar: Bool

    private init(_ planes: [Plane], isPlanar: Bool) { (self.planes, self.isPlanar) = (planes, isPlanar) }

    private static func chunky(_ bytesPerBlock: Int, blockWidth: Int = 1) -> PixelFormatDescription {
        PixelFormatDescription([Plane(bytesPerBlock, blockWidth: blockWidth)], isPlanar: false)
    }

    private static func biplanar(_ bytes: Int, across: Int, down: Int) -> PixelFormatDescription {
        PixelFormatDescription([Plane(bytes), Plane(2 * bytes, across: across, down: down)], isPlanar: true)
    }

    /// The description of a format.
    ///
    /// - Parameter pixelFormat: One of `kCVPixelFormatType_…`.
    /// - Returns: `nil` for all other codes.
    package init?(_ pixelFormat: OSType) {
        switch pixelFormat {
        case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA,
            kCVPixelFormatType_32ABGR, kCVPixelFormatType_OneComponent32Float:
            self = .chunky(4)
        case kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR: self = .chunky(3)
        case kCVPixelFormatType_64RGBALE, kCVPixelFormatType_64ARGB: self = .chunky(8)
        case kCVPixelFormatType_OneComponent8: self = .chunky(1)
        case kCVPixelFormatType_OneComponent16, kCVPixelFormatType_OneComponent16Half: self = .chunky(2)
        case kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs: self = .chunky(4, blockWidth: 2)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            self = .biplanar(1, across: 2, down: 2)
        case kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8BiPlanarFullRange:
            self = .biplanar(1, across: 2, down: 1)
        case kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_444YpCbCr8BiPlanarFullRange:
            self = .biplanar(1, across: 1, down: 1)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange:
            self = .biplanar(2, across: 2, down: 2)
        case kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange:
            self = .biplanar(2, across: 2, down: 1)
        case kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_444YpCbCr10BiPlanarFullRange:
            self = .biplanar(2, across: 1, down: 1)
        case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
            let chroma = Plane(1, across: 2, down: 2)
            self.init([Plane(1), chroma, chroma], isPlanar: true)
        default: return nil
        }
    }
}

extension Int {
    /// The quotient of two positive numbers, the next whole one if it is none.
    func dividedRoundingUp(by divisor: Int) -> Int { self / divisor + (self % divisor > 0 ? 1 : 0) }
    /// The next multiple of a positive number.
    func roundedUp(toMultipleOf factor: Int) -> Int { dividedRoundingUp(by: factor) * factor }
}
