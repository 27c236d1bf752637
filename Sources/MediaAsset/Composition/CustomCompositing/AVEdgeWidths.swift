public import Foundation

/// How many pixels around a picture are there besides.
public struct AVEdgeWidths: Equatable, Sendable {
    /// On the left.
    public var left: CGFloat
    /// Above.
    public var top: CGFloat
    /// On the right.
    public var right: CGFloat
    /// Below.
    public var bottom: CGFloat

    /// Edges of so many pixels.
    public init(left: CGFloat = 0, top: CGFloat = 0, right: CGFloat = 0, bottom: CGFloat = 0) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }
}
