internal import Foundation
internal import MediaAsset
package import MediaCore

/// How large pictures become: never larger, within a box, of the same shape.
struct FrameSizing: Sendable, Equatable {
    var width: Int
    var height: Int
    /// Width to height of one pixel.
    var sampleAspect: (horizontal: Int, vertical: Int) = (1, 1)
    /// Whether pictures have to be scaled, rather than cropped by a row or a column at most.
    var isScaled: Bool

    static func == (left: FrameSizing, right: FrameSizing) -> Bool {
        left.width == right.width && left.height == right.height && left.sampleAspect == right.sampleAspect
            && left.isScaled == right.isScaled
    }

    /// The same with rows and columns in each other's place.
    var turned: FrameSizing {
        FrameSizing(
            width: height, height: width, sampleAspect: (sampleAspect.vertical, sampleAspect.horizontal),
            isScaled: isScaled)
    }

    /// What bounds the size.
    struct Limits: Sendable {
        /// The box, for pictures before they are turned; `nil` for none.
        var box: (width: Int, height: Int)?
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
    static func fitting(
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

/// How pictures are turned and mirrored, wherever they are laid and however large they are shown.
package struct PictureRotation {
    package static let upright = PictureRotation(horizontal: (1, 0), vertical: (0, 1))

    /// Where the two axes of a stored picture point, as vectors of length one.
    private let horizontal: (x: Double, y: Double)
    private let vertical: (x: Double, y: Double)

    private init(horizontal: (x: Double, y: Double), vertical: (x: Double, y: Double)) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// - Returns: `nil` for a transform that no picture could be seen by.
    package init?(_ transform: CGAffineTransform) {
        let area = transform.a * transform.d - transform.b * transform.c
        let width = (transform.a * transform.a + transform.b * transform.b).squareRoot()
        let height = (transform.c * transform.c + transform.d * transform.d).squareRoot()
        guard area != 0, area.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        self.init(
            horizontal: (transform.a / width, transform.b / width),
            vertical: (transform.c / height, transform.d / height))
    }

    /// A tenth of a degree, which nobody sees and matrices in fixed point round to.
    private static let tolerance = 0.002

    package func isSame(as other: PictureRotation) -> Bool {
        let differences = [
            horizontal.x - other.horizontal.x, horizontal.y - other.horizontal.y, vertical.x - other.vertical.x,
            vertical.y - other.vertical.y,
        ]
        return differences.allSatisfy { abs($0) < Self.tolerance }
    }

    package var isUpright: Bool { isSame(as: .upright) }
    package var isMirrored: Bool { horizontal.x * vertical.y - horizontal.y * vertical.x < 0 }
    /// Whether corners stay square.
    package var isSquare: Bool { abs(horizontal.x * vertical.x + horizontal.y * vertical.y) < Self.tolerance }
}

/// How stored pictures are laid out to be seen: first rows and columns may
/// change places, then each direction may be reversed.
struct PictureTurn: Sendable, Hashable {
    var swapsAxes = false
    var flipsHorizontally = false
    var flipsVertically = false

    var isUpright: Bool { self == PictureTurn() }

    /// The nearest of the eight ways to what a transform does.
    init(_ transform: CGAffineTransform) {
        swapsAxes = transform.swapsAxes
        flipsHorizontally = (swapsAxes ? transform.c : transform.a) < 0
        flipsVertically = (swapsAxes ? transform.b : transform.d) < 0
    }

    init() {}

    /// The same, and then turned clockwise by a multiple of 90 degrees.
    func rotated(byDegrees degrees: Int) -> PictureTurn {
        (0..<(degrees / 90 & 3)).reduce(self) { turn, _ in
            var next = PictureTurn()
            // Rows become columns, and the lowest row the first of them.
            next.swapsAxes = !turn.swapsAxes
            (next.flipsHorizontally, next.flipsVertically) = (!turn.flipsVertically, turn.flipsHorizontally)
            return next
        }
    }

    /// FFmpeg's filters that do the same to pixels.
    var filters: [String] {
        // What vflip gives runs through memory backwards, which not all encoders can take.
        guard swapsAxes else {
            return [(flipsHorizontally, "hflip"), (flipsVertically, "vflip,copy")].filter(\.0).map(\.1)
        }
        switch (flipsHorizontally, flipsVertically) {
        case (false, false): return ["transpose=cclock_flip"]
        case (true, false): return ["transpose=clock"]
        case (false, true): return ["transpose=cclock"]
        case (true, true): return ["transpose=clock_flip"]
        }
    }

    /// A display matrix for pictures of another size than those that it was made for.
    ///
    /// A turned picture is laid into the corner again; an upright one keeps its
    /// place in proportion.
    ///
    /// - Parameters:
    ///   - matrix: Nine values as in ISO/IEC 14496-12.
    ///   - size: The new size, in square pixels.
    ///   - scale: The new size over the old one.
    static func matrix(
        _ matrix: [Int32], size: (width: Double, height: Double), scale: (horizontal: Double, vertical: Double)
    ) -> [Int32] {
        guard matrix.count == 9 else { return matrix }
        func number(_ index: Int) -> Double { Double(matrix[index]) }
        func clamped(_ value: Double) -> Int32 { value.isFinite ? Int32(clamping: Int64(value.rounded())) : 0 }
        let isUpright = matrix[1] == 0 && matrix[3] == 0 && matrix[0] > 0 && matrix[4] > 0
        var result = matrix
        if isUpright {
            result[6] = clamped(number(6) * scale.horizontal)
            result[7] = clamped(number(7) * scale.vertical)
        } else {
            result[6] = clamped(-min(0, number(0) * size.width) - min(0, number(3) * size.height))
            result[7] = clamped(-min(0, number(1) * size.width) - min(0, number(4) * size.height))
        }
        return result
    }
}
