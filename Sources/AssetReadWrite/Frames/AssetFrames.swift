internal import MediaCore

/// The pictures of an asset, in the order in which they are shown, as they are decoded.
///
/// Each iterator decodes anew, on a thread of its own, a few pictures ahead of who takes them. Beyond AVFoundation.
public struct AssetFrames: AsyncSequence, Sendable {
    /// A picture.
    public typealias Element = AssetFrame
    let request: FrameRequest

    /// Starts decoding.
    public func makeAsyncIterator() -> Iterator { Iterator(FeedRun(request.open)) }

    /// Hands out pictures as they are decoded; decoding stops when it is let go of.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: FeedRun<AssetFrame>

        init(_ run: FeedRun<AssetFrame>) { self.run = run }

        /// The next picture, `nil` after the last one.
        ///
        /// - Throws: `AVError` for a file that is damaged, changes meanwhile or ends early, once all pictures before that
        ///   were taken; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> AssetFrame? { try await run.next() }
    }
}
