internal import FFmpegKit
internal import MediaCore

/// Decodes, cuts and filters the sound of one track, on a thread of its own, for what encodes it.
///
/// The cut is exact to the sample at both ends, before the filters.
final class SoundStage: Stage {
    struct Outcome: Sendable {
        var frames: Int
        var damagedFrames: Int
        var filledSamples: Int
        var overlappingSamples: Int
    }

    struct Settings {
        var range: KeptRange
        /// Whether silence stands in for what comes before the first sound.
        var startsAtZero: Bool
        /// Whether the source tells times coarsely, or when packets arrived.
        var hasCoarseTimes: Bool
        /// A time beyond this is wrong.
        var latest: CMTime?
        /// The asset's zero, and what finds where the first frame of sound ends, where the range begins later.
        var beginning: (origin: CMTime, firstEnd: @Sendable () -> CMTime?)?
        /// How long the sound is in the end, where it is sped up or slowed down; `nil` for the range's own duration.
        var newDuration: CMTime?
    }

    private let decoder: Decoder
    private let graph: FilterGraph
    private let info: StreamInfo
    private let settings: Settings
    private let input: BoundedChannel<Packet>
    private let output: any SoundOutlet
    private var damage: DamageWatch

    private var timeline: SoundTimeline?
    /// The place of the next decoded sample, where that is not certain yet, and where counting puts it.
    private var placement: (rule: SoundPlacement, start: Int64, next: Int64?)?
    /// Where the frame after one begins whose place was found.
    private var settled: Int64?
    private var rate = 0
    /// The length of a sample as the filters see it: that of the first one.
    private var filterBase = TimeBase(numerator: 1, denominator: 1)
    private var map: TickMap?
    /// Where the next sample is due in what comes after.
    private var next: Int64?
    private var frames = 0

    init(
        _ decoder: Decoder, info: StreamInfo, filters: @escaping FilterChoice,
        settings: Settings, damage: DamageWatch, input: BoundedChannel<Packet>, output: any SoundOutlet
    ) {
        (self.decoder, self.info, self.settings) = (decoder, info, settings)
        (self.damage, self.input, self.output) = (damage, input, output)
        // A recording that was cut lacks the bits that earlier frames lent.
        if info.codec == .mp3 { self.damage.warmUp = 10 }
        let rate = Int32(clamping: max(1, info.audio?.sampleRate ?? 48000))
        filterBase = TimeBase(numerator: 1, denominator: rate)
        var configuration = FilterGraph.Configuration(timeBase: filterBase, filters: filters)
        configuration.frameSize = output.frameSize
        configuration.threads = 1
        graph = FilterGraph(configuration)
    }

    func run() throws -> Outcome {
        defer { output.end() }
        var number: Int64 = 0
        decoding: while true {
            let (result, complaint) = try decoder.receive()
            if let complaint { damage.note(complaint.reason, packet: number) }
            switch result {
            case .frame(let frame):
                try take(frame)
                if timeline?.isComplete == true { break decoding }
            case .needsPacket:
                let packet = try input.receive()
                number += 1
                if packet?.isCorrupt == true { damage.note("a packet is incomplete", packet: number) }
                if let complaint = try decoder.send(packet, number: number) {
                    damage.note(complaint.reason, packet: number)
                }
            case .end: break decoding
            }
        }
        input.close()
        try graph.finish()
        try drainFilters()
        try output.finish()
        return Outcome(
            frames: frames, damagedFrames: damage.count, filledSamples: timeline?.filled ?? 0,
            overlappingSamples: timeline?.overlapping ?? 0)
    }

    // MARK: Times

    private func take(_ frame: Frame) throws {
        guard frame.isSound else { return }
        if frame.sampleRate != rate { changeRate(to: frame.sampleRate) }
        let told = try frame.presentationTicks.map { try map?.mapped($0) ?? 0 }
        let wanted = told.map { placed(frame, at: $0) }
        let ticks = frame.presentationTicks ?? 0
        if let wanted, timeline?.position == nil, wanted + Int64(frame.sampleCount) <= 0 {
            // The decoder is not warm yet, and says so.
            damage.forget()
            return
        }
        let steps = timeline?.add(count: frame.sampleCount, at: wanted) ?? []
        try damage.check(frame, at: info.timeBase.time(of: ticks))
        for step in steps {
            switch step {
            case .silence(let count): try pushSilence(like: frame, count, before: steps)
            case .samples(let samples): try push(frame.part(of: samples), endingAt: timeline?.position ?? 0)
            }
        }
    }

