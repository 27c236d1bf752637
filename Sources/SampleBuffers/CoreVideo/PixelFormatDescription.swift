public import MediaCore

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
    let isPlanar: Bool

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

// Pixel formats, with the codes that they have in Core Video. Names count bits of a pixel, or of a component where it
// is YCbCr, and say the order in memory.

// MARK: RGB

/// 8 bits each: blue, green, red, alpha.
public var kCVPixelFormatType_32BGRA: OSType { 0x4247_5241 }
/// 8 bits each: alpha, red, green, blue.
public var kCVPixelFormatType_32ARGB: OSType { 0x0000_0020 }
/// 8 bits each: red, green, blue, alpha.
public var kCVPixelFormatType_32RGBA: OSType { 0x5247_4241 }
/// 8 bits each: alpha, blue, green, red.
public var kCVPixelFormatType_32ABGR: OSType { 0x4142_4752 }
/// 8 bits each: red, green, blue.
public var kCVPixelFormatType_24RGB: OSType { 0x0000_0018 }
/// 8 bits each: blue, green, red.
public var kCVPixelFormatType_24BGR: OSType { 0x3234_4247 }
/// 16 bits each, the lower byte first: red, green, blue, alpha.
public var kCVPixelFormatType_64RGBALE: OSType { 0x6C36_3472 }
/// 16 bits each, the higher byte first: alpha, red, green, blue.
public var kCVPixelFormatType_64ARGB: OSType { 0x6236_3461 }

// MARK: YCbCr of 8 bits in two planes

/// 4:2:0, luma and then Cb and Cr by turns; luma from 16 to 235, chroma from 16 to 240: `420v`.
public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType { 0x3432_3076 }
/// 4:2:0, luma and then Cb and Cr by turns; luma from 0 to 255, chroma from 1 to 255: `420f`.
public var kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType { 0x3432_3066 }
/// 4:2:2, luma and then Cb and Cr by turns, video range: `422v`.
public var kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType { 0x3432_3276 }
/// 4:2:2, luma and then Cb and Cr by turns, full range: `422f`.
public var kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType { 0x3432_3266 }
/// 4:4:4, luma and then Cb and Cr by turns, video range: `444v`.
public var kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType { 0x3434_3476 }
/// 4:4:4, luma and then Cb and Cr by turns, full range: `444f`.
public var kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType { 0x3434_3466 }

// MARK: YCbCr of 10 bits in two planes

/// 4:2:0, the 10 upper bits of 16, the lower byte first; luma from 64 to 940, chroma from 64 to 960: `x420`.
public var kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType { 0x7834_3230 }
/// 4:2:0, the 10 upper bits of 16, the lower byte first, full range: `xf20`.
public var kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType { 0x7866_3230 }
/// 4:2:2, the 10 upper bits of 16, the lower byte first, video range: `x422`.
public var kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType { 0x7834_3232 }
/// 4:2:2, the 10 upper bits of 16, the lower byte first, full range: `xf22`.
public var kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType { 0x7866_3232 }
/// 4:4:4, the 10 upper bits of 16, the lower byte first, video range: `x444`.
public var kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType { 0x7834_3434 }
/// 4:4:4, the 10 upper bits of 16, the lower byte first, full range: `xf44`.
public var kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType { 0x7866_3434 }

// MARK: YCbCr otherwise

/// 4:2:2 in one plane, video range: Cb, Y, Cr, Y: `2vuy`.
public var kCVPixelFormatType_422YpCbCr8: OSType { 0x3276_7579 }
/// 4:2:2 in one plane, video range: Y, Cb, Y, Cr: `yuvs`.
public var kCVPixelFormatType_422YpCbCr8_yuvs: OSType { 0x7975_7673 }
/// 4:2:0 in three planes, video range: Y, Cb, Cr: `y420`.
public var kCVPixelFormatType_420YpCbCr8Planar: OSType { 0x7934_3230 }
/// 4:2:0 in three planes, full range: Y, Cb, Cr: `f420`.
public var kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType { 0x6634_3230 }

// MARK: One component

/// 8 bits: `L008`.
public var kCVPixelFormatType_OneComponent8: OSType { 0x4C30_3038 }
/// 16 bits, the lower byte first: `L016`.
public var kCVPixelFormatType_OneComponent16: OSType { 0x4C30_3136 }
/// A floating-point number of 16 bits: `L00h`.
public var kCVPixelFormatType_OneComponent16Half: OSType { 0x4C30_3068 }
/// A floating-point number of 32 bits: `L00f`.
public var kCVPixelFormatType_OneComponent32Float: OSType { 0x4C30_3066 }
