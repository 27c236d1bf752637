internal import Foundation

/// How the pixels of an image lie in memory for a client: Core Graphics' description, checked.
package struct PixelFormat: Sendable, Hashable {
    let bitsPerComponent: Int
    package let bitsPerPixel: Int
    package let bitmapInfo: CGBitmapInfo
    let isGrey: Bool

    package var alpha: CGImageAlphaInfo { bitmapInfo.alpha }
    var bytesPerPixel: Int { bitsPerPixel / 8 }

    /// - Returns: `nil` for what is not one of: RGB of 8 bits in 24 or 32, of 16 bits in 48 or 64, grey of 8 or 16 bits
    ///   with or without alpha.
    init?(bitsPerComponent: Int, bitsPerPixel: Int, bitmapInfo: CGBitmapInfo, isGrey: Bool) {
        let alpha = CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue)
        let order = CGImageByteOrderInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.byteOrderMask.rawValue)
        guard bitmapInfo.isDisjoint(with: .floatInfoMask), let alpha, alpha != .alphaOnly, let order else { return nil }
        let (colors, count) = (isGrey ? 1 : 3, bitsPerComponent > 0 ? bitsPerPixel / bitsPerComponent : 0)
        guard count == colors + 1 || count == colors && alpha == .none, count * bitsPerComponent == bitsPerPixel else {
            return nil
        }
        switch (bitsPerComponent, order) {
        case (8, .orderDefault), (16, .orderDefault), (16, .order16Little), (16, .order16Big): break
        case (8, .order32Little), (8, .order32Big): guard bitsPerPixel == 32 else { return nil }
        default: return nil
        }
        (self.bitsPerComponent, self.bitsPerPixel) = (bitsPerComponent, bitsPerPixel)
        (self.bitmapInfo, self.isGrey) = (bitmapInfo, isGrey)
    }

    private init(_ bits: Int, _ alpha: CGImageAlphaInfo, _ order: CGImageByteOrderInfo) {
        (bitsPerComponent, bitsPerPixel, isGrey) = (bits, 4 * bits, false)
        bitmapInfo = CGBitmapInfo(alpha, order)
    }

    /// What a generator's stills are: BGRX or BGRA; of 16 bits, RGBX or RGBA.
    static func still(hasAlpha: Bool, bitsPerComponent: Int) -> PixelFormat {
        bitsPerComponent == 8
            ? PixelFormat(8, hasAlpha ? .premultipliedFirst : .noneSkipFirst, .order32Little)
            : PixelFormat(16, hasAlpha ? .premultipliedLast : .noneSkipLast, .order16Little)
    }

    /// What pictures read from files are: RGBX, or RGBA whose colours are as the file has them.
    static func file(hasAlpha: Bool, bitsPerComponent: Int) -> PixelFormat {
        PixelFormat(
            bitsPerComponent, hasAlpha ? .last : .noneSkipLast,
            bitsPerComponent == 8 ? .orderDefault : .order16Little)
    }

    /// The places of red, green, blue and alpha in a pixel, in components from its first byte; for grey, three times
    /// the same.
    ///
    /// The last is that of what is skipped, `nil` if there is no room.
    var places: (colors: [Int], alpha: Int?) {
        let (colors, count) = (isGrey ? 1 : 3, bitsPerPixel / bitsPerComponent)
        let hasRoom = count > colors
        let first = hasRoom && alpha.isFirst ? 1 : 0
        var places = (0..<colors).map { first + $0 }
        var rest = hasRoom ? (alpha.isFirst ? 0 : colors) : nil
        if bitsPerComponent == 8, bitmapInfo.order == .order32Little {
            places = places.map { count - 1 - $0 }
            rest = rest.map { count - 1 - $0 }
        }
        return (isGrey ? [places[0], places[0], places[0]] : places, rest)
    }

    /// Whether components of 16 bits begin with their lower byte.
    var isLittle: Bool { bitmapInfo.order == .order16Little }
}

extension PixelFormat {
    /// The pixels of an image in this format.
    ///
    /// - Complexity: One pass over the pixels.
    func data(of image: CGImage, bytesPerRow: Int) -> Data {
        var data = Data(count: bytesPerRow * image.height)
        data.withUnsafeMutableBytes { target in
            image.pixels.withUnsafeBytes { source in
                bitsPerComponent == 8
                    ? write(source, image, to: target, bytesPerRow) : writeDeep(source, image, to: target, bytesPerRow)
            }
        }
        return data
    }

    private func write(
        _ source: UnsafeRawBufferPointer, _ image: CGImage, to target: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int
    ) {
        let (colors, rest) = places
        let (red, green, blue) = (colors[0], colors[1], colors[2])
        let (from, to) = (image.hasAlpha ? 4 : 3, bytesPerPixel)
        let multiplies = image.hasAlpha && (alpha.isPremultiplied || !alpha.hasAlpha)
        for row in 0..<image.height {
            var place = row * bytesPerRow
            var origin = row * image.width * from
            for _ in 0..<image.width {
                let opacity = image.hasAlpha ? source[origin + 3] : 255
                var (r, g, b) = (source[origin], source[origin + 1], source[origin + 2])
                if multiplies, opacity < 255 {
                    (r, g, b) = (r.multiplied(opacity), g.multiplied(opacity), b.multiplied(opacity))
                }
                if isGrey { r = UInt8.grey(r, g, b) }
                target[place + red] = r
                if !isGrey {
                    target[place + green] = g
                    target[place + blue] = b
                }
                if let rest { target[place + rest] = alpha.hasAlpha ? opacity : 255 }
                place += to
                origin += from
            }
        }
    }

