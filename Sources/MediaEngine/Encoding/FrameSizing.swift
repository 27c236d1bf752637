/// How large pictures become: never larger, within a box, of the same shape.
package struct FrameSizing: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// Width to height of one pixel.
    package var sampleAspect: (horizontal: Int, vertical: Int) = (1, 1)
    /// Whether pictures have to be scaled, rather than cropped by a row or a column at most.
    package var isScaled: Bool

    package static func == (left: FrameSizing, right: FrameSizing) -> Bool {
        left.width == right.width && left.height == right.height && left.sampleAspect == right.sampleAspect
            && left.isScaled == right.isScaled
    }

    /// The same with rows and columns in each other's place.
    package var turned: FrameSizing {
        FrameSizing(
            width: height, height: width, sampleAspect: (sampleAspect.vertical, sampleAspect.horizontal),
            isScaled: isScaled)
    }

    /// What bounds the size.
    package struct Limits: Sendable {
        /// The box, for pictures before they are turned; `nil` for none.
        package var box: (width: Int, height: Int)?
        /// What width and height have to be multiples of.
        var multiple: (horizontal: Int, vertical: Int) = (1, 1)
        /// Whether pixels have to be square whatever the size.
        var needsSquarePixels = false
    }

    /// The size for pictures of a size.
    ///
    /// A picture that is scaled gets square pixels, and neither of its sides
    /// grows by that. One that has to become smaller by a row or a column, so
    /// that chroma fits, loses them at its edge and stays sharp.
    package static func fitting(
        width: Int, height: Int, sampleAspect: (horizontal: Int, vertical: Int), within limits: Limits
    ) -> FrameSizing {
        let ratio = sane(sampleAspect)
        let fits = limits.box.map { width <= $0.width && height <= $0.height } ?? true
        let isSquare = ratio.horizontal == ratio.vertical
        if fits, isSquare || !limits.needsSquarePixels {
            let cropped = (multiple(width, limits.multiple.horizontal), multiple(height, limits.multiple.vertical))
            return FrameSizing(
                width: cropped.0, height: cropped.1, sampleAspect: isSquare ? (1, 1) : ratio,
                isScaled: cropped.0 > width || cropped.1 > height)
        }
        let shape = Double(width) * Double(ratio.horizontal) / (Double(height) * Double(ratio.vertical))
        let bounds = (
            width: Swift.min(width, limits.box?.width ?? width), height: Swift.min(height, limits.box?.height ?? height)
        )
        let exact = Swift.min(Double(bounds.width), Double(bounds.height) * shape)
        let best = candidates(around: exact, bounds.width, limits.multiple.horizontal)
            .flatMap { width in
                candidates(around: Double(width) / shape, bounds.height, limits.multiple.vertical).map { (width, $0) }
            }
            .min { left, right in
                let (first, second) = (error(left, shape), error(right, shape))
                return first != second ? first < second : left.0 * left.1 > right.0 * right.1
            }
        let (width, height) = best ?? (limits.multiple.horizontal, limits.multiple.vertical)
        return FrameSizing(width: width, height: height, isScaled: true)
    }

    /// A ratio of pixels that somebody may have meant; damaged headers hold any.
    private static func sane(_ ratio: (horizontal: Int, vertical: Int)) -> (horizontal: Int, vertical: Int) {
        let value = Double(ratio.horizontal) / Double(ratio.vertical)
        return ratio.horizontal > 0 && ratio.vertical > 0 && value > 1 / 16 && value < 16 ? ratio : (1, 1)
    }

    /// The greatest multiple that is not greater, one at the least.
    private static func multiple(_ value: Int, _ step: Int) -> Int { Swift.max(step, value / step * step) }

    /// The multiples on both sides of a number, none above a bound unless there is nothing below.
    private static func candidates(around exact: Double, _ bound: Int, _ step: Int) -> [Int] {
        let low = Int(exact / Double(step)) * step
        let fitting = [low, low + step].filter { $0 >= step && $0 <= bound }
        return fitting.isEmpty ? [step] : fitting
    }

    /// How far a size is from a shape.
    private static func error(_ size: (Int, Int), _ shape: Double) -> Double {
        let actual = Double(size.0) / Double(size.1)
        return Swift.max(actual, shape) / Swift.min(actual, shape)
    }
}
