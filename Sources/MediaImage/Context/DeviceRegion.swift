internal import Foundation
internal import MediaCore

/// What a transform makes of a rectangle, on the pixels of a surface: a parallelogram.
struct DeviceRegion {
    /// From places on the surface, counted from its upper left, to the unit square: right, and down.
    let inverse: CGAffineTransform
    /// The lengths of the sides in pixels.
    let across: Double, down: Double
    /// The pixels that the region touches.
    let columns: Range<Int>, rows: Range<Int>
    /// Whether the region is upright, not mirrored, and ends between pixels.
    let isOnGrid: Bool
    /// Its upper left corner, where it is on the grid.
    let left: Int, top: Int
    private let isSmooth: Bool

    /// - Parameter isSmooth: Whether pixels that are covered in part are drawn in part.
    /// - Returns: `nil` if nothing of it lies on the surface.
    init?(_ rect: CGRect, _ transform: CGAffineTransform, on surface: BitmapSurface, isSmooth: Bool = true) {
        let rect = rect.standardized
        guard !rect.isNull, rect.width > 0, rect.height > 0 else { return nil }
        let matrix = CGAffineTransform(a: rect.width, b: 0, c: 0, d: -rect.height, tx: rect.minX, ty: rect.maxY)
            .concatenating(transform)
            .concatenating(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(surface.height)))
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e9 }),
            abs(matrix.a * matrix.d - matrix.b * matrix.c) > 1e-9
        else { return nil }
        inverse = matrix.inverted()
        (across, down) = (hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d))
        let box = CGRect(x: 0, y: 0, width: 1, height: 1).applying(matrix)
        func touched(_ low: CGFloat, _ high: CGFloat, _ count: Int) -> Range<Int> {
            let first = Int(max(0, min((low + 1e-6).rounded(.down), CGFloat(count))))
            return first..<max(first, Int(max(0, min((high - 1e-6).rounded(.up), CGFloat(count)))))
        }
        columns = touched(box.minX, box.maxX, surface.width)
        rows = touched(box.minY, box.maxY, surface.height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        func isWhole(_ value: CGFloat) -> Bool { abs(value - value.rounded()) < 1e-6 }
        isOnGrid =
            matrix.b == 0 && matrix.c == 0 && matrix.a > 0 && matrix.d > 0
            && [matrix.tx, matrix.ty, matrix.a, matrix.d].allSatisfy(isWhole)
        (left, top) = (Int(matrix.tx.rounded()), Int(matrix.ty.rounded()))
        self.isSmooth = isSmooth
    }

    /// The place in the unit square of a pixel's middle.
    @inline(__always)
    func place(_ x: Int, _ y: Int) -> (u: Double, v: Double) {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        return (
            inverse.a * px + inverse.c * py + inverse.tx, inverse.b * px + inverse.d * py + inverse.ty
        )
    }

    /// How much of a pixel lies inside, from 0 to 1.
    ///
    /// Exact for upright regions; for others the distance from the edges tells.
    @inline(__always)
    func coverage(_ x: Int, _ y: Int) -> Float {
        if isOnGrid { return columns.contains(x) && rows.contains(y) ? 1 : 0 }
        let (u, v) = place(x, y)
        guard isSmooth else { return u >= 0 && u < 1 && v >= 0 && v < 1 ? 1 : 0 }
        func part(_ position: Double, _ length: Double) -> Double {
            // The part of a pixel's width that lies between both edges.
            let start = position * length
            return max(0, min(start + 0.5, length) - max(start - 0.5, 0))
        }
        return Float(part(u, across) * part(v, down))
    }
}
