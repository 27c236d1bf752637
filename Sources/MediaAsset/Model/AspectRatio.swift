/// The ratio of a pixel's width to its height.
public struct AspectRatio: Sendable, Hashable {
    /// Width.
    public var horizontal: Int
    /// Height.
    public var vertical: Int

    /// Makes a ratio.
    public init(horizontal: Int, vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
}
