package import FFmpegKit
package import MediaAsset
package import MediaCore

/// Decoded sound and when it is heard.
package struct FedSound: Sendable {
    package let frame: Frame
    /// Of its first sample, on the asset's timeline, in ticks of one sample.
    package let start: CMTime

    package init(frame: Frame, start: CMTime) { (self.frame, self.start) = (frame, start) }
}

/// Gives decoded sound, piece after piece.
package protocol SoundFeeding: AnyObject {
    /// The next piece; blocks until it is there. `nil` after the last one.
    func next() throws -> FedSound?
}

/// What decoded sound is to be; `nil` for what it is.
package struct SoundForm: Sendable, Hashable {
    /// Samples in a second.
    package var sampleRate: Int?
    /// FFmpeg's name of a layout of channels.
    package var channelLayout: String?
    /// FFmpeg's name of how samples are held.
    var sampleFormat: String?

    package init(sampleRate: Int? = nil, channelLayout: String? = nil, sampleFormat: String? = nil) {
        (self.sampleRate, self.channelLayout, self.sampleFormat) = (sampleRate, channelLayout, sampleFormat)
    }

    /// The filters that make it of decoded sound.
    func filters(for format: FrameFormat) -> FilterDescription {
        guard case .audio(let sound) = format else { return "anull" }
        let layout = channelLayout ?? sound.channelLayout
        let (rate, samples) = (sampleRate ?? sound.sampleRate, sampleFormat ?? sound.sampleFormat)
        if rate == sound.sampleRate, samples == sound.sampleFormat, layout == sound.channelLayout { return "anull" }
        var filters = AudioFilters(
            sampleRate: rate, sampleFormat: samples, layout: layout, channels: AudioLayout.channels(of: layout))
        filters.dithers = false
        return filters.description(for: format)
    }
}

