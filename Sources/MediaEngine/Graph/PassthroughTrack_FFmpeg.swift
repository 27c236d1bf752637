internal import FFmpegKit
internal import MediaContainers
internal import MediaCore
internal import MediaMetadata
internal import MetadataFormats

/// Keeps the coded samples of one track: those of the range, and those that
/// these need.
final class PassthroughTrack: PacketIntake {
    /// What became of the track.
    struct Outcome: Sendable {
        var damaged = 0
        /// Pictures that the source hides and the new file shows.
        var unhidden = 0
        /// How much earlier than its first packet's picture it is shown.
        var lead = CMTime.zero
        /// What was overwritten among its samples.
        var removed: [PrivateDetail] = []
    }

    struct Settings {
        var range: KeptRange
        /// What the container can say of times: whether what lies before zero and
        /// beyond the end can be hidden.
        var form: CopiedPictures.Form
        /// Whether pictures set where the range starts.
        var followsPictures: Bool
        /// What to keep of sound that the source hides and the container cannot.
        var hiddenPreroll = AudioPreroll()
        /// What to keep of sound from before the start, so that the first packet
        /// after it decodes right; `nil` for all.
        var preroll: AudioPreroll?
        var allowsDamage: Bool
        /// The asset's zero, for messages.
        var origin: CMTime

        /// What the first picture gets before it if it comes without: in the source, parameter sets may stand at the
        /// beginning only, and the new file has no header for them.
        var parameterSets: [UInt8] = []
        /// Which piece of a join it is, where pictures of another one come before it.
        var laterPiece: Int?

        var hasEditList: Bool { form.hasEditList }
        /// What looks through samples of a file that is to be shared.
        var scrubber: SampleScrubber?
    }

    private let info: StreamInfo
    private let settings: Settings
    private let track: Int
    private let mux: MuxPort
    private let filter: BitstreamFilter?
    private let timeBase: TimeBase
    /// Counts samples where the container does not.
    private var clock: SoundClock?
    private let startTicks: Int64
    private var endTicks: Int64?
    /// How many pictures from beyond the end do not tell when they are decoded.
    private var undatedCount = 0
    /// The time of the latest picture so far that is not shown before the end.
    private var latestBeyond: Int64?
    private var gate: EntryGate
    private var hasEntered = false
    /// Whether pictures came that the gate did not let through.
    private var hasLeftOut = false
    private var pictures: CopiedPictures
    /// Has pictures follow those of another piece.
    private var splice: PieceSplice?
    /// Sound from before the start, and pictures from beyond the end that may be needed.
    private var held: [Packet] = []
    /// Where sound begins that the source hides.
    private var hiddenStart: Int64?
    /// The last picture, if it does not tell how long it is shown.
    private var waiting: Packet?
    private var hasStarted = false
    /// Whether a packet was written.
    private var hasPassed = false
    /// Whether the source goes on beyond the end.
    private var isCut = false
    private(set) var isComplete = false
    /// Whether the last picture of subtitles is in the range.
    private var keepsSegments = false
    private var result = Outcome()
    private var leading: LeadingPictures?
    private let headers: HeaderPackets?
    private let demuxer: Demuxer

    init(
        _ stream: Int, of demuxer: Demuxer, entry: SeekPoint.Entry?, settings: Settings, filter: BitstreamFilter?,
        track: Int, mux: MuxPort
    ) {
        let info = demuxer.streams[stream]
        (self.info, self.settings, self.track, self.mux, self.filter) = (info, settings, track, mux, filter)
        self.demuxer = demuxer
        headers = HeaderPackets(codec: info.codec, extradata: info.extradata)
        if info.kind == .video, settings.hasEditList {
            leading = LeadingPictures(demuxer.makeShownPictures(ofStream: stream))
        }
        clock = filter == nil ? SoundClock(info, in: demuxer.container) : nil
        timeBase = filter?.timeBase ?? info.timeBase
        startTicks = settings.range.startTicks(info.timeBase)
        endTicks = settings.range.endTicks(info.timeBase)
        gate = EntryGate(entry)
        pictures = CopiedPictures(info, form: settings.form)
        splice = settings.laterPiece.flatMap {
            PieceSplice(codec: info.codec, extradata: info.extradata, piece: $0)
        }
        if entry == nil, splice != nil { gate = EntryGate(info) }
    }

    /// What has become of it, once it is finished.
    var outcome: Outcome {
        var outcome = result
        outcome.unhidden = pictures.hiddenCount
        return outcome
    }

