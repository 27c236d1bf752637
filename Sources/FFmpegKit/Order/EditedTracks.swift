internal import CFFmpeg
internal import MediaContainers
internal import MediaCore
internal import MediaIO

/// Reads video tracks of a movie by their own edit lists, where these show more than one piece of the media.
///
/// libavformat gives such tracks a list of samples of which some stand for two edits, or for none, and decoders go on from
/// one edit to the next as if nothing had happened.
struct EditedTracks {
    private struct Track {
        let timeBase: TimeBase
        let samples: [EditedSamples.Sample]
        let usualDuration: Int64
        var next = 0
        var isSelected = true
    }

    private let file: RandomAccessFile
    /// By stream.
    private var tracks: [Int: Track] = [:]
    /// A packet of another stream that comes later than the next one of these.
    private var other: Packet?
    /// Whether there is nothing more of other streams.
    private var othersHaveEnded = false

    /// More samples than this, counted for each edit that needs them, are left to libavformat.
    private static let maximumSamples = 4 << 20
    /// More bytes than this are no sample that a decoder takes.
    private static let maximumSize = Int(Int32.max) - 64

    /// - Parameters:
    ///   - others: Streams of which libavformat does not tell when pictures are shown; tables may.
    ///   - isStopped: Whether nobody waits for it any more.
    /// - Returns: `nil` where libavformat reads the movie as it is.
    init?(of boxes: MovieBoxes, streams: [StreamInfo], withoutTimes others: Set<Int>, isStopped: () -> Bool) {
        guard boxes.hasEditLists, let source = try? MovieSource(file: boxes.file) else { return nil }
        file = boxes.file
        var count = 0
        for track in source.tracks {
            guard let stream = streams.first(where: { $0.containerID == Int(track.id) }), stream.kind == .video,
                !stream.isAttachedPicture,
                stream.timeBase == TimeBase(numerator: 1, denominator: Int32(clamping: track.timescale)),
                let edited = EditedSamples(
                    track, in: source, maximum: Self.maximumSamples - count, isStopped: isStopped),
                edited.hasOffsets || !others.contains(stream.index) && stream.video?.reorderDelay == 0
            else { continue }
            count += edited.samples.count
            tracks[stream.index] = Track(
                timeBase: stream.timeBase, samples: edited.samples, usualDuration: edited.usualDuration)
        }
        guard !tracks.isEmpty else { return nil }
    }

    func has(_ stream: Int) -> Bool { tracks[stream] != nil }

    func isSelected(_ stream: Int) -> Bool { tracks[stream]?.isSelected ?? false }

    mutating func select(_ wanted: Set<Int>) {
        for index in tracks.keys { tracks[index]?.isSelected = wanted.contains(index) }
        othersHaveEnded = false
    }

    /// From the first frame that is shown to the end of the last one.
    func shown(ofStream index: Int) -> (start: Int64, end: Int64)? {
        guard let shown = tracks[index]?.samples.filter(\.isShown),
            let start = shown.map(\.presentation).min(), let end = shown.map({ $0.presentation + $0.duration }).max()
        else { return nil }
        return (start, end)
    }

    /// How many frames there are in a second, where nothing was cut off; `nil` if that cannot be told.
    ///
    /// An average over the media counts what is hidden between pieces.
    func frameRate(ofStream index: Int) -> Ratio? {
        guard let track = tracks[index], track.usualDuration > 0,
            let length = Int32(exactly: track.usualDuration * Int64(track.timeBase.numerator))
        else { return nil }
        return Ratio(track.timeBase.denominator, length)
    }

    /// All samples, as a container's index lists them; the times are those of presentation.
    func indexEntries(ofStream index: Int) -> [Demuxer.IndexEntry]? {
        tracks[index]?.samples.map {
            Demuxer.IndexEntry(ticks: $0.presentation, isKey: $0.isKey, isHidden: !$0.isShown)
        }
    }

    /// The decode time of the last sample.
    func lastTicks(ofStream index: Int) -> Int64? { tracks[index]?.samples.last?.decode }

    // MARK: Reading

