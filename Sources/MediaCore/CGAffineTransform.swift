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
    /// Shift to the right, in pixels of the picture.
    public var tx: CGFloat
    /// Shift downwards in a picture, in its pixels.
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
    package init?(displayMatrix values: [Int32]) {
        guard values.count == 9 else { return nil }
        func fixed(_ index: Int) -> CGFloat { CGFloat(values[index]) / 65536 }
        self.init(a: fixed(0), b: fixed(1), c: fixed(3), d: fixed(4), tx: fixed(6), ty: fixed(7))
    }

    /// The display matrix as ISO/IEC 14496-12 stores it, `nil` for no change and for what does not fit.
    package var displayMatrix: [Int32]? {
        func fixed(_ value: CGFloat) -> Int32? {
            let scaled = (value * 65536).rounded()
            return scaled.isFinite ? Int32(exactly: scaled) : nil
        }
        guard !isIdentity, let a = fixed(a), let b = fixed(b), let c = fixed(c), let d = fixed(d), let x = fixed(tx),
            let y = fixed(ty)
        else { return nil }
        return [a, b, 0, c, d, 0, x, y, 1 << 30]
    }

    /// Whether width and height change places, to the nearest quarter turn.
    package var swapsAxes: Bool { abs(b) + abs(c) > abs(a) + abs(d) }
}

extension CGAffineTransform {
    /// A shift.
    public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty) }

    /// A scaling along both axes.
    public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }

    /// A shift followed by this transform.
    public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: tx, y: ty).concatenating(self)
    }

    /// A scaling followed by this transform.
    public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
    }

    /// A turn by an angle in radians, followed by this transform.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// The transform that undoes this one; this one itself if nothing can.
    public func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return self }
        return CGAffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}

extension CGPoint {
    /// The point that a transform maps this one to.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

extension CGSize {
    /// The size as a vector that a transform maps this one to; parts may be negative.
    public func applying(_ t: CGAffineTransform) -> CGSize {
        CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
}

extension CGRect {
    /// The smallest upright rectangle around what a transform makes of this one.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        let corners = [
            CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
        ].map { $0.applying(t) }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return CGRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}
