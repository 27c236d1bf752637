/// The ratio of a pixel's width to its height.
public struct AspectRatio: Sendable, Hashable {
    /// The width's share.
    public var horizontal: Int
    /// The height's share.
    public var vertical: Int

    /// Makes a ratio.
    public init(horizontal: Int, vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
}