    /// The next packet of the selected tracks and of all other streams, by their decode times; `nil` after the last.
    ///
    /// - Parameter readOther: The next packet of the others.
    mutating func next(
        among streams: [StreamInfo], _ readOther: () throws(FFmpegError) -> Packet?
    ) throws(FFmpegError) -> Packet? {
        if other == nil, !othersHaveEnded {
            other = try readOther()
            othersHaveEnded = other == nil
        }
        let next = nextTime
        if let other {
            let ticks = other.decodeTicks ?? other.presentationTicks
            let time = ticks.map { streams[other.streamIndex].timeBase.time(of: $0) }
            if next == nil || time.map({ $0 <= next?.time ?? $0 }) ?? true {
                self.other = nil
                return other
            }
        }
        return try next.flatMap { next throws(FFmpegError) in try read(stream: next.stream) }
    }

    /// When the next sample of the selected tracks is decoded, `nil` after the last.
    private var nextTime: (stream: Int, time: CMTime)? {
        var found: (stream: Int, time: CMTime)?
        for (index, track) in tracks where track.isSelected && track.next < track.samples.count {
            let time = track.timeBase.time(of: track.samples[track.next].decode)
            if let known = found, (known.time, known.stream) <= (time, index) { continue }
            found = (index, time)
        }
        return found
    }

    private mutating func read(stream index: Int) throws(FFmpegError) -> Packet? {
        guard let track = tracks[index], track.next < track.samples.count else { return nil }
        let sample = track.samples[track.next]
        tracks[index]?.next += 1
        guard sample.size <= Self.maximumSize else {
            throw FFmpegError(kind: .damaged, operation: .read, reason: "a sample claims more than two gigabytes")
        }
        let isThere = sample.position < file.byteCount && UInt64(sample.size) <= file.byteCount - sample.position
        let bytes = isThere ? file.read(at: sample.position, count: sample.size) : []
        guard bytes.count == sample.size, let position = Int64(exactly: sample.position) else {
            throw FFmpegError(
                kind: .damaged, operation: .read, reason: Demuxer.cutShort("a sample lies beyond the end of the file"))
        }
        let made = bytes.withUnsafeBytes { bytes in
            Result { () throws(FFmpegError) in
                try Packet.make(
                    bytes, presentation: sample.presentation, decode: sample.decode, duration: sample.duration,
                    isKey: sample.isKey, isDiscarded: !sample.isShown)
            }
        }
        let packet = try made.get()
        packet.place(inStream: index, at: position)
        packet.beginsAnew = sample.beginsAnew
        return packet
    }

    // MARK: Positions

    mutating func rewind() {
        for index in tracks.keys { tracks[index]?.next = 0 }
        (other, othersHaveEnded) = (nil, false)
    }

    /// Goes to the last sample at or before a time from which decoding can start, in each track.
    ///
    /// - Returns: Whether there is one in the stream; where there is none, to the first. And when the first frame is shown
    ///   from there on, in any track.
    mutating func seek(stream: Int, to time: CMTime) -> (isThere: Bool, shown: CMTime?) {
        var (isThere, shown): (Bool, CMTime?) = (true, nil)
        for (index, track) in tracks {
            let ticks = track.timeBase.ticks(atOrBefore: time)
            // Hidden samples of a later edit may have any time.
            let last = track.samples.lastIndex { $0.isShown && $0.presentation <= ticks }
            let place = last.flatMap { last in
                track.samples[...last].lastIndex { $0.isKey && $0.presentation <= ticks }
            }
            tracks[index]?.next = place ?? 0
            let first = track.samples[(place ?? 0)...].first(where: \.isShown)
            if let first, track.isSelected {
                let time = track.timeBase.time(of: first.presentation)
                shown = min(shown ?? time, time)
            }
            if index == stream, place == nil { isThere = false }
        }
        (other, othersHaveEnded) = (nil, false)
        return (isThere, shown)
    }
}

extension MovieBoxes {
    /// Whether a track has an edit list of more than one row.
    fileprivate var hasEditLists: Bool {
        guard let movie, named("mvex", in: movie).isEmpty else {
            return false
        }
        return named("trak", "edts", "elst", in: movie).contains { number($0, 4) ?? 0 > 1 }
    }
}
