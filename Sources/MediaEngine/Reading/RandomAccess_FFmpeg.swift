internal import FFmpegKit
internal import MediaContainers
internal import MediaCore

/// A packet of a video stream at which decoding can begin.
struct RandomAccessPoint: Equatable {
    /// When its frame is shown, in the stream's ticks.
    var ticks: Int64
    var decodeTicks: Int64?
    var kind: EntryClassifier.Entry

    /// Whether a frame of a time leads the point: it is decoded after it, but belongs to the GOP before and may refer to
    /// what lies there.
    func isLed(byFrameAt ticks: Int64) -> Bool { ticks < self.ticks }
}

/// Tells where decoding of a video stream can begin: one rule for stills, exports and readers.
///
/// Decoding that begins at a point has to give what a linear decode gives. Whether it does is read from the packet itself,
/// never from the container's flag alone; a packet that is incomplete is no point.
///
/// - `clean` points are always usable.
/// - `recovery` and `gradual` points have to be proved. Who can decode from further back and compare (stills) begins there
///   until one has turned out wrong (`EntryFinder.isUsable`). Who cannot (exports) begins so far before what is wanted
///   that it is whole by then; copied samples may begin at a recovery point, as players do (`isWhole(from:after:isCopied:)`).
struct RandomAccess {
    /// Whether frames are looked into, rather than the container believed.
    let readsFrames: Bool
    private let classifier: EntryClassifier
    private let timeBase: TimeBase

    /// How long before what is wanted decoding begins at a point that is not clean.
    private static let recoveryDistance = CMTime(value: 12, timescale: 1)

    init(_ stream: StreamInfo) {
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        readsFrames = EntryClassifier.readsPictures(of: stream.codec)
        timeBase = stream.timeBase
    }

    // MARK: Points

    /// What a packet is; nothing if it is incomplete.
    func kind(of packet: Packet) -> EntryClassifier.Entry { packet.isCorrupt ? .none : kind(asCoded: packet) }

    /// What a packet's first bytes say that it is.
    func kind(asCoded packet: Packet) -> EntryClassifier.Entry { classifier.classify(packet) }

    /// Whether a packet brings along what its stream's frames are decoded by.
    func holdsParameters(_ packet: Packet) -> Bool { classifier.holdsParameters(packet) }

    /// Whether what is shown from a time on is whole where decoding, or the copy, begins at a point.
    func isWhole(from time: CMTime, after point: RandomAccessPoint, isCopied: Bool) -> Bool {
        if Self.isComplete(point.kind, isCopied: isCopied) { return true }
        return time - timeBase.time(of: point.ticks) >= Self.recoveryDistance
    }

    /// Whether nothing before a point is needed for what is shown after it.
    static func isComplete(_ kind: EntryClassifier.Entry, isCopied: Bool) -> Bool {
        kind == .clean || kind == .recovery && isCopied
    }

    // MARK: Seeking

    /// How the packets before a time are found.
    ///
    /// - Parameter trustsPartialIndex: Whether an index that lists keyframes alone tells enough of a codec whose frames are
    ///   not looked into.
    static func policy(for stream: StreamInfo, in demuxer: Demuxer, trustsPartialIndex: Bool) -> SeekPolicy {
        guard demuxer.isSeekable else { return .linear }
        let isTold =
            stream.video?.isIntraOnly == true || EntryClassifier.readsPictures(of: stream.codec)
            // An index that calls every sample a sync sample says nothing.
            || !demuxer.indexEntries(ofStream: stream.index).allSatisfy(\.isKey)
            || trustsPartialIndex && demuxer.listedSampleCount(ofStream: stream.index) == nil
        return isTold ? demuxer.container.seekPolicy(for: stream.codec) : .linear
    }

    /// Ever earlier places to begin at: each step back is twice as long as the one before.
    struct StepsBack {
        private let first: Int64
        private var step: Int64
        /// Whether the first step is one tick, to the point before.
        private var isBeside: Bool

        /// - Parameters:
        ///   - first: Nothing is sought before it.
        ///   - second: A second in ticks, which the first step goes back unless it is `isBeside`.
        init(to first: Int64, second: Int64, isBeside: Bool = false) {
            (self.first, step, self.isBeside) = (first, second, isBeside)
        }

        /// The next place before another; `nil` if that is the beginning.
        mutating func next(before ticks: Int64) -> Int64? {
            let aim = ticks.subtractingReportingOverflow(isBeside ? 1 : step).partialValue
            step = step.multipliedReportingOverflow(by: 2).partialValue
            isBeside = false
            return aim < first || step <= 0 ? nil : aim
        }
    }
}

