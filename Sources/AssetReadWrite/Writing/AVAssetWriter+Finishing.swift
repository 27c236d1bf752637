internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats
internal import Synchronization

extension AVAssetWriter {
    /// Makes the file of what was brought, away from the cooperative pool.
    func complete() async {
        let work = work
        let items = metadata
        var finishing = SampleAssembly.Finishing()
        finishing.optimizesForNetwork = shouldOptimizeForNetworkUse
        if let start = work.start, let end = work.end { finishing.end = end - start }
        finishing.references = Self.references(of: work.inputs)
        finishing.alternatives = inputGroups.map { group in
            work.inputs.indices.filter { index in group.inputs.contains { $0 === work.inputs[index] } }
        }
        do {
            guard let assembly = work.assembly else {
                throw AVError(.operationNotAllowed, reason: "there is nothing to finish")
            }
            let (fileType, tracks) = (outputFileType, work.inputs.map { WriterMetadata.Track(of: $0) })
            let (inputs, end, known) = (work.inputs, work.end, finishing)
            let losses = try await BlockingWork.run(cancel: { assembly.abandon() }) {
                // Those last that end with the others.
                let (endless, others) = (inputs.filter(\.awaitsEnd), inputs.filter { !$0.awaitsEnd })
                for input in others + endless { try input.finish(at: end) }
                let metadata = try WriterMetadata(
                    items, tracks: assembly.declaredTracks.map { tracks[$0] }, in: fileType)
                var finishing = known
                finishing.metadata = metadata.metadata
                return try assembly.complete(finishing).map { "\($0.item): \($0.reason)" } + metadata.losses
            }
            note(losses: losses)
            run.complete()
        } catch {
            if error is CancellationError { cancelWriting() } else { fail(error) }
        }
        for input in work.inputs { input.end() }
    }

    /// How the tracks of inputs refer to each other, by their places.
    private static func references(of inputs: [AVAssetWriterInput]) -> [(track: Int, other: Int, type: FourCC)] {
        inputs.indices.flatMap { track in
            inputs[track].associations.compactMap { association in
                guard let other = inputs.firstIndex(where: { $0 === association.input }),
                    let code = association.type.latin1?.bigEndian32(at: 0)
                else { return nil }
                return (track, other, FourCC(rawValue: code))
            }
        }
    }
}

/// Where a writer stands.
final class WriterRun: Sendable {
    private struct Record {
        var status = AVAssetWriter.Status.unknown
        var error: (any Error)?
        /// Whether the file is being completed.
        var isFinishing = false
    }

    private let record = Mutex(Record())

    var status: AVAssetWriter.Status { record.withLock { $0.status } }
    var error: (any Error)? { record.withLock { $0.error } }

    /// Whether samples are taken.
    var isWriting: Bool { record.withLock { $0.status == .writing && !$0.isFinishing } }

    /// - Throws: `AVError.operationNotAllowed` if it began before.
    func begin() throws {
        try record.withLock { record in
            guard record.status == .unknown else {
                throw AVError(.operationNotAllowed, reason: "a writer can be started once only")
            }
            record.status = .writing
        }
    }

    /// - Returns: Whether the file can be completed now.
    func beginFinishing() -> Bool {
        record.withLock { record in
            guard record.status == .writing, !record.isFinishing else { return false }
            record.isFinishing = true
            return true
        }
    }

    func complete() { record.withLock { if $0.status == .writing { $0.status = .completed } } }

    /// - Returns: Whether this is why it failed, rather than something before.
    @discardableResult
    func fail(_ error: any Error) -> Bool {
        record.withLock { record in
            guard [.unknown, .writing].contains(record.status) else { return false }
            (record.status, record.error) = (.failed, error)
            return true
        }
    }

    /// - Returns: Whether there was something to cancel.
    func cancel() -> Bool {
        record.withLock { record in
            guard [.unknown, .writing].contains(record.status) else { return false }
            record.status = .cancelled
            record.error = AVError(.operationCancelled, reason: "writing was cancelled")
            return true
        }
    }
}

/// What a new file of samples says of itself, in the words of its kind, and what it cannot say.
struct WriterMetadata {
    /// What a track says of itself.
    struct Track: Sendable {
        let entries: [MetadataEntry]
        /// BCP 47; `nil` for none.
        let languageTag: String?

        init(of input: AVAssetWriterInput) {
            entries = input.metadata.compactMap(\.entry)
            // QuickTime's own codes lack most languages.
            languageTag =
                input.extendedLanguageTag
                ?? input.languageCode.flatMap { Locale.Language(identifier: $0).languageCode?.identifier(.alpha2) }
        }
    }

    /// `nil` if there is nothing to say.
    let metadata: FileMetadata?
    /// A line each.
    let losses: [String]

    /// - Parameters:
    ///   - items: The file's items, in any key space.
    ///   - tracks: What its tracks say, in their order.
    init(_ items: [AVMetadataItem], tracks: [Track], in fileType: AVFileType) throws {
        var asked = ExportMetadata()
        asked.replace(with: items)
        let container = fileType.metadataContainer
        var (result, losses) = try asked.applied(
            to: FileMetadata(container: container), for: fileType, trackIDs: [:])
        for (index, track) in tracks.enumerated() {
            let trackID = Int64(index + 1)
            if let tag = track.languageTag { result.labels.append(TrackLabel(trackID: trackID, languageTag: tag)) }
            guard !track.entries.isEmpty else { continue }
            let edit = MetadataConversion.convert(track.entries, to: container)
            result.tracks.append(.init(trackID: trackID, entries: edit.entries))
            losses += edit.losses.map(ExportLoss.init)
        }
        let isEmpty = result.entries.isEmpty && result.tracks.isEmpty && result.labels.isEmpty
        metadata = isEmpty ? nil : result
        self.losses = losses.map { "\($0.item): \($0.reason)" }
    }
}
