internal import Foundation
internal import MediaConcurrency
internal import MediaExport
internal import MediaFile
internal import MediaLoading
internal import MediaMetadata
internal import MetadataFormats

extension AVAssetWriter {
    /// Makes the file of what was brought, away from the cooperative pool.
    func complete() async {
        let (assembly, inputs, end) = work
        let items = metadata
        let optimizes = shouldOptimizeForNetworkUse
        do {
            guard let assembly else { throw AVError(.operationNotAllowed, reason: "there is nothing to finish") }
            let (fileType, trackMetadata) = (outputFileType, inputs.map { $0.metadata.compactMap(\.entry) })
            let losses = try await BlockingWork.run(cancel: { assembly.abandon() }) {
                for input in inputs { try input.finish(at: end) }
                let metadata = try FileMetadata.converted(
                    items.compactMap(\.entry), ofTracks: trackMetadata, written: assembly.declaredTracks, in: fileType)
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

/// What a new file says of itself, in the words of its kind, and what it cannot say.
private struct ConvertedMetadata: Sendable {
    let metadata: FileMetadata?
    let losses: [String]
}

extension FileMetadata {
    /// - Parameters:
    ///   - entries: The file's items, in any key space.
    ///   - tracks: Those of the inputs.
    ///   - written: Which inputs have samples, in the order of the file's tracks.
    fileprivate static func converted(
        _ entries: [MetadataEntry], ofTracks tracks: [[MetadataEntry]], written: [Int], in fileType: AVFileType
    ) throws -> ConvertedMetadata {
        var asked = ExportMetadata()
        asked.replacement = entries
        let own = FileMetadata(container: fileType.metadataContainer)
        var (metadata, losses) = try asked.applied(to: own, for: fileType, trackIDs: [:])
        for (index, input) in written.enumerated() where !tracks[input].isEmpty {
            let edit = MetadataConversion.convert(tracks[input], to: fileType.metadataContainer)
            metadata.tracks.append(.init(trackID: Int64(index + 1), entries: edit.entries))
            losses += edit.losses.map(ExportLoss.init)
        }
        return ConvertedMetadata(
            metadata: metadata.entries.isEmpty && metadata.tracks.isEmpty ? nil : metadata,
            losses: losses.map { "\($0.item): \($0.reason)" })
    }
}
