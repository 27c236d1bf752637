package import FFmpegKit
package import MediaAsset
package import MediaCore

/// A coded sample of a file and its times.
package struct FedSample: Sendable {
    package let packet: Packet
    /// On the asset's timeline; `nil` where the file tells none.
    package let presentationTime: CMTime?
    /// On the asset's timeline; `nil` where the file tells none.
    package let decodeTime: CMTime?
    /// `nil` where the file does not tell it.
    package let duration: CMTime?
    /// Whether it is there for others' sake and not shown or heard: an edit list hides it, or it lies outside the range.
    package let isHidden: Bool
}

/// Gives the coded samples of a file's track, in the order of the file.
///
/// For a range there are all samples that its pictures need, from a sync sample on. Reads on the thread that asks; one
/// thread at a time may ask.
package final class CodedFeed {
    private let input: TrackInput
    private let startTicks: Int64?
    private let endTicks: Int64?
    /// Where the edit list of a movie ends, or else the track, if that is not of pictures.
    private let statedEnd: Int64?
    /// How long a picture lasts on average.
    private let frameTicks: Int64
    private let isPicture: Bool
    /// Pictures from beyond the end, which one before it may need.
    private var held: [Packet] = []
    /// Those of which it is not known yet how long they are shown, or that come after such.
    private var undated: [Packet] = []
    /// When the pictures that were read last are shown.
    private var times: [Int64] = []
    private var latestDecode = Int64.min
    /// Whether there are no more packets to come.
    private var hasAll = false
    private var ready: [FedSample] = []
    private var isOver = false

    /// - Parameters:
    ///   - range: On the asset's timeline; `nil` for all.
    ///   - allowsDamage: Whether a file that ends early is no error.
    package init(
        _ track: TrackDescription, of source: AssetSource, range: CMTimeRange?, allowsDamage: Bool,
        cancellation: Cancellation
    ) throws {
        input = try TrackInput(
            track.streamIndex, of: source, range: range, isCopied: true, allowsDamage: allowsDamage,
            cancellation: cancellation)
        input.demuxer.infersPresentationTimes = input.info.kind == .video
        // FFmpeg has read the first titles of chapters when it opened the file.
        let isText = ![.video, .audio, .metadata, .timecode].contains(track.mediaType)
        if isText, input.demuxer.container.isMovie, range == nil {
            _ = try input.demuxer.seek(stream: input.info.index, toTicks: input.info.startTicks ?? 0)
        }
        startTicks = range == nil ? nil : input.range.startTicks(input.info.timeBase)
        endTicks = input.range.endTicks(input.info.timeBase)
        (frameTicks, isPicture) = (input.info.frameTicks, input.info.kind == .video)
        statedEnd = input.statedEnd ?? (isPicture ? nil : input.trackEnd)
    }

    /// What a muxer has to know of the samples.
    package func makeStream() throws -> CodedStream { try CodedStream(copying: input.info.index, of: input.demuxer) }

    /// The next sample; blocks until it is there.
    ///
    /// `nil` after the last one.
    package func next() throws -> FedSample? {
        while ready.isEmpty, !isOver {
            guard let packet = try input.next() else {
                isOver = true
                hasAll = true
                for packet in undated { take(lasting(packet)) }
                undated.removeAll()
                try input.checkEnd()
                break
            }
            note(packet)
            if undated.isEmpty, packet.durationTicks != nil {
                take(packet)
                continue
            }
            undated.append(packet)
            while let first = undated.first, isLengthKnown(of: first) { take(lasting(undated.removeFirst())) }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    // MARK: How long samples last

    /// Remembers when a picture is shown, which ends those before it.
    private func note(_ packet: Packet) {
        guard isPicture else { return }
        if let ticks = packet.decodeTicks { latestDecode = ticks }
        guard !packet.isDiscarded, let ticks = packet.presentationTicks else { return }
        times.append(ticks)
        if times.count > 2 * Self.maximumReordering { times.removeFirst() }
    }

    /// When the picture after one is shown, of those that were read.
    private func following(_ ticks: Int64) -> Int64? {
        var next: Int64?
        for time in times where time > ticks && time < next ?? .max { next = time }
        return next
    }

    /// Whether none that comes is shown between a picture and the one after it.
    private func isLengthKnown(of packet: Packet) -> Bool {
        guard packet.durationTicks == nil, let ticks = packet.presentationTicks else { return true }
        // Of other samples only the last one's length follows from something else.
        if undated.count > (isPicture ? Self.maximumReordering : 1) { return true }
        guard isPicture else { return false }
        // What comes is decoded later, and shown no earlier than it is decoded.
        guard let next = following(ticks), packet.decodeTicks != nil else { return false }
        return latestDecode >= next
    }

    /// The packet with its length: up to when the next one is shown, or the edit list or the track ends.
    ///
    /// Of pictures of movies that are reordered FFmpeg does not tell it, nor of the last sample of a track that begins late.
    private func lasting(_ packet: Packet) -> Packet {
        guard packet.durationTicks == nil, let ticks = packet.presentationTicks else { return packet }
        let end = isPicture ? following(ticks) ?? statedEnd : hasAll ? statedEnd : nil
        if let end, end > ticks, case (let length, let overflow) = end.subtractingReportingOverflow(ticks), !overflow {
            packet.setDuration(length)
        } else if isPicture {
            packet.setDuration(frameTicks)
        }
        return packet
    }

    /// How many pictures may come, in order of decoding, before the one that is shown next, in any codec.
    private static let maximumReordering = 16

    private func take(_ packet: Packet) {
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { return give(packet) }
        if let endTicks, packet.decodeTicks ?? ticks >= endTicks {
            isOver = true
            return
        }
        if let endTicks, ticks >= endTicks {
            if isPicture { held.append(packet) }
            return
        }
        // What ends before the start is of use to pictures alone.
        let end = ticks.addingReportingOverflow(max(1, packet.durationTicks ?? 1)).partialValue
        if let startTicks, !isPicture, end <= startTicks { return }
        for packet in held { give(packet, isHidden: true) }
        held.removeAll()
        give(packet)
    }

    private func give(_ packet: Packet, isHidden: Bool = false) {
        let ticks = packet.presentationTicks ?? packet.decodeTicks
        let end = ticks.map { $0.addingReportingOverflow(packet.durationTicks ?? 1).partialValue }
        let isBefore = startTicks.flatMap { start in end.map { $0 <= start } } ?? false
        ready.append(
            FedSample(
                packet: packet, presentationTime: packet.presentationTicks.map { input.time($0) },
                decodeTime: packet.decodeTicks.map { input.time($0) },
                duration: packet.durationTicks.map { input.info.timeBase.time(of: $0) },
                isHidden: isHidden || packet.isDiscarded || isBefore))
    }
}

/// One track of a file, opened where it has to be read from for a range, by itself.
///
/// Each track has a demuxer of its own: a client may take all pictures first and then all sound, and nothing waits for it.
/// One thread at a time may use it.
package final class TrackInput {
    package let info: StreamInfo
    package let demuxer: Demuxer
    /// Where decoding starts, if not with the stream's first packet.
    let entry: RandomAccessPoint?
    /// Whether the file's first packet is read.
    let isFromBeginning: Bool
    /// On the container's timeline.
    let range: KeptRange
    /// The asset's zero on the container's timeline.
    let origin: CMTime
    private let asset: AssetDescription
    private let reading: SourceReader
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
    init(
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
        entry = input.entry.point(ofStream: stream)
        isFromBeginning = input.entry.position == .beginning
        info = demuxer.streams[stream]
        gate = EntryGate(entry)
        reading = SourceReader(
            demuxer, of: source, description: asset, range: kept, streams: [stream], allowsDamage: allowsDamage)
    }

    /// The next packet of the stream, from where decoding starts on; `nil` at the end.
    func next() throws -> Packet? {
        while true {
            try cancellation.check()
            guard let packet = try reading.next() else { return nil }
            if packet.streamIndex == info.index, gate.lets(packet) { return packet }
        }
    }

    /// Fails if the file was not all there, or is not what it was when it was opened.
    func checkEnd() throws {
        try cancellation.check()
        try source.checkIsOneFile()
        // A reader has no result that would name what is missing.
        guard let found = reading.shortfall(), !allowsDamage else { return }
        throw FFmpegError(kind: .damaged, operation: .read, reason: found.reason)
    }

    /// A time of the stream on the asset's timeline.
    func time(_ ticks: Int64) -> CMTime {
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
