internal import Foundation
internal import MediaConcurrency
internal import MediaExport
internal import MediaFile
internal import MediaLoading
internal import MediaMetadata

extension AVAssetWriter {
    /// Makes the file of what was brought, away from the cooperative pool.
    func complete() async {
        let (assembly, inputs, end) = work
        let items = metadata
        let optimizes = shouldOptimizeForNetworkUse
        do {
            guard let assembly else { throw AVError(.operationNotAllowed, reason: "there is nothing to finish") }
            let (fileType, tracks) = (outputFileType, inputs.map { WriterMetadata.Track(of: $0) })
            let losses = try await BlockingWork.run(cancel: { assembly.abandon() }) {
                for input in inputs { try input.finish(at: end) }
                let metadata = try WriterMetadata(
                    items.compactMap(\.entry), tracks: assembly.declaredTracks.map { tracks[$0] }, in: fileType)
                return try assembly.complete(metadata: metadata.metadata, optimizesForNetwork: optimizes)
                    .map { "\($0.item): \($0.reason)" } + metadata.losses
            }
            note(losses: losses)
            run.complete()
        } catch {
            if error is CancellationError { _ = run.cancel() } else { fail(error) }
        }
        for input in inputs { input.end() }
    }
}
