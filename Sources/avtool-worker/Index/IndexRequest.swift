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
        let fingerprint = FileFingerprint(of: asset.url)
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
    struct Count: Codable {
        let track: Int32
        let frames: Int
    }

    let source: String
    let file: String
    let tracks: [Count]
}
