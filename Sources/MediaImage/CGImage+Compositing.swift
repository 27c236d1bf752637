public import MediaCore

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
