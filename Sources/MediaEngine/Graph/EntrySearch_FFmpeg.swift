internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore

/// Where reading starts so that everything from a time on can be decoded.
package struct SeekPoint {
    package enum Position: Equatable {
        case beginning
        /// What was found lies behind this seek, however far the search read.
        case seek(stream: Int, ticks: Int64)
    }

    /// The packet of a stream of pictures that decoding starts with.
    struct Entry: Equatable {
        var presentationTicks: Int64
        var decodeTicks: Int64?
        var kind: EntryClassifier.Entry
    }

    var position = Position.beginning
    /// By stream; a stream without one is decoded from where reading starts.
    var entries: [Int: Entry] = [:]
    /// The time of the picture shown at the start, by stream.
    var shown: [Int: Int64] = [:]
    /// The time of the first picture from the entry on that an edit list does not hide, by stream.
    var firstShown: [Int: Int64] = [:]
}

/// Finds the entry point for a time: for each stream of pictures the last
/// sample at or before it where decoding can start, and for sound enough of
/// what comes before to decode cleanly.
///
/// Nothing is decoded. Each candidate is read and checked, going back in
/// doubling steps, to the beginning of the file if need be.
struct EntrySearch {
    private let demuxer: Demuxer
    private let start: CMTime
    private let video: Set<Int>
    /// Streams whose samples stay as they are: decoders of others start there too.
    private let copied: Set<Int>
    private let sound: Set<Int>
    /// How far before the start reading has to begin for other streams' sake.
    private let margin: CMTime
    private let classifiers: [Int: EntryClassifier]
    private let policy: SeekPolicy
    private let reference: Int

    /// How far back pictures that are not clean on their own are sought.
    private static let recoveryDistance = CMTime(value: 12, timescale: 1)
    /// Sound that needs what came before it: half a second is enough for all
    /// codecs, headers of spectral band replication included.
    private static let soundMargin = CMTime(value: 1, timescale: 2)

    /// How long before the start a stream of sound is decoded: besides, what the decoder leaves out first, which in
    /// recordings that were cut is more than a second.
    private static func soundMargin(of info: StreamInfo) -> CMTime { soundMargin + info.preSkip }

    /// The first time of a stream of sound whose packets are decoded for what is heard from a start on.
    static func firstTicks(of info: StreamInfo, decodedFor start: CMTime) -> Int64 {
        info.codec.has(.isDecodedFromStart) ? .min : info.timeBase.ticks(atOrBefore: start - soundMargin(of: info))
    }

    /// Captions seldom last longer, and one that began before the start is to be kept.
    static let captionMargin = CMTime(value: 10, timescale: 1)

    /// - Parameters:
    ///   - streams: The streams that are kept.
    ///   - copied: Those of them whose samples stay as they are.
    init(_ demuxer: Demuxer, start: CMTime, streams: Set<Int>, copied: Set<Int>) {
        (self.demuxer, self.start, self.copied) = (demuxer, start, copied)
        let infos = demuxer.streams
        func kept(_ kind: StreamInfo.Kind) -> Set<Int> {
            Set(streams.filter { infos[$0].kind == kind && !infos[$0].isAttachedPicture })
        }
        (video, sound) = (kept(.video), kept(.audio))
        let soundMargin = sound.map { Self.soundMargin(of: infos[$0]) }.max() ?? Self.soundMargin
        margin = kept(.subtitle).isEmpty ? soundMargin : CMTimeMaximum(soundMargin, Self.captionMargin)
        classifiers = Dictionary(
            uniqueKeysWithValues: video.map { index in
                let info = infos[index]
                return (
                    index,
                    EntryClassifier(
                        codec: info.codec, extradata: info.extradata, isIntraOnly: info.video?.isIntraOnly ?? false)
                )
            })
        // Containers list sync samples by pictures, even where none are kept.
        let anyVideo = infos.first { $0.kind == .video && !$0.isAttachedPicture }?.index
        reference = video.min() ?? anyVideo ?? sound.min() ?? streams.min() ?? 0
        let codecs = (video.isEmpty ? sound : video).map { infos[$0].codec }
        let policies = (codecs.isEmpty ? [.unknown] : codecs).map { demuxer.container.seekPolicy(for: $0) }
        policy =
            !demuxer.isSeekable || policies.contains(.linear)
            ? .linear : policies.contains(.search) ? .search : .direct
    }

