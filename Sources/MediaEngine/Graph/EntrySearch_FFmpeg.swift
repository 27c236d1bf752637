package import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// Where reading starts so that everything from a time on can be decoded.
package struct SeekPoint {
    package enum Position: Equatable {
        case beginning
        /// What was found lies behind this seek, however far the search read.
        case seek(stream: Int, ticks: Int64)
    }

    var position = Position.beginning
    /// What was found of each stream of video.
    var video: [Int: PointSearch] = [:]

    /// Whether exports look for a point to begin at; else they decode from the beginning.
    package static func canBeFound(forStream index: Int, in demuxer: Demuxer) -> Bool {
        RandomAccess.policy(for: demuxer.streams[index], in: demuxer, trustsPartialIndex: true) != .linear
    }

    /// Where decoding of a stream of video begins; `nil` for where reading starts.
    func point(ofStream index: Int) -> RandomAccessPoint? { video[index]?.point }
}

/// Finds where reading begins for a time: for each stream of video at the last
/// random access point at or before it, and for audio early enough to decode
/// cleanly.
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
    private let policy: SeekPolicy
    private let reference: Int

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
        // Containers list sync samples by pictures, even where none are kept.
        let anyVideo = infos.first { $0.kind == .video && !$0.isAttachedPicture }?.index
        reference = video.min() ?? anyVideo ?? sound.min() ?? streams.min() ?? 0
        let decoded = video.subtracting(copied)
        let policies = (video.isEmpty ? sound : video).map { index in
            decoded.contains(index)
                ? RandomAccess.policy(for: infos[index], in: demuxer, trustsPartialIndex: true)
                : demuxer.container.seekPolicy(for: infos[index].codec)
        }
        let all = policies.isEmpty ? [demuxer.container.seekPolicy(for: .unknown)] : policies
        policy = !demuxer.isSeekable || all.contains(.linear) ? .linear : all.contains(.search) ? .search : .direct
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
        let second = CMTime(value: 1, timescale: 1)
        var steps = RandomAccess.StepsBack(
            to: base.ticks(atOrBefore: origin).addingReportingOverflow(1).partialValue,
            second: base.ticks(microseconds: 1_000_000))
        // A second seek lands as late as the first one may have only if everything that is needed lies before it.
        let aim = policy == .search ? start - second : sound.contains(reference) ? start - margin : start
        var next = aim > origin ? base.ticks(atOrBefore: aim) : nil
        while let ticks = next {
            if try demuxer.seek(stream: reference, toTicks: ticks), var found = try read(demuxer) {
                found.position = .seek(stream: reference, ticks: ticks)
                return found
            }
            next = steps.next(before: ticks)
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
        for index in video {
            found.video[index] = PointSearch(demuxer.streams[index], isCopied: copied.contains(index))
        }
        var isSoundThere: Set<Int> = []
        var passed: Set<Int> = []
        var undated: [Int: Int] = [:]
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
            if time <= start { found.video[index]?.note(packet, at: ticks) }
        }
        guard isFromBeginning || earliest <= start - margin else { return nil }
        for index in video {
            found.video[index]?.finish()
            if let stream = found.video[index], let point = stream.point,
                stream.access.isWhole(from: start, after: point, isCopied: copied.contains(index))
            {
                continue
            }
            guard isFromBeginning else { return nil }
            found.video[index]?.point = nil
        }
        return found
    }

    private func reachesBack(_ time: CMTime, stream index: Int) -> Bool {
        let info = demuxer.streams[index]
        if time <= start - Self.soundMargin(of: info) { return true }
        return info.startTicks.map { time <= info.timeBase.time(of: $0) } ?? false
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
