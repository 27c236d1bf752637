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
