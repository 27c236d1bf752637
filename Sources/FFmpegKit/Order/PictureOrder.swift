internal import CFFmpeg
internal import MediaContainers
internal import MediaCore

/// Gives pictures their presentation times where the container stores decode
/// times only.
///
/// AVI, and MPEG streams in part, tell when pictures are to be decoded, and so do
/// files of other kinds that were copied from them. Where some pictures are
/// predicted from later ones they are shown in another order, at the same times.
/// Packets go in and come out in decoding order; some have to wait for those
/// after them.
struct PictureOrder {
    /// How a stream's presentation times are found.
    enum Rule: Sendable {
        /// A picture that others may be predicted from is shown when the next such
        /// picture is decoded: MPEG-1, MPEG-2 and MPEG-4 part 2.
        ///
        /// The times that are set depend on what the container's times are.
        case anchors(StoredTimes)
        /// Known from a pass over the whole stream.
        case known(KnownPictureOrder)
        /// A picture that has no time stands among its neighbours as its header counts it: H.264 and HEVC in MPEG streams.
        case gaps
    }

    /// What a container's times of pictures are.
    enum StoredTimes: Sendable {
        /// Decode times are numbers of pictures, as in AVI, which the pictures shown take from the first one on.
        case slots
        /// Some presentation times are left out, as in MPEG streams; decode times take the decoder's delay into account.
        case partial
        /// Some may be the decode time in place of the presentation time, where a picture would be shown before others
        /// that precede it, or left out, as in MXF.
        case claimed
    }

    private let rule: Rule
    private let isMPEG4: Bool
    private var reader: MPEG4PictureReader
    private var gaps: TimeGaps?
    /// The picture that waits for the next one of its kind, or for the times of those after it.
    private(set) var waiting: Packet?
    /// What the container says of the packet before.
    private var previous: (decode: Int64, duration: Int64, isDiscarded: Bool)?
    /// When the last picture is shown that is decoded after the waiting one and precedes it.
    private var lastBefore: Int64?

    /// - Parameter counter: For pictures between others of known times.
    init(_ rule: Rule, stream: StreamInfo, counter: PictureCounter? = nil) {
        self.rule = rule
        gaps = counter.map { TimeGaps($0, stream: stream) }
        isMPEG4 = stream.codec == .mpeg4
        reader = MPEG4PictureReader(extradata: isMPEG4 ? stream.extradata : [])
    }

    /// Takes the next packet of the stream, and sets the times that are known by now.
    mutating func add(_ packet: Packet) {
        if gaps != nil {
            gaps?.add(packet)
            waiting = gaps?.first
            return
        }
        guard let decode = packet.decodeTicks else { return }
        switch rule {
        case .known(let order):
            guard let times = order.times[decode] else { return }
            packet.set(presentation: times.presentation, decode: times.decode, isDiscarded: times.isDiscarded)
        case .anchors(let stored): add(packet, decode, stored)
        case .gaps: break
        }
    }

    private mutating func add(_ packet: Packet, _ decode: Int64, _ stored: StoredTimes) {
        let picture = packet.withBytes { isMPEG4 ? reader.next($0) : CodedPicture.mpegVideo($0) }
        let slot = previous?.decode ?? decode.subtractingReportingOverflow(packet.durationTicks ?? 1).partialValue
        let isDiscarded = packet.isDiscarded
        defer { previous = (decode, packet.durationTicks ?? 1, isDiscarded) }
        // Here pictures are shown one place earlier than they are decoded, and never before.
        if stored == .slots { packet.set(decode: slot) }
        // What is no picture takes no place in the order.
        guard let picture else { return }
        let time = stored == .slots ? slot : decode
        if picture.isBidirectional {
            if stored != .claimed || packet.presentationTicks == nil { settle(packet, time, stored) }
            lastBefore = packet.presentationTicks.map { max($0, lastBefore ?? $0) } ?? lastBefore
        } else {
            if let waiting { settle(waiting, time, stored) }
            (waiting, lastBefore) = (packet, nil)
        }
    }

