internal import Foundation
package import MediaCore

/// Pixels of memory around a picture, which filters may read beyond its edges.
package struct ExtendedPixels: Hashable, Sendable {
    /// Columns left of the picture.
    var left = 0
    /// Columns right of the picture.
    var right = 0
    /// Rows above the picture.
    var top = 0
    /// Rows below the picture.
    var bottom = 0

    package init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
        (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
    }
}

/// Where the planes of a picture lie in one piece of memory.
///
/// A pure value: it can be asked before there is any memory.
package struct PixelBufferLayout: Hashable, Sendable {
    /// One plane of a picture.
    package struct Plane: Hashable, Sendable {
        /// What the format says of it.
        package let description: PixelFormatDescription.Plane
        /// Columns: pixels, or samples of chroma.
        package let width: Int
        /// Rows.
        package let height: Int
        /// Bytes from row to row, with the pixels around the picture and padding.
        package let bytesPerRow: Int
        /// Bytes from the start of the memory to the first pixel of the picture.
        package let offset: Int
        /// What lies around the picture: blocks to the left and right, rows at the top and bottom.
        let margin: ExtendedPixels

        /// Bytes of one column: of a pixel, or of a pair of chroma samples.
        package var bytesPerPixel: Int { description.bytesPerBlock / description.blockWidth }
        /// Blocks of the picture in a row.
        var blocksPerRow: Int { description.blocks(width) }
        /// Bytes of the picture in a row, without anything around it.
        var rowByteCount: Int { blocksPerRow * description.bytesPerBlock }
    }

    /// The longest side of a picture in pixels.
    package static let longestSide = 16384
    /// What rows and planes are aligned to unless something else is asked for: a cache line.
    package static let standardAlignment = 64

    /// One of `kCVPixelFormatType_…`.
    let pixelFormat: OSType
    /// Pixels in a row of the picture.
    let width: Int
    /// Rows of the picture.
    let height: Int
    /// Pixels around the picture.
    let extended: ExtendedPixels
    /// The planes in their order; one for formats that are not planar.
    package let planes: [Plane]
    /// Whether Core Video counts planes.
    package let isPlanar: Bool
    /// Bytes of all planes.
    package let byteCount: Int
    /// What the memory's address has to be a multiple of: a power of two.
    package let alignment: Int

    /// The layout of a picture.
    ///
    /// - Parameters:
    ///   - pixelFormat: One of `kCVPixelFormatType_…`.
    ///   - width: Pixels in a row, from 1 to 16384.
    ///   - height: Rows, from 1 to 16384.
    ///   - rowAlignment: What bytes from row to row are a multiple of, from 1 to 65536.
    ///   - planeAlignment: What the starts of planes are a multiple of, a power of two up to 65536.
    ///   - extended: Pixels around the picture, each from 0 to 16384.
    /// - Throws: `kCVReturnInvalidArgument` for sizes below 1, `kCVReturnInvalidSize` for sides that are too long,
    ///   `kCVReturnInvalidPixelFormat` for formats that are none, `kCVReturnInvalidPixelBufferAttributes` for the rest.
    package init(
        pixelFormat: OSType, width: Int, height: Int, rowAlignment: Int = standardAlignment,
        planeAlignment: Int = standardAlignment, extended: ExtendedPixels = ExtendedPixels()
    ) throws(PixelBufferFailure) {
        let description = try Self.description(of: pixelFormat, width: width, height: height)
        let sides = [extended.left, extended.right, extended.top, extended.bottom]
        guard (1...65536).contains(rowAlignment), (1...65536).contains(planeAlignment),
            planeAlignment & (planeAlignment - 1) == 0, sides.allSatisfy({ (0...Self.longestSide).contains($0) })
        else { throw PixelBufferFailure(kCVReturnInvalidPixelBufferAttributes) }
        // With these bounds nothing below comes near the largest number: 3 × 16384 rows of less than 2²⁰ bytes.
        var (planes, end): ([Plane], Int) = ([], 0)
        for plane in description.planes {
            let margin = ExtendedPixels(
                left: plane.blocks(plane.columns(extended.left)), right: plane.blocks(plane.columns(extended.right)),
                top: plane.rows(extended.top), bottom: plane.rows(extended.bottom))
            let (columns, rows) = (plane.columns(width), plane.rows(height))
            let blocks = margin.left + plane.blocks(columns) + margin.right
            let bytesPerRow = (blocks * plane.bytesPerBlock).roundedUp(toMultipleOf: rowAlignment)
            let start = end.roundedUp(toMultipleOf: planeAlignment)
            planes.append(
                Plane(
                    description: plane, width: columns, height: rows, bytesPerRow: bytesPerRow,
                    offset: start + margin.top * bytesPerRow + margin.left * plane.bytesPerBlock, margin: margin))
            end = start + (margin.top + rows + margin.bottom) * bytesPerRow
        }
        (self.pixelFormat, self.width, self.height, self.extended) = (pixelFormat, width, height, extended)
        (self.planes, isPlanar, byteCount) = (planes, description.isPlanar, end)
        alignment = max(planeAlignment, Self.standardAlignment)
    }

    /// The description of a format, if pictures can have this size.
    ///
    /// - Throws: `kCVReturnInvalidArgument` for sizes below 1, `kCVReturnInvalidSize` for sides that are too long,
    ///   `kCVReturnInvalidPixelFormat` for formats that are none.
    static func description(
        of pixelFormat: OSType, width: Int, height: Int
    ) throws(PixelBufferFailure) -> PixelFormatDescription {
        guard width > 0, height > 0 else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
        guard width <= longestSide, height <= longestSide else { throw PixelBufferFailure(kCVReturnInvalidSize) }
        guard let description = PixelFormatDescription(pixelFormat) else {
            throw PixelBufferFailure(kCVReturnInvalidPixelFormat)
        }
        return description
    }
}

