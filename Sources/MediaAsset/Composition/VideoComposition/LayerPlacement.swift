package import Foundation
package import MediaCore

/// How a layer's picture is placed at one time.
package struct LayerPlacement: Equatable, Sendable {
    /// From the picture's pixels to those of the composed one.
    package var transform: CGAffineTransform
    /// From 0 to 1.
    package var opacity: Float
    /// What is left of the picture, in its own pixels; infinite for all of it.
    package var cropRectangle: CGRect

    package init(transform: CGAffineTransform, opacity: Float, cropRectangle: CGRect) {
        (self.transform, self.opacity, self.cropRectangle) = (transform, opacity, cropRectangle)
    }
}

extension AVVideoCompositionLayerInstruction.Configuration {
    /// How the picture is placed at a time of the composition.
    package func placement(at time: CMTime) -> LayerPlacement {
        let opacity = opacities.value(at: time)
        return LayerPlacement(
            transform: transforms.value(at: time), opacity: opacity > 0 ? min(opacity, 1) : 0,
            cropRectangle: cropRectangles.value(at: time))
    }

    /// Whether the picture is placed alike all through a range.
    package func isConstant(over range: CMTimeRange) -> Bool {
        transforms.isConstant(over: range) && opacities.isConstant(over: range)
            && cropRectangles.isConstant(over: range)
    }

    /// Whether nothing is said but the track.
    package var isPlain: Bool { transforms.isEmpty && opacities.isEmpty && cropRectangles.isEmpty }
}
