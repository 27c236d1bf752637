public import Foundation
internal import CoreFoundationNames
public import MediaGeometry
public import PixelBuffers

/// How many pixels around a picture are there besides.
public struct AVEdgeWidths: Equatable, Sendable {
    /// On the left.
    public var left: CGFloat
    /// Above.
    public var top: CGFloat
    /// On the right.
    public var right: CGFloat
    /// Below.
    public var bottom: CGFloat

    /// Edges of so many pixels.
    public init(left: CGFloat = 0, top: CGFloat = 0, right: CGFloat = 0, bottom: CGFloat = 0) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }
}

/// The ratio of a pixel's width to its height.
public struct AVPixelAspectRatio: Equatable, Sendable {
    /// The width, in parts.
    public var horizontalSpacing: Int
    /// The height, in the same parts.
    public var verticalSpacing: Int

    /// A ratio.
    public init(horizontalSpacing: Int = 0, verticalSpacing: Int = 0) {
        (self.horizontalSpacing, self.verticalSpacing) = (horizontalSpacing, verticalSpacing)
    }
}

/// What pictures are composed in: their size, and where to get memory for them.
public final class AVVideoCompositionRenderContext: NSObject, Sendable {
    /// The size of composed pictures, in pixels.
    public let size: CGSize
    /// The composition that is carried out, as it was when that began.
    public let videoComposition: AVVideoComposition
    private let pixelFormat: OSType

    init(_ composition: AVVideoComposition, pixelFormat: OSType) {
        (videoComposition, self.pixelFormat) = (composition, pixelFormat)
        let size = composition.configuration.pixelSize
        self.size = CGSize(width: size.width, height: size.height)
        super.init()
    }

    /// From the composition's coordinates to pixels: the identity.
    public var renderTransform: CGAffineTransform { .identity }
    /// How much larger pictures are made: 1.
    public var renderScale: Float { 1 }
    /// Square pixels.
    public var pixelAspectRatio: AVPixelAspectRatio { AVPixelAspectRatio(horizontalSpacing: 1, verticalSpacing: 1) }
    /// None.
    public var edgeWidths: AVEdgeWidths { AVEdgeWidths() }
    /// True: everything is made as well as it can be.
    public var highQualityRendering: Bool { true }

    /// Memory for a composed picture, black and clear; `nil` if there is none.
    ///
    /// Of the size of the context, in the format that the compositor requires.
    public func newPixelBuffer() -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, Int(size.width), Int(size.height), pixelFormat, nil, &buffer)
        return buffer
    }
}
