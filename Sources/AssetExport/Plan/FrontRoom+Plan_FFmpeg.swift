internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import MediaMetadata

extension FrontRoom {
    /// The room for what an export is going to write.
    init(_ prepared: PreparedExport, _ job: PipelineJob, of asset: AssetDescription) {
        let seconds = prepared.plan.requestedRange.duration.seconds
        let tracks = job.tracks.map { track -> Track in
            let source = asset.tracks.first { $0.streamIndex == track.stream }
            return Track(track.treatment, of: source, seconds: seconds.isFinite ? max(0, min(seconds, 1e7)) : 0)
        }
        self.init(
            tracks: tracks, mediaByteCount: UInt64(max(0, prepared.plan.estimatedByteCount ?? 0)),
            metadataByteCount: Self.byteCount(of: prepared))
    }

    /// About what tags, pictures and chapters take.
    private static func byteCount(of prepared: PreparedExport) -> UInt64 {
        let entries = prepared.metadata.entries + prepared.metadata.tracks.flatMap(\.entries)
        let chapters = prepared.chapters.preferredLists.flatMap(\.visibleChapters)
        let chapterBytes = chapters.reduce(0) { $0 + 128 + $1.titles.reduce(0) { $0 + 2 * $1.text.utf8.count } }
        // Pictures of chapters are media data, which lie elsewhere.
        return UInt64(entries.reduce(0) { $0 + 128 + $1.value.approximateByteCount } + chapterBytes + 4096)
    }
}

extension FrontRoom.Track {
    fileprivate init(_ treatment: PipelineJob.Treatment, of source: TrackDescription?, seconds: Double) {
        if let audio = source?.audio {
            // Few codecs have packets of fewer samples than this.
            self.init(
                sampleCount: Int(seconds * Double(max(8000, audio.sampleRate)) / 1024) + 16,
                hasVariableDurations: false, configurationByteCount: 1024)
        } else if let source, let video = source.video {
            let rate = video.nominalFrameRate > 0 ? min(video.nominalFrameRate, 1000) : 60
            let isCounted = source.sampleCount.map { Double($0) <= seconds * rate * 1.5 } ?? false
            let count = isCounted ? Int(clamping: source.sampleCount ?? 0) : Int(seconds * rate * 1.05)
            self.init(
                sampleCount: count + 16, hasVariableDurations: !video.hasFixedRate, isReordered: true,
                syncSampleCount: count / 8 + 8, configurationByteCount: 4096)
        } else {
            self.init(
                sampleCount: Int(clamping: source?.sampleCount ?? Int64(seconds)) + 16, hasVariableDurations: true)
        }
    }
}

extension VideoDescription {
    /// Whether frames come as often as the shortest one says.
    fileprivate var hasFixedRate: Bool {
        minFrameDuration.isNumeric && minFrameDuration.seconds * nominalFrameRate > 0.999
    }
}

extension MetadataValue {
    var approximateByteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .integer, .real: 8
        }
    }
}
