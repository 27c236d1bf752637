package import FFmpegKit
internal import MediaAsset
package import MediaCore

/// What takes the packets of one stream.
///
/// The thread that reads owns it.
package protocol PacketIntake: AnyObject {
    /// Whether nothing more is wanted.
    var isComplete: Bool { get }
    func accept(_ packet: Packet) throws
    /// There are no more packets.
    func finish() throws
}

/// Reads the source and gives each track its packets, on a thread of its own.
package final class ReadStage: Stage {
    package struct Outcome: Sendable {
        /// What is missing of the source, and from when on, if anything.
        var shortfall: String?
        /// How often recordings were joined whose times do not go on from one to the next.
        package var jumps: Int
        /// What became of the tracks whose samples are kept.
        package var copies: [Int: PassthroughTrack.Outcome]
    }

    private let source: SourceReading
    private let cancellation: Cancellation
    private var copies: [Int: PassthroughTrack] = [:]
    private var intakes: [Int: [any PacketIntake]] = [:]
    /// Streams that have to be complete before reading can stop.
    private var deciding: Set<Int> = []

    package init(_ source: SourceReading, cancellation: Cancellation) {
        (self.source, self.cancellation) = (source, cancellation)
    }

    package func add(_ copy: PassthroughTrack, stream index: Int, track: Int) {
        copies[track] = copy
        add(copy, stream: index)
    }

    package func add(_ intake: any PacketIntake, stream index: Int) {
        intakes[index, default: []].append(intake)
        let kind = source.demuxer.streams[index].kind
        if kind == .video || kind == .audio { deciding.insert(index) }
    }

    package func run() throws -> Outcome {
        if deciding.isEmpty { deciding = Set(intakes.keys) }
        while !isComplete {
            try cancellation.check()
            guard let packet = try source.next() else { break }
            for intake in intakes[packet.streamIndex] ?? [] where !intake.isComplete { try intake.accept(packet) }
        }
        for intake in intakes.values.joined() { try intake.finish() }
        return Outcome(
            shortfall: source.shortfall(), jumps: source.jumps,
            copies: copies.mapValues(\.outcome))
    }

    private var isComplete: Bool {
        deciding.allSatisfy { index in (intakes[index] ?? []).allSatisfy(\.isComplete) }
    }
}
