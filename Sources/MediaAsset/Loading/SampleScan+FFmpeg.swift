package import FFmpegKit
internal import MediaTime

/// The samples of one stream as a pass over all packets finds them; nothing is
/// decoded.
package struct SampleScan: Sendable {
    /// Presentation times of the shown samples in ascending order, in ticks.
    package let ticks: [Int64]
    /// Those of the sync samples among them.
    package let syncTicks: [Int64]
    package let timeBase: TimeBase

    /// Reads a whole file.
    ///
    /// - Complexity: One pass over the file's bytes.
    init(demuxer: Demuxer, stream index: Int) throws(FFmpegError) {
        let stream = demuxer.streams[index]
        var shown: [Int64] = []
        var sync: [Int64] = []
        try demuxer.forEachShownSample(ofStreams: [index]) { packet, time, _ in
            shown.append(time)
            if packet.isKey { sync.append(time) }
        }
        ticks = shown.sorted()
        syncTicks = sync.sorted()
        timeBase = stream.timeBase
    }

    var syncTimes: [CMTime] { syncTicks.map { timeBase.time(of: $0) } }

    /// The container's time of a shown sample, by its number from 0.
    func time(ofFrame number: Int) -> CMTime { timeBase.time(of: ticks[number]) }
}

extension Demuxer {
    /// Where the last sample of each stream ends, on the container's timeline.
    ///
    /// - Complexity: One pass over the file's bytes, whatever the number of streams.
    func measureEnds(ofStreams indices: Set<Int>) throws(FFmpegError) -> [Int: CMTime] {
        var ends: [Int: Int64] = [:]
        try forEachShownSample(ofStreams: indices) { packet, time, length in
            let end = time.addingReportingOverflow(length).partialValue
            let index = packet.streamIndex
            ends[index] = max(ends[index] ?? end, end)
        }
        return Dictionary(uniqueKeysWithValues: ends.map { ($0.key, streams[$0.key].timeBase.time(of: $0.value)) })
    }

    /// Reads to the end of the file and calls `body` with each sample that is
    /// shown or heard, its time and its length, in ticks.
    ///
    /// Packets without a time follow the one before.
    fileprivate func forEachShownSample(
        ofStreams indices: Set<Int>, _ body: (Packet, Int64, Int64) -> Void
    ) throws(FFmpegError) {
        select(streams: indices)
        var following: [Int: Int64] = [:]
        var count = 0
        while let packet = try readPacket() {
            let index = packet.streamIndex
            guard indices.contains(index), !packet.isDiscarded else { continue }
            let stream = streams[index]
            guard !packet.isHidden(codec: stream.codecName) else { continue }
            count += 1
            guard count <= policy.maximumPackets else {
                throw FFmpegError(kind: .limit, operation: "scan", reason: "the file has too many samples")
            }
            let time = packet.presentationTicks ?? packet.decodeTicks ?? following[index] ?? 0
            let length = packet.durationTicks ?? (stream.kind == .video ? stream.frameTicks : 0)
            let end = time.addingReportingOverflow(length).partialValue
            following[index] = max(following[index] ?? end, end)
            body(packet, time, length)
        }
    }
}

extension Packet {
    /// Whether this is a VP8 frame that is decoded and never shown.
    fileprivate func isHidden(codec: String) -> Bool {
        guard codec == "vp8" else { return false }
        return withBytes { bytes in bytes.first.map { $0 & 0x10 == 0 } ?? false }
    }
}
