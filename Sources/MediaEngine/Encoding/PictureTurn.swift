internal import Foundation
package import MediaAsset

/// How stored pictures are laid out to be seen: first rows and columns may
/// change places, then each direction may be reversed.
package struct PictureTurn: Sendable, Hashable {
    package var swapsAxes = false
    package var flipsHorizontally = false
    package var flipsVertically = false

    package var isUpright: Bool { self == PictureTurn() }

    /// The nearest of the eight ways to what a transform does.
    package init(_ transform: CGAffineTransform) {
        swapsAxes = transform.swapsAxes
        flipsHorizontally = (swapsAxes ? transform.c : transform.a) < 0
        flipsVertically = (swapsAxes ? transform.b : transform.d) < 0
    }

    package init() {}

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
    package var filters: [String] {
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
    package static func matrix(
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