    func accept(_ packet: Packet) throws {
        let packet = try scrubbed(packet)
        if packet.isCorrupt, isWanted(packet) {
            guard settings.allowsDamage else {
                let time = timeBase.time(of: packet.presentationTicks ?? packet.decodeTicks ?? 0)
                throw DamageWatch.error("a packet is incomplete", at: time - settings.origin)
            }
            result.damaged += 1
        }
        guard info.kind == .video || info.kind == .audio else { return try acceptOther(packet) }
        guard try !isHeader(packet) else { return }
        guard let decode = packet.decodeTicks ?? packet.presentationTicks else {
            // Hidden pictures without a time lie before the source's zero, and no later one is predicted from them.
            return packet.isDiscarded || !gate.isOpen ? () : try write(packet)
        }
        if let endTicks, decode >= endTicks, !mayPrecedeOthers(packet) {
            (isComplete, isCut) = (true, true)
            return
        }
        if info.kind == .audio { return try acceptSound(packet) }
        // A range of copied samples lies in one edit.
        if packet.beginsAnew, hasEntered {
            (isComplete, isCut) = (true, true)
            return
        }
        guard gate.lets(packet) else {
            hasLeftOut = true
            return
        }
        hasEntered = true
        extendEnd(for: packet)
        leading?.note(packet)
        for packet in try pictures.add(packet) { try acceptPicture(packet) }
    }

    /// Whether a packet is a header, which the stream has at its beginning already.
    private func isHeader(_ packet: Packet) throws -> Bool {
        guard let headers, packet.withBytes({ headers.contain($0) }) else { return false }
        guard packet.withBytes({ headers.agree(with: $0) }) else {
            throw FFmpegError(
                kind: .unsupported, operation: .write,
                reason: "\(info.nameOfTrack) goes on with other settings, which one stream of its samples cannot have: "
                    + "decoded and encoded anew, all of it is kept")
        }
        return true
    }

    private func scrubbed(_ packet: Packet) throws -> Packet {
        guard let scrubber = settings.scrubber else { return packet }
        var patches: [SamplePatch] = []
        let bytes = packet.withBytes { bytes in
            patches = scrubber.patches(in: bytes)
            return SampleScrubber.applying(patches, to: bytes)
        }
        guard let bytes else { return packet }
        for patch in patches {
            result.removed.note(PrivateDetail(.message, "\(info.nameOfTrack), samples", patch.reason))
        }
        return try packet.replacingData(with: bytes)
    }

    func finish() throws {
        if hasLeftOut, !gate.isOpen, settings.laterPiece != nil {
            throw FFmpegError(
                kind: .other, operation: .write,
                reason: "\(info.nameOfTrack) has no picture that can follow those of another piece")
        }
        if info.kind == .video { for packet in try pictures.finish() { try acceptPicture(packet) } }
        try writeLast()
        if let filter {
            try filter.send(nil)
            try drain(filter)
        }
        if let ticks = try leading?.lead(from: startTicks, of: info.index, in: demuxer) {
            result.lead = info.timeBase.time(of: ticks)
        }
        mux.finish(track: track)
    }

    private func isWanted(_ packet: Packet) -> Bool {
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { return true }
        return ticks >= startTicks && endTicks.map { ticks < $0 } ?? true
    }

    // MARK: Pictures

    /// Whether pictures that are shown before a packet's may follow, as it does not tell when it is decoded.
    private func mayPrecedeOthers(_ packet: Packet) -> Bool {
        guard info.kind == .video, packet.decodeTicks == nil else { return false }
        undatedCount += 1
        return undatedCount <= CopiedPictures.maximumReordering
    }

    /// Moves the end behind pictures from beyond it that one before it is decoded after, where they cannot be hidden:
    /// they are shown, and with them all that is shown before them.
    private func extendEnd(for packet: Packet) {
        guard !settings.hasEditList, let ticks = packet.presentationTicks, let endTicks else { return }
        if ticks >= endTicks {
            latestBeyond = max(latestBeyond ?? ticks, ticks)
        } else if let latestBeyond {
            self.endTicks = max(endTicks, latestBeyond &+ 1)
        }
    }

    private func acceptPicture(_ packet: Packet) throws {
        guard let endTicks, let ticks = packet.presentationTicks, ticks >= endTicks else {
            // Pictures from beyond the end are needed by this one, or may be.
            for packet in held { try settings.hasEditList ? writeHidden(packet) : write(packet) }
            held.removeAll()
            return try write(packet)
        }
        isCut = true
        held.append(packet)
    }

    // MARK: Sound

