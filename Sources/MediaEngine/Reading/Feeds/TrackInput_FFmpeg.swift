package import FFmpegKit
package import MediaAsset
package import MediaCore

/// One track of a file, opened where it has to be read from for a range, by itself.
///
/// Each track has a demuxer of its own: a client may take all pictures first and then all sound, and nothing waits for it.
/// One thread at a time may use it.
package final class TrackInput {
    package let info: StreamInfo
    package let demuxer: Demuxer
    /// Where decoding starts, if not with the stream's first packet.
    package let entry: SeekPoint.Entry?
    /// Whether the file's first packet is read.
    let isFromBeginning: Bool
    /// On the container's timeline.
    package let range: KeptRange
    /// The asset's zero on the container's timeline.
    package let origin: CMTime
    private let asset: AssetDescription
    private let reading: SourceReading
    private let source: AssetSource
    private let cancellation: Cancellation
    private let allowsDamage: Bool
    private var gate: EntryGate

    /// Opens it.
    ///
    /// - Parameters:
    ///   - stream: The stream's position in the file.
    ///   - range: On the asset's timeline; `nil` for all.
    ///   - isCopied: Whether its samples stay as they are.
    ///   - cancellation: Stops the opening and each later read.
    package init(
        _ stream: Int, of source: AssetSource, range: CMTimeRange?, isCopied: Bool = false, allowsDamage: Bool,
        cancellation: Cancellation
    ) throws {
        let asset = try source.describe()
        let (origin, end) = (asset.origin, range?.end)
        let kept = KeptRange(
            start: range.map { $0.start + origin } ?? origin, end: end.flatMap { $0.isNumeric ? $0 + origin : nil })
        let input = try PipelineSource(
            only: stream, from: kept.start, in: kept, of: source, origin: origin, isCopied: isCopied, cancellation)
        (self.asset, self.origin, self.range) = (asset, origin, kept)
        (self.source, self.cancellation, self.allowsDamage) = (source, cancellation, allowsDamage)
        demuxer = input.demuxer
        entry = input.entry.entries[stream]
        isFromBeginning = input.entry.position == .beginning
        info = demuxer.streams[stream]
        gate = EntryGate(entry)
        reading = SourceReading(
            demuxer, of: source, description: asset, range: kept, streams: [stream], allowsDamage: allowsDamage)
    }

    /// The next packet of the stream, from where decoding starts on; `nil` at the end.
    package func next() throws -> Packet? {
        while true {
            try cancellation.check()
            guard let packet = try reading.next() else { return nil }
            if packet.streamIndex == info.index, gate.lets(packet) { return packet }
        }
    }

    /// Fails if the file was not all there, or is not what it was when it was opened.
    package func checkEnd() throws {
        try cancellation.check()
        try source.checkIsOneFile()
        guard let reason = reading.shortfall(), !allowsDamage else { return }
        throw FFmpegError(kind: .damaged, operation: .read, reason: reason)
    }

    /// A time of the stream on the asset's timeline.
    package func time(_ ticks: Int64) -> CMTime {
        let time = info.timeBase.time(of: ticks)
        return origin == .zero ? time : time - origin
    }

    /// Watches a decoder of the stream.
    ///
    /// - Parameter delay: How many packets the decoder may be ahead.
    func damageWatch(delay: Int) -> DamageWatch {
        DamageWatch(isAllowed: allowsDamage, delay: Int64(delay), origin: origin)
    }

    /// Where the edit list of a movie ends, in the stream's ticks; not for a source that may lack its end.
    var statedEnd: Int64? { asset.statedEnd(of: info, in: demuxer.container, allowsDamage: allowsDamage) }

    /// Where the track ends by what the file says, in the stream's ticks; not for a source that may lack its end.
    var trackEnd: Int64? {
        guard !allowsDamage, let track = asset.tracks.first(where: { $0.streamIndex == info.index }),
            !track.isEndAssumed, track.timeRange.end.isNumeric
        else { return nil }
        return info.timeBase.ticks(nearest: track.timeRange.end + origin)
    }

    /// A time beyond this is wrong; `nil` if the source's end is not known.
    var latestTime: CMTime? { asset.latestTime }
}

extension AssetDescription {
    /// Where the edit list of a movie ends, in the stream's ticks; not for a source that may lack its end.
    func statedEnd(of info: StreamInfo, in container: Container, allowsDamage: Bool) -> Int64? {
        guard container.isMovie, !allowsDamage,
            let track = tracks.first(where: { $0.streamIndex == info.index }),
            let end = track.editList.last?.target.end, end.isNumeric
        else { return nil }
        return info.timeBase.ticks(nearest: end + origin)
    }

    /// A time beyond this is wrong, on the container's timeline; `nil` if the source's end is not known.
    var latestTime: CMTime? {
        guard duration.isNumeric, !durationIsEstimate else { return nil }
        return origin + duration + CMTime(value: 10, timescale: 1)
    }
}
