internal import MediaCore

/// The results of a request for several stills, in ascending order of time.
///
/// Each iterator does all of the work anew. Beyond AVFoundation.
public struct Stills<Output: Sendable>: AsyncSequence, Sendable {
    /// A still, or what was made of it, or why there is none.
    public typealias Element = Result<Output, StillFailure>
    let session: StillSession<Output>

    /// Starts the work, on threads of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// Hands out results as they are ready; the work stops when it is let go of.
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
