public import Foundation

/// A 3×3 matrix that maps points of the plane, its last column (0, 0, 1).
///
/// Core Graphics' type, which Foundation for Linux lacks:
/// `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
public struct CGAffineTransform: Sendable, Hashable {
    /// First row, first column.
    public var a: CGFloat
    /// First row, second column.
    public var b: CGFloat
    /// Second row, first column.
    public var c: CGFloat
    /// Second row, second column.
    public var d: CGFloat
    /// Shift to the right.
    public var tx: CGFloat
    /// Shift downwards in a picture.
    public var ty: CGFloat

    /// The transform that changes nothing.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Makes a transform of its six numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// The identity.
    public init() { self = .identity }

    /// A turn by an angle in radians, clockwise in a picture.
    public init(rotationAngle angle: CGFloat) {
        self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
    }

    /// Whether the transform changes nothing.
    public var isIdentity: Bool { self == .identity }

    /// This transform followed by another.
    public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * other.a + b * other.c, b: a * other.b + b * other.d,
            c: c * other.a + d * other.c, d: c * other.b + d * other.d,
            tx: tx * other.a + ty * other.c + other.tx, ty: tx * other.b + ty * other.d + other.ty)
    }
}

extension CGAffineTransform {
    /// The transform of a display matrix as ISO/IEC 14496-12 stores it: 16.16
    /// fixed point, the last column 2.30.
    ///
    /// - Returns: `nil` if there are not nine values.
    init?(displayMatrix values: [Int32]) {
        guard values.count == 9 else { return nil }
        func fixed(_ index: Int) -> CGFloat { CGFloat(values[index]) / 65536 }
        self.init(a: fixed(0), b: fixed(1), c: fixed(3), d: fixed(4), tx: fixed(6), ty: fixed(7))
    }

    /// Whether width and height change places, to the nearest quarter turn.
    package var swapsAxes: Bool { abs(b) + abs(c) > abs(a) + abs(d) }
}
