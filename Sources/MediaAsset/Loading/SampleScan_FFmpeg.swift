package import FFmpegKit
internal import MediaCore

/// The pictures of one stream that are shown, as a pass over all packets finds
/// them; nothing is decoded.
package struct SampleScan: Sendable {
    /// Presentation times of the pictures in ascending order, in ticks.
    package let ticks: [Int64]
    /// Those of the sync samples among them.
    package let syncTicks: [Int64]
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
    package func forEachSample(
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
