public import Foundation

/// A size in whole pixels.
public struct CVImageSize: Hashable, Sendable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size of its sides.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// A size of one with fractions.
    ///
    /// - Parameters:
    ///   - size: In pixels.
    ///   - rounded: How fractions go away. Sides that are no numbers, or too long to count, are 0.
    public init(_ size: CGSize, rounded: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        func whole(_ side: CGFloat) -> Int { Int(exactly: Double(side).rounded(rounded)) ?? 0 }
        self.init(width: whole(size.width), height: whole(size.height))
    }

    /// Nothing.
    public static let zero = CVImageSize(width: 0, height: 0)
}
