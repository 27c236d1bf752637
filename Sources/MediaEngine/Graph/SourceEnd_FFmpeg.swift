package import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaIO

/// Tells whether a source ended before its header says that it does.
package struct SourceEnd {
    package let demuxer: Demuxer
    package let description: AssetDescription
    package let range: KeptRange
    /// The source, if it is a file.
    package let file: RandomAccessFile?

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
        let tail = file.map { SourceTail($0, container: demuxer.container) }
        if let truncation = tail?.truncation {
            return "the source is cut off at \((last - description.origin).secondsText(decimals: 3)) s: \(truncation)"
        }
        if tail?.isWhole == true { return nil }
        if demuxer.container.isMovie {
            return playing.lazy.compactMap { trackShortfall($0, reader) }.first
        }
        if demuxer.container == .avi {
            return playing.lazy.compactMap { index in pictureShortfall(index, reader) }.first
        }
        guard demuxer.container.has(.saysLength), !description.durationIsEstimate,
            description.duration.isNumeric, !ends.isEmpty
        else { return nil }
        let end = description.origin + description.duration
        // The length that is said is that of the longest stream, which may be one that was not read.
        guard missing(until: end, after: last) != nil, let longest = endOfAll(but: streams, from: last) else {
            return nil
        }
        return missing(until: end, after: longest)
    }

    /// Where the last of the streams ends, by those that were not read; `nil` if these cannot be read any more.
    private func endOfAll(but streams: Set<Int>, from last: CMTime) -> CMTime? {
        let others = demuxer.streams.filter { [.video, .audio].contains($0.kind) && !streams.contains($0.index) }
        guard let first = others.first else { return last }
        guard demuxer.isSeekable else { return nil }
        demuxer.select(streams: Set(others.map(\.index)))
        var end = last
        do {
            _ = try demuxer.seek(stream: first.index, toTicks: first.timeBase.ticks(atOrBefore: last))
            while let packet = try demuxer.readPacket() {
                guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { continue }
                end = max(end, time(ticks, packet.streamIndex))
            }
        } catch {
            // What can be read is all that there is.
        }
        return end
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
