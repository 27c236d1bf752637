internal import FFmpegKit
internal import MediaCore

extension AVURLAsset {
    /// Finds out where every frame lies, when it is shown and whether decoding can begin there.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - trackIDs: Tracks of pictures or sound; all of them if `nil`.
    ///   - progress: Called with the fraction done, from 0 to 1, from another thread.
    /// - Throws: `AVError.noSourceTrack` without such a track; `CancellationError` if the task is cancelled; else what opening
    ///   the file fails with, as `AVAsset` tells.
    /// - Complexity: One pass over the file's bytes; nothing is decoded, but for leading pictures of which only that tells
    ///   whether they are shown. Each frame takes 64 bytes of memory.
    public func makeFrameIndex(
        trackIDs: [Int32]? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> FrameIndex {
        let source = source
        let cancellation = Cancellation()
        return try await BlockingWork.run(cancel: {
            cancellation.cancel()
            source.cancelReading()
        }) {
            let tracks = try source.indexableTracks(trackIDs)
            return try source.makeFrameIndex(of: tracks, cancellation, progress)
        }
    }
}