/// Finds the random access point of one video stream for a time among the packets that come by.
struct PointSearch {
    let access: RandomAccess
    private let isCopied: Bool
    /// The last point that needs nothing before it, else the first one.
    var point: RandomAccessPoint?
    /// One that an edit list hides, until something is shown that is decoded from there.
    private var hidden: RandomAccessPoint?
    /// The time of the last frame that is shown, and of the first one from the point on.
    private(set) var shown: Int64?
    private(set) var firstShown: Int64?

    init(_ stream: StreamInfo, isCopied: Bool) { (access, self.isCopied) = (RandomAccess(stream), isCopied) }

    /// Takes the next packet whose frame is not shown after the time.
    mutating func note(_ packet: Packet, at ticks: Int64) {
        let candidate = point(at: packet)
        guard !packet.isDiscarded else {
            hidden = better(hidden, candidate)
            return
        }
        let known = point
        point = better(better(point, hidden), candidate)
        hidden = nil
        if point != known { firstShown = nil }
        shown = max(shown ?? ticks, ticks)
        if let point, !point.isLed(byFrameAt: ticks) { firstShown = min(firstShown ?? ticks, ticks) }
    }

    /// Takes what was found where nothing else is shown.
    mutating func finish() { point = point ?? hidden }

    private func better(_ known: RandomAccessPoint?, _ other: RandomAccessPoint?) -> RandomAccessPoint? {
        guard let other else { return known }
        return known == nil || RandomAccess.isComplete(other.kind, isCopied: isCopied) ? other : known
    }

    private func point(at packet: Packet) -> RandomAccessPoint? {
        guard let ticks = packet.presentationTicks, case let kind = access.kind(of: packet), kind != .none else {
            return nil
        }
        return RandomAccessPoint(ticks: ticks, decodeTicks: packet.decodeTicks, kind: kind)
    }
}

/// Lets the packets of one video stream through from a random access point on, but for those of leading frames, which
/// belong to the GOP before.
struct EntryGate {
    private var point: RandomAccessPoint?
    /// Finds the point, where it is the first one there is.
    private var access: RandomAccess?
    private(set) var isOpen: Bool
    private var hasLeading: Bool

    init(_ point: RandomAccessPoint?) {
        self.point = point
        isOpen = point == nil
        hasLeading = point != nil
    }

    /// A gate that opens at the first keyframe.
    init(_ stream: StreamInfo) {
        self.init(nil)
        let access = RandomAccess(stream)
        guard access.readsFrames else { return }
        (self.access, isOpen) = (access, false)
    }

    mutating func lets(_ packet: Packet) -> Bool {
        if !isOpen {
            isOpen = isPoint(packet)
            return isOpen
        }
        // What leads on to another edit is none of them.
        if packet.beginsAnew { hasLeading = false }
        if hasLeading, let point, let ticks = packet.presentationTicks {
            if point.isLed(byFrameAt: ticks) { return false }
            // Leading frames come before all others.
            if let decode = packet.decodeTicks, decode > point.ticks { hasLeading = false }
        }
        return true
    }

    private mutating func isPoint(_ packet: Packet) -> Bool {
        if let access {
            // What follows a clean one is decoded, though it may be shown before it.
            if access.kind(asCoded: packet) == .recovery, let ticks = packet.presentationTicks {
                point = RandomAccessPoint(ticks: ticks, decodeTicks: packet.decodeTicks, kind: .recovery)
                hasLeading = true
            }
            return packet.isKey
        }
        guard let point else { return true }
        return packet.isKey && packet.presentationTicks == point.ticks && packet.decodeTicks == point.decodeTicks
    }
}

/// Takes the marks of sync samples from copied packets at which decoding cannot begin.
///
/// A movie without a table of sync samples marks all of them.
struct SyncMarks {
    private let access: RandomAccess
    /// Whether one of the packets was found to be a point.
    private var hasFoundPoint = false

    init(_ access: RandomAccess) { self.access = access }

    mutating func corrected(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard packet.isKey, access.readsFrames else { return packet }
        if access.kind(asCoded: packet) != .none {
            hasFoundPoint = true
            return packet
        }
        // What lies in packets in another way than it should looks like none.
        return hasFoundPoint ? try packet.withoutKeyMark() : packet
    }
}
