/// The ratio of a pixel's width to its height.
public struct AVPixelAspectRatio: Equatable, Sendable {
    /// The width, in parts.
    public var horizontalSpacing: Int
    /// The height, in the same parts.
    public var verticalSpacing: Int

    /// A ratio.
    public init(horizontalSpacing: Int = 0, verticalSpacing: Int = 0) {
        (self.horizontalSpacing, self.verticalSpacing) = (horizontalSpacing, verticalSpacing)
    }
}