/// Gives the decoded sound of a file's track, cut to the sample.
///
/// Nothing is put between pieces where the file has a gap: the next piece begins later. A part of a file is what the same
/// part of the whole file's sound is. Decodes on the thread that asks; one thread at a time may ask.
package final class SoundFeed: SoundFeeding {
    private let input: TrackInput
    private let decoder: Decoder
    private let form: SoundForm
    private var selection: SoundSelection
    /// The place of the next decoded sample, where that is not certain yet.
    private var placement: SoundPlacement?
    /// Where the first frame of the track's sound ends.
    private let findFirstEnd: () -> CMTime?
    private var damage: DamageWatch
    private var graph: FilterGraph?
    /// Those that were made before they were asked for.
    private var ready: [FedSound] = []
    private var number: Int64 = 0
    private var isOver = false
    private var rate = 0
    private var map: TickMap?
    /// Where the next decoded sample is, in samples since the asset's zero; `nil` before the first one.
    private var position: Int64?
    /// The part that is wanted, in decoded samples since the asset's zero.
    private var wanted: (start: Int64, end: Int64) = (.min, .max)
    /// Where the next sample that comes out is, in samples of its own rate since the asset's zero.
    private var place: Int64?

    /// - Parameters:
    ///   - range: On the asset's timeline; `nil` for all.
    ///   - allowsDamage: Whether damaged sound, and a file that ends early, are no errors.
    package init(
        _ track: TrackDescription, of source: AssetSource, range: CMTimeRange?, form: SoundForm, allowsDamage: Bool,
        cancellation: Cancellation
    ) throws {
        try source.checkIsDecodable(track)
        input = try TrackInput(
            track.streamIndex, of: source, range: range, allowsDamage: allowsDamage, cancellation: cancellation)
        decoder = try input.demuxer.makeDecoder(stream: track.streamIndex)
        self.form = form
        damage = input.damageWatch(delay: 0)
        // A recording that was cut lacks the bits that earlier frames lent.
        if input.info.codec == .mp3 { damage.warmUp = 10 }
        // From the film's beginning on, decoders find what all others find: some make up noise by what came before. Files
        // that are read from there anyway, and tell times by a sum of rounded ones, are counted from there.
        let isCounted =
            input.isFromBeginning && input.demuxer.container.has(.startsSoundAtZero)
            && !input.info.timeBase.tells(samplesOf: input.info.audio?.sampleRate ?? 0)
        selection = SoundSelection(
            input.info, in: input.demuxer.container,
            start: input.range.start <= input.origin || isCounted ? nil : input.range.start)
        findFirstEnd = { Self.firstEnd(of: track, of: source, cancellation: cancellation) }
    }

    /// Where the first frame of a track's decoded sound ends, on the asset's timeline in samples, of which counting from the
    /// beginning makes all other places; `nil` where it cannot be read.
    ///
    /// - Complexity: The first time, another opening of the file.
    static func firstEnd(of track: TrackDescription, of source: AssetSource, cancellation: Cancellation) -> CMTime? {
        try? source.firstSoundEnd(ofStream: track.streamIndex) {
            let feed = try SoundFeed(
                track, of: source, range: nil, form: SoundForm(), allowsDamage: true, cancellation: cancellation)
            return try feed.next().map { first in
                CMTime(
                    value: first.start.value + Int64(first.frame.sampleCount), timescale: first.start.timescale)
            }
        }
    }

    package func next() throws -> FedSound? {
        while ready.isEmpty, !isOver {
            let (result, complaint) = try decoder.receive()
            if let complaint { damage.note(complaint.reason, packet: number) }
            switch result {
            case .frame(let frame): try take(frame)
            case .needsPacket: try send(try nextPacket())
            case .end: try complete()
            }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    private func nextPacket() throws -> Packet? {
        while let packet = try input.next() {
            if let chosen = try selection.add(packet) { return chosen }
        }
        return try selection.add(nil)
    }

    private func send(_ packet: Packet?) throws {
        number += 1
        if packet?.isCorrupt == true { damage.note("a packet is incomplete", packet: number) }
        if let complaint = try decoder.send(packet, number: number) { damage.note(complaint.reason, packet: number) }
    }

    private func complete() throws {
        isOver = true
        try drain(isLast: true)
        try input.checkEnd()
    }

    // MARK: Times

    private func take(_ frame: Frame) throws {
        guard frame.isSound else { return }
        if frame.sampleRate != rate { try change(rate: frame.sampleRate) }
        let start = try placed(frame)
        let (end, isBeyond) = start.addingReportingOverflow(Int64(frame.sampleCount))
        guard !isBeyond else {
            throw FFmpegError(kind: .damaged, operation: .read, reason: "a time is beyond all limits")
        }
        position = end
        if end <= wanted.start {
            // The decoder is not warm yet, and says so.
            return damage.forget()
        }
        let ticks = frame.presentationTicks ?? input.info.startTicks ?? 0
        try damage.check(frame, at: input.info.timeBase.time(of: ticks))
        let (first, last) = (max(wanted.start, start), min(wanted.end, end))
        if first < last { try push(frame.part(of: Int(first - start)..<Int(last - start)), at: first) }
        if end >= wanted.end { try complete() }
    }

    /// Where a frame's first sample is.
    private func placed(_ frame: Frame) throws -> Int64 {
        let told = try frame.presentationTicks.map { try map?.mapped($0) ?? 0 }
        let isFirst = position == nil
        let start = try start(told: told)
        guard var noted = placement else { return start }
        // Decoders leave out the beginning of what they get first.
        if isFirst { return start }
        noted.note(told: told, counted: start, count: frame.sampleCount)
        // What lies before the range is left out, and only tells where the rest is.
        let isBefore = start + Int64(frame.sampleCount) <= wanted.start - noted.reach
        placement = isBefore ? noted : nil
        return isBefore ? start : noted.place(counted: start)
    }

    /// Where a frame begins: after the last one, unless its time is clearly later.
    private func start(told: Int64?) throws -> Int64 {
        guard let position else { return told ?? 0 }
        guard let told, told - position > jitter, isCredible(told) else { return position }
        try drain(isLast: true)
        // From a gap on, times are all there is.
        placement = nil
        return told
    }

    /// How far apart two pieces have to be for a gap: many containers tell times to the millisecond only, and live
    /// recordings tell when a packet arrived.
    private var jitter: Int64 {
        Int64(rate) * (input.demuxer.container.has(.hasCoarseTimes) ? 60 : 10) / 1000
    }

    private func isCredible(_ position: Int64) -> Bool {
        guard let latest = input.latestTime else { return true }
        return CMTime(value: position, timescale: Int32(clamping: rate)) <= latest - input.origin
    }

    private func change(rate new: Int) throws {
        try drain(isLast: true)
        let base = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, new)))
        map = TickMap(from: input.info.timeBase, to: base, zero: input.origin)
        position = position.map { TickMap(from: samples(rate), to: base, zero: .zero)($0) ?? $0 }
        rate = new
        wanted = (
            base.ticks(nearest: input.range.start - input.origin),
            input.range.end.map { base.ticks(nearest: $0 - input.origin) } ?? .max
        )
        placement = position == nil ? makePlacement() : nil
    }

    /// What finds the place of the first sample, if its time does not tell it to the sample.
    private func makePlacement() -> SoundPlacement? {
        guard !input.isFromBeginning || selection.leavesOut else { return nil }
        return SoundPlacement(of: input.info, rate: rate, firstEnd: findFirstEnd)
    }

    private func samples(_ rate: Int) -> TimeBase { TimeBase(numerator: 1, denominator: Int32(clamping: max(1, rate))) }

    // MARK: Form

    private func push(_ frame: Frame, at position: Int64) throws {
        if graph == nil {
            let form = form
            var configuration = FilterGraph.Configuration(timeBase: samples(rate)) { form.filters(for: $0) }
            configuration.threads = 1
            graph = FilterGraph(configuration)
            place = TickMap(from: samples(rate), to: samples(form.sampleRate ?? rate), zero: .zero)(position)
        }
        try graph?.push(frame, atTicks: position)
        try drain(isLast: false)
    }

    /// Takes what comes out of the filters.
    ///
    /// - Parameter isLast: Whether what comes next does not follow what was.
    private func drain(isLast: Bool) throws {
        guard let graph else { return }
        if isLast { try graph.finish() }
        let rate = form.sampleRate ?? rate
        let end = input.range.end.map { samples(rate).ticks(nearest: $0 - input.origin) } ?? .max
        while case .frame(let frame) = try graph.pull() {
            let start = place ?? 0
            // Resampling may round the length up.
            let room = end.subtractingReportingOverflow(start)
            let count =
                room.overflow ? frame.sampleCount : Int(clamping: min(Int64(frame.sampleCount), room.partialValue))
            guard count > 0 else { continue }
            place = start + Int64(count)
            ready.append(
                FedSound(
                    frame: try frame.part(of: 0..<count),
                    start: CMTime(value: start, timescale: Int32(clamping: rate))))
        }
        if isLast { self.graph = nil }
    }
}

extension SoundPlacement {
    /// `nil` where times tell places to the sample, and where the beginning cannot be read, so that they are all there is.
    ///
    /// - Parameters:
    ///   - rate: Of the decoded sound.
    ///   - firstEnd: Finds where the first frame ends.
    init?(of info: StreamInfo, rate: Int, firstEnd: () -> CMTime?) {
        let base = info.timeBase
        guard !base.tells(samplesOf: rate), let end = firstEnd(), end.timescale == Int32(clamping: rate) else {
            return nil
        }
        self.init(
            anchor: end.value,
            tick: Int64(rate) * Int64(base.numerator) / Int64(base.denominator) + 1, isVaried: info.codec == .vorbis)
    }
}

extension TimeBase {
    /// Whether each sample of sound has a tick of its own, so that times tell places to the sample.
    fileprivate func tells(samplesOf rate: Int) -> Bool {
        let samples = Int64(rate) * Int64(numerator)
        return samples > 0 && Int64(denominator).isMultiple(of: samples)
    }
}
