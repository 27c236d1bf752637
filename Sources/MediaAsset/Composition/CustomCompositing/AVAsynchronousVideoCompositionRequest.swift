internal import Dispatch
public import Foundation
public import MediaCore
public import SampleBuffers
internal import Synchronization

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
