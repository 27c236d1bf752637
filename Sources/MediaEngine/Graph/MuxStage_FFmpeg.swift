internal import FFmpegKit
internal import MediaCore
internal import MediaIO
internal import Synchronization

/// Where the threads of the tracks leave their packets for the muxer.
package final class MuxPort: Sendable {
    package struct Item: Sendable {
        var track: Int
        var packet: Packet
        var timeBase: TimeBase
    }

    private let queue: BoundedChannel<Item>
    /// The tracks that have packets to come.
    private let open: Mutex<Set<Int>>
    /// Keeps tracks that come in segments and the others together, where there are both.
    private let pace: TrackPace?
    private let segmented: Set<Int>
    private let admit: @Sendable (_ bytes: Int) throws -> Void

    /// - Parameters:
    ///   - segmented: The tracks whose pictures come in segments.
    ///   - admit: Throws where a packet of so many bytes must not wait, because nobody would ever take it.
    init(
        _ cancellation: Cancellation, tracks: Int, segmented: Set<Int> = [], capacity: Int = 512,
        byteCapacity: Int = 32 << 20, admit: @escaping @Sendable (_ bytes: Int) throws -> Void = { _ in }
    ) {
        self.admit = admit
        queue = cancellation.channel(capacity: capacity, byteCapacity: byteCapacity)
        open = Mutex(Set(0..<tracks))
        self.segmented = segmented
        pace = segmented.isEmpty || segmented.count == tracks ? nil : TrackPace(cancellation)
        if tracks == 0 { queue.finish() }
    }

    func send(_ packet: Packet, track: Int, timeBase: TimeBase) throws {
        // With what holds it: small ones take more than they are long.
        let bytes = packet.byteCount + 512
        try admit(bytes)
        if let pace, let ticks = packet.decodeTicks ?? packet.presentationTicks {
            try pace.wait(group(of: track), at: timeBase.time(of: ticks))
        }
        _ = try queue.send(Item(track: track, packet: packet, timeBase: timeBase), bytes: bytes)
    }

    /// Whether a packet would be taken without waiting.
    package var hasRoom: Bool { queue.hasRoom }

    /// A track has no more packets.
    func finish(track: Int) {
        let left = open.withLock { open in
            open.remove(track)
            return open
        }
        if !left.contains(where: { group(of: $0) == group(of: track) }) { pace?.end(group(of: track)) }
        if left.isEmpty { queue.finish() }
    }

    private func group(of track: Int) -> TrackPace.Group { segmented.contains(track) ? .segments : .others }

    func receive() throws -> Item? { try queue.receive() }
}

/// Writes the packets of all tracks, on a thread of its own.
package final class MuxStage: Stage {
    package struct Outcome: Sendable {
        var tracks: [PipelineResult.Track]
        var byteCount: UInt64
    }

    private let muxer: Muxer
    private let sink: CountingSink
    private let port: MuxPort
    private let progress: ProgressReport
    private let frames: FrameCount
    private var streams: [Int] = []
    private var isCounted: [Bool] = []
    private var results: [PipelineResult.Track] = []
    private let pass: Int

    init(
        _ format: ContainerFormat, sink: CountingSink, port: MuxPort, pass: Int, frames: FrameCount,
        progress: ProgressReport
    ) throws {
        muxer = try Muxer.open(format, sink: sink)
        (self.sink, self.port, self.pass, self.frames, self.progress) = (sink, port, pass, frames, progress)
    }

    /// Says something of the file, before it is started.
    func setMetadata(_ metadata: [String: String]) { muxer.setMetadata(metadata) }

    /// Says that the file ends at a time of its own, whatever its last pictures do not tell.
    func endsAtATime() { muxer.givesMissingDurations = false }

    // MARK: Preparing

    /// Adds a track.
    ///
    /// - Parameter isCounted: Whether the time reached is also this track's.
    func addTrack(_ stream: CodedStream, isCounted: Bool) throws {
        streams.append(try muxer.addStream(stream))
        self.isCounted.append(isCounted)
        results.append(PipelineResult.Track())
    }

    /// Leaves out a track that has no packets.
    func leaveOutTrack() {
        streams.append(-1)
        isCounted.append(false)
        results.append(PipelineResult.Track())
    }

    func start(options: [String: String]) throws { try muxer.start(options: options) }

    // MARK: On its own thread

    package func run() throws -> Outcome {
        while let item = try port.receive() {
            note(item)
            limitWaiting()
            try muxer.write(item.packet, toStream: streams[item.track], timeBase: item.timeBase)
            report()
        }
        try muxer.finish()
        for (index, stream) in streams.enumerated() where stream >= 0 {
            results[index].repairedTimes = muxer.repairedTimes(ofStream: stream)
        }
        return Outcome(tracks: results, byteCount: sink.byteCount)
    }

    private func note(_ item: MuxPort.Item) {
        var result = results[item.track]
        result.packets += 1
        result.byteCount += UInt64(item.packet.byteCount)
        if let ticks = item.packet.presentationTicks ?? item.packet.decodeTicks {
            let start = item.timeBase.time(of: ticks)
            let length = item.packet.isDiscarded ? 0 : item.packet.durationTicks ?? 0
            let end = item.timeBase.time(of: ticks.addingReportingOverflow(length).partialValue)
            if !item.packet.isDiscarded || result.start == nil {
                result.start = result.start.map { min($0, start) } ?? start
            }
            if !item.packet.isDiscarded || result.end == nil { result.end = result.end.map { max($0, end) } ?? end }
        }
        results[item.track] = result
    }

    /// Bounds the memory of what waits for streams that seldom have packets, such as subtitles.
    private func limitWaiting() {
        let sent = results.reduce(0) { $0 + $1.byteCount }
        let isMuch = sent > sink.byteCount && sent - sink.byteCount > Self.maximumWaitingBytes
        muxer.longestWait = isMuch ? 100_000 : 10_000_000
    }

    /// What may wait for streams that seldom have packets before the wait is cut short.
    private static let maximumWaitingBytes: UInt64 = 64 << 20

    private func report() {
        progress.note {
            let reached = zip(results, isCounted).filter(\.1).map { $0.0.end ?? .zero }.min() ?? .zero
            return PipelineProgress(
                time: max(.zero, reached), byteCount: sink.byteCount, frames: frames.value, pass: pass)
        }
    }
}

/// Reports progress, some times a second.
final class ProgressReport: Sendable {
    private let last = Mutex(ContinuousClock.now)
    private let report: @Sendable (PipelineProgress) -> Void

    init(_ report: @escaping @Sendable (PipelineProgress) -> Void) { self.report = report }

    func note(_ progress: () -> PipelineProgress) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            guard now - last >= .milliseconds(50) else { return false }
            last = now
            return true
        }
        if isDue { report(progress()) }
    }
}

/// How many pictures were encoded, for the progress.
final class FrameCount: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() {
        count.wrappingAdd(1, ordering: .relaxed)
        WorkPulse.beat()
    }
}

/// Counts a file's bytes on their way to the sink.
///
/// `@unchecked Sendable`: the count is atomic; the sink is used by the muxer alone.
final class CountingSink: MuxerSink, @unchecked Sendable {
    private let sink: any MuxerSink
    private let end = Atomic<UInt64>(0)

    init(_ sink: any MuxerSink) { self.sink = sink }

    var isSeekable: Bool { sink.isSeekable }
    var byteCount: UInt64 { end.load(ordering: .relaxed) }

    func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws {
        try sink.write(bytes, at: position)
        let last = position + UInt64(bytes.count)
        if last > byteCount { end.store(last, ordering: .relaxed) }
    }
}
