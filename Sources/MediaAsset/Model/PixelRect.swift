/// A rectangle in whole pixels, its origin at the top left.
public struct PixelRect: Sendable, Hashable, Codable {
    /// Pixels left of it.
    public var x: Int
    /// Rows above it.
    public var y: Int
    /// Pixels in each of its rows.
    public var width: Int
    /// Its rows of pixels.
    public var height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}
