package import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore

/// The packets of one video stream around the decoder: read but not decoded
/// yet, and decoded but not shown yet.
///
/// Looking ahead tells which picture is the wanted one before anything is
/// decoded, and lets a reader pass over whole GOPs.
struct PacketWindow {
    struct Pending {
        let packet: Packet
        let number: Int64
        /// Presentation time, the decode time where there is none.
        let ticks: Int64?
        let entry: EntryClassifier.Entry

        /// The packet as what decoding begins with.
        var point: RandomAccessPoint? {
            ticks.map { RandomAccessPoint(ticks: $0, decodeTicks: packet.decodeTicks, kind: entry) }
        }
    }

    private(set) var pending: [Pending] = []
    private var head = 0
    private(set) var pendingBytes = 0
    /// Times of packets that were sent and whose pictures have not come out.
    private var inFlight: [Int64] = []
    /// Which recent packets are sync samples, by number.
    private var syncNumbers: Set<Int64> = []
    /// The latest decode time read.
    private(set) var latestDecodeTicks = Int64.min

    var count: Int { pending.count - head }
    /// The packet read last, if it waits still.
    var last: Pending? { head < pending.count ? pending.last : nil }
    var first: Pending? { head < pending.count ? pending[head] : nil }

    mutating func append(_ item: Pending) {
        pending.append(item)
        pendingBytes += item.packet.byteCount
        if let ticks = item.packet.decodeTicks { latestDecodeTicks = max(latestDecodeTicks, ticks) }
    }

    /// The next packet for the decoder.
    mutating func takeFirst() -> Pending? {
        guard head < pending.count else { return nil }
        let item = pending[head]
        head += 1
        pendingBytes -= item.packet.byteCount
        if head > 64, head * 2 > pending.count {
            pending.removeFirst(head)
            head = 0
        }
        if let ticks = item.ticks, !item.packet.isDiscarded { inFlight.append(ticks) }
        if item.packet.isKey {
            if syncNumbers.count > 256 { syncNumbers.removeAll() }
            syncNumbers.insert(item.number)
        }
        return item
    }

    func isSyncSample(_ number: Int64) -> Bool { syncNumbers.contains(number) }

    /// Forgets all packets before the last one appended.
    mutating func restartAtLast() {
        guard let last = pending.last else { return }
        pending = [last]
        head = 0
        pendingBytes = last.packet.byteCount
        inFlight.removeAll()
    }

    /// Forgets everything, for a new position in the file.
    mutating func removeAll() {
        self = PacketWindow()
    }

    /// A picture came out: earlier ones no longer will.
    mutating func shown(_ ticks: Int64) { inFlight.removeAll { $0 <= ticks } }

    /// The greatest presentation time at or before `ticks` among the packets
    /// whose pictures are still to come.
    func lastTime(atOrBefore ticks: Int64) -> Int64? {
        var result: Int64?
        for time in inFlight where time <= ticks { result = max(result ?? time, time) }
        for item in pending[head...] where !item.packet.isDiscarded {
            if let time = item.ticks, time <= ticks { result = max(result ?? time, time) }
        }
        return result
    }

    /// The greatest such time among the packets that were not sent yet.
    func lastPendingTime(atOrBefore ticks: Int64) -> Int64? {
        pending[head...].lazy.filter { !$0.packet.isDiscarded }.compactMap(\.ticks).filter { $0 <= ticks }.max()
    }

    /// The packet of that time that was not sent yet.
    func lastPending(atOrBefore ticks: Int64) -> Pending? {
        pending[head...].lazy.filter { !$0.packet.isDiscarded && $0.ticks.map { $0 <= ticks } ?? false }
            .max { ($0.ticks ?? .min) < ($1.ticks ?? .min) }
    }

    /// The packets that were not sent yet, in decoding order.
    var numberedPackets: [(packet: Packet, number: Int64)] { pending[head...].map { ($0.packet, $0.number) } }

    /// The smallest presentation time after `ticks` among the same packets.
    func firstTime(after ticks: Int64) -> Int64? {
        var result: Int64?
        for time in inFlight where time > ticks { result = min(result ?? time, time) }
        for item in pending[head...] where !item.packet.isDiscarded {
            if let time = item.ticks, time > ticks { result = min(result ?? time, time) }
        }
        return result
    }
}

