public import Foundation

extension CGImage {
    /// Makes an image of pixels in memory.
    ///
    /// Taken are RGB of 8 bits in 24 or 32, RGB of 16 bits in 48 or 64, and grey of 8 or 16 bits with or without alpha;
    /// `nil` for floating-point components, CMYK, palettes and masks, of which Core Graphics takes some.
    ///
    /// - Parameters:
    ///   - bytesPerRow: At least a row of pixels; what is beyond it is skipped.
    ///   - space: Whether components are RGB or grey, and what they mean.
    ///   - decode: The values, from 0 to 1, of the lowest and the highest code of each colour component; `nil` for 0
    ///     and 1.
    ///   - shouldInterpolate: Remembered; contexts go by their `interpolationQuality`, and by this where it is `false`.
    ///   - intent: Remembered.
    /// - Returns: `nil` if the sizes are not positive, if there is less data than they say, or if they do not fit to
    ///   one another. Core Graphics finds out that there is too little when the image is drawn.
    /// - Complexity: One pass over the pixels; the data are kept as well.
    public convenience init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
        bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard
            let format = PixelFormat(
                bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, bitmapInfo: bitmapInfo,
                isGrey: space.isGrey),
            let size = Self.byteCount(width: width, height: height, bytesPerRow: bytesPerRow, format),
            provider.bytes.count >= size
        else { return nil }
        let ranges = decode.map { values in (0..<(2 * space.numberOfComponents)).map { Double(values[$0]) } }
        let pixels = provider.bytes.withUnsafeBytes {
            format.packed($0, width: width, height: height, bytesPerRow: bytesPerRow, decode: ranges)
        }
        // What is mapped to other values is not what the data say.
        self.init(
            width: width, height: height, pixels: pixels, format: format, colorSpace: space, bytesPerRow: bytesPerRow,
            provided: provider, shouldInterpolate: shouldInterpolate, renderingIntent: intent)
    }

    /// The bytes of so many rows, the last without padding; `nil` for sizes that make no sense.
    static func byteCount(width: Int, height: Int, bytesPerRow: Int, _ format: PixelFormat) -> Int? {
        guard width > 0, height > 0, width <= Int.max / 8, bytesPerRow >= width * format.bytesPerPixel else {
            return nil
        }
        let (rows, overflow) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
        let (total, overflowOfSum) = rows.addingReportingOverflow(width * format.bytesPerPixel)
        return overflow || overflowOfSum ? nil : total
    }

    /// The bytes of the image as `bitmapInfo`, `bitsPerPixel` and `bytesPerRow` tell; never `nil`.
    ///
    /// - Complexity: Nothing yet: the bytes are made when they are asked for, and kept with the provider.
    public var dataProvider: CGDataProvider? {
        provided ?? CGDataProvider { [self] in format.data(of: self, bytesPerRow: bytesPerRow) }
    }

    /// How the components of a pixel lie in memory.
    ///
    /// Stills of a generator have 32 bits, the lowest byte first, and alpha or an unused byte before the colours: bytes
    /// B, G, R, X, or B, G, R, A premultiplied. Stills of 16 bits for each component have R, G, B, X or A of 16 bits,
    /// the lower byte first. Pictures read from files are R, G, B, X, or R, G, B, A not premultiplied.
    public var bitmapInfo: CGBitmapInfo { format.bitmapInfo }
    /// Whether there is alpha, and where.
    public var alphaInfo: CGImageAlphaInfo { format.alpha }
    /// The order of bytes.
    public var byteOrderInfo: CGImageByteOrderInfo { format.bitmapInfo.order }
    /// Whether the image is a mask; never here.
    public var isMask: Bool { false }

    /// A part of the image, counted from the upper left.
    ///
    /// The rectangle is made larger to whole pixels, and cut to the image.
    ///
    /// - Returns: `nil` if nothing of the image lies in it.
    /// - Complexity: Copies the pixels of the part; Core Graphics shares them.
    public func cropping(to rect: CGRect) -> CGImage? {
        let rect = rect.standardized
        guard !rect.isNull, !rect.width.isNaN, !rect.height.isNaN, !rect.minX.isNaN, !rect.minY.isNaN else {
            return nil
        }
        func pixels(_ low: CGFloat, _ high: CGFloat, _ count: Int) -> Range<Int> {
            let first = Int(max(0, min(low.rounded(.down), CGFloat(count))))
            return first..<max(first, Int(max(0, min(high.rounded(.up), CGFloat(count)))))
        }
        let (columns, rows) = (pixels(rect.minX, rect.maxX, width), pixels(rect.minY, rect.maxY, height))
        guard rect.width > 0, rect.height > 0, !columns.isEmpty, !rows.isEmpty else { return nil }
        return part(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// The image itself, which does not change; never `nil`.
    public func copy() -> CGImage? { self }

    /// The same components, which mean what another space says.
    ///
    /// - Returns: `nil` if the space has another number of components.
    public func copy(colorSpace space: CGColorSpace) -> CGImage? {
        guard space.isGrey == format.isGrey else { return nil }
        return CGImage(
            width: width, height: height, pixels: pixels, format: format, colorSpace: space, bytesPerRow: bytesPerRow,
            provided: provided, shouldInterpolate: shouldInterpolate, renderingIntent: renderingIntent)
    }
}
