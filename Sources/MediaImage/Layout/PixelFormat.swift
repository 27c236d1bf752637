/// How the pixels of an image lie in memory for a client: Core Graphics' description, checked.
package struct PixelFormat: Sendable, Hashable {
    package let bitsPerComponent: Int
    package let bitsPerPixel: Int
    package let bitmapInfo: CGBitmapInfo
    package let isGrey: Bool

    package var alpha: CGImageAlphaInfo { bitmapInfo.alpha }
    package var bytesPerPixel: Int { bitsPerPixel / 8 }

    /// - Returns: `nil` for what is not one of: RGB of 8 bits in 24 or 32, of 16 bits in 48 or 64, grey of 8 or 16 bits
    ///   with or without alpha.
    package init?(bitsPerComponent: Int, bitsPerPixel: Int, bitmapInfo: CGBitmapInfo, isGrey: Bool) {
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
    package static func still(hasAlpha: Bool, bitsPerComponent: Int) -> PixelFormat {
        bitsPerComponent == 8
            ? PixelFormat(8, hasAlpha ? .premultipliedFirst : .noneSkipFirst, .order32Little)
            : PixelFormat(16, hasAlpha ? .premultipliedLast : .noneSkipLast, .order16Little)
    }

    /// What pictures read from files are: RGBX, or RGBA whose colours are as the file has them.
    package static func file(hasAlpha: Bool, bitsPerComponent: Int) -> PixelFormat {
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