/// What the container, the codec and the fields of one video stream tell about
/// decoding it, worked out once when it is opened.
package struct DecodingTraits: Sendable {
    let streamIndex: Int
    let policy: SeekPolicy
    /// Where frames lie, if only a pass over the file has told that.
    let positions: StreamPositions?
    /// Whether a pass over the file would lead to frames that otherwise only decoding from the beginning reaches.
    let canUsePositions: Bool
    /// What may be left undecoded where only one picture is wanted.
    let shortcuts: Shortcuts
    /// Whether no picture needs another one to be decoded.
    let isIntraOnly: Bool
    /// Whether each packet that is shown gives a picture of its time.
    let givesPictureForEachPacket: Bool
    /// Whether the container's index lists every sample.
    let isIndexComplete: Bool
    /// Reads the references between pictures, for codecs where they are followed.
    let references: (any PictureReferences)?
    let startTicks: Int64
    package let timeBase: TimeBase
    let second: Int64

    /// Ways to decode less, each undone if what was expected does not come out.
    struct Shortcuts: OptionSet, Sendable {
        let rawValue: Int
        /// Leave out pictures that nothing refers to.
        static let skip = Shortcuts(rawValue: 1)
        /// Empty the decoder once the wanted picture is in it.
        static let drain = Shortcuts(rawValue: 2)
        /// Decode only what the wanted picture depends on; the run ends there.
        static let dependencies = Shortcuts(rawValue: 4)
    }

    /// - Parameter frames: What a pass over the file has found out, if there was one.
    init(stream: StreamInfo, of demuxer: Demuxer, canContainFragments: Bool, frames: FrameIndex.Track?) {
        let codec = stream.codec
        streamIndex = stream.index
        isIntraOnly = stream.video?.isIntraOnly ?? false
        let own = RandomAccess.policy(for: stream, in: demuxer, trustsPartialIndex: false)
        // Of a picture in two packets, one for each field, both or none must be decoded.
        let isProgressive = stream.video?.fieldOrder?.isInterlaced != true
        // Of H.264 and HEVC program streams leave times out that only decoding from the beginning fills in.
        let hasCertainTimes = !(demuxer.container.has(.isMPEGStream) && codec.has(.hasNALUnits))
        canUsePositions =
            demuxer.isSeekable && own == .linear && demuxer.container.has(.lacksIndex) && hasCertainTimes
            && (isProgressive || codec != .h264)
        positions = canUsePositions ? frames.flatMap(StreamPositions.init) : nil
        policy = positions == nil ? own : .direct
        isIndexComplete = demuxer.container.isMovie && policy == .direct && !canContainFragments
        let areSafe = policy != .linear && codec.has(.hasNALUnits) && isProgressive
        shortcuts =
            areSafe ? [.skip, .drain, .dependencies] : codec == .av1 && policy != .linear ? [.dependencies] : []
        references =
            shortcuts.contains(.dependencies)
            ? PictureReferencesReader.make(codec: codec, extradata: stream.extradata) : nil
        givesPictureForEachPacket =
            policy != .linear && demuxer.container != .avi && isProgressive
            && (isIntraOnly || codec.has(.hasPictureInEachPacket))
        startTicks = stream.startTicks ?? 0
        timeBase = stream.timeBase
        second = stream.timeBase.ticks(microseconds: 1_000_000)
    }
}

/// Which of the packets from an entry point to the wanted picture have to be
/// decoded: those that it is predicted from, and those that these are.
struct DependencyPlan {
    enum Role {
        /// Decoded as it is.
        case decoded
        /// A reference of pictures that nobody wants: the decoder gets its headers at most.
        case hollow
        /// Nothing refers to it: the decoder need not know of it.
        case skipped
    }

    /// The packet of the wanted picture; nothing after it is needed.
    let wanted: Int64
    /// When it is shown.
    let wantedTicks: Int64
    private var needed: Set<Int64>
    private var pictures: [Int64: ReferringPicture]
    /// The decoder did not take what it was given.
    var hasFailed = false

    /// - Returns: `nil` if the references of one of the packets cannot be told.
    init?(
        packets: [(packet: Packet, number: Int64)], wanted: Int64, shownAt ticks: Int64,
        references: any PictureReferences
    ) {
        var references = references
        pictures = [:]
        for (packet, number) in packets {
            guard let picture = references.add(packet, number: number) else { return nil }
            pictures[number] = picture
            if number == wanted { break }
        }
        guard pictures[wanted] != nil else { return nil }
        (self.wanted, wantedTicks) = (wanted, ticks)
        needed = [wanted]
        var open = [wanted]
        while let number = open.popLast() {
            for other in pictures[number]?.refersTo ?? [] where needed.insert(other).inserted { open.append(other) }
        }
    }

    func role(of number: Int64) -> Role {
        if needed.contains(number) { return .decoded }
        return number < wanted && pictures[number]?.isReference == true ? .hollow : .skipped
    }

    func isHollow(_ number: Int64) -> Bool { role(of: number) == .hollow }

    func picture(of number: Int64) -> ReferringPicture? { pictures[number] }
}
