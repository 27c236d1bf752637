internal import FFmpegKit
internal import MediaCore

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
