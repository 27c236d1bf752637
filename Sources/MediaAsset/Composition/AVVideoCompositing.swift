internal import Dispatch
public import Foundation
public import MediaCore
public import SampleBuffers
internal import Synchronization

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

/// One picture that a client's own compositor is to compose.
///
/// It is finished once; what is called after that has no effect.
open class AVAsynchronousVideoCompositionRequest: NSObject, NSCopying, @unchecked Sendable {
    // @unchecked Sendable: the outcome is behind a lock, all else is set once.

    /// What pictures are composed in.
    public let renderContext: AVVideoCompositionRenderContext
    /// When the picture is shown, on the asset's timeline.
    public let compositionTime: CMTime
    /// What the composition says of this time.
    public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
    private let sources: [CMPersistentTrackID: CVPixelBuffer]
    private let outcome = Mutex<Result<CVPixelBuffer, any Error>?>(nil)
    private let isFinished = DispatchSemaphore(value: 0)

    package init(
        _ context: AVVideoCompositionRenderContext, at time: CMTime,
        _ instruction: any AVVideoCompositionInstructionProtocol, sources: [CMPersistentTrackID: CVPixelBuffer]
    ) {
        (renderContext, compositionTime, videoCompositionInstruction) = (context, time, instruction)
        self.sources = sources
        super.init()
    }

    /// The numbers of the tracks that show something, as `NSNumber`s, ascending.
    open var sourceTrackIDs: [NSNumber] { sources.keys.sorted().map { NSNumber(value: $0) } }

    /// The picture of a track as it is stored, before it is turned; `nil` where the track shows nothing.
    ///
    /// Others may be given the same picture: it is not to be written to.
    open func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? { sources[trackID] }

    /// Ends the request with a picture of the context's size, in one of the formats that sources can have.
    open func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) { end(.success(composedVideoFrame)) }

    /// Ends the request without a picture, and the export with an error.
    open func finish(with error: any Error) { end(.failure(error)) }

    /// Ends the request of which the compositor was told that nobody waits for it.
    open func finishCancelledRequest() { end(.failure(CancellationError())) }

    private func end(_ result: Result<CVPixelBuffer, any Error>) {
        let isFirst = outcome.withLock { outcome in
            defer { outcome = outcome ?? result }
            return outcome == nil
        }
        if isFirst { isFinished.signal() }
    }

    /// Waits until the request is finished; blocks.
    ///
    /// - Throws: What it was finished with; `CancellationError` once nobody waits any more.
    package func wait(isCancelled: () -> Bool) throws -> CVPixelBuffer {
        while isFinished.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            if isCancelled() { throw CancellationError() }
        }
        return try outcome.withLock { $0 ?? .failure(AVError(.videoCompositorFailed)) }.get()
    }

    /// The request itself: there is one picture to be composed.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

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
