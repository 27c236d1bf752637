public import Foundation

/// What composes pictures in a client's own way.
///
/// A video composition names the class, of which an object is made for each session or generator that gets the
/// composition. Requests come one after the other, from a thread of the library's own.
///
/// - Note: AVFoundation may have several requests under way. It makes objects by Objective-C's runtime; here the class
///   has to be `final`, or to have a `required init()`.
public protocol AVVideoCompositing: NSObjectProtocol, SendableMetatype {
    /// Makes an object.
    ///
    /// Beyond AVFoundation.
    init()
    /// How pixels of the sources' pictures are to lie: ``kCVPixelBufferPixelFormatTypeKey`` with a number or a list of
    /// numbers, of which the first that can be had counts: 32BGRA, 32RGBA, 32ARGB, 32ABGR, 24RGB, 64RGBALE; 32BGRA if
    /// `nil`.
    var sourcePixelBufferAttributes: [String: any Sendable]? { get }
    /// How pixels of the composed pictures are to lie, in the same way.
    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] { get }
    /// Whether pictures of wide colour can be worked on; without effect here.
    var supportsWideColorSourceFrames: Bool { get }
    /// Whether HDR pictures can be worked on; without effect here.
    var supportsHDRSourceFrames: Bool { get }

    /// Pictures are composed in another context from now on; called before the first request.
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
    /// A picture is to be composed; the request is to be finished, from any thread, now or later.
    func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
    /// Nobody waits any more for the requests that are under way.
    func cancelAllPendingVideoCompositionRequests()
}

extension AVVideoCompositing {
    /// False.
    public var supportsWideColorSourceFrames: Bool { false }
    /// False.
    public var supportsHDRSourceFrames: Bool { false }
    /// Does nothing.
    public func cancelAllPendingVideoCompositionRequests() {}
}
