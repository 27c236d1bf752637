public import Foundation
public import MediaAsset
internal import MediaCore
internal import MediaEngine
package import MediaIO
internal import MediaMetadata
internal import Synchronization

extension AVAssetExportSession {
    /// What a session is doing.
    public enum State: Sendable {
        /// It was not started.
        case pending
        /// It was started and waits for others.
        case waiting
        /// It is making the file, and has come so far, of 10,000 units.
        case exporting(progress: Progress)
    }

    /// Makes the file.
    ///
    /// Cancelling the task stops the work within a frame or so. The settings are taken as they are at this call.
    ///
    /// - Parameters:
    ///   - url: Where the file goes, with any extension; nothing may be there, unless
    ///     `replacesExistingFile` is set, and never the asset's own file.
    ///   - fileType: One of `supportedFileTypes`. With `hls`, `url` is a folder.
    /// - Throws: `CancellationError` if the task is cancelled or `cancelExport()` was called; `AVError` with the
    ///   codes of AVFoundation, for instance `operationNotAllowed` for a session that was used, `incorrectlyConfigured`
    ///   for an address that is no file's, `fileAlreadyExists`,
    ///   `diskFull`, `operationNotSupportedForPreset`, `operationNotSupportedForAsset`, `invalidSourceMedia` for an
    ///   empty range or a file that changed meanwhile, `maximumFileSizeReached`, `contentIsProtected`,
    ///   `encoderNotFound`, `encodeFailed`, `fileFailedToParse` for damaged media, `incorrectlyConfigured` for names that
    ///   mean nothing here, `exportFailed` for a place that cannot be written to, with a `FileWriteError` under it.
    ///   Nothing is left under the name then, and what was there stays.
    /// - Complexity: A cut copies the bytes in range. All else reads the source once, twice with two-pass encoding, and
    ///   again, up to five times, where encoders exceed `fileLengthLimit`. Then comes what `auditDepth` asks for.
    public func export(
        to url: URL, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let (source, replaces) = (sourcePaths, replacesExistingFile)
        try await export(as: fileType) {
            try Self.check(url)
            let files = RunFiles(reading: source)
            return try fileType.isFolder
                ? files.folder(url.path, replaces: replaces) : files.output(url.path, replaces: replaces)
        }
    }

    /// Makes the file at a place.
    package func export(
        to place: OutputPlace, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await export(as: fileType) { place }
    }

    /// Encodes a share of the pictures, for another process that makes the file of all shares.
    ///
    /// - Parameters:
    ///   - share: Which of so many segments.
    ///   - head: What the piece is a share of.
    ///   - place: Where the piece goes.
    package func exportPiece(
        _ share: @escaping @Sendable (Int) -> Range<Int>, _ head: PieceHead, to place: OutputPlace,
        as fileType: AVFileType
    ) async throws {
        let monitor = try run.begin()
        var asked = request(for: fileType)
        asked.makesPiece = true
        let (run, asset, request) = (run, asset, asked)
        let outcome: Result<Void, any Error>
        do {
            try await BlockingWork.run(cancel: { monitor.cancellation.cancel() }) {
                run.start()
                try ExportWork(asset: asset, request: request, monitor: monitor)
                    .writePiece(share: share, head, to: place)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(exportError(for: error))
        }
        try outcome.get()
    }

    private func export(
        as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation,
        to place: @escaping @Sendable () throws -> OutputPlace
    ) async throws {
        let monitor = try run.begin()
        let request = request(for: fileType)
        let (run, asset) = (run, asset)
        let outcome: Result<ExportResult, any Error>
        do {
            let write = { @Sendable () throws -> ExportResult in
                try asset.source.checkFilesAreOwn()
                let place = try place()
                run.start()
                return try ExportWork(asset: asset, request: request, monitor: monitor).write(to: place)
            }
            let cancellation = monitor.cancellation
            // Code of the caller's, pipes and servers may wait for what would wait behind them.
            let ticket = waitsForOthers ? try await WorkAdmission.exports.turn(cancellation) : nil
            defer { ticket?.end() }
            outcome = .success(try await BlockingWork.run(cancel: { cancellation.cancel() }, write))
        } catch {
            outcome = .failure(exportError(for: error))
        }
        run.end(outcome)
        _ = try outcome.get()
    }

    /// The states from the present one on, until the export has ended; none if it has.
    ///
    /// Several may follow a session. How it ended is in `status`, `error` and `result`, and in what `export` throws.
    ///
    /// - Parameter updateInterval: How many seconds lie between two reports of
    ///   progress at least, above zero; infinite for the changes of state alone.
    public func states(updateInterval: TimeInterval = .infinity) -> some Sendable & AsyncSequence<State, Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        run.add(ExportStateListener(continuation, interval: max(0.001, updateInterval)))
        return stream
    }

