internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film of whose frames an index is wanted.
struct IndexRequest: FileRequest {
    let source: MediaSource
    let format: IndexFormat
    let trackIDs: [Int32]?
    let output: ResultPlace

    func run(in work: Work<JSONIndexReport>) async throws -> FileReport<JSONIndexReport> {
        let place = try work.files.output(output)
        let asset = try source.asset()
        let fingerprint = FileFingerprint(ofSource: source.file)
        let description = try await asset.loadDescription()
        let index = try await asset.makeFrameIndex(trackIDs: try wanted(in: description)) { work.progress($0, "") }
        let document = try IndexDocument(
            index, of: IndexDocument.Source(name: SourceFile.displayName(source.file), fingerprint), description)
        try await BlockingWork.run {
            try AtomicFile.write(to: place) { output throws(FileWriteError) in
                try document.write(as: format) { part throws(FileWriteError) in try output.write(Array(part.utf8)) }
            }
        }
        var report = FileReport<JSONIndexReport>()
        for track in index.tracks {
            guard let truncation = track.truncation.map({ "track \(track.trackID): \($0)" }) else { continue }
            report.warnings.append(truncation)
            report.flaw = report.flaw ?? Failure(.truncated, truncation)
        }
        guard !output.isStandardOutput else { return report }
        let counts = index.tracks.map { JSONIndexReport.Count(track: $0.trackID, frames: $0.frames.count) }
        report.document = JSONIndexReport(source: source.file, file: output.path, tracks: counts)
        let frames = counts.reduce(0) { $0 + $1.frames }
        report.text =
            "\(output.path.oneLine): \(frames) frames of \(counts.count) track\(counts.count == 1 ? "" : "s")\n"
        return report
    }

    /// The tracks that are asked for; `nil` for all.
    private func wanted(in description: AssetDescription) throws -> [Int32]? {
        guard format == .torchcodec else { return trackIDs }
        guard let number = trackIDs?.first else {
            guard let track = description.videoTrack else {
                throw AVError(.noSourceTrack, reason: "the file has no video track")
            }
            return [track.trackID]
        }
        guard description.tracks.contains(where: { $0.trackID == number && $0.video != nil }) else {
            throw AVError(.noSourceTrack, reason: "there is no video track \(number)")
        }
        return [number]
    }
}

/// What `--json` prints of an index that was written.
struct JSONIndexReport: ResultDocument {
    struct Count: Encodable {
        let track: Int32
        let frames: Int
    }

    let source: String
    let file: String
    let tracks: [Count]
}

extension IndexCommand: FileWorking {
    func prepared() throws -> FileWork<JSONIndexReport> {
        let naming = try ResultNaming(destination.output, default: "{name}-index.{ext}", count: fileCount)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await IndexRequest(
                source: source.source(file), format: format, trackIDs: tracks?.numbers,
                output: naming.place(
                    source: file, filenameExtension: format.filenameExtension, replaces: destination.force)
            ).run(in: work)
        }
    }
}

/// An index of frames as files have it, which may be larger than one wants in memory.
struct IndexDocument: Sendable {
    private let index: FrameIndex
    /// The first line of JSON Lines.
    private let header: String

    init(_ index: FrameIndex, of source: Source, _ description: AssetDescription) throws {
        self.index = index
        let tracks = index.tracks.compactMap { track in
            description.tracks.first { $0.trackID == track.trackID }.map { Track(track, $0) }
        }
        header = try JSONLine.text(
            Header(
                source: source, duration: JSONTime(length: description.duration), origin: JSONTime(index.origin),
                tracks: tracks))
    }

    /// Calls `body` with the parts of the text, in order.
    func write(
        as format: IndexFormat, _ body: (String) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        switch format {
        case .jsonl: try writeLines(body)
        case .torchcodec: try writeMappings(body)
        }
    }

    // MARK: JSON Lines

    private struct Header: Encodable {
        let format = FrameIndexFile.format
        let version = FrameIndexFile.version
        let source: Source
        let duration: JSONTime?
        let origin: JSONTime?
        let tracks: [Track]
        let columns = FrameIndexRows.columns
    }

    struct Source: Encodable {
        let name: String
        let byteCount: UInt64?
        let fingerprint: String?

        init(name: String, _ fingerprint: FileFingerprint?) {
            (self.name, byteCount, self.fingerprint) = (name, fingerprint?.byteCount, fingerprint?.digest)
        }
    }

    private struct Track: Encodable {
        let track: Int32
        let stream: Int
        let mediaType: String
        let codec: String
        /// A tick in seconds, as numerator and denominator.
        let tick: [Int64]
        let frames: Int
        let shown: Int
        let editList: [JSONTrack.Edit]
        let truncation: String?

        init(_ track: FrameIndex.Track, _ facts: TrackDescription) {
            (self.track, stream, tick) = (
                track.trackID, track.streamIndex, [track.tick.numerator, track.tick.denominator]
            )
            (mediaType, codec) = (facts.mediaType.name, facts.codec)
            (frames, shown) = (track.frames.count, track.frames.count(where: \.isShown))
            (editList, truncation) = (JSONTrack.edits(of: facts), track.truncation)
        }
    }

    private func writeLines(_ body: (String) throws(FileWriteError) -> Void) throws(FileWriteError) {
        try body(header + "\n")
        try FrameIndexRows.write(index, body)
    }

    // MARK: torchcodec

    private func writeMappings(_ body: (String) throws(FileWriteError) -> Void) throws(FileWriteError) {
        guard let track = index.tracks.first else { return }
        var part = "{\"frames\":["
        for (number, frame) in track.shown.enumerated() {
            part += number == 0 ? "\n" : ",\n"
            // Who begins where pictures become whole by and by gets grey ones.
            let key = frame.isKey && frame.entry != .gradual ? 1 : 0
            part += "{\"pts\":\(frame.presentation),\"duration\":\(frame.duration),\"key_frame\":\(key)}"
            guard part.utf8.count > 1 << 16 else { continue }
            try body(part)
            part = ""
        }
        try body(part + "\n]}\n")
    }
}
