internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
