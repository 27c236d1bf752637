package import FFmpegKit
internal import MediaContainers
internal import MediaCore
internal import MediaIO

/// The pictures of one stream that are shown, as a pass over all packets finds
/// them; nothing is decoded.
package struct SampleScan: Sendable {
    /// Presentation times of the pictures in ascending order, in ticks.
    package let ticks: [Int64]
    /// Those of the sync samples among them.
    let syncTicks: [Int64]
    /// The times of the sync samples that the container's index lists and the file does not hold.
    let missingSyncTicks: [Int64]
    /// Why these are not all pictures that there should be, `nil` if nothing tells that there should be more.
    let truncation: String?
    package let timeBase: TimeBase

    /// Reads a whole file.
    ///
    /// - Complexity: One pass over the file's bytes.
    init(demuxer: Demuxer, stream index: Int, of source: AssetSource) throws(FFmpegError) {
        let pass = FrameIndexing(of: source, demuxer, tracks: [(trackID: 0, streamIndex: index)])
        let frames = try pass.tracks().first
        self.init(frames, timeBase: demuxer.streams[index].timeBase) { delay in
            demuxer.listedSyncTicks(afterThoseReadOfStream: index, delay: delay)
        }
    }

    /// - Parameter listedSyncTicks: The times of sync samples that the container's index lists after the last one that was
    ///   read, by how much decode times precede presentation times.
    init(_ track: FrameIndex.Track?, timeBase: TimeBase, listedSyncTicks: (Int64) -> [Int64] = { _ in [] }) {
        let shown = track?.shown ?? []
        let sync = shown.filter(\.isKey)
        ticks = shown.map(\.presentation)
        // A photograph needs no other picture, whether its packet says so or not.
        syncTicks = sync.isEmpty && ticks.count == 1 ? ticks : sync.map(\.presentation)
        truncation = track?.truncation
        let last = track?.frames.last { $0.isShown && $0.isKey }
        let delay = last.map { $0.presentation.subtractingReportingOverflow($0.decode ?? $0.presentation).partialValue }
        missingSyncTicks = truncation == nil ? [] : listedSyncTicks(delay ?? 0).sorted()
        self.timeBase = timeBase
    }

    /// The times of pictures that are not shown before the asset's zero.
    func times(of ticks: [Int64], since origin: CMTime) -> [CMTime] {
        ticks.map { timeBase.time(of: $0).distance(from: origin, .later) }.filter { $0 >= .zero }
    }

    /// The container's time of a shown sample, by its number from 0.
    func time(ofFrame number: Int) -> CMTime { timeBase.time(of: ticks[number]) }
}

extension Demuxer {
    /// Where the last sample of each stream ends, on the container's timeline.
    ///
    /// - Parameter bytes: How much of the file's end to read, at the least; `nil` for all of it. Streams without a packet
    ///   there have no end.
    /// - Complexity: One pass over these bytes, whatever the number of streams.
    func measureEnds(ofStreams indices: Set<Int>, lastBytes bytes: Int64? = nil) throws(FFmpegError) -> [Int: CMTime] {
        if let bytes { try skip(toLast: bytes) }
        var ends: [Int: Int64] = [:]
        try forEachSample(ofStreams: indices) { packet, time, length in
            guard !packet.isDiscarded else { return true }
            let end = time.addingReportingOverflow(length).partialValue
            let index = packet.streamIndex
            ends[index] = max(ends[index] ?? end, end)
            return true
        }
        return Dictionary(uniqueKeysWithValues: ends.map { ($0.key, streams[$0.key].timeBase.time(of: $0.value)) })
    }

    /// The times of those leading pictures that can be decoded without what came before.
    package func decodableLeadingTicks(
        _ pictures: ShownPictures, stream index: Int
    ) throws(FFmpegError) -> [Int64] {
        guard pictures.leading.count > 1 else { return [] }
        let decoder = try makeDecoder(stream: index)
        var ticks: [Int64] = []
        for (number, packet) in (pictures.leading.map { $0 as Packet? } + [nil]).enumerated() {
            var isDamaged = try decoder.send(packet, number: Int64(number)) != nil
            while case (.frame(let frame), let complaint) = try decoder.receive() {
                isDamaged = isDamaged || complaint != nil || frame.damage != nil
                if !isDamaged, let time = frame.presentationTicks, pictures.isLeading(ticks: time) {
                    ticks.append(time)
                }
            }
        }
        return ticks
    }

    /// Reads to the end of the file and calls `body` with each sample, its time and its length, in ticks.
    ///
    /// Packets without a time follow the one before, as what a decoder gives for them does.
    ///
    /// - Parameter body: Says whether anything is shown, or heard, of the sample: what is not takes up no time.
    func forEachSample(
        ofStreams indices: Set<Int>, _ body: (Packet, Int64, Int64) -> Bool
    ) throws(FFmpegError) {
        select(streams: indices)
        var following: [Int: Int64] = [:]
        var count = 0
        while let packet = try readPacket() {
            let index = packet.streamIndex
            guard indices.contains(index) else { continue }
            let stream = streams[index]
            count += 1
            guard count <= policy.maximumPackets else {
                throw FFmpegError.tooManySamples(policy)
            }
            let stored = packet.presentationTicks ?? packet.decodeTicks
            let time = stored ?? following[index] ?? 0
            let length = packet.durationTicks ?? (stream.kind == .video ? stream.frameTicks : 0)
            guard body(packet, time, length) || stored != nil else { continue }
            let end = time.addingReportingOverflow(length).partialValue
            following[index] = max(following[index] ?? end, end)
        }
    }
}