    /// Finds it; afterwards the demuxer stands anywhere.
    ///
    /// - Parameters:
    ///   - origin: The first time that anything has.
    ///   - reopen: Opens the source once more.
    func find(origin: CMTime, reopen: () throws -> Demuxer) throws -> SeekPoint {
        guard start > origin, demuxer.isSeekable, !isDecodedFromStart else { return SeekPoint() }
        if policy != .linear, let found = try search(origin: origin) { return found }
        let isFresh = demuxer.packetsRead == 0 && demuxer.seeks == 0
        return try read(isFresh ? demuxer : reopen(), isFromBeginning: true) ?? SeekPoint()
    }

    /// Whether there is nothing but sound that no decoder gets right from a later place on.
    ///
    /// Beside pictures it would cost reading a whole film.
    private var isDecodedFromStart: Bool {
        video.isEmpty && sound.subtracting(copied).contains { demuxer.streams[$0].codec.has(.isDecodedFromStart) }
    }

    private func search(origin: CMTime) throws -> SeekPoint? {
        let base = demuxer.streams[reference].timeBase
        var step = CMTime(value: 1, timescale: 1)
        // A second seek lands as late as the first one may have only if everything that is needed lies before it.
        var aim = policy == .search ? start - step : sound.contains(reference) ? start - margin : start
        while aim > origin {
            let ticks = base.ticks(atOrBefore: aim)
            if try demuxer.seek(stream: reference, toTicks: ticks), var found = try read(demuxer) {
                found.position = .seek(stream: reference, ticks: ticks)
                return found
            }
            aim = aim - step
            step = step + step
        }
        return nil
    }

    /// Reads on to the start.
    ///
    /// - Parameter isFromBeginning: Whether what is missing here is missing in the source.
    /// - Returns: What is there, or `nil` if something is missing here.
    private func read(_ demuxer: Demuxer, isFromBeginning: Bool = false) throws -> SeekPoint? {
        demuxer.select(streams: video.union(sound).union([reference]))
        var found = SeekPoint()
        var isSoundThere: Set<Int> = []
        var passed: Set<Int> = []
        var undated: [Int: Int] = [:]
        // Entries that an edit list hides, until something is shown that is decoded from there.
        var hidden: [Int: SeekPoint.Entry] = [:]
        var earliest = start
        var budget = demuxer.policy.maximumPackets
        while !passed.isSuperset(of: video.isEmpty ? [reference] : video), let packet = try demuxer.readPacket() {
            budget -= 1
            guard budget > 0 else {
                throw FFmpegError.tooManyPackets(for: "the start", demuxer.policy)
            }
            let index = packet.streamIndex
            let base = demuxer.streams[index].timeBase
            guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { continue }
            let time = base.time(of: ticks)
            let decodeTime = packet.decodeTicks.map { base.time(of: $0) } ?? time
            if decodeTime > start {
                // Without a decode time, pictures from before may follow, as many as codecs reorder.
                if packet.decodeTicks == nil { undated[index, default: 0] += 1 }
                if packet.decodeTicks != nil || undated[index, default: 0] > CopiedPictures.maximumReordering {
                    passed.insert(index)
                }
            }
            if index == reference { earliest = min(earliest, decodeTime) }
            if !isFromBeginning, sound.contains(index), isSoundThere.insert(index).inserted,
                !reachesBack(time, stream: index)
            {
                return nil
            }
            if video.contains(index), time <= start {
                let known = found.entries[index]
                if packet.isDiscarded {
                    note(packet, in: &hidden)
                } else {
                    if let entry = hidden.removeValue(forKey: index), known == nil || isBetter(entry.kind, index) {
                        found.entries[index] = entry
                    }
                    note(packet, in: &found.entries)
                }
                if found.entries[index] != known { found.firstShown[index] = nil }
                if !packet.isDiscarded {
                    found.shown[index] = max(found.shown[index] ?? ticks, ticks)
                    // Leading pictures belong to the group before.
                    if let entry = found.entries[index], ticks >= entry.presentationTicks {
                        found.firstShown[index] = min(found.firstShown[index] ?? ticks, ticks)
                    }
                }
            }
        }
        found.entries.merge(hidden) { shown, _ in shown }
        guard isFromBeginning || earliest <= start - margin else { return nil }
        for index in video where !isUsable(found.entries[index], stream: index) {
            guard isFromBeginning else { return nil }
            found.entries[index] = nil
        }
        return found
    }

