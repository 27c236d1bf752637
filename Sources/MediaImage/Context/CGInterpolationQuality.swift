/// How pixels are made where an image is drawn larger or smaller than it is.
///
/// Stands in for Core Graphics' type of the same name, with its values.
public enum CGInterpolationQuality: Int32, Sendable {
    /// Left to the context: as `medium`.
    case `default` = 0
    /// The nearest pixel.
    case none = 1
    /// Between the nearest pixels; averages where the image gets smaller.
    case low = 2
    /// As `low`, but cubic where the image gets larger.
    case medium = 4
    /// As `medium`.
    case high = 3
}
