internal import Foundation
package import MediaAsset

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
