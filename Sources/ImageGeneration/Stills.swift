internal import MediaConcurrency
public import MediaImage
public import MediaTime

/// One still image, and how it relates to what was asked for.
public struct Still: Sendable {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for.
    public let requestedTime: CMTime
    /// The frame's own presentation time, in the track's timescale.
    public let actualTime: CMTime
    /// How long the frame is shown; invalid if unknown.
    public let duration: CMTime
    /// Whether the frame is a sync sample.
    public let isSyncSample: Bool
    /// Whether the frame is the one that is shown at the requested time.
    public let isExact: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    public let damage: String?
    /// Why this frame was taken, where a representative one was asked for.
    public let choice: RepresentativeChoice?
    /// The picture in each of the generator's `sizes`; one if there are none.
    public let images: [CGImage]

    /// The picture, the first if there are several sizes.
    public var image: CGImage { images[0] }
}

/// A still that could not be had.
public struct StillFailure: Error, Sendable {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for.
    public let requestedTime: CMTime
    /// Why.
    public let error: any Error

    /// Makes a failure.
    package init(index: Int, requestedTime: CMTime, error: any Error) {
        (self.index, self.requestedTime, self.error) = (index, requestedTime, error)
    }
}

/// The results of a request for several stills.
public struct Stills<Output: Sendable>: AsyncSequence, Sendable {
    /// A still, or what was made of it, or why there is none.
    public typealias Element = Result<Output, StillFailure>
    let session: StillSession<Output>

    /// Starts the work.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// Hands out results as they are ready.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: StillSession<Output>.Running

        init(session: StillSession<Output>) { run = session.start() }

        /// The next result, `nil` after the last one or when the task is cancelled.
        public mutating func next() async -> Element? {
            let run = run
            return await withTaskCancellationHandler {
                await run.channel.next()
            } onCancel: {
                run.cancel()
            }
        }
    }
}
