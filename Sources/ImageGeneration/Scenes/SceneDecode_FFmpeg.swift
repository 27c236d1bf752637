internal import FFmpegKit
package import MediaAsset
internal import MediaContainers
package import MediaEngine

/// A frame that is shown, made small.
struct SceneShown {
    let ticks: Int64
    /// How long it is shown, as far as that is known before the next one.
    let durationTicks: Int64
    /// `nil` for a frame that could not be decoded cleanly.
    let picture: ScenePicture?
}

/// Decodes a video stream once from its first packet to its last and gives a
/// small picture of each frame that is shown, in order of presentation time.
final class SceneDecode {
    /// Columns of the small pictures.
    private static let columns = 128

    private let source: AssetSource
    private let demuxer: Demuxer
    private let stream: StreamInfo
    private let decoder: Decoder
    private let classifier: EntryClassifier
    private var sampler: FrameSampler?
    private var damage = DamageRecord()
    private var packetCount: Int64 = 0
    private var last: SceneShown?
    /// Why the stream was not read to its end, `nil` if it was.
    private(set) var truncation: String?

    init(source: AssetSource, demuxer: Demuxer, streamIndex: Int) throws {
        self.source = source
        self.demuxer = demuxer
        demuxer.select(streams: [streamIndex])
        stream = demuxer.streams[streamIndex]
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        decoder = try demuxer.makeDecoder(stream: streamIndex, threading: .frames(0))
        // What this leaves in small pictures is far below any threshold.
        decoder.leaveUnfiltered(.all)
    }

    /// Reads to the end and calls `body` with each frame.
    func run(_ body: (SceneShown) throws -> Void) throws {
        while let packet = nextPacket() {
            try demuxer.interrupt.check(.detectScenes)
            guard packet.streamIndex == stream.index else { continue }
            try send(packet)
            try receiveAll(body)
        }
        try demuxer.interrupt.check(.detectScenes)
        if let complaint = try decoder.send(nil, number: packetCount) { note(complaint) }
        try receiveAll(body)
        if truncation == nil, packetCount > 0 {
            truncation = source.truncation(ofStream: stream.index, readBy: demuxer)
        }
    }

    /// The next packet; `nil` at the end, and where reading fails.
    private func nextPacket() -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            truncation = "the file cannot be read to its end: \(error.reason)"
            return nil
        }
    }

    private func send(_ packet: Packet) throws {
        packetCount += 1
        let ticks = packet.presentationTicks ?? packet.decodeTicks
        if packet.isCorrupt { damage.add(packet: packetCount, ticks: ticks, reason: "a packet is incomplete") }
        if [.clean, .recovery].contains(classifier.classify(packet)), let ticks {
            damage.addEntry(packet: packetCount, ticks: ticks)
        }
        if let complaint = try decoder.send(packet, number: packetCount) { note(complaint) }
    }

    private func receiveAll(_ body: (SceneShown) throws -> Void) throws {
        while true {
            let (output, complaint) = try decoder.receive()
            if let complaint { note(complaint) }
            guard case .frame(let frame) = output else { return }
            guard !frame.isDiscarded else { continue }
            let shown = try shown(frame)
            last = shown
            try body(shown)
        }
    }

    /// Notes what the decoder said, which may be about any of the packets that its threads hold.
    private func note(_ complaint: Complaint) {
        guard complaint.matter != .firstPicture else { return }
        let reason = complaint.reason
        damage.add(packet: max(1, packetCount - Int64(decoder.threadCount)), ticks: nil, reason: reason)
        damage.add(packet: packetCount, ticks: nil, reason: reason)
    }

    private func shown(_ frame: Frame) throws -> SceneShown {
        // Raw streams have no times: their frames follow one another. Nor does time go back.
        let following = last.map { $0.ticks.addingReportingOverflow($0.durationTicks).partialValue }
        var ticks = frame.presentationTicks ?? following ?? 0
        if let last, ticks <= last.ticks { ticks = last.ticks.addingReportingOverflow(1).partialValue }
        if let reason = frame.damage { damage.add(packet: frame.packetNumber, ticks: ticks, reason: reason) }
        let isDamaged = frame.damage != nil || damage.damage(ofPacket: frame.packetNumber, ticks: ticks) != nil
        return SceneShown(
            ticks: ticks, durationTicks: max(1, frame.durationTicks ?? stream.frameTicks),
            picture: isDamaged ? nil : try picture(of: frame))
    }

    private func picture(of frame: Frame) throws -> ScenePicture {
        let sampler =
            self.sampler ?? FrameSampler(width: frame.width, height: frame.height, maximumColumns: Self.columns)
        self.sampler = sampler
        return ScenePicture(try sampler.samples(of: frame))
    }
}
