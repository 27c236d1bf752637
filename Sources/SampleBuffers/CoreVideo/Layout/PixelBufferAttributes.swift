internal import Foundation
internal import MediaCore

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