    /// Sets the time that is still open at the end of the stream.
    mutating func finish() {
        if gaps != nil {
            gaps?.finish()
            waiting = nil
        }
        guard case .anchors(let stored) = rule, let waiting, let previous else { return }
        let end = previous.decode.addingReportingOverflow(previous.duration).partialValue
        settle(waiting, stored == .slots ? previous.decode : end, stored)
        self.waiting = nil
    }

    /// Forgets what came before a jump.
    mutating func restart() {
        (waiting, previous, lastBefore) = (nil, nil, nil)
        gaps?.restart()
        reader.restart()
    }

    private func settle(_ packet: Packet, _ time: Int64, _ stored: StoredTimes) {
        let isMissing =
            switch stored {
            case .slots: true
            case .partial: packet.presentationTicks == nil
            case .claimed:
                packet.presentationTicks.map { shown in lastBefore.map { shown <= $0 && time > $0 } ?? false } ?? true
            }
        if isMissing { packet.set(presentation: time) }
        // What an edit list leaves out are places in the order rather than pictures.
        if stored == .slots, let previous { packet.set(isDiscarded: previous.isDiscarded) }
    }
}

extension PictureOrder.Rule {
    /// The rule for a stream whose container leaves out presentation times, or may have wrong ones; `nil` for others.
    init?(container: Container, stream: StreamInfo) {
        if stream.codec.has(.hasNALUnits), container.has(.isMPEGStream) {
            self = .gaps
            return
        }
        guard stream.codec.has(.isOrderedByAnchors) else { return nil }
        if container.has(.countsPictures) {
            self = .anchors(.slots)
        } else if container.has(.isMPEGStream) {
            self = .anchors(.partial)
        } else {
            guard let video = stream.video, video.reorderDelay > 0 else { return nil }
            self = .anchors(.claimed)
        }
    }
}