/// What a dictionary of attributes asks of buffers.
struct PixelBufferAttributes {
    /// The formats that will do, the best first; empty if nothing is said.
    var pixelFormats: [OSType] = []
    /// Pixels in a row, `nil` if nothing is said.
    var width: Int?
    /// Rows, `nil` if nothing is said.
    var height: Int?
    /// What bytes from row to row are a multiple of, `nil` if nothing is said.
    var rowAlignment: Int?
    /// What addresses of planes are a multiple of, `nil` if nothing is said.
    var planeAlignment: Int?
    /// Pixels around the picture.
    var extended = ExtendedPixels()

    /// Reads a dictionary by the keys `kCVPixelBuffer…Key`; those that ask for nothing that we can give are left out.
    ///
    /// - Throws: `kCVReturnInvalidPixelBufferAttributes` for values of the wrong type.
    init(_ dictionary: CFDictionary?) throws(PixelBufferFailure) {
        guard let dictionary else { return }
        func number(_ key: CFString) throws(PixelBufferFailure) -> Int? {
            guard let value = dictionary.object(forKey: key) else { return nil }
            guard let number = wholeNumber(value) else {
                throw PixelBufferFailure(kCVReturnInvalidPixelBufferAttributes)
            }
            return number
        }
        width = try number(kCVPixelBufferWidthKey)
        height = try number(kCVPixelBufferHeightKey)
        rowAlignment = try number(kCVPixelBufferBytesPerRowAlignmentKey)
        planeAlignment = try number(kCVPixelBufferPlaneAlignmentKey)
        extended.left = try number(kCVPixelBufferExtendedPixelsLeftKey) ?? 0
        extended.right = try number(kCVPixelBufferExtendedPixelsRightKey) ?? 0
        extended.top = try number(kCVPixelBufferExtendedPixelsTopKey) ?? 0
        extended.bottom = try number(kCVPixelBufferExtendedPixelsBottomKey) ?? 0
        if let value = dictionary.object(forKey: kCVPixelBufferPixelFormatTypeKey) {
            pixelFormats = try Self.formats(value)
        }
    }

    private static func formats(_ value: Any) throws(PixelBufferFailure) -> [OSType] {
        let values = if let list = value as? NSArray { Array(list) } else { [value] }
        // Codes may come as numbers with a sign.
        let formats = values.compactMap { wholeNumber($0).map { OSType(truncatingIfNeeded: $0) } }
        guard formats.count == values.count else { throw PixelBufferFailure(kCVReturnInvalidPixelBufferAttributes) }
        return formats
    }

    /// The layout that the attributes ask for.
    ///
    /// - Throws: As ``PixelBufferLayout/init(pixelFormat:width:height:rowAlignment:planeAlignment:extended:)``.
    func layout(pixelFormat: OSType, width: Int, height: Int) throws(PixelBufferFailure) -> PixelBufferLayout {
        try PixelBufferLayout(
            pixelFormat: pixelFormat, width: width, height: height,
            rowAlignment: rowAlignment ?? PixelBufferLayout.standardAlignment,
            planeAlignment: planeAlignment ?? PixelBufferLayout.standardAlignment, extended: extended)
    }

    /// The layout that the attributes ask for where they have to say everything.
    ///
    /// - Throws: `kCVReturnInvalidPixelBufferAttributes` if format, width or height is missing; otherwise as
    ///   ``layout(pixelFormat:width:height:)``.
    func completeLayout() throws(PixelBufferFailure) -> PixelBufferLayout {
        guard let width, let height, let first = pixelFormats.first else {
            throw PixelBufferFailure(kCVReturnInvalidPixelBufferAttributes)
        }
        let known = pixelFormats.first { PixelFormatDescription($0) != nil }
        return try layout(pixelFormat: known ?? first, width: width, height: height)
    }
}

extension NSDictionary {
    /// A copy by keys that are text, with objects for values.
    func copyByText() -> NSMutableDictionary {
        let copy = NSMutableDictionary()
        for (key, value) in self { copy.setObject(dictionaryObject(value), forKey: textKey(key)) }
        return copy
    }
}

/// A key of a dictionary as an object; others than text stay apart from all that is.
func textKey(_ key: Any) -> NSString {
    switch key {
    case let text as NSString: text
    case let text as String: NSString(string: text)
    default: NSString(string: String(describing: key))
    }
}

/// A value of a dictionary as the object that it is on Apple's platforms.
///
/// Foundation for Linux makes objects of all that clients write but `CGFloat`.
func dictionaryObject(_ value: Any) -> AnyObject {
    if let number = value as? CGFloat { NSNumber(value: Double(number)) } else { value as AnyObject }
}

/// The value of a number in a dictionary, rounded towards zero.
///
/// - Returns: `nil` for what is no number, is not finite or is larger than any size.
func wholeNumber(_ value: Any) -> Int? {
    realNumber(value).flatMap { abs($0) < 0x1p53 ? Int($0) : nil }
}

/// The value of a number in a dictionary.
///
/// - Returns: `nil` for what is no number or is not finite.
func realNumber(_ value: Any?) -> Double? {
    guard let value, let number = dictionaryObject(value) as? NSNumber, number.doubleValue.isFinite else {
        return nil
    }
    return number.doubleValue
}
