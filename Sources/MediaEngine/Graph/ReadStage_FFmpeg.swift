package import FFmpegKit
internal import MediaAsset
package import MediaCore

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
        var shortfall: Shortfall?
        /// How often recordings were joined whose times do not go on from one to the next.
        var jumps: Int
        /// How many streams began that nobody knew of.
        var lateStreams: Int
        /// What became of the tracks whose samples are kept.
        var copies: [Int: PassthroughTrack.Outcome]
        /// What converted subtitles lost.
        var lostStyling: [Int: Set<SubtitleStyling>]
    }

    private let source: SourceReader
    private let cancellation: Cancellation
    private var copies: [Int: PassthroughTrack] = [:]
    private var subtitles: [Int: SubtitleTrack] = [:]
    private var intakes: [Int: [any PacketIntake]] = [:]
    /// Streams that have to be complete before reading can stop.
    private var deciding: Set<Int> = []

    init(_ source: SourceReader, cancellation: Cancellation) {
        (self.source, self.cancellation) = (source, cancellation)
    }

    func add(_ copy: PassthroughTrack, stream index: Int, track: Int) {
        copies[track] = copy
        add(copy, stream: index)
    }

    func add(_ subtitle: SubtitleTrack, stream index: Int, track: Int) {
        subtitles[track] = subtitle
        add(subtitle, stream: index)
    }

    func add(_ intake: any PacketIntake, stream index: Int) {
        intakes[index, default: []].append(intake)
        let kind = source.demuxer.streams[index].kind
        if kind == .video || kind == .audio { deciding.insert(index) }
    }

    func run() throws -> Outcome {
        if deciding.isEmpty { deciding = Set(intakes.keys) }
        while !isComplete {
            try cancellation.check()
            guard let packet = try source.next() else { break }
            for intake in intakes[packet.streamIndex] ?? [] where !intake.isComplete { try intake.accept(packet) }
        }
        for intake in intakes.values.joined() { try intake.finish() }
        return Outcome(
            shortfall: source.shortfall(), jumps: source.jumps, lateStreams: source.demuxer.lateStreams.count,
            copies: copies.mapValues(\.outcome), lostStyling: subtitles.mapValues(\.lostStyling))
    }

    private var isComplete: Bool {
        deciding.allSatisfy { index in (intakes[index] ?? []).allSatisfy(\.isComplete) }
    }
}

/// Finds where the times of a transport stream jump, as they do where recordings
/// were joined, and lets them go on.
struct TimeJumps {
    struct Jump {
        var from: CMTime
        var to: CMTime
    }

    /// Whether the container is one whose times may jump.
    let isPossible: Bool
    private let streams: [StreamInfo]
    /// Where each stream's next packet is due, on the timeline without jumps.
    private var due: [Int: CMTime] = [:]
    /// What is added to each stream's times: streams do not come to a jump at once.
    private var shifts: [Int: CMTime] = [:]
    private var latestShift = CMTime.zero
    private(set) var count = 0

    /// What a stream may go back by without a jump, and forward: a gap in a recording may be this long.
    private static let (back, forward) = (CMTime(value: 1, timescale: 1), CMTime(value: 10, timescale: 1))

    init(_ demuxer: Demuxer) {
        isPossible = demuxer.container.has(.isMPEGStream)
        streams = demuxer.streams
    }

    /// The jump that a packet makes, `nil` if it follows those before it.
    func jump(to packet: Packet) -> Jump? {
        guard isPossible, let (time, _) = times(of: packet), let due = due[packet.streamIndex] else { return nil }
        let moved = time + shift(of: packet)
        return Self.follows(moved, due) ? nil : Jump(from: due, to: moved)
    }

    private static func follows(_ time: CMTime, _ due: CMTime) -> Bool { time >= due - back && time <= due + forward }

    private func shift(of packet: Packet) -> CMTime { shifts[packet.streamIndex] ?? .zero }

    /// The packet on the timeline without jumps.
    mutating func moved(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard isPossible, let (time, duration) = times(of: packet) else { return packet }
        let shift = shift(of: packet)
        let end = time + shift + duration
        due[packet.streamIndex] = due[packet.streamIndex].map { max($0, end) } ?? end
        guard shift != .zero else { return packet }
        let ticks = streams[packet.streamIndex].timeBase.ticks(nearest: shift)
        return try packet.retimed(
            presentation: packet.presentationTicks.map { $0 &+ ticks }, decode: packet.decodeTicks.map { $0 &+ ticks },
            duration: packet.durationTicks)
    }

    /// The first packet after a jump, which goes on where the streams before it end.
    mutating func joining(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard let (time, _) = times(of: packet), let due = due[packet.streamIndex] else { return try moved(packet) }
        if !Self.follows(time + latestShift, due) {
            count += 1
            latestShift = (self.due.values.max() ?? due) - time
        }
        shifts[packet.streamIndex] = latestShift
        return try moved(packet)
    }

    private func times(of packet: Packet) -> (CMTime, CMTime)? {
        guard streams.indices.contains(packet.streamIndex) else { return nil }
        let info = streams[packet.streamIndex]
        guard [.video, .audio].contains(info.kind), let ticks = packet.decodeTicks ?? packet.presentationTicks else {
            return nil
        }
        let time = info.timeBase.time(of: ticks)
        return time.isNumeric ? (time, info.timeBase.time(of: packet.durationTicks ?? 0)) : nil
    }
}

/// Turns times of a stream in ticks into ticks of another length that count
/// from a later zero.
struct TickMap {
    let source: TimeBase
    let target: TimeBase
    private let zero: CMTime

    /// - Parameter zero: Where the new ticks start; a numeric time.
    init(from source: TimeBase, to target: TimeBase, zero: CMTime) {
        (self.source, self.target, self.zero) = (source, target, zero)
    }

    /// The nearest tick; `nil` if a time is beyond all limits.
    func callAsFunction(_ ticks: Int64) -> Int64? {
        // t·n/d − v/s, times D/N
        let (n, d) = (Int128(source.numerator), Int128(source.denominator))
        let (v, s) = (Int128(zero.value), Int128(zero.timescale))
        let (N, D) = (Int128(target.numerator), Int128(target.denominator))
        let (left, isOver) = (Int128(ticks) * n).multipliedReportingOverflow(by: s)
        let (right, isRightOver) = v.multipliedReportingOverflow(by: d)
        let (difference, isDifferenceOver) = left.subtractingReportingOverflow(right)
        let (dividend, isDividendOver) = difference.multipliedReportingOverflow(by: D)
        guard !isOver, !isRightOver, !isDifferenceOver, !isDividendOver else { return nil }
        let divisor = d * s * N
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        let rounding: Int128 = remainder.magnitude * 2 >= divisor.magnitude ? (dividend < 0 ? -1 : 1) : 0
        guard let result = Int64(exactly: quotient + rounding), result > -Self.limit, result < Self.limit else {
            return nil
        }
        return result
    }

    /// The same, where there is no way on without it.
    func mapped(_ ticks: Int64) throws(FFmpegError) -> Int64 {
        guard let result = self(ticks) else {
            throw FFmpegError(kind: .damaged, operation: .read, reason: "a time is beyond all limits")
        }
        return result
    }

    /// Times beyond this, of which two cannot be added, are damage.
    private static let limit: Int64 = 1 << 60
}

extension TimeBase {
    /// The nearest tick to a numeric time.
    package func ticks(nearest time: CMTime) -> Int64 {
        TickMap(from: TimeBase(numerator: 1, denominator: time.timescale), to: self, zero: .zero)(time.value) ?? 0
    }
}