/// The order in which the pictures of a whole stream are shown.
package struct KnownPictureOrder: Sendable {
    struct Times: Sendable {
        var presentation: Int64
        /// Not after the presentation time.
        var decode: Int64
        /// Whether an edit list leaves out what is shown at this time.
        var isDiscarded: Bool
    }

    /// By the decode times that the container stores.
    let times: [Int64: Times]

    /// One coded picture.
    struct Entry {
        let decode: Int64
        let count: PictureCounter.Count
        let isDiscarded: Bool
    }

    /// - Parameter entries: The stream's pictures in decoding order.
    init(_ entries: [Entry]) {
        let shown = PictureCounter.places(of: entries.map(\.count)).map { entries[$0] }
        let decode = Self.decodeTimes(entries.map(\.decode), shown.map(\.decode))
        times = Dictionary(
            zip(entries.indices, entries).map { index, entry in
                let place = shown[index]
                let times = Times(presentation: place.decode, decode: decode[index], isDiscarded: place.isDiscarded)
                return (entry.decode, times)
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Decode times moved back by as many places as it takes for none to lie
    /// after its presentation time.
    private static func decodeTimes(_ decode: [Int64], _ shown: [Int64]) -> [Int64] {
        let places = Dictionary(zip(decode, decode.indices), uniquingKeysWith: { first, _ in first })
        let delay = zip(decode.indices, shown).reduce(0) { max($0, $1.0 - (places[$1.1] ?? $1.0)) }
        guard delay > 0, let first = decode.first else { return decode }
        let step = decode.count > 1 ? max(1, decode[1].subtractingReportingOverflow(first).partialValue) : 1
        return decode.indices.map { index in
            index >= delay ? decode[index - delay] : first &- Int64(delay - index) &* step
        }
    }
}

extension Demuxer {
    /// Has packets given the presentation times that their container leaves out.
    func orderPictures() {
        for stream in streams where stream.kind == .video {
            guard let rule = PictureOrder.Rule(container: container, stream: stream) else { continue }
            if case .gaps = rule {
                guard let counter = makePictureCounter(ofStream: stream.index) else { continue }
                queue.add(PictureOrder(rule, stream: stream, counter: counter), stream: stream.index)
            } else {
                queue.add(PictureOrder(rule, stream: stream), stream: stream.index)
            }
        }
    }

    /// Whether the presentation times of a stream's pictures are known only
    /// after ``measurePictureOrders(ofStreams:)``: those of H.264 and HEVC depend on pictures far ahead.
    ///
    /// - Parameter hasDecodeTimesOnly: Whether the file is known to store no other times; AVI never does.
    package func needsPictureOrder(ofStream index: Int, hasDecodeTimesOnly: Bool) -> Bool {
        guard container == .avi || hasDecodeTimesOnly, streams.indices.contains(index) else { return false }
        return streams[index].codec.has(.hasNALUnits)
    }

    /// Whether a stream's pictures have no times at all, which ``countPictures(ofStream:)`` gives them.
    package func lacksTimes(ofStream index: Int) -> Bool {
        container.has(.lacksTimes) && streams.indices.contains(index) && streams[index].codec.has(.hasNALUnits)
    }

    /// Gives pictures without any time decode times, as they follow one another from the beginning of the file.
    package func countPictures(ofStream index: Int) {
        guard lacksTimes(ofStream: index), packetsRead == 0, seeks == 0 else { return }
        pictureClock = PictureClock(of: streams[index])
    }

    /// Has a stream's pictures shown in the order of their kinds where the file stores decode times only.
    package func orderPicturesByAnchors(ofStream index: Int) {
        guard streams.indices.contains(index), streams[index].codec.has(.isOrderedByAnchors) else { return }
        queue.add(PictureOrder(.anchors(.slots), stream: streams[index]), stream: index)
    }

    /// The orders in which the pictures of several streams are shown, by their headers.
    ///
    /// - Returns: An order for each of the streams.
    /// - Complexity: One pass over the file's bytes, from where reading stands to the end.
    package func measurePictureOrders(ofStreams indices: [Int]) throws(FFmpegError) -> [Int: KnownPictureOrder] {
        var entries: [Int: [KnownPictureOrder.Entry]] = indices.reduce(into: [:]) { $0[$1] = [] }
        let counters = indices.reduce(into: [:]) { $0[$1] = makePictureCounter(ofStream: $1) }
        guard !counters.isEmpty else { return entries.mapValues(KnownPictureOrder.init) }
        select(streams: Set(indices))
        for index in indices { countPictures(ofStream: index) }
        while let packet = try readStoredPacket() {
            let index = packet.streamIndex
            guard let counter = counters[index], let decode = packet.decodeTicks, packet.byteCount > 0 else { continue }
            let entry = KnownPictureOrder.Entry(
                decode: decode, count: counter.next(packet), isDiscarded: packet.isDiscarded)
            guard entries[index, default: []].count < policy.maximumPackets else {
                throw FFmpegError.tooManySamples(policy)
            }
            entries[index, default: []].append(entry)
        }
        return entries.mapValues(KnownPictureOrder.init)
    }

    /// Reads the order counts of a stream's pictures; `nil` where there are none.
    package func makePictureCounter(ofStream index: Int) -> PictureCounter? {
        guard streams.indices.contains(index), streams[index].codec.has(.hasNALUnits) else { return nil }
        return avStream(index).flatMap { PictureCounter($0.pointee.codecpar, of: streams[index]) }
    }

    /// Gives a stream's packets the presentation times of a known order.
    package func setPictureOrder(_ order: KnownPictureOrder, ofStream index: Int) {
        queue.add(PictureOrder(.known(order), stream: streams[index]), stream: index)
    }

    /// Marks a picture of Matroska whose time lies before the file's zero as one that is not shown.
    ///
    /// Such blocks come to be where an open group of pictures is copied from its keyframe on: leading pictures get
    /// times below zero, which libavformat leaves out.
    func hideIfBeforeZero(_ packet: Packet) {
        guard packet.presentationTicks == nil, packet.decodeTicks == nil,
            streams.indices.contains(packet.streamIndex), streams[packet.streamIndex].kind == .video
        else { return }
        packet.set(isDiscarded: true)
    }

    /// Tells which packets of a stream give pictures that are shown.
    package func makeShownPictures(ofStream index: Int) -> ShownPictures {
        ShownPictures(streams[index], parser: avStream(index).flatMap { PictureParser($0.pointee.codecpar) })
    }
}
