internal import MediaAsset

/// What one of the canvas's pixels is in a picture, around its middle: a parallelogram, and what is left of it when it
/// is cut.
package struct PixelPolygon {
    // Cutting a convex polygon at a line adds one corner at most: four corners and four lines make eight.
    private var corners: InlineArray<8, SIMD2<Double>>
    private var count = 4

    package init(u: (x: Double, y: Double, origin: Double), v: (x: Double, y: Double, origin: Double)) {
        let (right, down) = (SIMD2(u.x, v.x) / 2, SIMD2(u.y, v.y) / 2)
        corners = InlineArray(repeating: .zero)
        (corners[0], corners[1], corners[2], corners[3]) = (-right - down, right - down, right + down, down - right)
    }

    /// The area within a rectangle.
    package consuming func area(from low: (u: Double, v: Double), to high: (u: Double, v: Double)) -> Double {
        cut { $0.x - low.u }
        cut { high.u - $0.x }
        cut { $0.y - low.v }
        cut { high.v - $0.y }
        var twice = 0.0
        for index in 0..<count {
            let (from, to) = (corners[index], corners[(index + 1) % count])
            twice += from.x * to.y - from.y * to.x
        }
        return abs(twice) / 2
    }

    /// Leaves that side of a line on which a distance from it is not below zero.
    @inline(__always) private mutating func cut(_ distance: (SIMD2<Double>) -> Double) {
        var (kept, keptCount) = (InlineArray<8, SIMD2<Double>>(repeating: .zero), 0)
        for index in 0..<count {
            let (from, to) = (corners[index], corners[(index + 1) % count])
            let (first, second) = (distance(from), distance(to))
            if first >= 0, keptCount < 8 {
                kept[keptCount] = from
                keptCount += 1
            }
            if (first >= 0) != (second >= 0), keptCount < 8 {
                kept[keptCount] = from + (to - from) * (first / (first - second))
                keptCount += 1
            }
        }
        (corners, count) = (kept, keptCount)
    }
}
