internal import FFmpegKit
package import MediaAsset
internal import MediaContainers
package import MediaEngine

/// Decodes a video stream once from its first packet to its last: the simple
/// path that random access is measured against.
///
/// Shares no seeking with it.
struct LinearDecode {
    struct Picture {
        let ticks: Int64
        let digest: UInt64
        /// Why the picture is not to be trusted, `nil` if it is.
        let damage: String?
    }

    /// In ascending order of presentation time.
    let pictures: [Picture]
    /// Why reading ended before the end of the film or of the part, `nil` if it did not.
    let readFailure: String?
    /// Where the last picture ends, `nil` without pictures.
    let endTicks: Int64?
    /// How many pictures the container's index lists, `nil` if it does not list each one.
    let listedCount: Int?
    private var damage = DamageRecord()

    /// Whether anything could not be decoded, or only with errors.
    var hasDamage: Bool { damage.lastReason != nil }

    /// Why a picture between two times is missing, `nil` if none is known to be.
    func missing(after shown: Int64, through ticks: Int64) -> String? { damage.missing(after: shown, through: ticks) }

    /// More pictures than any decoder holds back to bring them into order.
    private static let reorderLimit = 32

    /// - Parameter end: Decoding ends when pictures from there on come out; `nil` for all of the file.
    init(
        source: AssetSource, streamIndex: Int, until end: Int64? = nil, interrupt: Interrupt,
        progress: (Int64) -> Void
    ) throws {
        let demuxer = try source.open(interrupt: interrupt)
        demuxer.select(streams: [streamIndex])
        let stream = demuxer.streams[streamIndex]
        let classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        let decoder = try demuxer.makeDecoder(stream: streamIndex)
        var damage = DamageRecord()
        var pictures: [Picture] = []
        var number: Int64 = 0
        var beyond = 0
        var reached: Int64?
        func receiveAll() throws {
            while true {
                let (output, complaint) = try decoder.receive()
                if let complaint { damage.add(packet: number, ticks: nil, reason: complaint.reason) }
                guard case .frame(let frame) = output else { return }
                // Raw streams have no times: their frames follow one another.
                let ticks =
                    frame.presentationTicks
                    ?? pictures.last.map { $0.ticks + (frame.durationTicks ?? stream.frameTicks) } ?? 0
                if let reason = frame.damage { damage.add(packet: frame.packetNumber, ticks: ticks, reason: reason) }
                let reason = frame.damage ?? damage.damage(ofPacket: frame.packetNumber, ticks: ticks)
                pictures.append(Picture(ticks: ticks, digest: frame.contentDigest, damage: reason))
                if let end, ticks >= end { beyond += 1 }
                let following = ticks.addingReportingOverflow(frame.durationTicks ?? stream.frameTicks).partialValue
                reached = max(reached ?? following, following)
                progress(ticks)
            }
        }
        var readFailure: String?
        while beyond < Self.reorderLimit, let packet = try Self.read(demuxer, &readFailure) {
            try interrupt.check(.verify)
            guard packet.streamIndex == streamIndex else { continue }
            number += 1
            let ticks = packet.presentationTicks ?? packet.decodeTicks
            if packet.isCorrupt { damage.add(packet: number, ticks: ticks, reason: "a packet is incomplete") }
            if [.clean, .recovery].contains(classifier.classify(packet)), let ticks {
                damage.addEntry(packet: number, ticks: ticks)
            }
            if let complaint = try decoder.send(packet, number: number), complaint.matter != .firstPicture {
                damage.add(packet: number, ticks: ticks, reason: complaint.reason)
            }
            try receiveAll()
        }
        try interrupt.check(.verify)
        _ = try decoder.send(nil, number: number)
        try receiveAll()
        if readFailure == nil, beyond == 0, end.map({ reached ?? .min < $0 }) ?? true {
            readFailure = source.truncation(ofStream: streamIndex, readBy: demuxer)
        }
        endTicks = reached
        listedCount = demuxer.listedSampleCount(ofStream: streamIndex)
        self.pictures = pictures.enumerated().sorted { ($0.element.ticks, $0.offset) < ($1.element.ticks, $1.offset) }
            .map(\.element)
        self.damage = damage
        self.readFailure = readFailure
    }

    /// The next packet; `nil` at the end, or where the file cannot be read on, with the reason.
    private static func read(_ demuxer: Demuxer, _ failure: inout String?) throws(FFmpegError) -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            failure = error.reason
            return nil
        }
    }
}
