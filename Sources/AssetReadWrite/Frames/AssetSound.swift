/// The sound of an asset's track, piece after piece, as it is decoded.
///
/// Each iterator decodes anew, on a thread of its own, a little ahead of who takes it. Beyond AVFoundation.
public struct AssetSound: AsyncSequence, Sendable {
    /// A piece of sound.
    public typealias Element = SoundPiece
    let request: SoundRequest

    /// Starts decoding.
    public func makeAsyncIterator() -> Iterator { Iterator(FeedRun(request.open)) }

    /// Hands out sound as it is decoded; decoding stops when it is let go of.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: FeedRun<SoundPiece>

        init(_ run: FeedRun<SoundPiece>) { self.run = run }

        /// The next piece, `nil` after the last one.
        ///
        /// - Throws: `AVError` for a file that is damaged, changes meanwhile or ends early, once all sound before that was
        ///   taken; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> SoundPiece? { try await run.next() }
    }
}
