/// A size in whole pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels in each row.
    public var width: Int
    /// Rows of pixels.
    public var height: Int

    /// Makes a size.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The size that fits into a box, aspect kept, never enlarged, at least one pixel.
    ///
    /// What fits stays as it is: fitting the result into itself gives it again.
    ///
    /// - Parameter box: Zero leaves that direction free.
    package func fitting(_ box: PixelSize) -> PixelSize {
        let isTooWide = box.width > 0 && width > box.width
        let isTooHigh = box.height > 0 && height > box.height
        guard isTooWide || isTooHigh else { return self }
        var sizes: [PixelSize] = []
        if isTooWide { sizes.append(PixelSize(width: box.width, height: scaled(height, by: box.width, to: width))) }
        if isTooHigh { sizes.append(PixelSize(width: scaled(width, by: box.height, to: height), height: box.height)) }
        // Both may fit, by rounding; then the one that is larger by a row or a column.
        let fitting = sizes.filter { size in
            (box.width == 0 || size.width <= box.width) && (box.height == 0 || size.height <= box.height)
        }
        return fitting.max { $0.width + $0.height < $1.width + $1.height } ?? box
    }

    /// A length times a ratio, rounded, at least one pixel.
    private func scaled(_ length: Int, by numerator: Int, to denominator: Int) -> Int {
        max(1, Int((Double(length) * Double(numerator) / Double(max(1, denominator))).rounded()))
    }
}
