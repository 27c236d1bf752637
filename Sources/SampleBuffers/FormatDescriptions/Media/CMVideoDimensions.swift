/// Width and height of coded pictures, in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// Pixels in each row.
    public var width: Int32
    /// Rows of pixels.
    public var height: Int32

    /// Makes dimensions.
    public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}
