internal import CFFmpeg
internal import MediaContainers

/// Samples of speech that hold several frames, divided: FFmpeg's decoders take the first one of each.
struct PackedSpeech {
    private let isWide: Bool
    private let timeBase: AVRational
    private var waiting: ArraySlice<Packet> = []

    /// `nil` for codecs without such samples.
    init?(_ context: AVCodecContext) {
        switch context.codec_id {
        case AV_CODEC_ID_AMR_NB: isWide = false
        case AV_CODEC_ID_AMR_WB: isWide = true
        default: return nil
        }
        timeBase = context.pkt_timebase
    }

    /// The first frame of a sample; the others follow from ``next()``.
    mutating func divide(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard let ranges = packet.withBytes({ AMRFrames.ranges(in: $0, isWide: isWide) }), ranges.count > 1 else {
            return packet
        }
        var parts: [Packet] = []
        for (index, range) in ranges.enumerated() {
            let part = try packet.replacingData(with: packet.withBytes { Array($0[range]) })
            let delay = ticks(ofFrames: index)
            part.set(
                presentation: packet.presentationTicks.flatMap { Self.sum($0, delay) },
                decode: packet.decodeTicks.flatMap { Self.sum($0, delay) })
            part.setDuration(ticks(ofFrames: index + 1) - delay)
            parts.append(part)
        }
        waiting += parts.dropFirst()
        return parts[0]
    }

    mutating func next() -> Packet? { waiting.popFirst() }

    mutating func removeAll() { waiting = [] }

    /// How long frames of 20 ms last.
    private func ticks(ofFrames count: Int) -> Int64 {
        guard timeBase.num > 0, timeBase.den > 0 else { return 0 }
        return Int64(count) * Int64(timeBase.den) / (50 * Int64(timeBase.num))
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64? {
        let (sum, isBeyond) = one.addingReportingOverflow(other)
        return isBeyond ? nil : sum
    }
}
