public import Foundation
public import MediaCore
internal import Synchronization

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
    init?(
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

/// Where the bytes of an image come from.
///
/// Stands in for Core Graphics' class of the same name. That of an image makes its bytes when they are asked for, and
/// keeps them as long as it lives; the image does not.
public final class CGDataProvider: Sendable {
    private let make: @Sendable () -> Data
    private let made = Mutex<Data?>(nil)

    /// Makes a provider of bytes in memory; never `nil` here.
    public init?(data: NSData) {
        let bytes = Data(referencing: data)
        make = { bytes }
    }

    /// Makes a provider of a file's bytes; `nil` if it is no file that can be read.
    ///
    /// - Complexity: Reads the file.
    public init?(url: NSURL) {
        guard let url = url as URL?, url.isFileURL, let bytes = try? Data(contentsOf: url) else {
            return nil
        }
        make = { bytes }
    }

    init(_ make: @escaping @Sendable () -> Data) { self.make = make }

    /// The bytes.
    var bytes: Data {
        made.withLock { made in
            if let made { return made }
            let bytes = make()
            made = bytes
            return bytes
        }
    }

    /// All bytes; never `nil` here.
    ///
    /// - Complexity: For an image that was decoded, one pass over its pixels at the first call.
    public var data: NSData? { bytes as NSData }
}

extension CGImage {
    /// The pixels as three bytes each, red, green and blue, in rows from the top, without anything between.
    ///
    /// Of components of 16 bits, the upper half. Beyond Core Graphics.
    ///
    /// - Parameter background: What shows through clear parts.
    /// - Complexity: One pass over the pixels at most.
    public func rgbData(background: RGBColor = .black) -> Data {
        Data(composited(over: background).bytes(withAlpha: false))
    }
}

extension CGImage {
    /// The image laid over a colour, without alpha; itself if it has none.
    ///
    /// Components are mixed as they are, in the image's own colour space and curve, as players and browsers do,
    /// and rounded to the nearest.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameter background: A colour of the image's own colour space, its components from 0 to 255.
    /// - Complexity: One pass over the pixels.
    public func composited(over background: RGBColor) -> CGImage {
        guard hasAlpha else { return self }
        let area = width * height
        let size = bitsPerComponent / 8
        let colors = background.components
        let mixed = [UInt8](unsafeUninitializedCapacity: area * 3 * size) { buffer, count in
            pixels.withUnsafeBytes { source in
                let target = UnsafeMutableRawBufferPointer(buffer)
                for pixel in 0..<area {
                    for component in 0..<3 {
                        if size == 1 {
                            target[3 * pixel + component] = UInt8.mixed(
                                source[4 * pixel + component], alpha: source[4 * pixel + 3], over: colors[component])
                        } else {
                            func sample(_ index: Int) -> UInt16 {
                                source.loadUnaligned(fromByteOffset: 8 * pixel + 2 * index, as: UInt16.self)
                            }
                            let code = UInt16.mixed(
                                sample(component), alpha: sample(3), over: UInt16(colors[component]) * 257)
                            target.storeBytes(of: code, toByteOffset: 6 * pixel + 2 * component, as: UInt16.self)
                        }
                    }
                }
            }
            count = area * 3 * size
        }
        return CGImage(
            width: width, height: height, hasAlpha: false, pixels: mixed, bitsPerComponent: bitsPerComponent,
            colorSpace: colorSpace) ?? self
    }
}

extension RGBColor {
    /// Red, green and blue.
    var components: [UInt8] { [red, green, blue] }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// A component that is not premultiplied, laid over another one, rounded to the nearest.
    @inline(__always)
    static func mixed(_ value: Self, alpha: Self, over background: Self) -> Self {
        let top = UInt64(Self.max)
        let sum = UInt64(value) * UInt64(alpha) + UInt64(background) * (top - UInt64(alpha))
        return Self(truncatingIfNeeded: (sum + top / 2) / top)
    }
}

extension CGImage {
    /// The image turned and mirrored.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Complexity: One pass over the pixels; none for `.up`.
    public func oriented(_ orientation: ImageOrientation) -> CGImage {
        guard orientation != .up else { return self }
        let channels = packedBytesPerPixel  // bytes of a pixel
        let outWidth = orientation.swapsAxes ? height : width
        let outHeight = orientation.swapsAxes ? width : height
        // Steps through the source for one step right and one step down in the result.
        let alongX = orientation.swapsAxes ? packedBytesPerRow : channels
        let alongY = orientation.swapsAxes ? channels : packedBytesPerRow
        let stepX = orientation.flipsHorizontally ? -alongX : alongX
        let stepY = orientation.flipsVertically ? -alongY : alongY
        let first =
            (orientation.flipsHorizontally ? (outWidth - 1) * alongX : 0)
            + (orientation.flipsVertically ? (outHeight - 1) * alongY : 0)
        let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            pixels.withUnsafeBufferPointer { source in
                var target = 0
                for y in 0..<outHeight {
                    var offset = first + y * stepY
                    for _ in 0..<outWidth {
                        for component in 0..<channels { buffer[target + component] = source[offset + component] }
                        target += channels
                        offset += stepX
                    }
                }
            }
            count = pixels.count
        }
        return CGImage(
            width: outWidth, height: outHeight, hasAlpha: hasAlpha, pixels: turned, bitsPerComponent: bitsPerComponent,
            colorSpace: colorSpace) ?? self
    }
}

/// One of the eight ways to lay a picture onto its grid: turned by a multiple
/// of 90 degrees, mirrored or not.
public struct ImageOrientation: Sendable, Hashable {
    /// Whether rows and columns change places.
    public var swapsAxes: Bool
    /// Whether the result runs from right to left.
    public var flipsHorizontally: Bool
    /// Whether the result runs from bottom to top.
    public var flipsVertically: Bool

    /// Makes an orientation: first the axes are swapped, then the flips are applied.
    public init(swapsAxes: Bool, flipsHorizontally: Bool, flipsVertically: Bool) {
        self.swapsAxes = swapsAxes
        self.flipsHorizontally = flipsHorizontally
        self.flipsVertically = flipsVertically
    }

    /// The picture as it is.
    public static let up = ImageOrientation(swapsAxes: false, flipsHorizontally: false, flipsVertically: false)
}
