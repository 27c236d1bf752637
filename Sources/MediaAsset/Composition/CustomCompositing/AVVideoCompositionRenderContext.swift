public import Foundation
public import MediaCore
public import SampleBuffers

/// What pictures are composed in: their size, and where to get memory for them.
public final class AVVideoCompositionRenderContext: NSObject, Sendable {
    /// The size of composed pictures, in pixels.
    public let size: CGSize
    /// The composition that is carried out, as it was when that began.
    public let videoComposition: AVVideoComposition
    private let pixelFormat: OSType

    package init(_ composition: AVVideoComposition, pixelFormat: OSType) {
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