    /// Makes the file at `outputURL`, of the kind `outputFileType`, or that which the URL's extension stands for.
    ///
    /// - Parameter handler: Called once when the session has ended, however that
    ///   may be, from another thread; before this call returns, if it could not even be started. The outcome is in
    ///   `status` and `error`: an error of those that `export(to:as:isolation:)` throws, or
    ///   `AVError.incorrectlyConfigured` without a URL, or without a type where the extension stands for none.
    ///
    /// - Note: AVFoundation raises an exception without a type.
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        let (url, named) = settings.withLock { ($0.outputURL, $0.outputFileType) }
        guard let url else {
            run.end(.failure(AVError(.incorrectlyConfigured, reason: "outputURL must be set")))
            return handler()
        }
        guard let fileType = named ?? AVFileType(filenameExtension: url.pathExtension) else {
            let reason = "outputFileType is not set, and no type has the filename extension '\(url.pathExtension)'"
            run.end(.failure(AVError(.incorrectlyConfigured, reason: reason)))
            return handler()
        }
        guard preset.fileTypes.contains(fileType) else {
            run.end(.failure(unsupported(fileType)))
            return handler()
        }
        do {
            try Self.check(url)
            // A folder that is there already is looked at when the new one is made.
            if !fileType.isFolder {
                try RunFiles(reading: sourcePaths).check(url.path, replaces: replacesExistingFile)
            }
        } catch {
            run.end(.failure(exportError(for: error)))
            return handler()
        }
        Task {
            // The outcome is in `status` and `error`.
            do { try await export(to: url, as: fileType) } catch {}
            handler()
        }
    }

    /// Makes the file at `outputURL`, of the kind `outputFileType`; the outcome
    /// is in `status` and `error`.
    ///
    /// Cancelling the task does not stop it; `cancelExport()` does.
    public func export() async {
        await withCheckedContinuation { continuation in exportAsynchronously { continuation.resume() } }
    }

    /// Stops the export within a frame or so; `status` becomes `cancelled` when it has.
    ///
    /// Does not wait for that. A session that was not started yet is cancelled as soon as it is.
    public func cancelExport() { run.cancel() }

    /// Where the session stands at this moment.
    public var status: Status { run.status }

    /// Why the session failed or was cancelled (`AVError.operationCancelled`), `nil` if it was not.
    public var error: (any Error)? { run.error }

    /// How much of the work is done, from 0 to 1.
    public var progress: Float { status == .completed ? 1 : Float(run.progress?.fraction ?? 0) }

    /// How far the export has come, with times and speed; `nil` before it began.
    ///
    /// Beyond AVFoundation.
    public var detailedProgress: ExportProgress? { run.progress }

    /// What was made, once it is there; `nil` before, and if the export failed.
    ///
    /// Beyond AVFoundation.
    public var result: ExportResult? { run.result }

    /// What an export would do, without doing it.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameter fileType: One of `supportedFileTypes`.
    /// - Throws: What the export would throw before it begins: not that the place cannot be written to.
    /// - Complexity: Opens the asset, reads its metadata and, of movies, tables; for some questions a few packets.
    ///   Writes nothing.
    public func plan(for fileType: AVFileType) async throws -> ExportPlan {
        let request = request(for: fileType)
        let asset = asset
        return try await Self.planning {
            try ExportWork(asset: asset, request: request).plan()
        }
    }

    static func planning<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await BlockingWork.run {
            do { return try body() } catch { throw exportError(for: error) }
        }
    }

    /// Fails for what names no file.
    private static func check(_ url: URL) throws {
        guard url.isFileURL, [nil, "", "localhost"].contains(url.host) else {
            throw AVError(.incorrectlyConfigured, reason: "outputURL is the URL of no file here: \(url.absoluteString)")
        }
    }

    /// The files that must not be written over.
    private var sourcePaths: [String] { asset.source.paths }

    func unsupported(_ fileType: AVFileType) -> AVError {
        AVError(
            .operationNotSupportedForPreset,
            reason: "the preset \(presetName) makes \(preset.fileTypeNames), not \(fileType.name)")
    }

    /// Whether it begins when others have ended, instead of at once.
    private var waitsForOthers: Bool {
        asset.source.readsLocalFiles && settings.withLock { $0.options.rendering.composing == nil && $0.filter == nil }
    }

    /// What is asked for at this moment.
    func request(for fileType: AVFileType) -> ExportRequest {
        let settings = settings.withLock { $0 }
        var options = settings.options
        if let items = settings.metadata { options.metadata.replace(with: items) }
        if let filter = settings.filter {
            options.metadata.filter = filter.filtered
            options.metadata.isForSharing = filter.isForSharing
        }
        options.temporaryDirectory = settings.temporaryDirectory?.path
        options.preservesAlternateTracks = settings.audioTrackGroupHandling.contains(.preserveAlternateTracks)
        return ExportRequest(preset: preset, fileType: fileType, options: options)
    }
}