    /// Where a frame's first sample is, whose time puts it somewhere near.
    private func placed(_ frame: Frame, at told: Int64) -> Int64 {
        let count = Int64(frame.sampleCount)
        guard var current = placement else {
            // What was found of a frame before the range holds for the first one in it.
            let known = settled.flatMap { abs(told - $0) <= jitter ? $0 : nil }
            settled = timeline?.position == nil ? known.map { $0 + count } : nil
            return known ?? told
        }
        guard let start = current.next else {
            // Decoders leave out the beginning of what they get first.
            placement?.next = told + count
            return told
        }
        // From a gap on, times are all there is.
        placement = nil
        guard told - start <= jitter else { return told }
        // The rule counts from the asset's zero.
        current.rule.note(told: told + current.start, counted: start + current.start, count: frame.sampleCount)
        guard start + count > -current.rule.reach else {
            current.next = start + count
            placement = current
            return start
        }
        let place = current.rule.place(counted: start + current.start) - current.start
        settled = place + count
        return place
    }

    /// How far apart two pieces have to be for a gap.
    private var jitter: Int64 { Int64(rate) * (settings.hasCoarseTimes ? 60 : 10) / 1000 }

    private func changeRate(to new: Int) {
        let isFirst = rate == 0
        map = TickMap(
            from: info.timeBase, to: TimeBase(numerator: 1, denominator: Int32(clamping: max(1, new))),
            zero: settings.range.start)
        if timeline == nil {
            let base = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, new)))
            func samples(milliseconds: Int) -> Int64 { Int64(new) * Int64(milliseconds) / 1000 }
            timeline = SoundTimeline(
                startsAtZero: settings.startsAtZero, end: settings.range.duration(base),
                jitter: samples(milliseconds: settings.hasCoarseTimes ? 60 : 10),
                drift: samples(milliseconds: settings.hasCoarseTimes ? 10 : 1), patience: Int64(new),
                limit: settings.latest.map { base.ticks(atOrAfter: $0 - settings.range.start) })
        } else {
            timeline?.changeRate(from: rate, to: new)
        }
        rate = new
        placement = nil
        if isFirst, let (origin, firstEnd) = settings.beginning {
            let start = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, new))).ticks(
                nearest: settings.range.start - origin)
            placement = SoundPlacement(of: info, rate: new, firstEnd: firstEnd).map { ($0, start, nil) }
        }
    }

    /// Silence comes in pieces of a second at most, however long it is.
    private func pushSilence(like frame: Frame, _ count: Int, before steps: [SoundTimeline.Step]) throws {
        let following = steps.reduce(0) { sum, step in
            if case .samples(let samples) = step { sum + samples.count } else { sum }
        }
        var position = (timeline?.position ?? 0) - Int64(following) - Int64(count)
        var left = count
        while left > 0 {
            let piece = min(left, max(1, rate))
            position += Int64(piece)
            try push(frame.silence(samples: piece), endingAt: position)
            left -= piece
        }
    }

    private func push(_ frame: Frame, endingAt end: Int64) throws {
        let start = end - Int64(frame.sampleCount)
        let ticks =
            filterBase.denominator == Int32(clamping: rate)
            ? start
            : try TickMap(
                from: TimeBase(numerator: 1, denominator: Int32(clamping: rate)), to: filterBase, zero: .zero
            ).mapped(start)
        try graph.push(frame, atTicks: ticks)
        try drainFilters()
    }

    // MARK: Filters and encoder

    private func drainFilters() throws {
        while case .frame(let frame) = try graph.pull() {
            guard let base = graph.timeBase else { continue }
            let ticks =
                try next ?? frame.presentationTicks.map {
                    try TickMap(from: base, to: output.timeBase, zero: .zero).mapped($0)
                } ?? 0
            // Resampling may round the length up.
            let length =
                settings.newDuration.map { output.timeBase.ticks(nearest: $0) }
                ?? settings.range.duration(output.timeBase)
            let room = length.map { Int(max(0, $0 - ticks)) } ?? .max
            guard room > 0 else { continue }
            let kept = try room < frame.sampleCount ? frame.part(of: 0..<room) : frame
            next = ticks + Int64(kept.sampleCount)
            try output.send(kept, atTicks: ticks)
            frames += kept.sampleCount
        }
    }
}