/// All samples of one stream, as a pass over its packets finds them; nothing is decoded.
struct TrackSamples: Sendable {
    /// What a packet tells of a sample; times are in ticks of the container.
    struct Sample: Sendable {
        var presentation: Int64
        var decode: Int64?
        var duration: Int64
        var byteCount: Int
        var position: Int64?
        var isSync: Bool
        var isDroppable: Bool
    }

    /// In decode order.
    let samples: [Sample]
    /// The samples' numbers in order of presentation.
    let presented: [Int]
    /// Where each sample stands in order of presentation.
    let ranks: [Int]
    let timeBase: TimeBase
    let origin: CMTime

    /// Reads a whole file.
    ///
    /// - Complexity: One pass over the file's bytes.
    init(demuxer: Demuxer, stream index: Int, origin: CMTime) throws(FFmpegError) {
        demuxer.select(streams: [index])
        var samples: [Sample] = []
        var following: Int64 = 0
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == index else { continue }
            guard samples.count < demuxer.policy.maximumPackets else {
                throw FFmpegError.tooManySamples(demuxer.policy)
            }
            let stream = demuxer.streams[index]
            let time = packet.presentationTicks ?? packet.decodeTicks ?? following
            let length = packet.durationTicks ?? (stream.kind == .video ? stream.frameTicks : 0)
            following = time.addingReportingOverflow(length).partialValue
            samples.append(
                Sample(
                    presentation: time, decode: packet.decodeTicks, duration: length, byteCount: packet.byteCount,
                    position: packet.position, isSync: packet.isKey, isDroppable: packet.isDisposable))
        }
        self.init(samples: samples, timeBase: demuxer.streams[index].timeBase, origin: origin)
    }

    /// Puts samples that are known into the order of presentation.
    init(samples: [Sample], timeBase: TimeBase, origin: CMTime) {
        let presented = samples.indices.sorted {
            (samples[$0].presentation, $0) < (samples[$1].presentation, $1)
        }
        var ranks = [Int](repeating: 0, count: samples.count)
        for (rank, number) in presented.enumerated() { ranks[number] = rank }
        (self.samples, self.presented, self.ranks) = (samples, presented, ranks)
        (self.timeBase, self.origin) = (timeBase, origin)
    }

    /// Where on the asset's timeline a tick lies; invalid for `nil`.
    func time(of ticks: Int64?) -> CMTime {
        ticks.map { timeBase.time(of: $0).distance(from: origin, .later) } ?? .invalid
    }

    /// How long so many ticks last.
    func duration(of ticks: Int64) -> CMTime { timeBase.time(of: ticks) }

    /// The number of the last sample that is presented at or before a time, else of the first one that is presented;
    /// `nil` without samples.
    func number(presentedAt time: CMTime) -> Int? {
        var (low, high) = (0, presented.count)
        while low < high {
            let middle = (low + high) / 2
            if self.time(of: samples[presented[middle]].presentation) <= time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return presented.isEmpty ? nil : presented[max(0, low - 1)]
    }
}

extension AssetSource {
    /// How many bytes all samples of a track have; 0 for a pipe that is not read to its end.
    ///
    /// - Complexity: Reads the table of sizes of a movie that has them all; else all packets, undecoded.
    func sampleDataLength(of track: TrackDescription) throws -> Int64 {
        try composition.map { _ in try checkIsOwn() }
        if let remote { return try remote.sampleDataLength(ofTrack: track.trackID) }
        guard let file else { return 0 }
        let description = try describe()
        if description.containerType.isMovie, !description.containsFragments,
            let length = Self.tableLength(ofTrack: track.trackID, in: file)
        {
            return length
        }
        do {
            let interrupt = Interrupt()
            return try reading(interrupt) {
                try Self.packetLength(ofStream: track.streamIndex, of: try open(interrupt: interrupt), policy: policy)
            }
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }

    /// The sum of a track's table of sizes; `nil` if it cannot be read.
    private static func tableLength(ofTrack trackID: Int32, in file: RandomAccessFile) -> Int64? {
        guard let track = MovieOutline(file)?.tracks.first(where: { Int64($0.id) == Int64(trackID) }),
            let tables = try? SampleTables(track, BoxReader(file: file))
        else { return nil }
        return Int64(exactly: tables.sizes.byteCount(of: 0..<tables.count))
    }

    private static func packetLength(
        ofStream index: Int, of demuxer: Demuxer, policy: SafetyPolicy
    ) throws -> Int64 {
        demuxer.select(streams: [index])
        var length: Int64 = 0
        var count = 0
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == index else { continue }
            count += 1
            guard count <= policy.maximumPackets else {
                throw FFmpegError.tooManySamples(policy)
            }
            length += Int64(packet.byteCount)
        }
        return length
    }
}
