internal import FFmpegKit
internal import MediaContainers
internal import MediaCore

/// One uninterrupted run of the decoder, from an entry point on.
///
/// Packets go in, in decoding order, until the picture shown at the target is
/// known: the last one to come out that is not after it. Three things can tell
/// that it is the last: a later picture (kept as `next`), the packets ahead,
/// none of which is shown in between, or the end of the stream.
///
/// A run passes through its states in one direction only:
///
///     entered ──► decoding ──► ended
///        │           └──► emptied ──► ended, early
///        └──► syncSample
///
/// `entered` is the only moment at which a plan of what to decode can be made,
/// since it has to begin where the decoder does. A decoder that was told that
/// the stream ends hands out what it holds back and takes nothing more until
/// it is flushed, so that a run that was emptied early has no other pictures to
/// offer: the next one needs a run of its own.
///
/// Source: FFmpeg, "send/receive encoding and decoding API overview",
/// https://ffmpeg.org/doxygen/5.1/group__lavc__encdec.html
package final class DecodeRun {
    typealias Shortcuts = DecodingTraits.Shortcuts

    /// Where decoding began; `nil` for the beginning of the file.
    let entry: RandomAccessPoint?
    private let traits: DecodingTraits
    private let packets: EntryFinder
    private let session: DecodeSession
    private var state = State.entered
    /// Which packets the wanted picture depends on, where that is known.
    private var plan: DependencyPlan?
    private var damage = DamageRecord()
    /// The last picture that came out.
    private(set) var last: ShownFrame?
    /// One that came out too early for the last target.
    private var next: ShownFrame?
    /// The picture because of which others were left undecoded.
    private var skippedFor: Int64?
    /// The picture that the packets promise for the last target.
    private var expected: Int64?
    /// What the run cost so far.
    private(set) var counters = StillStatistics()

    private enum State: Equatable {
        /// No packet was sent yet.
        case entered
        /// Packets are sent as pictures are asked for.
        case decoding
        /// The decoder was told that the stream ends before it does, so that it
        /// hands out the wanted picture at once.
        case emptied
        /// The entry alone was decoded.
        case syncSample
        /// The decoder has nothing more to give.
        case ended(isEarly: Bool)
    }

    /// The decoder has to be new or flushed.
    init(from entry: RandomAccessPoint?, decoder: Decoder, packets: EntryFinder, traits: DecodingTraits) {
        self.entry = entry
        self.packets = packets
        self.traits = traits
        session = DecodeSession(decoder, of: packets.demuxer.streams[traits.streamIndex], from: entry)
    }

    // MARK: What can be had of it

    /// Whether later pictures can be had.
    var canGoOn: Bool {
        // A run that decoded for one picture only has no others to offer.
        plan == nil && [.entered, .decoding, .ended(isEarly: false)].contains(state)
    }

    /// Whether the decoder has given all that it will.
    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Whether pictures were left out for the sake of one.
    var hasSkipped: Bool { skippedFor != nil }

    /// The sync sample that alone was decoded.
    var soleSyncSample: ShownFrame? { state == .syncSample ? last : nil }

    /// Whether all pictures are shown before a time.
    func hasEnded(before time: Int64) -> Bool { hasEnded && next == nil && last.map { $0.ticks < time } ?? false }

    // MARK: Decoding

    /// Decodes on until the picture shown at the target is known.
    func decode(to target: Int64, shortcuts: Shortcuts) throws -> FrameLookup {
        expected = nil
        if let next, next.ticks <= target {
            last = next
            self.next = nil
        }
        if let last, next == nil, isFinal(last, target) { return answer(target, isAtEnd: false) }
        while true {
            if let next, next.ticks > target { return answer(target, isAtEnd: false) }
            if case .ended(let isEarly) = state { return answer(target, isAtEnd: !isEarly) }
            if let found = try drain(target) { return found }
            if next == nil, !hasEnded { try feed(target, shortcuts) }
        }
    }

    /// Decodes the entry and nothing else.
    ///
    /// - Returns: `nil` if that does not give a clean picture of the range.
    func decodeEntry(within range: ClosedRange<Int64>) throws -> ShownFrame? {
        guard let item = packets.takeFirst() else { return nil }
        state = .syncSample
        try send(item, skipsIfUnreferenced: false)
        _ = try session.send(nil)
        while case .frame(let frame, let ticks) = try session.receive().output {
            let picture = picture(of: frame, ticks)
            guard picture.damage == nil, range.contains(ticks) else { continue }
            last = picture
            return picture
        }
        return nil
    }

    // MARK: Pictures out

    /// Takes out what the decoder has ready.
    ///
    /// - Returns: The answer if it is among that.
    private func drain(_ target: Int64) throws -> FrameLookup? {
        while next == nil {
            try packets.interrupt.check(.decode)
            let (output, fault) = try session.receive()
            if let fault, plan?.isHollow(fault.packet) != true { note(fault) }
            switch output {
            case .needsPacket: return nil
            case .end:
                state = .ended(isEarly: state == .emptied)
                return nil
            case .frame(let frame, let ticks):
                if plan?.isHollow(frame.packetNumber) == true { continue }
                let picture = picture(of: frame, ticks)
                if ticks > target {
                    next = picture
                    return nil
                }
                last = picture
                if isFinal(picture, target) { return answer(target, isAtEnd: false) }
            }
        }
        return nil
    }

    /// Whether no packet to come can be shown between this picture and the target.
    private func isFinal(_ picture: ShownFrame, _ target: Int64) -> Bool {
        guard packets.window.latestDecodeTicks > target, traits.policy != .linear else { return false }
        return packets.window.lastTime(atOrBefore: target).map { $0 <= picture.ticks } ?? true
    }

    private func picture(of frame: Frame, _ ticks: Int64) -> ShownFrame {
        packets.noteShown(ticks)
        if let reason = frame.damage { damage.add(packet: frame.packetNumber, ticks: ticks, reason: reason) }
        return ShownFrame(
            frame: frame, ticks: ticks, isSyncSample: packets.window.isSyncSample(frame.packetNumber),
            damage: frame.damage ?? damage.damage(ofPacket: frame.packetNumber, ticks: ticks))
    }

    // MARK: Packets in

    /// Sends one packet, or the end of the stream.
    private func feed(_ target: Int64, _ shortcuts: Shortcuts) throws {
        try packets.readAhead(24)
        if traits.givesPictureForEachPacket, let wanted = packets.window.lastTime(atOrBefore: target) {
            expected = max(expected ?? wanted, wanted)
        }
        if state == .entered {
            if shortcuts.contains(.dependencies) { plan = makePlan(target) }
            state = .decoding
        }
        if shortcuts.contains(.drain) || plan != nil, canEmpty(target) {
            state = .emptied
            skippedFor = packets.window.lastTime(atOrBefore: target)
            _ = try session.send(nil)
            return
        }
        guard let item = packets.takeFirst() else {
            _ = try session.send(nil)
            return
        }
        if let plan, plan.role(of: item.number) != .decoded { return try passOver(item, plan) }
        if packets.isUsable(item.entry), item.entry != .gradual, let ticks = item.ticks {
            damage.addEntry(packet: item.number, ticks: ticks)
        }
        try send(item, skipsIfUnreferenced: shortcuts.contains(.skip) && maySkip(item, target))
    }

    private func send(_ item: PacketWindow.Pending, skipsIfUnreferenced: Bool) throws {
        counters.decoded += 1
        let faults = try session.send(item.packet, number: item.number, skipsIfUnreferenced: skipsIfUnreferenced)
        for fault in faults { note(fault) }
    }

    /// Notes for which picture it is that the decoder may leave this one out, if it may.
    private func maySkip(_ item: PacketWindow.Pending, _ target: Int64) -> Bool {
        guard let ticks = item.ticks, !item.packet.isKey, ticks < target,
            let wanted = packets.window.lastTime(atOrBefore: target), wanted > ticks
        else { return false }
        skippedFor = wanted
        return true
    }

    /// Whether the wanted picture has been sent and nothing that is still to be
    /// sent can be shown before it: the decoder need only hand it out.
    private func canEmpty(_ target: Int64) -> Bool {
        let window = packets.window
        guard state == .decoding, entry?.kind == .clean, window.latestDecodeTicks > target else { return false }
        if let plan, session.lastSent.number == plan.wanted { return true }
        return window.lastPendingTime(atOrBefore: target) == nil && window.lastTime(atOrBefore: target) != nil
    }

    /// The plan for a run of which no packet was sent yet, if there can be one.
    private func makePlan(_ target: Int64) -> DependencyPlan? {
        let window = packets.window
        guard let references = traits.references, let entry, entry.kind == .clean, window.latestDecodeTicks > target,
            window.first?.ticks == entry.ticks, let wanted = window.lastPending(atOrBefore: target),
            let ticks = wanted.ticks, ticks == window.lastTime(atOrBefore: target)
        else { return nil }
        return DependencyPlan(
            packets: window.numberedPackets, wanted: wanted.number, shownAt: ticks, references: references)
    }

    /// Deals with a packet whose picture the plan does not need.
    private func passOver(_ item: PacketWindow.Pending, _ plan: DependencyPlan) throws {
        skippedFor = plan.wantedTicks
        guard plan.isHollow(item.number), let picture = plan.picture(of: item.number),
            let hollow = traits.references?.hollow(item.packet, picture)
        else {
            counters.skipped += 1
            return
        }
        counters.headersOnly += 1
        if try !session.send(hollow: hollow, number: item.number, ticks: item.ticks) { self.plan?.hasFailed = true }
    }

    private func note(_ fault: DecodeSession.Fault) {
        // Some codecs never have a keyframe, and their decoders say so each time they begin.
        if entry == nil, fault.isOfStart { return }
        // What a leading picture lacks is of no concern to the pictures after the entry.
        if let ticks = fault.ticks, entry?.isLed(byFrameAt: ticks) == true { return }
        damage.add(packet: fault.packet, ticks: fault.ticks, reason: fault.reason)
    }

    // MARK: The answer

    /// Whether the picture reached is the one shown at the target.
    ///
    /// The order of the questions is the algorithm. First come those whether
    /// this run can answer at all; then what is known to be broken, which no
    /// other run makes whole unless it begins earlier; then what should have come
    /// and did not, which another run may give; last what the file itself lacks.
    private func answer(_ target: Int64, isAtEnd: Bool) -> FrameLookup {
        if plan?.hasFailed == true { return .unavailable(.skippedTooMuch) }
        guard let picture = last ?? (entry == nil ? next : nil) else {
            if hasSkipped { return .unavailable(.skippedTooMuch) }
            return .unavailable(next == nil ? .nothing : .tooLate)
        }
        if let reason = picture.damage { return damaged(reason, picture) }
        if let reason = damage.missing(after: picture.ticks, through: target) { return damaged(reason, picture) }
        if let skippedFor, skippedFor > picture.ticks { return .unavailable(.skippedTooMuch) }
        // Where times go back, a search can land in a later part that ends before the target.
        let isFarFromEnd =
            isAtEnd && target.subtractingReportingOverflow(picture.ticks).partialValue > traits.second
        if traits.policy == .search, entry != nil, isFarFromEnd { return .unavailable(.missing) }
        if let expected {
            // Some decoders leave out pictures after an entry that they give in a linear pass.
            if entry != nil, expected > picture.ticks { return .unavailable(.missing) }
            // Where no picture needs another, one that a linear pass does not give either is lost.
            if traits.isIntraOnly, expected != picture.ticks, let reason = damage.lastReason {
                return damaged(reason, picture)
            }
        }
        if isAtEnd, picture.ticks < target, let reason = packets.truncation() {
            return damaged(reason, picture)
        }
        var shown = picture
        shown.nextTicks =
            next.flatMap { $0.ticks > picture.ticks ? $0.ticks : nil }
            ?? packets.window.firstTime(after: picture.ticks)
        return .shown(shown)
    }

    private func damaged(_ reason: String, _ picture: ShownFrame) -> FrameLookup {
        var shown = picture
        shown.damage = reason
        shown.nextTicks = next?.ticks
        return .unavailable(.damaged(reason, shown))
    }
}
