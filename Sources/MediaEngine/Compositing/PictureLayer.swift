package import Foundation
internal import MediaAsset
package import MediaCore

/// A picture and how it is placed on a canvas.
package struct PictureLayer: Sendable {
    /// What is drawn.
    package var pixels: PicturePixels
    /// The size that the picture is shown in before the transform, in whose units that and the crop rectangle are.
    ///
    /// Another one than that of the pixels for those that are not square, and for pictures decoded smaller than they
    /// are.
    package var size: CGSize
    /// From the picture to the canvas, both with the origin at the top left, y downwards.
    package var transform: CGAffineTransform
    /// What is left of the picture; part of a pixel counts as such a part.
    package var cropRectangle: CGRect
    /// From 0 to 1; what is no number counts as 0.
    package var opacity: Double

    /// A layer that shows a picture as it is, unless more is said.
    ///
    /// - Parameter size: That of the pixels by default.
    package init(
        _ pixels: PicturePixels, size: CGSize? = nil, transform: CGAffineTransform = .identity,
        cropRectangle: CGRect = .infinite, opacity: Double = 1
    ) {
        self.pixels = pixels
        self.size = size ?? CGSize(width: pixels.width, height: pixels.height)
        (self.transform, self.cropRectangle, self.opacity) = (transform, cropRectangle, opacity)
    }
}