    private func acceptSound(_ packet: Packet) throws {
        let ticks = packet.presentationTicks ?? packet.decodeTicks ?? 0
        if packet.isDiscarded, !settings.hasEditList { return holdHidden(packet) }
        if !hasStarted {
            let end = ticks.addingReportingOverflow(max(1, packet.durationTicks ?? 1)).partialValue
            let isBefore =
                settings.followsPictures && !settings.hasEditList ? ticks < startTicks : end <= startTicks
            if isBefore {
                held.append(packet)
                if let preroll = settings.preroll { trimHeld(to: preroll, before: end) }
                return
            }
            hasStarted = true
            for packet in held { try write(packet.retimed(isDiscarded: settings.hasEditList ? nil : false)) }
            held.removeAll()
        }
        try write(packet)
    }

    /// Keeps hidden sound only as far as the first packet that is heard needs it.
    private func holdHidden(_ packet: Packet) {
        // In AVI the first packet of each track is the beginning.
        guard !hasStarted, !settings.form.hasDecodeTimesOnly else { return }
        held.append(packet)
        let ticks = packet.presentationTicks ?? packet.decodeTicks ?? 0
        let end = ticks.addingReportingOverflow(max(1, packet.durationTicks ?? 1)).partialValue
        let first = hiddenStart ?? ticks
        hiddenStart = first
        // As much as an encoder's own delay is at the beginning of any file.
        guard end.subtractingReportingOverflow(first).partialValue > timeBase.ticks(microseconds: 100_000) else {
            return
        }
        trimHeld(to: settings.hiddenPreroll, before: end)
    }

    /// Lets go of what is more than a packet that begins at a time needs.
    private func trimHeld(to preroll: AudioPreroll, before time: Int64) {
        let ticks = info.timeBase.ticks(microseconds: Int64(preroll.milliseconds) * 1000)
        while held.count > preroll.packets {
            // What is left after the first has to last long enough.
            let next = held.count > 1 ? held[1].presentationTicks ?? held[1].decodeTicks ?? 0 : time
            guard time.subtractingReportingOverflow(next).partialValue >= ticks else { return }
            held.removeFirst()
        }
    }

    // MARK: Others

    private func acceptOther(_ packet: Packet) throws {
        if info.codec == .pgs, try acceptLaterSegment(packet) { return }
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { return try write(packet) }
        let length = packet.durationTicks ?? 0
        let end = ticks.addingReportingOverflow(length).partialValue
        if let endTicks, ticks >= endTicks {
            isComplete = true
            return
        }
        keepsSegments = ticks >= startTicks || end > startTicks
        guard keepsSegments else { return }
        let first = max(ticks, startTicks)
        let last = min(end, endTicks ?? .max)
        let clipped = try packet.retimed(
            presentation: first, decode: decodeTicks(of: packet, shownAt: first),
            duration: length > 0 ? max(1, last - first) : nil)
        try write(clipped)
    }

    /// Pictures of subtitles come in segments, which decoders want before the time at which the first says that the
    /// picture is shown: the others stay or go with it.
    private func acceptLaterSegment(_ packet: Packet) throws -> Bool {
        let isFirst = packet.withBytes { $0.first == Self.compositionSegment }
        guard !isFirst, let ticks = packet.presentationTicks else { return false }
        guard keepsSegments, !isComplete else { return true }
        let time = max(ticks, startTicks)
        try write(
            packet.retimed(
                presentation: time, decode: decodeTicks(of: packet, shownAt: time), duration: packet.durationTicks))
        return true
    }

    private static let compositionSegment: UInt8 = 0x16

    private func decodeTicks(of packet: Packet, shownAt time: Int64) -> Int64 {
        guard info.codec == .pgs, let ticks = packet.decodeTicks else { return time }
        return min(time, max(ticks, startTicks))
    }

    // MARK: Writing

    /// Writes a picture that others need, and that is not shown: at the very end,
    /// which is where the edit list stops.
    private func writeHidden(_ packet: Packet) throws {
        let time = endTicks.map { max($0, packet.decodeTicks ?? $0) }
        try pass(packet.retimed(presentation: time, decode: packet.decodeTicks, duration: nil, isDiscarded: true))
    }

    private func write(_ packet: Packet) throws {
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { return try pass(packet) }
        guard let duration = packet.durationTicks else {
            // How long it lasts is told by what comes next, but for the last one.
            guard info.kind == .video else { return try pass(packet) }
            try passWaiting()
            waiting = packet
            return
        }
        guard let endTicks, ticks < endTicks, ticks.addingReportingOverflow(duration).partialValue > endTicks,
            settings.hasEditList
        else { return try pass(packet) }
        try pass(
            packet.retimed(
                presentation: packet.presentationTicks, decode: packet.decodeTicks, duration: endTicks - ticks))
    }