/// What takes decoded and filtered sound, on the thread that makes it.
protocol SoundOutlet: AnyObject {
    /// How long its ticks are: those of a sample.
    var timeBase: TimeBase { get }
    /// How many samples frames are to have; `nil` for any number.
    var frameSize: Int? { get }
    func send(_ frame: Frame, atTicks ticks: Int64) throws
    /// There is no more sound.
    func finish() throws
    /// Nothing more will come, whatever happened.
    func end()
}

/// Encodes sound for a muxer.
final class EncodedSound: SoundOutlet {
    private let encoder: Encoder
    private let track: Int
    private let mux: MuxPort

    init(_ encoder: Encoder, track: Int, mux: MuxPort) {
        (self.encoder, self.track, self.mux) = (encoder, track, mux)
    }

    var timeBase: TimeBase { encoder.timeBase }
    var frameSize: Int? { encoder.frameSize }

    func send(_ frame: Frame, atTicks ticks: Int64) throws {
        try encoder.send(frame, atTicks: ticks)
        try drain()
    }

    func finish() throws {
        try encoder.finish()
        try drain()
    }

    func end() { mux.finish(track: track) }

    private func drain() throws {
        while case .packet(let packet) = try encoder.receive() {
            try mux.send(packet, track: track, timeBase: encoder.timeBase)
        }
    }
}

/// Takes the packets of a track for the stage that makes its sound, from a little before the start on.
final class AudioPacketIntake: PacketIntake {
    private var selection: SoundSelection
    private let output: BoundedChannel<Packet>

    init(_ selection: SoundSelection, output: BoundedChannel<Packet>) {
        (self.selection, self.output) = (selection, output)
    }

    var isComplete: Bool { output.isClosed }

    func accept(_ packet: Packet) throws { try send(selection.add(packet)) }

    func finish() throws {
        try send(selection.add(nil))
        output.finish()
    }

    private func send(_ packet: Packet?) throws {
        guard let packet else { return }
        _ = try output.send(packet, bytes: packet.byteCount)
    }
}

/// Chooses the packets of a stream of sound that are decoded for what is heard from a start on.
struct SoundSelection {
    private let firstTicks: Int64
    /// Whether times are held against those of the next packet.
    private let isSceptical: Bool
    /// A packet whose time is not believed yet.
    private var held: Packet?
    private var isFirst = true
    /// Whether packets were left out.
    private(set) var leavesOut = false

    /// - Parameter start: On the container's timeline; `nil` for all packets.
    init(_ info: StreamInfo, in container: Container, start: CMTime?) {
        firstTicks = start.map { EntrySearch.firstTicks(of: info, decodedFor: $0) } ?? .min
        // Where a frame lies in two packets of a program stream, readers may give it the time of the frame after it.
        isSceptical = container.has(.isMPEGStream)
    }

    /// Takes the next packet of the stream, `nil` for its end.
    ///
    /// - Returns: The packet to decode now, if there is one.
    mutating func add(_ packet: Packet?) throws(FFmpegError) -> Packet? {
        if let packet, let ticks = packet.presentationTicks {
            // Some packets last for seconds, and the start may lie within one.
            let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0)
            if !end.overflow, end.partialValue < firstTicks {
                leavesOut = true
                return nil
            }
        }
        guard isSceptical else { return packet }
        defer { held = packet }
        guard let held else { return nil }
        defer { isFirst = false }
        return !isFirst && isContradicted(held, by: packet)
            ? try held.retimed(presentation: nil, decode: nil, duration: held.durationTicks) : held
    }

    private func isContradicted(_ packet: Packet, by next: Packet?) -> Bool {
        guard let ticks = packet.presentationTicks, let following = next?.presentationTicks,
            let duration = packet.durationTicks
        else { return false }
        let distance = following.subtractingReportingOverflow(ticks)
        return !distance.overflow && distance.partialValue >= 0 && distance.partialValue < duration / 2
    }
}
