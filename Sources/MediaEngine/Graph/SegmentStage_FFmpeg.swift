package import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Encodes the pictures of a track in segments, several at a time.
///
/// Each segment has a reader, a decoder, filters and an encoder of its own, on threads of their own; this one starts them
/// and waits for them.
final class SegmentStage: Stage {
    struct Outcome: Sendable {
        fileprivate(set) var lanes: [Lane] = []
    }

    /// What becomes of one segment.
    struct Lane: Sendable {
        let reading: StageOutcome<ReadStage.Outcome>
        let pictures: TrackStages.AddedPictures
    }

    private let pipeline: PipelineRun
    private let index: Int
    private let track: PipelineJob.Track
    private let encoding: TrackEncoding
    private let range: KeptRange
    private let relay: SegmentRelay
    private let segments: PictureSegments
    private let wanted: Range<Int>
    private let places: SegmentPlaces
    /// What the file says for all segments.
    private let header: [UInt8]

    /// - Parameters:
    ///   - encoding: What an encoder of one segment is asked for.
    ///   - wanted: The segments to encode.
    init(
        _ run: PipelineRun, _ index: Int, _ encoding: TrackEncoding, _ segments: PictureSegments, wanted: Range<Int>,
        atATime count: Int, range: KeptRange, header: [UInt8], relay: SegmentRelay
    ) {
        (pipeline, self.index, track, self.encoding) = (run, index, run.job.tracks[index], encoding)
        (self.segments, self.wanted, self.range, self.header, self.relay) = (segments, wanted, range, header, relay)
        places = SegmentPlaces(count, run.cancellation)
    }

    func run() throws -> Outcome {
        var outcome = Outcome()
        for segment in wanted {
            try places.take()
            outcome.lanes.append(try start(segment))
        }
        try places.takeAll()
        return outcome
    }

    private func start(_ segment: Int) throws -> Lane {
        let time = range.start + segments.start(of: segment)
        let input = try PipelineSource(
            only: track.stream, from: time - encoding.context, in: range, of: pipeline.source,
            origin: pipeline.description.origin, pipeline.cancellation)
        let reader = ReadStage(
            SourceReader(
                input.demuxer, of: pipeline.source, description: pipeline.description, range: range,
                streams: [track.stream], allowsDamage: pipeline.job.allowsDamage),
            cancellation: pipeline.cancellation)
        let pictures = try TrackStages(pipeline, index, track, input, reader)
            .addSegment(segment, of: segments, encoding, relay, places)
        guard pictures.coded.configuration == header else {
            throw FFmpegError(
                kind: .other, operation: .encode,
                reason: "\(encoding.encoder.name) begins a segment with another header than the others")
        }
        return Lane(reading: pipeline.threads.start("read", reader), pictures: pictures)
    }
}