    private func isUsable(_ entry: SeekPoint.Entry?, stream index: Int) -> Bool {
        guard let entry else { return false }
        if entry.kind == .clean || entry.kind == .recovery && copied.contains(index) { return true }
        let time = demuxer.streams[index].timeBase.time(of: entry.presentationTicks)
        return start - time >= Self.recoveryDistance
    }

    private func reachesBack(_ time: CMTime, stream index: Int) -> Bool {
        let info = demuxer.streams[index]
        if time <= start - Self.soundMargin(of: info) { return true }
        return info.startTicks.map { time <= info.timeBase.time(of: $0) } ?? false
    }

    /// Whether an entry is better than those before it: if it is clean; of others, the earlier one is.
    private func isBetter(_ kind: EntryClassifier.Entry, _ stream: Int) -> Bool {
        kind == .clean || kind == .recovery && copied.contains(stream)
    }

    private func note(_ packet: Packet, in entries: inout [Int: SeekPoint.Entry]) {
        guard let kind = classifiers[packet.streamIndex]?.classify(packet), kind != .none, !packet.isCorrupt,
            let ticks = packet.presentationTicks
        else { return }
        guard entries[packet.streamIndex] == nil || isBetter(kind, packet.streamIndex) else { return }
        entries[packet.streamIndex] = SeekPoint.Entry(
            presentationTicks: ticks, decodeTicks: packet.decodeTicks, kind: kind)
    }
}

/// Lets the packets of one stream of pictures through from its entry on, but
/// for leading pictures, which belong to the GOP before.
struct EntryGate {
    private var entry: SeekPoint.Entry?
    /// Finds the entry, where it is the first one there is.
    private var classifier: EntryClassifier?
    private(set) var isOpen: Bool
    private var hasLeading: Bool

    init(_ entry: SeekPoint.Entry?) {
        self.entry = entry
        isOpen = entry == nil
        hasLeading = entry != nil
    }

    /// A gate that opens at the first keyframe.
    init(_ info: StreamInfo) {
        self.init(nil)
        guard EntryClassifier.readsPictures(of: info.codec) else { return }
        classifier = EntryClassifier(
            codec: info.codec, extradata: info.extradata, isIntraOnly: info.video?.isIntraOnly ?? false)
        isOpen = false
    }

    mutating func lets(_ packet: Packet) -> Bool {
        if !isOpen {
            isOpen = isEntry(packet)
            return isOpen
        }
        // What leads on to another edit is none of them.
        if packet.beginsAnew { hasLeading = false }
        if hasLeading, let entry, let ticks = packet.presentationTicks {
            if ticks < entry.presentationTicks { return false }
            // Leading pictures come before all others.
            if let decode = packet.decodeTicks, decode > entry.presentationTicks { hasLeading = false }
        }
        return true
    }

    private mutating func isEntry(_ packet: Packet) -> Bool {
        if let classifier {
            // What follows a clean one is decoded, though it may be shown before it.
            if classifier.classify(packet) == .recovery, let ticks = packet.presentationTicks {
                entry = SeekPoint.Entry(presentationTicks: ticks, decodeTicks: packet.decodeTicks, kind: .recovery)
                hasLeading = true
            }
            return packet.isKey
        }
        guard let entry else { return true }
        return packet.isKey && packet.presentationTicks == entry.presentationTicks
            && packet.decodeTicks == entry.decodeTicks
    }
}

/// The part of the source that is kept, on its container's timeline.
struct KeptRange {
    /// The new file's zero.
    var start: CMTime
    /// The first time that is left out; `nil` for the end of the source.
    var end: CMTime?

    /// The last tick at or before the start: what is shown at the start has no later one.
    func startTicks(_ base: TimeBase) -> Int64 { base.ticks(atOrBefore: start) }

    /// The first tick that is left out.
    func endTicks(_ base: TimeBase) -> Int64? { end.map { base.ticks(atOrAfter: $0) } }

    /// The end on the new timeline.
    func duration(_ base: TimeBase) -> Int64? { end.map { base.ticks(nearest: $0 - start) } }
}