    /// Writes a packet that waited in vain for another one.
    private func writeLast() throws {
        guard let last = waiting, let ticks = last.presentationTicks ?? last.decodeTicks else { return }
        waiting = nil
        let room = settings.hasEditList ? endTicks.map { max(1, $0 - ticks) } ?? .max : .max
        let length = isCut && room < .max ? room : min(room, info.frameTicks)
        try pass(last.retimed(presentation: last.presentationTicks, decode: last.decodeTicks, duration: length))
    }

    private func passWaiting() throws {
        guard let packet = waiting else { return }
        waiting = nil
        try pass(packet)
    }

    private func pass(_ packet: Packet) throws {
        try passWaiting()
        if let counted = clock?.timed(packet), let base = clock?.base {
            let start = counted.start - base.ticks(nearest: settings.range.start)
            let end = settings.hasEditList ? settings.range.duration(base) : nil
            let duration = end.map { min(counted.duration, max(0, $0 - start)) } ?? counted.duration
            let packet = try packet.retimed(presentation: start, decode: start, duration: duration)
            return try mux.send(packet, track: track, timeBase: base)
        }
        let shifted = try withParameterSets(spliced(packet)).retimed(
            presentation: packet.presentationTicks.map { $0 &- startTicks },
            decode: packet.decodeTicks.map { $0 &- startTicks }, duration: heardTicks(of: packet))
        guard let filter else { return try mux.send(shifted, track: track, timeBase: timeBase) }
        try filter.send(shifted)
        try drain(filter)
    }

    /// How long a packet lasts, without what decoders leave out at its end.
    private func heardTicks(of packet: Packet) -> Int64? {
        guard info.kind == .audio, packet.samplesLeftOutAtEnd > 0, let length = info.soundLength(of: packet),
            let rate = Int32(exactly: info.audio?.sampleRate ?? 0), rate > 0
        else { return packet.durationTicks }
        let heard = CMTime(value: max(0, length - packet.samplesLeftOutAtEnd), timescale: rate)
        let ticks = info.timeBase.ticks(nearest: heard)
        return packet.durationTicks.map { min($0, ticks) } ?? ticks
    }

    /// A packet as it can follow another piece.
    private func spliced(_ packet: Packet) throws -> Packet {
        guard let outcome = packet.withBytes({ splice?.follow($0) }) else { return packet }
        switch outcome {
        case .unchanged: return packet
        case .changed(let bytes): return try packet.replacingData(with: bytes)
        case .impossible where hasPassed && settings.allowsDamage:
            result.damaged += 1
            return packet
        case .impossible(let reason):
            let time = timeBase.time(of: packet.presentationTicks ?? packet.decodeTicks ?? 0) - settings.origin
            throw FFmpegError(
                kind: .other, operation: .write,
                reason: "the pictures from \(time.secondsText()) s on cannot follow those of another piece: \(reason)")
        }
    }

    /// The first packet with what a decoder needs to begin with it.
    private func withParameterSets(_ packet: Packet) throws -> Packet {
        defer { hasPassed = true }
        guard !hasPassed, !settings.parameterSets.isEmpty else { return packet }
        let bytes = packet.withBytes { NALUnits.packet($0, beginningWith: settings.parameterSets) }
        return try bytes.map { try packet.replacingData(with: $0) } ?? packet
    }

    private func drain(_ filter: BitstreamFilter) throws {
        while case .packet(let packet) = try filter.receive() {
            try mux.send(packet, track: track, timeBase: timeBase)
        }
    }
}

/// Turns the subtitles of one track into another kind and keeps those of the range.
final class SubtitleTrack: PacketIntake {
    private let converter: SubtitleConverter
    private let source: TimeBase
    private let map: TickMap
    private let duration: Int64?
    private let track: Int
    private let mux: MuxPort
    private(set) var isComplete = false

    init(_ converter: SubtitleConverter, source: TimeBase, range: KeptRange, track: Int, mux: MuxPort) {
        (self.converter, self.source, self.track, self.mux) = (converter, source, track, mux)
        map = TickMap(from: converter.timeBase, to: converter.timeBase, zero: range.start)
        duration = range.duration(converter.timeBase)
    }

    func accept(_ packet: Packet) throws {
        guard let converted = try converter.converted(packet, timeBase: source),
            let ticks = converted.presentationTicks
        else { return }
        let start = try map.mapped(ticks)
        let end = start.addingReportingOverflow(converted.durationTicks ?? 0).partialValue
        if let duration, start >= duration {
            isComplete = true
            return
        }
        guard start >= 0 || end > 0 else { return }
        let first = max(0, start)
        let last = min(end, duration ?? .max)
        let clipped = try converted.retimed(
            presentation: first, decode: first, duration: end > start ? max(1, last - first) : nil)
        try mux.send(clipped, track: track, timeBase: converter.timeBase)
    }

    func finish() { mux.finish(track: track) }
}
