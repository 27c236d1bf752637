public import MediaImage

/// A picture, such as a logo, that is laid over all pictures of an export.
///
/// Beyond AVFoundation.
public struct PictureOverlay: Sendable {
    /// Where it lies, in the upright pictures of the new file.
    public enum Position: Hashable, Sendable {
        /// With its top left corner so many pixels from theirs; less than zero from their right or lower edge, minus one
        /// touching it.
        case offset(x: Int, y: Int)
        /// A share of the free room from the left and from the top, from 0 to 1, with a margin of one fiftieth of the
        /// shorter side.
        case share(x: Double, y: Double)
    }

    /// What is laid over.
    public var image: CGImage
    /// Where; in the lower right corner by default.
    public var position = Position.share(x: 1, y: 1)
    /// How wide it is made, as a share of the pictures' width above 0 up to 1; `nil`, the default, for its own pixels,
    /// fewer where they do not fit.
    public var relativeWidth: Double?
    /// How much of it is seen, from 0 to 1.
    public var opacity = 1.0

    /// An overlay in the lower right corner, of its own size.
    public init(_ image: CGImage) { self.image = image }
}
