internal import FFmpegKit
internal import MediaAsset
internal import MediaConcurrency
internal import MediaTime

/// What takes the packets of one stream.
///
/// The thread that reads owns it.
protocol PacketIntake: AnyObject {
    /// Whether nothing more is wanted.
    var isComplete: Bool { get }
    func accept(_ packet: Packet) throws
    /// There are no more packets.
    func finish() throws
}

/// Reads the source and gives each track its packets, on a thread of its own.
final class ReadStage: Stage {
    struct Outcome: Sendable {
        /// What is missing of the source, and from when on, if anything.
        var shortfall: String?
        /// How often recordings were joined whose times do not go on from one to the next.
        var jumps: Int
        /// What became of the tracks whose samples are kept.
        var copies: [Int: PassthroughTrack.Outcome]
    }

    let demuxer: Demuxer
    private let source: AssetSource
    private let description: AssetDescription
    private let range: KeptRange
    /// Those that are kept.
    private let streams: Set<Int>
    private let cancellation: Cancellation
    private var copies: [Int: PassthroughTrack] = [:]
    private var intakes: [Int: [any PacketIntake]] = [:]
    /// Streams that have to be complete before reading can stop.
    private var deciding: Set<Int> = []
    /// Where the packets read of each stream end, in ticks.
    private(set) var ends: [Int: Int64] = [:]
    /// The last decode time of each stream.
    private(set) var lastDecodeTicks: [Int: Int64] = [:]
    /// What reading failed with, if damage is allowed.
    private var failure: FFmpegError?
    /// Whether reading went on to the end of the source.
    private(set) var hasReachedEnd = false
    private var joins: TimeJumps
    /// Packets that were read to see what comes after them.
    private var ahead: [Packet] = []
    private let allowsDamage: Bool
    /// The asset's zero, for messages.
    private var origin: CMTime { description.origin }

    init(
        _ demuxer: Demuxer, of source: AssetSource, description: AssetDescription, range: KeptRange,
        streams: Set<Int>, cancellation: Cancellation, allowsDamage: Bool
    ) {
        (self.demuxer, self.source, self.description, self.range) = (demuxer, source, description, range)
        (self.streams, self.cancellation, self.allowsDamage) = (streams, cancellation, allowsDamage)
        joins = TimeJumps(demuxer)
    }

    func add(_ copy: PassthroughTrack, stream index: Int, track: Int) {
        copies[track] = copy
        add(copy, stream: index)
    }

    func add(_ intake: any PacketIntake, stream index: Int) {
        intakes[index, default: []].append(intake)
        let kind = demuxer.streams[index].kind
        if kind == .video || kind == .audio { deciding.insert(index) }
    }

    func run() throws -> Outcome {
        if deciding.isEmpty { deciding = Set(intakes.keys) }
        while !isComplete {
            try cancellation.check()
            guard let packet = try next() else {
                hasReachedEnd = true
                break
            }
            note(packet)
            for intake in intakes[packet.streamIndex] ?? [] where !intake.isComplete { try intake.accept(packet) }
        }
        for intake in intakes.values.joined() { try intake.finish() }
        let end = SourceEnd(demuxer: demuxer, description: description, range: range, file: source.file)
        return Outcome(
            shortfall: failure?.reason ?? end.shortfall(self, streams: streams), jumps: joins.count,
            copies: copies.mapValues(\.outcome))
    }

    private var isComplete: Bool {
        deciding.allSatisfy { index in (intakes[index] ?? []).allSatisfy(\.isComplete) }
    }

    /// The next packet, on a timeline without jumps.
    private func next() throws(FFmpegError) -> Packet? {
        guard let packet = ahead.isEmpty ? try read() : ahead.removeFirst() else { return nil }
        // Where recordings were joined, their last packets seem damaged.
        if packet.isCorrupt, !allowsDamage, joins.isPossible, ahead.isEmpty { try lookAhead(from: packet) }
        guard let jump = joins.jump(to: packet) else { return try joins.moved(packet) }
        guard allowsDamage else { throw jumpError(jump) }
        return try joins.joining(packet)
    }

    private func lookAhead(from packet: Packet) throws(FFmpegError) {
        var later = joins
        _ = later.jump(to: packet)
        while ahead.count < 200, let packet = try read() {
            ahead.append(packet)
            if let jump = later.jump(to: packet) { throw jumpError(jump) }
            _ = try later.moved(packet)
        }
    }

    private func jumpError(_ jump: TimeJumps.Jump) -> FFmpegError {
        FFmpegError(
            kind: .damaged, operation: .read,
            reason: "at \((jump.from - origin).secondsText(decimals: 3)) s the times jump to "
                + "\((jump.to - origin).secondsText(decimals: 3)) s: recordings were joined; allowing damage makes "
                + "one film of them")
    }

    private func read() throws(FFmpegError) -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            let reached = ends.map { demuxer.streams[$0].timeBase.time(of: $1) }.max() ?? origin
            let named = FFmpegError(
                kind: error.kind, code: error.code, operation: error.operation,
                reason: "at \((reached - origin).secondsText(decimals: 3)) s: \(error.reason)")
            guard allowsDamage else { throw named }
            failure = named
            return nil
        }
    }

    private func note(_ packet: Packet) {
        let index = packet.streamIndex
        if let ticks = packet.decodeTicks { lastDecodeTicks[index] = max(lastDecodeTicks[index] ?? ticks, ticks) }
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks, !packet.isDiscarded else { return }
        let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0).partialValue
        ends[index] = max(ends[index] ?? end, end)
    }
}
