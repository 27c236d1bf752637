package import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaIO

/// Makes a new media file of a source through libavformat and libavcodec.
///
/// Reading, decoding, filtering, encoding and writing go on at the same time,
/// each on a thread of its own, with short queues between them. Every queue
/// leads towards the muxer, which waits for nobody, so that no stage can wait
/// for one that waits for it.
///
/// A pipeline runs once.
package final class Pipeline: Sendable {
    package let job: PipelineJob
    private let source: AssetSource
    private let cancellation = Cancellation()

    package init(_ job: PipelineJob, source: AssetSource) { (self.job, self.source) = (job, source) }

    /// Stops the work soon, from any thread; ``run(into:progress:)`` then throws `CancellationError`.
    package func cancel() { cancellation.cancel() }

    /// Makes the file; blocks until it is complete or has failed.
    ///
    /// - Parameters:
    ///   - sink: Where the file's bytes go.
    ///   - progress: Called some times a second, from a thread of the pipeline.
    /// - Throws: The first failure of any stage, what the sink threw as it is.
    ///   No thread is left behind.
    package func run(
        into sink: any MuxerSink, progress: @escaping @Sendable (PipelineProgress) -> Void = { _ in }
    ) throws -> PipelineResult {
        do {
            try cancellation.check()
            return try runPasses(into: sink, progress)
        } catch {
            // Whatever stopped first is why others failed.
            cancellation.cancel(because: error)
            let first = cancellation.reason ?? error
            throw (first as? FFmpegError).map { publicError(for: $0) } ?? first
        }
    }

    /// Encodes some segments of the pictures, for another process that makes the file; blocks until they are there.
    ///
    /// - Parameter share: Which of so many segments.
    package func makePiece(share: (Int) -> Range<Int>, into piece: PieceWriter) throws {
        do {
            try cancellation.check()
            try PipelineRun(job, source: source, cancellation: cancellation, pass: .only)
                .makePiece(share: share, into: piece)
        } catch {
            cancellation.cancel(because: error)
            let first = cancellation.reason ?? error
            throw (first as? FFmpegError).map { publicError(for: $0) } ?? first
        }
    }

    private func runPasses(
        into sink: any MuxerSink, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> PipelineResult {
        guard job.isTwoPass else {
            return try PipelineRun(job, source: source, cancellation: cancellation, pass: .only)
                .run(into: sink, progress)
        }
        let folder = PassFolder(in: job.temporaryDirectory)
        defer { folder.remove() }
        let statistics = try analyze(in: folder, progress)
        return try PipelineRun(job, source: source, cancellation: cancellation, pass: .second(folder, statistics))
            .run(into: sink, progress)
    }

    /// The first pass; its encoders complete their files when they go, which is when their threads end.
    private func analyze(
        in folder: PassFolder, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> FirstPass {
        try PipelineRun(job, source: source, cancellation: cancellation, pass: .first(folder)).analyze(progress)
    }
}

/// What a first pass has found out, by track.
package struct FirstPass {
    /// What the encoders want to know of it, beside what they left in their folders.
    package var statistics: [Int: String] = [:]
    var palettes: [Int: Frame] = [:]
    /// How loud sound is that is to become as loud as said.
    package var loudness: [Int: TrackLoudness] = [:]
}

/// A folder of one export's own for what its first pass finds out.
package final class PassFolder: Sendable {
    private let path: String
    /// Whether its files are none of a file system.
    private let isNowhere: Bool

    /// - Note: Nothing is made before an encoder needs it.
    package init(in parent: String?) {
        let name = "export-\(UUID().uuidString)"
        isNowhere = FileAccess.passFolder != nil
        path =
            FileAccess.passFolder.map { "\($0)/\(name)" }
            ?? (parent.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent(name).path
    }

    deinit { remove() }

    /// The folder of one track.
    package func path(ofTrack index: Int) throws -> String {
        let folder = "\(path)/\(index)"
        if !isNowhere {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        return folder
    }

    package func remove() {
        // Best effort: an export does not fail because of what it leaves to the system's cleaner.
        if !isNowhere { try? FileManager.default.removeItem(atPath: path) }
    }
}
