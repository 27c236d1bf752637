internal import FFmpegKit
internal import MediaAsset
internal import MediaFile
internal import MediaTime
internal import MediaTypes

/// Tells whether a source ended before its header says that it does.
struct SourceEnd {
    let demuxer: Demuxer
    let description: AssetDescription
    let range: KeptRange
    /// The source, if it is a file.
    let file: RandomAccessFile?

    /// Headers that overstate the length a little are common.
    private static let tolerance = CMTime(value: 1, timescale: 2)

    /// - Parameter streams: Those that are kept.
    /// - Returns: When it ended and what is missing, `nil` if nothing is.
    func shortfall(_ reader: SourceReading, streams: Set<Int>) -> String? {
        guard reader.hasReachedEnd else { return nil }
        let playing = streams.filter { [.video, .audio].contains(demuxer.streams[$0].kind) }.sorted()
        let ends = playing.compactMap { index in reader.ends[index].map { time($0, index) } }
        let last = ends.max() ?? range.start
        if let complaint = demuxer.takeComplaint(), complaint.matter == .shortData {
            return "the source ends at \((last - description.origin).secondsText(decimals: 3)) s: \(complaint.reason)"
        }
        if let file, let truncation = SourceTail(file, container: demuxer.container).truncation {
            return "the source is cut off at \((last - description.origin).secondsText(decimals: 3)) s: \(truncation)"
        }
        if demuxer.container.isMovie {
            return playing.lazy.compactMap { trackShortfall($0, reader) }.first
        }
        if demuxer.container == .avi {
            return playing.lazy.compactMap { index in pictureShortfall(index, reader) }.first
        }
        guard demuxer.container.has(.saysLength), !description.durationIsEstimate,
            description.duration.isNumeric, !ends.isEmpty
        else { return nil }
        return missing(until: description.origin + description.duration, after: last)
    }

    private func time(_ ticks: Int64, _ index: Int) -> CMTime { demuxer.streams[index].timeBase.time(of: ticks) }

    /// What of the samples that a movie lists was not there.
    private func trackShortfall(_ index: Int, _ reader: SourceReading) -> String? {
        let info = demuxer.streams[index]
        guard demuxer.lastIndexTicks(ofStream: index) != nil else {
            guard let count = info.frameCount, reader.ends[index] == nil else { return nil }
            return "\(count) samples of the source are missing"
        }
        let read = reader.lastDecodeTicks[index] ?? .min
        guard demuxer.indexGoesOn(ofStream: index), range.endTicks(info.timeBase).map({ read < $0 }) ?? true else {
            return nil
        }
        let last = reader.ends[index].map { time($0, index) } ?? range.start
        return
            "the source ends at \((last - description.origin).secondsText(decimals: 3)) s, samples that its index lists are missing"
    }

    /// What of the pictures that an AVI file's header counts was not there.
    private func pictureShortfall(_ index: Int, _ reader: SourceReading) -> String? {
        let info = demuxer.streams[index]
        guard info.kind == .video, let count = info.frameCount, let last = reader.ends[index] else { return nil }
        return missing(until: time((info.startTicks ?? 0) + count, index), after: time(last, index))
    }

    private func missing(until end: CMTime, after last: CMTime) -> String? {
        let wanted = range.end.map { min($0, end) } ?? end
        guard wanted.isNumeric, last.isNumeric, wanted - last > Self.tolerance else { return nil }
        return "the source ends at \((last - description.origin).secondsText(decimals: 3)) s, "
            + "\((wanted - last).durationText(decimals: 3)) s before its end"
    }
}
