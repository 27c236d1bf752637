internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import MediaIO
internal import MediaMetadata

extension AVFileType {
    /// Whether it is a folder of files rather than one file.
    package var isFolder: Bool { self == .hls }
}

extension ExportWork {
    /// Makes a folder of segments with its playlist.
    func writeFolder(_ prepared: PreparedExport, at place: OutputPlace) throws -> ExportResult {
        guard case .pipeline(var job, _) = prepared.engine else {
            throw AVError(.operationNotSupportedForAsset, reason: "a stream cannot be made of this")
        }
        let folder = try PendingFolder(for: place, as: .stream)
        let stream = StreamingFolder(folder, limits: source.limits)
        let hasPictures = prepared.plan.tracks.contains { $0.mediaType == .video }
        job.muxerOptions.merge(StreamingFolder.muxerOptions(hasPictures: hasPictures)) { _, new in new }
        job.muxerOptions.merge(MuxedFile.muxerOptions(for: job.format)) { own, _ in own }
        let made = try run(job, into: stream, duration: prepared.plan.requestedRange.duration)
        guard made.tracks.contains(where: { $0.packets > 0 }) else {
            throw AVError(.invalidSourceMedia, reason: "the source has nothing that could be exported")
        }
        try source.file?.checkUnchanged(whileMaking: folder.path)
        let losses = try writeHeader(stream, prepared.metadata, job.format, in: folder)
        try stream.writePlaylist()
        try checkLength(stream.byteCount, of: job)
        try monitor.cancellation.check()
        try folder.complete()
        return ExportResult(
            requestedRange: prepared.plan.requestedRange, actualRange: try actualRange(of: made, job, prepared),
            byteCount: stream.byteCount, losses: prepared.plan.losses + losses.map(ExportLoss.init),
            warnings: prepared.plan.warnings + made.warnings, auditDepth: .none)
    }

    /// Writes what all segments share, with the metadata.
    private func writeHeader(
        _ stream: StreamingFolder, _ metadata: FileMetadata, _ format: ContainerFormat, in folder: PendingFolder
    ) throws -> [MetadataLoss] {
        let pending = try folder.file(StreamingFolder.Name.header)
        let muxed = MuxedFile(pending, format: format)
        try stream.header.withUnsafeBytes { try muxed.write($0, at: 0) }
        let output = try MediaOutput(muxed, isOptimizedForNetwork: false)
        let finished = try output.finished(with: metadata)
        try finished.write(to: pending, isSynced: false)
        stream.count(finished.byteCount)
        return finished.losses
    }
}