    private func writeDeep(
        _ source: UnsafeRawBufferPointer, _ image: CGImage, to target: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int
    ) {
        let (colors, rest) = places
        let from = image.hasAlpha ? 4 : 3
        func put(_ value: UInt16, _ place: Int) {
            target.storeBytes(of: isLittle ? value.littleEndian : value.bigEndian, toByteOffset: place, as: UInt16.self)
        }
        for row in 0..<image.height {
            for column in 0..<image.width {
                func component(_ index: Int) -> UInt16 {
                    source.loadUnaligned(
                        fromByteOffset: ((row * image.width + column) * from + index) * 2, as: UInt16.self)
                }
                let opacity = image.hasAlpha ? component(3) : .max
                let place = row * bytesPerRow + column * bytesPerPixel
                let multiplies = alpha.isPremultiplied || !alpha.hasAlpha
                for index in 0..<(isGrey ? 1 : 3) {
                    let value = component(index)
                    put(multiplies ? value.multiplied(opacity) : value, place + 2 * colors[index])
                }
                if let rest { put(alpha.hasAlpha ? opacity : .max, place + 2 * rest) }
            }
        }
    }

    /// The pixels of a client's memory as an image holds them: R, G, B and, where there is alpha, A, not premultiplied.
    ///
    /// - Parameters:
    ///   - source: At least `bytesPerRow × (height - 1)` bytes and a row of pixels.
    ///   - decode: The values of the lowest and the highest code of each component, if not 0 and 1.
    func packed(
        _ source: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, decode: [Double]? = nil
    ) -> [UInt8] {
        let size = bitsPerComponent / 8
        let components = alpha.hasAlpha ? 4 : 3
        let total = width * height * components * size
        let reader = PixelReader(self, source, decode: decode)
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            var place = 0
            for row in 0..<height {
                for column in 0..<width {
                    let pixel = reader.pixel(at: row * bytesPerRow + column * bytesPerPixel)
                    for index in 0..<components {
                        let code = UInt16(truncatingIfNeeded: pixel[index])
                        if size == 1 {
                            target[place] = UInt8(truncatingIfNeeded: code)
                        } else {
                            target.storeBytes(of: code, toByteOffset: place, as: UInt16.self)
                        }
                        place += size
                    }
                }
            }
            count = total
        }
    }
}

/// Reads pixels of a format one by one.
private struct PixelReader {
    let source: UnsafeRawBufferPointer
    let places: SIMD4<Int>
    let isDeep: Bool
    let isLittle: Bool
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let top: UInt32
    /// The lowest value and the span of each component, in codes.
    let decode: [(low: Double, span: Double)]?

    init(_ format: PixelFormat, _ source: UnsafeRawBufferPointer, decode: [Double]?) {
        self.source = source
        let (colors, rest) = format.places
        places = SIMD4(colors[0], colors[1], colors[2], rest ?? 0)
        (isDeep, isLittle) = (format.bitsPerComponent == 16, format.isLittle)
        (hasAlpha, isPremultiplied) = (format.alpha.hasAlpha, format.alpha.isPremultiplied)
        top = isDeep ? 65535 : 255
        let step = format.isGrey ? 0 : 2
        guard let decode, decode.count >= 2 + 2 * step else {
            self.decode = nil
            return
        }
        var ranges: [(low: Double, span: Double)] = []
        for index in 0..<3 {
            let low: Double = decode[index * step]
            ranges.append((low, decode[index * step + 1] - low))
        }
        self.decode = ranges
    }

    @inline(__always)
    private func component(_ index: Int, _ start: Int) -> UInt32 {
        if !isDeep { return UInt32(source[start + places[index]]) }
        let code = source.loadUnaligned(fromByteOffset: start + 2 * places[index], as: UInt16.self)
        return UInt32(isLittle ? UInt16(littleEndian: code) : UInt16(bigEndian: code))
    }

    @inline(__always)
    func pixel(at start: Int) -> SIMD4<UInt32> {
        var pixel = SIMD4(component(0, start), component(1, start), component(2, start), top)
        if hasAlpha { pixel.w = component(3, start) }
        if isPremultiplied, pixel.w < top {
            for index in 0..<3 {
                let value: UInt32 = pixel.w == 0 ? 0 : (pixel[index] * top + pixel.w / 2) / pixel.w
                pixel[index] = min(top, value)
            }
        }
        if let decode {
            for index in 0..<3 {
                let highest = Double(top)
                let value: Double = decode[index].low * highest + Double(pixel[index]) * decode[index].span
                pixel[index] = value > 0 ? UInt32(min(highest, value.rounded())) : 0
            }
        }
        return pixel
    }
}

extension UInt8 {
    /// The grey of a colour.
    ///
    /// Source: ISO 32000-1 (PDF), 10.3.2, from DeviceRGB to DeviceGray.
    @inline(__always)
    static func grey(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        let (r, g, b) = (UInt32(red) * 30, UInt32(green) * 59, UInt32(blue) * 11)
        return UInt8(truncatingIfNeeded: (r + g + b + 50) / 100)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// A component times alpha, rounded.
    @inline(__always)
    func multiplied(_ alpha: Self) -> Self {
        Self(truncatingIfNeeded: (UInt64(self) * UInt64(alpha) + UInt64(Self.max) / 2) / UInt64(Self.max))
    }
}
