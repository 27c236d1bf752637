/// How a stored picture is to be turned and mirrored to be upright, as Exif counts it.
///
/// Stands in for Image I/O's type of the same name, with its values.
public enum CGImagePropertyOrientation: UInt32, Sendable {
    /// As it is.
    case up = 1
    /// Mirrored from left to right.
    case upMirrored = 2
    /// Turned by half.
    case down = 3
    /// Mirrored from top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from the upper left.
    case leftMirrored = 5
    /// Turned by a quarter clockwise.
    case right = 6
    /// Mirrored along the diagonal from the upper right.
    case rightMirrored = 7
    /// Turned by a quarter counter-clockwise.
    case left = 8
}

extension CGImagePropertyOrientation {
    /// What makes the picture upright.
    var turn: ImageOrientation {
        switch self {
        case .up: .up
        case .upMirrored: ImageOrientation(swapsAxes: false, flipsHorizontally: true, flipsVertically: false)
        case .down: ImageOrientation(swapsAxes: false, flipsHorizontally: true, flipsVertically: true)
        case .downMirrored: ImageOrientation(swapsAxes: false, flipsHorizontally: false, flipsVertically: true)
        case .leftMirrored: ImageOrientation(swapsAxes: true, flipsHorizontally: false, flipsVertically: false)
        case .right: ImageOrientation(swapsAxes: true, flipsHorizontally: true, flipsVertically: false)
        case .rightMirrored: ImageOrientation(swapsAxes: true, flipsHorizontally: true, flipsVertically: true)
        case .left: ImageOrientation(swapsAxes: true, flipsHorizontally: false, flipsVertically: true)
        }
    }
}
