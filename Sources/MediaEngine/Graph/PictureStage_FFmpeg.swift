package import FFmpegKit
package import MediaCore

/// Decodes the pictures of one track, on a thread of its own, and lets those of
/// the range through.
///
/// The first one is the picture shown at the range's start, whose time becomes
/// that; the last one ends at the range's end.
package final class PictureStage: Stage {
    package struct Outcome: Sendable {
        /// Pictures left out because another one has the same time.
        var dropped: Int
        package var damagedFrames: Int
    }

    private let decoding: PictureDecoding
    private let range: KeptRange
    private let map: TickMap
    /// What of the range is wanted, where that is a segment of it.
    private let window: SegmentWindow?
    private let input: BoundedChannel<Packet>
    private let output: BoundedChannel<EncodeStage.Item>
    private var thinning: FrameThinning

    package init(
        _ decoder: Decoder, info: StreamInfo, entry: SeekPoint.Entry?, range: KeptRange, timeBase: TimeBase,
        rateLimit: FrameRateLimit?, startsAtZero: Bool, statedEnd: Int64?, window: SegmentWindow? = nil,
        damage: DamageWatch, input: BoundedChannel<Packet>, output: BoundedChannel<EncodeStage.Item>
    ) {
        let map = TickMap(from: info.timeBase, to: timeBase, zero: range.start)
        decoding = PictureDecoding(
            decoder, info: info, entry: entry, range: range, startsAtZero: startsAtZero, statedEnd: statedEnd,
            damage: damage
        ) { try input.receive() }
        if let window { decoding.countsDropped = { window.contains(max(0, try map.mapped($0))) } }
        thinning = FrameThinning(rateLimit, rate: window == nil ? nil : info.video?.averageFrameRate)
        (self.range, self.map, self.window, self.input, self.output) = (range, map, window, input, output)
    }

    package func run() throws -> Outcome {
        while let shown = try decoding.next() {
            let time = shown.isFirst ? 0 : max(0, try map.mapped(shown.ticks))
            guard thinning.keeps(map.target.time(of: time)) else { continue }
            _ = try output.send(.frame(shown.frame, time), bytes: shown.frame.byteCount)
            // The first picture of the next segment tells how long the last one of this is shown.
            if window?.isBeyond(time) == true { break }
        }
        input.close()
        switch decoding.end {
        case .ofRange: _ = try output.send(.end(range.duration(map.target)))
        case .ticks(let end): _ = try output.send(.end(map.mapped(end)))
        case nil: break
        }
        output.finish()
        return Outcome(dropped: decoding.dropped, damagedFrames: decoding.damagedFrames)
    }
}

/// Takes the packets of a track for the stage that decodes its pictures, from the entry point on.
package final class PictureIntake: PacketIntake {
    private var gate: EntryGate
    private let output: BoundedChannel<Packet>

    package init(_ entry: SeekPoint.Entry?, output: BoundedChannel<Packet>) {
        (gate, self.output) = (EntryGate(entry), output)
    }

    package var isComplete: Bool { output.isClosed }

    package func accept(_ packet: Packet) throws {
        guard gate.lets(packet) else { return }
        _ = try output.send(packet, bytes: packet.byteCount)
    }

    package func finish() { output.finish() }
}