/// How many segments may be under way, and how many are.
package final class SegmentPlaces: Sendable {
    private struct State {
        var free: Int
        var isStopped = false
    }

    private let count: Int
    private let state: WaitingLock<State>

    init(_ count: Int, _ cancellation: Cancellation) {
        self.count = count
        state = WaitingLock(State(free: count))
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    /// Waits for a free place and takes it.
    func take() throws(WorkStopped) { try take(1) }

    /// Waits until all are free.
    func takeAll() throws(WorkStopped) { try take(count) }

    private func take(_ number: Int) throws(WorkStopped) {
        try state.wait { state throws(WorkStopped) -> Void? in
            if state.isStopped { throw WorkStopped() }
            guard state.free >= number else { return nil }
            state.free -= number
            return ()
        }
    }

    func leave() { state.change { $0.free += 1 } }
}

/// The encoder of one segment, whose place another one takes when it has ended.
final class SegmentEncodeStage: Stage {
    private let stage: EncodeStage
    private let places: SegmentPlaces

    init(_ stage: EncodeStage, _ places: SegmentPlaces) { (self.stage, self.places) = (stage, places) }

    func run() throws -> EncodeStage.Outcome {
        defer { places.leave() }
        return try stage.run()
    }
}

extension SegmentStage.Outcome {
    /// What is missing of the source, and from when on, if anything.
    var shortfall: Shortfall? { lanes.compactMap { $0.reading.value?.shortfall }.merged }

    /// What the stages have found out.
    var counts: SegmentCounts {
        var counts = SegmentCounts()
        counts.tornEnd = shortfall.flatMap { $0.isTornEnd ? $0.reason : nil }
        for case (let decoded?, let encoded?) in lanes.map({ ($0.pictures.decoding.value, $0.pictures.encoding.value) })
        {
            counts.frames += encoded.frames
            counts.dropped += decoded.dropped + encoded.dropped
        }
        return counts
    }
}

/// How many segments of a track are encoded at a time, and by how many threads each.
///
/// Nothing of it changes what comes out: an encoder whose output depends on the number of its threads always has the same.
struct SegmentCrew: Equatable {
    let segments: Int
    let threads: Int

    /// - Parameters:
    ///   - count: How many segments there are.
    ///   - processors: How many threads there may be in all.
    ///   - memory: How many bytes there may be.
    init(
        _ settings: EncoderSettings, count: Int, processors: Int = ProcessorShare.count, memory: Int64 = Self.memory
    ) {
        let threads = EncoderThreads.reproducible(byEncoder: settings.name)
        let fitting = Int(clamping: memory / max(1, Self.memory(of: settings)))
        segments = max(1, min(count, processors, fitting))
        self.threads = threads.isFixed ? threads.count : max(threads.count, processors / segments)
    }

    /// What an encoder that looks ahead, and the decoder and the filters before it, hold.
    private static func memory(of settings: EncoderSettings) -> Int64 {
        guard case .video(let video) = settings.media else { return 0 }
        return Int64(video.width) * Int64(video.height) * bytesPerPixel * picturesHeld + base
    }

    private static let bytesPerPixel: Int64 = 3
    private static let picturesHeld: Int64 = 64
    private static let base: Int64 = 32 << 20

    /// Half of what this process may have.
    private static var memory: Int64 {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
        let machine = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(machine, isKnown ? Int64(clamping: limit.rlim_cur) : machine) / 2
    }
}

extension EncoderSettings {
    /// Whether encoders that are asked for this give the same header each, which all segments of a file share.
    package func givesOneHeader() throws(FFmpegError) -> Bool {
        let settings = forSegment(threads: EncoderThreads.reproducible(byEncoder: name).count)
        let header = try CodedStream(from: Encoder.open(settings)).configuration
        return try CodedStream(from: Encoder.open(settings)).configuration == header
    }

    /// For one segment, by a number of threads: the same packets on every machine.
    func forSegment(threads: Int) -> EncoderSettings {
        var settings = self
        settings.threads = threads
        let own = EncoderThreads.parameters(ofEncoder: name, threads: threads)
        if let own, let option = EncoderParameters.option(ofEncoder: name) {
            let asked = settings.options[option].map { [$0] } ?? []
            settings.options[option] = ([own] + asked).joined(separator: ":")
        }
        return settings
    }
}

/// Puts the packets of segments that are encoded at the same time into the order of the film.
///
/// Those of the segment whose turn it is go on at once; those of later ones wait. What waits is bounded in bytes: an
/// encoder that is too far ahead is held back, the one whose turn it is never is.
package final class SegmentRelay: Sendable {
    private struct State {
        var next: Int
        var waiting: [Int: [Packet]] = [:]
        var waitingBytes = 0
        var complete: Set<Int> = []
        /// Whether a thread passes the turn on.
        var isAdvancing = false
        var isStopped = false

        /// The segment whose turn it is, if it has ended; else nobody passes the turn on.
        mutating func takeEnded() -> Int? {
            guard complete.remove(next) != nil else {
                isAdvancing = false
                return nil
            }
            return next
        }

        mutating func takeWaiting(of segment: Int) -> [Packet] {
            let packets = waiting.removeValue(forKey: segment) ?? []
            waitingBytes -= packets.reduce(0) { $0 + $1.byteCount }
            return packets
        }
    }

    private let state: WaitingLock<State>
    private let outlet: any PacketOutlet
    /// How many bytes of packets may wait.
    private static let maximumWaitingBytes = 256 << 20

    init(first: Int, outlet: any PacketOutlet, cancellation: Cancellation) {
        state = WaitingLock(State(next: first))
        self.outlet = outlet
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    func send(_ packet: Packet, of segment: Int) throws {
        let isDue = try state.wait { state throws(WorkStopped) -> Bool? in
            if state.isStopped { throw WorkStopped() }
            if state.next == segment { return true }
            let fits = state.waitingBytes + packet.byteCount <= Self.maximumWaitingBytes
            guard fits || state.waiting[segment] == nil else { return nil }
            state.waiting[segment, default: []].append(packet)
            state.waitingBytes += packet.byteCount
            return false
        }
        if isDue { try outlet.send(packet, of: segment) }
    }

    /// A segment has no more packets; the turn goes on to the ones after it.
    func finish(_ segment: Int) throws {
        let isDue = state.change { state in
            state.complete.insert(segment)
            guard state.next == segment, !state.isAdvancing else { return false }
            state.isAdvancing = true
            return true
        }
        guard isDue else { return }
        while let ended = state.change({ $0.takeEnded() }) {
            try outlet.finish(ended)
            try sendWaiting(of: ended + 1)
        }
    }

    /// Sends what waits of a segment, which has its turn once nothing does.
    private func sendWaiting(of segment: Int) throws {
        while true {
            let packets = state.change { state in
                let packets = state.takeWaiting(of: segment)
                if packets.isEmpty { state.next = segment }
                return packets
            }
            if packets.isEmpty { return }
            for packet in packets { try outlet.send(packet, of: segment) }
        }
    }
}

/// Where the packets of a track's segments go, in order, from one thread at a time.
protocol PacketOutlet: Sendable {
    func send(_ packet: Packet, of segment: Int) throws
    /// A segment has no more packets.
    func finish(_ segment: Int) throws
}

/// Has the decode times of segments go on from one to the next.
///
/// An encoder tells them as if what comes before its first picture had the distances of the first pictures themselves. Where
/// pictures come at no fixed rate, they may reach back behind the last decode time of the segment before.
final class SegmentOrder: Sendable {
    private let last = Mutex<Int64?>(nil)

    /// The packet, no earlier than a tick after the one before it.
    func placed(_ packet: Packet) throws -> Packet {
        guard let decode = packet.decodeTicks else { return packet }
        let earliest = last.withLock { last in
            let time = max(decode, last.map { $0 + 1 } ?? decode)
            last = time
            return time
        }
        guard earliest > decode else { return packet }
        return try packet.retimed(
            presentation: packet.presentationTicks.map { max($0, earliest) }, decode: earliest,
            duration: packet.durationTicks)
    }
}

/// Which pictures one segment has, in the encoder's ticks on the new file's timeline.
struct SegmentWindow: Sendable, Equatable {
    /// The first tick.
    let start: Int64
    /// The first tick that is no longer its own; `nil` for the last segment.
    let end: Int64?

    init(_ index: Int, of segments: PictureSegments, _ timeBase: TimeBase) {
        // What a decoder or a filter makes of the time before zero is the first segment's.
        start = index == 0 ? .min : timeBase.ticks(atOrAfter: segments.start(of: index))
        end = segments.end(of: index).map { timeBase.ticks(atOrAfter: $0) }
    }

    func contains(_ ticks: Int64) -> Bool { ticks >= start && !isBeyond(ticks) }

    /// Whether a time is of a later segment.
    func isBeyond(_ ticks: Int64) -> Bool { end.map { ticks >= $0 } ?? false }
}

/// Puts the packets of a track's segments into the new file, as one encoder would have made them.
final class SegmentedTrackOutlet: PacketOutlet {
    private let mux: MuxPort
    private let track: Int
    private let timeBase: TimeBase
    private let last: Int
    private let order = SegmentOrder()

    /// - Parameter last: The film's last segment.
    init(_ mux: MuxPort, track: Int, timeBase: TimeBase, last: Int) {
        (self.mux, self.track, self.timeBase, self.last) = (mux, track, timeBase, last)
    }

    func send(_ packet: Packet, of segment: Int) throws {
        try mux.send(order.placed(packet), track: track, timeBase: timeBase)
    }

    func finish(_ segment: Int) throws { if segment == last { mux.finish(track: track) } }
}
