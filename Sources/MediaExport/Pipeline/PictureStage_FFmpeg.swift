internal import Bitstream
internal import FFmpegKit
internal import MediaConcurrency
internal import MediaTime
internal import MediaTypes

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

    private let decoder: Decoder
    private let info: StreamInfo
    private let range: KeptRange
    private let map: TickMap
    private let startTicks: Int64
    private let endTicks: Int64?
    /// Whether the first picture stands in for what comes before it.
    private let startsAtZero: Bool
    /// When the source says that the last picture ends, in the stream's ticks.
    private let statedEnd: Int64?
    /// What of the range is wanted, where that is a segment of it.
    private let window: SegmentWindow?
    private let input: BoundedChannel<Packet>
    private let output: BoundedChannel<EncodeStage.Item>
    private var thinning: FrameThinning
    private var damage: DamageWatch
    /// The last picture, which waits for the next one if it is from before the start.
    private var last: (frame: Frame, ticks: Int64)?
    private var hasStarted = false
    private var hasReachedEnd = false
    private var isBeyondWindow = false
    /// Packets outside the edit list that were decoded.
    private var hidden: Set<Int64> = []
    private var dropped = 0

    init(
        _ decoder: Decoder, info: StreamInfo, entry: EntryPoint.Entry?, range: KeptRange, timeBase: TimeBase,
        rateLimit: FrameRateLimit?, startsAtZero: Bool, statedEnd: Int64?, window: SegmentWindow? = nil,
        damage: DamageWatch, input: BoundedChannel<Packet>, output: BoundedChannel<EncodeStage.Item>
    ) {
        (self.decoder, self.info, self.range, self.startsAtZero) = (decoder, info, range, startsAtZero)
        map = TickMap(from: info.timeBase, to: timeBase, zero: range.start)
        startTicks = range.startTicks(info.timeBase)
        endTicks = range.endTicks(info.timeBase)
        thinning = FrameThinning(rateLimit, rate: window == nil ? nil : info.video?.averageFrameRate)
        self.window = window
        (self.statedEnd, self.damage, self.input, self.output) = (statedEnd, damage, input, output)
        if let entry, entry.kind != .clean, info.codec == .h264 { decoder.outputsUnrecovered = true }
    }

    func run() throws -> Outcome {
        var number: Int64 = 0
        decoding: while true {
            let (result, complaint) = try decoder.receive()
            if let complaint { damage.note(complaint.reason, packet: number) }
            switch result {
            case .frame(let frame):
                // Some decoders hand out what is not to be shown.
                if hidden.remove(frame.packetNumber) != nil { continue }
                if try !take(frame) { break decoding }
            case .needsPacket:
                let packet = try input.receive()
                number += 1
                if packet?.isCorrupt == true { damage.note("a packet is incomplete", packet: number) }
                if packet?.isDiscarded == true { hidden.insert(number) }
                // A recording that begins inside a GOP lacks what its first pictures refer to.
                if number == 1, packet?.isKey == false { damage.startsInside = true }
                if let complaint = try decoder.send(packet, number: number) {
                    damage.note(complaint.reason, packet: number)
                }
            case .end: break decoding
            }
        }
        input.close()
        try complete()
        output.finish()
        return Outcome(dropped: dropped, damagedFrames: damage.count)
    }

    /// - Returns: Whether pictures to come can still be in the range.
    private func take(_ frame: Frame) throws -> Bool {
        let ticks = frame.presentationTicks ?? following()
        damage.began()
        if let endTicks, ticks >= endTicks {
            try damage.check(through: frame.packetNumber, at: info.timeBase.time(of: ticks))
            hasReachedEnd = true
            return false
        }
        if let last, ticks <= last.ticks {
            if ticks > startTicks, try isInWindow(ticks) { dropped += 1 }
            return true
        }
        if ticks > startTicks {
            if let last, !hasStarted { try emit(last.frame, last.ticks, isFirst: true) }
            let stands = last == nil && startsAtZero
            hasStarted = true
            try emit(frame, ticks, isFirst: stands)
            try damage.check(frame, at: info.timeBase.time(of: ticks))
        } else {
            // The picture shown at the start may be built on any before it.
            try damage.check(frame, at: info.timeBase.time(of: ticks))
        }
        last = (frame, ticks)
        return !isBeyondWindow
    }

    private func isInWindow(_ ticks: Int64) throws -> Bool {
        try window?.contains(max(0, map.mapped(ticks))) ?? true
    }

    /// When a picture without a time is shown.
    private func following() -> Int64 {
        guard let last else { return info.startTicks ?? 0 }
        return last.ticks.addingReportingOverflow(last.frame.durationTicks ?? info.frameTicks).partialValue
    }

    private func emit(_ frame: Frame, _ ticks: Int64, isFirst: Bool) throws {
        let time = isFirst ? 0 : max(0, try map.mapped(ticks))
        guard thinning.keeps(map.target.time(of: time)) else { return }
        _ = try output.send(.frame(frame, time), bytes: frame.byteCount)
        // The first picture of the next segment tells how long the last one of this is shown.
        if window?.isBeyond(time) == true { isBeyondWindow = true }
    }

    /// When the last picture ends.
    ///
    /// Where it does not tell how long it lasts, what the source says counts as far as it has samples for that.
    private func end(of last: Frame, _ ticks: Int64) -> Int64 {
        let end = ticks.addingReportingOverflow(last.durationTicks ?? info.frameTicks).partialValue
        guard last.durationTicks == nil, let statedEnd, statedEnd > ticks else { return end }
        let (samplesEnd, isOver) = (info.startTicks ?? 0).addingReportingOverflow(info.durationTicks ?? 0)
        return min(statedEnd, isOver ? end : max(end, samplesEnd))
    }

    private func complete() throws {
        guard let last else { return }
        let end = end(of: last.frame, last.ticks)
        // Nothing but pictures from before the start: the last one may still be shown there.
        if !hasStarted {
            guard end > startTicks else { return }
            try emit(last.frame, last.ticks, isFirst: true)
        }
        let isCut = hasReachedEnd || endTicks.map { $0 <= end } ?? false
        let shown = isCut ? range.duration(map.target) : try map.mapped(end)
        _ = try output.send(.end(shown))
    }
}

