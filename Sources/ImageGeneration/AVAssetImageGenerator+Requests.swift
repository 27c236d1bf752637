internal import Dispatch
public import Foundation
internal import MediaAsset
public import MediaCore
public import MediaImage
internal import Synchronization

/// Called once for each requested time: that time, the image, the frame's own
/// time, how it went, and why there is no image.
///
/// Times are on the asset's timeline. Without an image the frame's time is
/// invalid. Calls come one after the other, from a thread of the request's own.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

extension AVAssetImageGenerator {
    /// How one request ended.
    public enum Result: Int, Sendable {
        /// There is an image.
        case succeeded = 0
        /// There is none, and the error says why.
        case failed = 1
        /// The request was cancelled before there was an image.
        case cancelled = 2
    }

    /// The images of several times, in ascending order of time.
    ///
    /// Times are on the asset's timeline. Each iterator does all of the work anew.
    public struct Images: AsyncSequence, Sendable {
        /// The image of one time, or why there is none.
        @frozen public enum Element: Sendable {
            /// The image, and the frame's own presentation time, in the track's timescale.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// Why there is no image: an error of those that `image(at:)` throws.
            case failure(requestedTime: CMTime, error: any Error)

            /// The time asked for, on the asset's timeline.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The image, if there is one.
            ///
            /// - Throws: The error of a failure.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The frame's own presentation time, on the asset's timeline in the track's timescale.
            ///
            /// - Throws: The error of a failure.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        let stills: Stills<Still>

        /// Starts the work, on threads of its own.
        public func makeAsyncIterator() -> Iterator { Iterator(stills: stills.makeAsyncIterator()) }

        /// Hands out images as they are ready; the work stops when it is let go of.
        public struct Iterator: AsyncIteratorProtocol {
            var stills: Stills<Still>.Iterator

            /// The next image, `nil` after the last one or when the task is cancelled.
            public mutating func next() async -> Element? {
                switch await stills.next() {
                case .success(let still):
                    .success(requestedTime: still.requestedTime, image: still.image, actualTime: still.actualTime)
                case .failure(let failure): .failure(requestedTime: failure.requestedTime, error: failure.error)
                case nil: nil
                }
            }
        }
    }

    /// Images of the frames at several times, in ascending order of time,
    /// exactly one result for each time.
    ///
    /// The generator's settings are taken as they are at this call. Leaving the loop stops the work;
    /// so does cancelling the task, and the sequence ends there.
    ///
    /// - Parameter times: Numeric times on the asset's timeline, in any order, repetitions too; any
    ///   other time fails by itself.
    /// - Complexity: As `stills(for:)`.
    /// - Note: AVFoundation documents neither an order nor what cancelling does.
    public func images(for times: [CMTime]) -> Images { Images(stills: stills(for: times)) }

    /// An image of the frame at a time; the handler is called once, from
    /// another thread.
    ///
    /// On failure the image is `nil` and the time invalid.
    ///
    /// - Parameters:
    ///   - requestedTime: A numeric time on the asset's timeline.
    ///   - handler: Gets the image, the frame's own presentation time, and the error: one of those
    ///     that `image(at:)` throws, or `AVError.operationCancelled` after `cancelAllCGImageGeneration()`.
    public func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        startBatch([requestedTime]) { _, image, actualTime, _, error in handler(image, actualTime, error) }
    }

    /// Images of the frames at several times; the handler is called once for
    /// each of them, in ascending order of time, from another thread.
    ///
    /// - Parameters:
    ///   - requestedTimes: Values made by `NSValue(time:)`, of the asset's timeline; others count
    ///     as invalid times, which fail.
    ///   - handler: Gets the errors of `image(at:)`, and `AVError.operationCancelled` with `.cancelled`.
    /// - Complexity: As `stills(for:)`.
    public func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        startBatch(requestedTimes.map(\.timeValue), handler)
    }

    /// The image of the frame at a time; blocks until it is there.
    ///
    /// - Parameters:
    ///   - requestedTime: A numeric time on the asset's timeline.
    ///   - actualTime: Gets the frame's own presentation time; left alone on failure.
    /// - Throws: As `image(at:)`; `AVError.operationCancelled` after `cancelAllCGImageGeneration()`.
    /// - Note: Deprecated by AVFoundation in favour of `image(at:)`.
    public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
        let outcome = Mutex<Swift.Result<(CGImage, CMTime), any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        startBatch([requestedTime]) { _, image, time, _, error in
            outcome.withLock { outcome in
                outcome = image.map { .success(($0, time)) } ?? .failure(error ?? AVError(.unknown))
            }
            done.signal()
        }
        done.wait()
        let (image, time) = try outcome.withLock { $0 ?? .failure(AVError(.unknown)) }.get()
        actualTime?.pointee = time
        return image
    }

    /// Cancels all requests with completion handlers that are under way.
    ///
    /// Their handlers are called with `.cancelled` for each time that was not
    /// delivered, before or after this returns. The asynchronous requests go on.
    public func cancelAllCGImageGeneration() {
        for batch in batches.withLock({ Array($0.values) }) { batch.cancel() }
    }

    private func startBatch(_ times: [CMTime], _ handler: @escaping AVAssetImageGeneratorCompletionHandler) {
        let batch = StillBatch(times: times, handler: handler)
        batches.withLock { $0[ObjectIdentifier(batch)] = batch }
        batch.start(stills(for: times)) { [self] in
            _ = batches.withLock { $0.removeValue(forKey: ObjectIdentifier(batch)) }
        }
    }
}

/// One request with a completion handler: exactly one call for each time.
final class StillBatch: Sendable {
    private struct State {
        var run: StillSession<Still>.Running?
        var isCancelled = false
    }

    private let times: [CMTime]
    private let handler: AVAssetImageGeneratorCompletionHandler
    private let state = Mutex(State())

    init(times: [CMTime], handler: @escaping AVAssetImageGeneratorCompletionHandler) {
        (self.times, self.handler) = (times, handler)
    }

    /// Starts the work, and calls the handlers from a thread of its own once it has begun.
    func start(_ stills: Stills<Still>, onEnd: @escaping @Sendable () -> Void) {
        let begun = DispatchSemaphore(value: 0)
        let run = stills.session.start {
            WorkThread.start { [self] in
                begun.wait()
                deliverAll()
                onEnd()
            }
        }
        let isCancelled = state.withLock { state in
            state.run = run
            return state.isCancelled
        }
        begun.signal()
        if isCancelled { run.cancel() }
    }

    func cancel() {
        let run = state.withLock { state in
            state.isCancelled = true
            return state.run
        }
        run?.cancel()
    }

    /// Calls the handler for each time, on the calling thread.
    private func deliverAll() {
        guard let run = state.withLock({ $0.run }) else { return }
        // Who holds the run holds its requests' handlers with it.
        defer { state.withLock { $0.run = nil } }
        var missing = Set(times.indices)
        while let result = try? run.channel.receive() {
            switch result {
            case .success(let still):
                missing.remove(still.index)
                handler(still.requestedTime, still.image, still.actualTime, .succeeded, nil)
            case .failure(let failure) where failure.error is CancellationError: continue
            case .failure(let failure):
                missing.remove(failure.index)
                handler(failure.requestedTime, nil, .invalid, .failed, failure.error)
            }
        }
        for index in missing.sorted() {
            let error = AVError(.operationCancelled, reason: "the request was cancelled")
            handler(times[index], nil, .invalid, .cancelled, error)
        }
    }
}
