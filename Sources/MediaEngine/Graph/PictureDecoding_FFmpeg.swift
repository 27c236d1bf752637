internal import FFmpegKit
internal import MediaContainers
internal import MediaCore

/// Decodes the pictures of one stream and gives those of a range, in the order in which they are shown.
///
/// The first one is the picture shown at the range's start, which may have begun before it.
///
/// One thread at a time may use it.
final class PictureDecoding {
    /// A picture of the range.
    struct Shown {
        let frame: Frame
        /// When it is shown, in the stream's ticks.
        let ticks: Int64
        /// Whether it is what is seen at the range's start.
        let isFirst: Bool
    }

    /// Where the last picture ends.
    enum End: Equatable {
        /// At the range's end, beyond which the source goes on.
        case ofRange
        /// In the stream's ticks.
        case ticks(Int64)
    }

    private let session: DecodeSession
    private let info: StreamInfo
    /// Whether decoding begins where frames become whole by and by.
    private let isEnteredGradually: Bool
    private let startTicks: Int64
    private let endTicks: Int64?
    /// Whether the first picture stands in for what comes before it.
    private let startsAtZero: Bool
    /// When the source says that the last picture ends, in the stream's ticks.
    private let statedEnd: Int64?
    private let packets: () throws -> Packet?
    private var damage: DamageWatch
    /// Those that were found before they were asked for.
    private var ready: [Shown] = []
    /// The last picture, which waits for the next one if it is from before the start.
    private var last: (frame: Frame, ticks: Int64)?
    private var hasStarted = false
    private var hasReachedEnd = false
    private var isOver = false

    /// Whether a picture that is left out because another one has its time counts as dropped; by its ticks.
    var countsDropped: (Int64) throws -> Bool = { _ in true }
    /// How many were left out.
    private(set) var dropped = 0
    var damagedFrames: Int { damage.count }

    /// - Parameters:
    ///   - entry: Where decoding starts, if not with the stream's first packet.
    ///   - packets: Gives the stream's packets from there on, `nil` after the last one.
    init(
        _ decoder: Decoder, info: StreamInfo, entry: RandomAccessPoint?, range: KeptRange, startsAtZero: Bool,
        statedEnd: Int64?, damage: DamageWatch, packets: @escaping () throws -> Packet?
    ) {
        session = DecodeSession(decoder, of: info, from: entry, start: info.startTicks ?? 0)
        (self.info, self.startsAtZero, self.statedEnd) = (info, startsAtZero, statedEnd)
        isEnteredGradually = entry.map { $0.kind != .clean } ?? false
        (self.damage, self.packets) = (damage, packets)
        startTicks = range.startTicks(info.timeBase)
        endTicks = range.endTicks(info.timeBase)
    }

    /// The next picture; `nil` after the last one of the range.
    func next() throws -> Shown? {
        while ready.isEmpty, !isOver {
            let (output, fault) = try session.receive()
            if let fault { damage.note(fault.reason, packet: fault.packet) }
            switch output {
            case .frame(let frame, let ticks): try take(frame, ticks)
            case .needsPacket: try send(try packets())
            case .end: complete()
            }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    private func send(_ packet: Packet?) throws {
        // A recording that begins inside a GOP lacks what its first pictures refer to.
        if session.lastSent.number == 0, packet?.isKey == false { damage.startsInside = true }
        for fault in try session.send(packet) { damage.note(fault.reason, packet: fault.packet) }
    }

    private func take(_ frame: Frame, _ ticks: Int64) throws {
        damage.began()
        if let endTicks, ticks >= endTicks {
            try damage.check(through: frame.packetNumber, at: info.timeBase.time(of: ticks))
            hasReachedEnd = true
            return complete()
        }
        if let last, ticks <= last.ticks {
            if ticks > startTicks, try countsDropped(ticks) { dropped += 1 }
            return
        }
        // Frames that are not whole by then are not handed out.
        if last == nil, isEnteredGradually, ticks > startTicks {
            damage.note("the frames before it could not be decoded whole", packet: frame.packetNumber)
        }
        // The picture shown at the start may be built on any before it.
        try damage.check(frame, at: info.timeBase.time(of: ticks))
        if ticks > startTicks {
            if let last, !hasStarted { ready.append(Shown(frame: last.frame, ticks: last.ticks, isFirst: true)) }
            ready.append(Shown(frame: frame, ticks: ticks, isFirst: last == nil && startsAtZero))
            hasStarted = true
        }
        last = (frame, ticks)
    }

    private func complete() {
        isOver = true
        // Nothing but pictures from before the start: the last one may still be shown there, as it is until the next one.
        guard !hasStarted, let last, hasReachedEnd || end(of: last.frame, last.ticks) > startTicks else { return }
        ready.append(Shown(frame: last.frame, ticks: last.ticks, isFirst: true))
        hasStarted = true
    }

    /// Where the last picture so far ends; `nil` if there was none.
    var end: End? {
        guard hasStarted, let last else { return nil }
        let end = end(of: last.frame, last.ticks)
        return hasReachedEnd || endTicks.map { $0 <= end } ?? false ? .ofRange : .ticks(end)
    }

    /// When a last picture ends.
    ///
    /// Where it does not tell how long it lasts, what the source says counts as far as it has samples for that.
    private func end(of last: Frame, _ ticks: Int64) -> Int64 {
        let end = ticks.addingReportingOverflow(last.durationTicks ?? info.frameTicks).partialValue
        guard last.durationTicks == nil, let statedEnd, statedEnd > ticks else { return end }
        let (samplesEnd, isOver) = (info.startTicks ?? 0).addingReportingOverflow(info.durationTicks ?? 0)
        return min(statedEnd, isOver ? end : max(end, samplesEnd))
    }
}

/// Decodes the pictures of one track, on a thread of its own, and lets those of
/// the range through.
///
/// The first one is the picture shown at the range's start, whose time becomes
/// that; the last one ends at the range's end.
final class PictureStage: Stage {
    struct Outcome: Sendable {
        /// Pictures left out because another one has the same time.
        var dropped: Int
        var damagedFrames: Int
    }

    private let decoding: PictureDecoding
    private let range: KeptRange
    private let map: TickMap
    /// What of the range is wanted, where that is a segment of it.
    private let window: SegmentWindow?
    private let input: BoundedChannel<Packet>
    private let output: BoundedChannel<EncodeStage.Item>
    private var thinning: FrameThinning

    init(
        _ decoder: Decoder, info: StreamInfo, entry: RandomAccessPoint?, range: KeptRange, timeBase: TimeBase,
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

    func run() throws -> Outcome {
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
final class VideoPacketIntake: PacketIntake {
    private var gate: EntryGate
    private let output: BoundedChannel<Packet>

    init(_ entry: RandomAccessPoint?, output: BoundedChannel<Packet>) {
        (gate, self.output) = (EntryGate(entry), output)
    }

    var isComplete: Bool { output.isClosed }

    func accept(_ packet: Packet) throws {
        guard gate.lets(packet) else { return }
        _ = try output.send(packet, bytes: packet.byteCount)
    }

    func finish() { output.finish() }
}