/// Takes the packets of a track for the stage that decodes its pictures, from the entry point on.
final class PictureIntake: PacketIntake {
    private var gate: EntryGate
    private let output: BoundedChannel<Packet>

    init(_ entry: EntryPoint.Entry?, output: BoundedChannel<Packet>) {
        (gate, self.output) = (EntryGate(entry), output)
    }

    var isComplete: Bool { output.isClosed }

    func accept(_ packet: Packet) throws {
        guard gate.lets(packet) else { return }
        _ = try output.send(packet, bytes: packet.byteCount)
    }

    func finish() { output.finish() }
}

/// Takes what decoders say of damage, and makes it an error or counts it.
struct DamageWatch {
    private let isAllowed: Bool
    /// How many packets the threads of a decoder may be ahead.
    private let delay: Int64
    /// What to take off a container's time to name it on the asset's timeline.
    private let origin: CMTime
    private var fault: (reason: String, packet: Int64)?
    private var latest: Int64 = 0
    private(set) var count = 0

    init(isAllowed: Bool, delay: Int64, origin: CMTime) {
        (self.isAllowed, self.delay, self.origin) = (isAllowed, delay, origin)
    }

    mutating func note(_ reason: String, packet: Int64) {
        if fault == nil, packet > warmUp { fault = (reason, packet) }
    }

    /// Whether decoding starts at a sample that is built on others.
    var startsInside = false
    /// The number of the last packet that may lack what came before the stream's beginning.
    var warmUp: Int64 = 0

    /// What was noted concerns nothing that is wanted.
    mutating func forget() { fault = nil }

    /// A frame came out, maybe the first one.
    mutating func began() {
        if startsInside { forget() }
        startsInside = false
    }

    /// A frame came out that is wanted.
    mutating func check(_ frame: Frame, at time: CMTime) throws {
        if let reason = frame.damage { note(reason, packet: frame.packetNumber) }
        try check(through: frame.packetNumber, at: time)
    }

    mutating func check(through number: Int64, at time: CMTime) throws {
        latest = max(latest, number)
        guard let fault, latest >= fault.packet - delay else { return }
        guard isAllowed else { throw Self.error(fault.reason, at: time - origin) }
        count += 1
        self.fault = nil
    }

    static func error(_ reason: String, at time: CMTime) -> FFmpegError {
        FFmpegError(
            kind: .damaged, operation: .decode, reason: "damaged at \(time.secondsText(decimals: 3)) s: \(reason)")
    }
}
