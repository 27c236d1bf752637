package import FFmpegKit
package import MediaContainers
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
        /// Samples at the beginning that the source has decoders leave out and the container cannot.
        var leadInSamples: Int64 = 0
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
        /// Whether the container can say what decoders are to leave out at the beginning of sound.
        var saysLeadIn = true
        /// Whether frames of AAC are taken out of LATM.
        var unpacksLATM = false

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
    /// The bytes of one sample of all channels, where sound can be cut at any sample; `nil` for others.
    private let bytesPerFrame: Int?
    /// By how much a packet's told time may be beyond the range for its samples to be counted.
    private let slack: Int64
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
    /// A packet of sound from before the start that does not tell how long it is.
    private var unmeasured: Packet?
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
    private var speech: PackedSpeech?
    private var latm: LATMUnpacker?
    private let demuxer: Demuxer

    init(
        _ stream: Int, of demuxer: Demuxer, entry: RandomAccessPoint?, settings: Settings, filter: BitstreamFilter?,
        track: Int, mux: MuxPort
    ) {
        let info = demuxer.streams[stream]
        (self.info, self.settings, self.track, self.mux, self.filter) = (info, settings, track, mux, filter)
        self.demuxer = demuxer
        speech = PackedSpeech(info)
        if settings.unpacksLATM { latm = LATMUnpacker() }
        headers = HeaderPackets(codec: info.codec, extradata: info.extradata)
        if info.kind == .video, settings.hasEditList {
            leading = LeadingPictures(demuxer.makeShownPictures(ofStream: stream))
        }
        clock = filter == nil ? SoundClock(info, in: demuxer.container) : nil
        bytesPerFrame = clock == nil ? nil : info.audio?.bytesPerFrame
        slack = bytesPerFrame == nil ? 0 : 2
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
        if latm != nil {
            for frame in try unpacked(packet) where !isComplete { try acceptSample(frame) }
            return
        }
        // Muxers take one frame of speech at a time; phones write several in a sample.
        guard let frames = try speech?.frames(of: packet) else { return try acceptSample(packet) }
        for frame in frames where !isComplete { try acceptSample(frame) }
    }

    /// The frames of AAC in a packet of LATM, each with its own time.
    private func unpacked(_ packet: Packet) throws -> [Packet] {
        guard let frames = packet.withBytes({ latm?.frames(in: $0) }) else {
            // What comes before the first configuration cannot be heard.
            guard latm?.configuration != nil else { return [] }
            if packet.isCorrupt || settings.allowsDamage {
                try noteDamage(of: packet)
                return []
            }
            throw FFmpegError(
                kind: .unsupported, operation: .write,
                reason:
                    "\(info.nameOfTrack) has a packet of LATM that is damaged or has other settings than the first: "
                    + "decoded and encoded anew, all of it is kept")
        }
        let count = Int64(frames.count)
        return try frames.enumerated().map { index, bytes in
            let length = packet.durationTicks.map { $0 / count }
            let delay = Int64(index) * (length ?? 0)
            return try packet.replacingData(with: bytes).retimed(
                presentation: packet.presentationTicks.map { $0 &+ delay },
                decode: packet.decodeTicks.map { $0 &+ delay }, duration: length)
        }
    }

    private func acceptSample(_ packet: Packet) throws {
        let packet = try scrubbed(packet)
        if packet.isCorrupt, isWanted(packet) { try noteDamage(of: packet) }
        guard info.kind == .video || info.kind == .audio else { return try acceptOther(packet) }
        guard try !isHeader(packet) else { return }
        guard let decode = packet.decodeTicks ?? packet.presentationTicks else {
            // Hidden pictures without a time lie before the source's zero, and no later one is predicted from them.
            return packet.isDiscarded || !gate.isOpen ? () : try write(packet)
        }
        if let endTicks, decode.subtractingReportingOverflow(slack).partialValue >= endTicks, !mayPrecedeOthers(packet)
        {
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

    private func noteDamage(of packet: Packet) throws {
        guard settings.allowsDamage else {
            let time = timeBase.time(of: packet.presentationTicks ?? packet.decodeTicks ?? 0)
            throw DamageWatch.error("a packet is incomplete", at: time - settings.origin)
        }
        result.damaged += 1
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
        // The last packet of all may last until after the start, as far as packets are that long.
        if !hasStarted, let last = unmeasured, let ticks = last.presentationTicks ?? last.decodeTicks,
            startTicks.subtractingReportingOverflow(ticks).partialValue < info.timeBase.ticks(microseconds: 100_000)
        {
            for packet in held + [last] { try write(packet) }
        }
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
            let isWhole = settings.followsPictures && !settings.hasEditList && bytesPerFrame == nil
            let isBefore =
                isWhole ? ticks < startTicks : end.addingReportingOverflow(slack).partialValue <= startTicks
            if let last = unmeasured { held.append(last) }
            unmeasured = nil
            if isBefore {
                // What has no length ends where the next one begins.
                let isMeasured = isWhole || packet.durationTicks != nil
                if isMeasured { held.append(packet) } else { unmeasured = packet }
                settings.preroll?.trim(&held, before: isMeasured ? end : ticks, of: info)
                return
            }
            if ticks <= startTicks { settings.preroll?.trim(&held, before: ticks, of: info) }
            hasStarted = true
            if !settings.hasEditList {
                result.leadInSamples = info.samplesNotToBeHeard(in: held + [packet], isSaid: settings.saysLeadIn)
            }
            for packet in held { try write(packet.retimed(isDiscarded: settings.hasEditList ? nil : false)) }
            held.removeAll()
        }
        try write(packet)
    }

    /// Keeps hidden sound only as far as the first packet that is heard needs it.
    private func holdHidden(_ packet: Packet) {
        // In AVI the first packet of each track is the beginning.
        guard !hasStarted, !settings.form.hasDecodeTimesOnly else { return }
        hiddenStart = settings.hiddenPreroll.hold(packet, hiddenSince: hiddenStart, of: info, in: &held)
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
            settings.hasEditList, clock == nil
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
            if let bytesPerFrame { return try passSamples(packet, start, counted.duration, bytesPerFrame, base) }
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

    /// Passes on what of a packet of PCM is in the range.
    private func passSamples(
        _ packet: Packet, _ start: Int64, _ duration: Int64, _ bytesPerFrame: Int, _ base: TimeBase
    ) throws {
        let isCutAtStart = settings.range.start > settings.origin
        let first = max(isCutAtStart ? -start : 0, settings.hasEditList ? 0 : packet.samplesLeftOutAtStart)
        let end = settings.range.end.map { base.ticks(nearest: $0) - base.ticks(nearest: settings.range.start) }
        let last = end.map { min(duration, $0 - start) } ?? duration
        guard first < last else { return }
        let isWhole = first <= 0 && last * Int64(bytesPerFrame) >= packet.byteCount
        let part = isWhole ? packet : try packet.part(Int(max(0, first)) * bytesPerFrame..<Int(last) * bytesPerFrame)
        let time = start + max(0, first)
        try mux.send(
            part.retimed(presentation: time, decode: time, duration: last - max(0, first)), track: track, timeBase: base
        )
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

extension AudioPreroll {
    /// Holds a packet that the source hides, and of all such no more than the first that is heard needs.
    ///
    /// - Returns: When the first of them begins.
    package func hold(
        _ packet: Packet, hiddenSince start: Int64?, of info: StreamInfo, in held: inout [Packet]
    ) -> Int64 {
        held.append(packet)
        let ticks = packet.presentationTicks ?? packet.decodeTicks ?? 0
        let end = ticks.addingReportingOverflow(max(1, packet.durationTicks ?? 1)).partialValue
        let first = start ?? ticks
        // As much as an encoder's own delay is at the beginning of any file.
        if end.subtractingReportingOverflow(first).partialValue > info.timeBase.ticks(microseconds: 100_000) {
            trim(&held, before: end, of: info)
        }
        return first
    }

    /// Lets go of what is more than a packet that begins at a time needs.
    func trim(_ held: inout [Packet], before time: Int64, of info: StreamInfo) {
        let ticks = milliseconds > 0 ? info.timeBase.ticks(microseconds: Int64(milliseconds) * 1000) : 0
        while held.count > packets {
            // What is left after the first has to last long enough.
            let next = held.count > 1 ? held[1].presentationTicks ?? held[1].decodeTicks ?? 0 : time
            guard time.subtractingReportingOverflow(next).partialValue >= ticks else { return }
            held.removeFirst()
        }
    }
}

extension StreamInfo {
    /// How many samples decoders leave out at the beginning of sound that is copied into a file without an edit list.
    ///
    /// - Parameters:
    ///   - packets: From the beginning up to the first that is heard.
    ///   - isSaid: Whether the file says what the codec's own header does.
    package func samplesNotToBeHeard(in packets: [Packet], isSaid: Bool) -> Int64 {
        let hidden = packets.filter(\.isDiscarded).reduce(into: Int64(0)) { $0 += soundLength(of: $1) ?? 0 }
        if isSaid { return max(0, hidden - TimeBase(numerator: 1, denominator: 48_000).ticks(atOrAfter: preSkip)) }
        return packets.filter { !$0.isDiscarded }.reduce(into: hidden) { $0 += $1.samplesLeftOutAtStart }
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
    /// The texts that are not over yet, on the timeline of the new file.
    private var shown: [SubtitleConverter.Cue] = []
    /// Up to where texts were sent.
    private var position = Int64.min
    private var sentEnd: Int64 = 0
    private(set) var isComplete = false
    /// What the texts had that the new form has not.
    var lostStyling: Set<SubtitleStyling> { converter.lost }

    init(_ converter: SubtitleConverter, source: TimeBase, range: KeptRange, track: Int, mux: MuxPort) {
        (self.converter, self.source, self.track, self.mux) = (converter, source, track, mux)
        map = TickMap(from: converter.timeBase, to: converter.timeBase, zero: range.start)
        duration = range.duration(converter.timeBase)
    }

    /// Texts that are shown at a time; files that are made to take long have more.
    private static let maximumShown = 16
    /// The muxer of movies knows no text or pause that is longer.
    private static let longest: Int64 = 1 << 30

    func accept(_ packet: Packet) throws {
        guard var cue = try converter.cue(packet, timeBase: source) else { return }
        cue.start = try map.mapped(cue.start)
        cue.end = try cue.end.map { try map.mapped($0) }
        if let duration, cue.start >= duration {
            isComplete = true
            return
        }
        guard cue.end ?? .max > 0 else { return }
        guard converter.showsOneAtATime else { return try send([cue], from: cue.start, to: cue.end) }
        try sendShown(until: cue.start)
        guard shown.count < Self.maximumShown else { return converter.noteOverlaps() }
        // One that comes too late is shown as long, as the muxer would have it.
        if let end = cue.end, end <= position { (cue.start, cue.end) = (position, position + (end - cue.start)) }
        shown.append(cue)
    }

    /// Sends the texts that are shown up to a time, each set of them by itself.
    ///
    /// - Parameter time: When the next text begins; `nil` at the end.
    private func sendShown(until time: Int64?) throws {
        while let first = shown.map(\.start).min() {
            let start = max(position, first)
            if let time, start >= time { return }
            let now = shown.filter { $0.start <= start }
            // A text of which nothing says when it ends is there until the next one.
            let later = shown.map(\.start).filter { $0 > start }
            let end = (now.compactMap { $0.end ?? time } + later + [time]).compactMap(\.self).min()
            try send(now, from: start, to: end)
            guard let end else { return shown.removeAll() }
            position = end
            shown.removeAll { ($0.end ?? time ?? .max) <= end }
        }
    }

    private func send(_ cues: [SubtitleConverter.Cue], from start: Int64, to end: Int64?) throws {
        var first = max(0, start)
        let last = [end, duration].compactMap(\.self).min()
        guard let cue = cues.first, last ?? .max > first, let packet = try converter.packet(of: cues) else { return }
        if converter.showsOneAtATime {
            let furthest = Self.longest * 64
            while first - sentEnd > Self.longest, first - sentEnd < furthest, let pause = converter.pause(like: cue) {
                sentEnd += Self.longest
                try send(pause, from: sentEnd, to: sentEnd + 1)
            }
            while let last, last - first > Self.longest, last - first < furthest {
                try send(packet, from: first, to: first + Self.longest)
                first += Self.longest
            }
        }
        try send(packet, from: first, to: last)
        sentEnd = last ?? first
    }

    private func send(_ packet: Packet, from start: Int64, to end: Int64?) throws {
        let timed = try packet.retimed(presentation: start, decode: start, duration: end.map { max(1, $0 - start) })
        try mux.send(timed, track: track, timeBase: converter.timeBase)
    }

    func finish() throws {
        try sendShown(until: nil)
        mux.finish(track: track)
    }
}
