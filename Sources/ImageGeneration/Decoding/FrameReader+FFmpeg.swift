internal import FFmpegKit
internal import MediaAsset
internal import MediaTime

/// A decoded picture and where it stands on its stream's timeline, in ticks.
struct ShownFrame {
    let frame: Frame
    let ticks: Int64
    /// When the next picture begins, if known.
    let nextTicks: Int64?
    let isSyncSample: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    let damage: String?
}

/// What asking for the picture at a time gives.
enum FrameLookup {
    case shown(ShownFrame)
    /// The picture at that time cannot be had, and why.
    case unavailable(String)
}

/// Finds the picture shown at a time: the one with the greatest presentation
/// time at or before it.
///
/// One demuxer and one decoder, used by one thread at a time. Lookups in
/// ascending order cost one entry and one decode for each GOP; a lookup in the
/// GOP being decoded goes on from where the last one stopped.
///
/// A run enters at a sync sample whose presentation time is not after the
/// target, which is checked on the packet itself. Pictures that precede the
/// entry in presentation order belong to the GOP before and never count.
final class FrameReader {
    /// What the work cost.
    struct Counters: Sendable, Equatable {
        var entries = 0
        var packetsSent = 0
    }

    private let source: AssetSource
    private let streamIndex: Int
    private var demuxer: Demuxer
    private var decoder: Decoder
    private let classifier: EntryClassifier
    private let policy: SeekPolicy
    private let canSkipUnreferenced: Bool
    private let startTicks: Int64
    let timeBase: TimeBase
    private let second: Int64
    /// The length of a frame that does not tell its own.
    private let frameTicks: Int64
    private var window = PacketWindow()
    private var run: Run?
    private var nextNumber: Int64 = 0
    private var lastSent: (number: Int64, ticks: Int64?) = (0, nil)
    private var recovery = RecoveryTrust()
    private var packetBudget = 0
    private(set) var counters = Counters()

    /// One uninterrupted decode from an entry point on.
    private struct Run {
        /// Where decoding began: `nil` for the beginning of the file.
        var entryTicks: Int64?
        var entryDecodeTicks: Int64?
        var kind: EntryClassifier.Entry
        var damage = DamageRecord()
        /// The last picture that came out, and one that came out too early for
        /// the last target.
        var last: Picture?
        var next: Picture?
        var hasEnded = false
        /// The picture because of which others were left undecoded.
        var skippedFor: Int64?
        var readFailure: String?
    }

    private struct Picture {
        var frame: Frame
        var ticks: Int64
        var damage: String?
        var isSyncSample: Bool
    }

    /// Whether recovery points of this stream have proved to give clean pictures.
    private struct RecoveryTrust {
        var confirmations = 0
        var isBroken = false
        var isProven: Bool { confirmations >= 2 }
    }

    private enum Attempt {
        /// Go on decoding from where the last lookup stopped.
        case resume
        /// Seek, aiming at a time.
        case seek(Int64)
        /// Start at the beginning of the file.
        case beginning
    }

    private enum Outcome {
        case found(Picture, nextTicks: Int64?)
        /// The first picture after the entry is already past the target.
        case tooLate
        /// The picture is damaged or missing.
        case damaged(String, Picture?)
        /// Skipping hid what was wanted.
        case skippedTooMuch
        case nothing
    }

    /// Takes a demuxer out of the source; `finish()` gives it back.
    init(source: AssetSource, streamIndex: Int) throws {
        self.source = source
        self.streamIndex = streamIndex
        demuxer = try source.checkOut()
        let stream = demuxer.streams[streamIndex]
        decoder = try demuxer.makeDecoder(stream: streamIndex)
        classifier = EntryClassifier(codec: stream.codecName, extradata: stream.extradata)
        policy = demuxer.isSeekable ? SeekPolicy(formatName: demuxer.formatName, codec: stream.codecName) : .linear
        // Of a picture in two packets, one for each field, both or none must be decoded.
        let isProgressive = [nil, "progressive"].contains(stream.video?.fieldOrder)
        canSkipUnreferenced = policy != .linear && ["h264", "hevc"].contains(stream.codecName) && isProgressive
        startTicks = stream.startTicks ?? 0
        timeBase = stream.timeBase
        second = stream.timeBase.ticks(microseconds: 1_000_000)
        frameTicks = stream.frameTicks
        demuxer.select(streams: [streamIndex])
    }

    var interrupt: Interrupt { demuxer.interrupt }

    func finish() { source.checkIn(demuxer) }

    // MARK: Planning

    /// Divides ascending targets into runs that are decoded independently: no
    /// GOP is part of two of them.
    func groups(of targets: [Int64]) -> [Range<Int>] {
        guard let first = targets.first, policy != .linear else { return targets.isEmpty ? [] : [targets.indices] }
        let entries = syncTicks()
        func isSameRun(_ previous: Int64, _ target: Int64) -> Bool {
            if entries.count > 1 {
                return Self.lastIndex(of: entries, atOrBefore: previous)
                    == Self.lastIndex(of: entries, atOrBefore: target)
            }
            return target.subtractingReportingOverflow(previous).partialValue <= 3 * second
        }
        var groups: [Range<Int>] = []
        var start = 0
        var previous = first
        for (index, target) in targets.enumerated() {
            if !isSameRun(previous, target) {
                groups.append(start..<index)
                start = index
            }
            previous = target
        }
        return groups + [start..<targets.count]
    }

    /// The presentation times of the sync samples that the container's index
    /// lists, in ascending order, empty where it lists none.
    private func syncTicks() -> [Int64] {
        guard policy == .direct else { return [] }
        let entries = demuxer.indexEntries(ofStream: streamIndex)
        guard let first = entries.first else { return [] }
        // A movie's index holds decode times, which run ahead of presentation times by a constant.
        let delay = max(0, startTicks.subtractingReportingOverflow(first.ticks).partialValue)
        return entries.filter(\.isKey).map { $0.ticks.addingReportingOverflow(delay).partialValue }.sorted()
    }

    private static func lastIndex(of entries: [Int64], atOrBefore ticks: Int64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] > ticks { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: Lookup

    /// The picture shown at a time, in the stream's ticks.
    ///
    /// - Parameter acceptsDamage: Gives a damaged picture, marked as such, where
    ///   no better one can be had.
    func frame(at target: Int64, acceptsDamage: Bool = false) throws -> FrameLookup {
        interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        defer { interrupt.setDeadline(after: nil) }
        packetBudget = demuxer.policy.maximumPackets
        let (outcome, kind) = try lookUp(target, first: firstAttempt(target))
        switch outcome {
        case .found(let picture, let next):
            if kind == .recovery || kind == .gradual, !recovery.isProven, try !confirm(picture, at: target) {
                return try frame(at: target, acceptsDamage: acceptsDamage)
            }
            return .shown(shown(picture, next: next, damage: nil))
        case .damaged(let reason, let picture?) where acceptsDamage:
            return .shown(shown(picture, next: run?.next?.ticks, damage: reason))
        case .damaged(let reason, _): return .unavailable(reason)
        case .tooLate, .nothing, .skippedTooMuch: return .unavailable("no picture could be decoded")
        }
    }

    private func shown(_ picture: Picture, next: Int64?, damage: String?) -> ShownFrame {
        ShownFrame(
            frame: picture.frame, ticks: picture.ticks, nextTicks: next, isSyncSample: picture.isSyncSample,
            damage: damage)
    }

    private func firstAttempt(_ target: Int64) -> Attempt {
        if canResume(to: target) { return .resume }
        switch policy {
        case .direct: return .seek(target)
        case .search: return .seek(target.subtractingReportingOverflow(second).partialValue)
        case .linear: return .beginning
        }
    }

    /// Whether the target lies ahead and reading on is cheaper than a seek.
    private func canResume(to target: Int64) -> Bool {
        guard let run, run.readFailure == nil else { return false }
        guard let reached = run.last?.ticks ?? run.entryTicks, reached <= target else { return false }
        if policy == .linear || run.hasEnded || window.hasReachedEnd { return true }
        return target.subtractingReportingOverflow(max(reached, window.latestDecodeTicks)).partialValue <= 3 * second
    }

    /// Tries entry points, each earlier than the one before, until one gives
    /// the picture or the beginning of the file has been tried.
    private func lookUp(_ target: Int64, first: Attempt) throws -> (Outcome, EntryClassifier.Entry) {
        var attempt = first
        var step = second
        var allowsSkipping = canSkipUnreferenced
        while true {
            try enter(attempt, target: target)
            let outcome = try decode(to: target, allowsSkipping: allowsSkipping)
            let isFromBeginning = run?.entryTicks == nil
            let kind = run?.kind ?? .none
            switch outcome {
            case .found: return (outcome, kind)
            case .skippedTooMuch:
                allowsSkipping = false
                attempt = isFromBeginning ? .beginning : .seek(run?.entryDecodeTicks ?? run?.entryTicks ?? target)
                continue
            case .damaged, .nothing:
                // Nothing decoded before a clean entry can help what comes after it.
                if isFromBeginning || kind == .clean && !isResumed(attempt) { return (outcome, kind) }
            case .tooLate:
                if isFromBeginning { return (outcome, kind) }
            }
            attempt = earlier(target: target, step: &step)
        }
    }

    private func isResumed(_ attempt: Attempt) -> Bool {
        if case .resume = attempt { return true }
        return false
    }

    private func earlier(target: Int64, step: inout Int64) -> Attempt {
        guard let run, let entry = run.entryTicks else { return .beginning }
        let position = min(run.entryDecodeTicks ?? entry, target)
        let aim = step == second ? position - 1 : position.subtractingReportingOverflow(step).partialValue
        step = step.multipliedReportingOverflow(by: 2).partialValue
        return aim < startTicks || step <= 0 ? .beginning : .seek(aim)
    }

    /// Decodes the same picture from an earlier entry point and compares.
    ///
    /// - Returns: Whether they are equal; if not, recovery points of this
    ///   stream are not used again.
    private func confirm(_ picture: Picture, at target: Int64) throws -> Bool {
        var step = second
        let attempt = earlier(target: target, step: &step)
        let (outcome, kind) = try lookUp(target, first: attempt)
        guard case .found(let other, _) = outcome else {
            recovery.isBroken = kind != .clean || recovery.isBroken
            return true
        }
        if other.ticks == picture.ticks, other.frame.contentDigest == picture.frame.contentDigest {
            recovery.confirmations += 1
            return true
        }
        recovery.isBroken = true
        run = nil
        return false
    }

    private func isUsable(_ entry: EntryClassifier.Entry) -> Bool {
        entry == .clean || entry != .none && !recovery.isBroken
    }

    // MARK: Entering

    /// Brings the decoder to an entry point at or before the target, or to the
    /// beginning of the file if there is none.
    private func enter(_ attempt: Attempt, target: Int64) throws {
        var step = second
        var attempt = attempt
        while true {
            switch attempt {
            case .resume:
                try lookAhead(to: target)
                return
            case .beginning:
                try enterBeginning()
                return
            case .seek(let ticks):
                if try seek(to: ticks), try findEntry(target: target) { return }
                let aim = ticks.subtractingReportingOverflow(step).partialValue
                step = step.multipliedReportingOverflow(by: 2).partialValue
                attempt = aim < startTicks || step <= 0 ? .beginning : .seek(aim)
            }
        }
    }

    private func seek(to ticks: Int64) throws -> Bool {
        run = nil
        window.removeAll()
        decoder.flush()
        counters.entries += 1
        return try demuxer.seek(stream: streamIndex, toTicks: ticks)
    }

    /// A fresh demuxer and decoder: the state that a linear decode begins with.
    private func enterBeginning() throws {
        counters.entries += 1
        if demuxer.packetsRead > 0 || demuxer.seeks > 0 {
            demuxer = try source.open(interrupt: interrupt)
            demuxer.select(streams: [streamIndex])
            interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        }
        decoder = try demuxer.makeDecoder(stream: streamIndex)
        window.removeAll()
        run = Run(entryTicks: nil, entryDecodeTicks: nil, kind: .none)
    }

    /// Reads on to the last entry point at or before the target.
    ///
    /// - Returns: Whether there is one between here and the target.
    private func findEntry(target: Int64) throws -> Bool {
        while let item = try readNext() {
            guard let ticks = item.ticks else { continue }
            if isUsable(item.entry) {
                guard ticks <= target else { return false }
                window.append(item)
                startRun(at: item)
                try lookAhead(to: target)
                return true
            }
            if let decode = item.packet.decodeTicks, decode > target { return false }
        }
        return false
    }

    private func startRun(at item: PacketWindow.Pending) {
        window.restartAtLast()
        decoder.outputsUnrecovered = item.entry == .recovery
        run = Run(entryTicks: item.ticks, entryDecodeTicks: item.packet.decodeTicks, kind: item.entry)
    }

    /// Reads until all packets that could be shown at or before the target are
    /// there; passes over GOPs that end before it.
    private func lookAhead(to target: Int64) throws {
        let limit = demuxer.policy.maximumPendingBytes
        while window.latestDecodeTicks <= target, window.pendingBytes < limit, let item = try readNext() {
            window.append(item)
            guard policy != .linear, isUsable(item.entry), let ticks = item.ticks else { continue }
            if ticks > target { return }
            // The run in progress is cut short only if something was passed over.
            if window.count > 1 || run?.last != nil {
                decoder.flush()
                startRun(at: item)
            }
        }
    }

    private func readNext() throws -> PacketWindow.Pending? {
        while !window.hasReachedEnd {
            do {
                guard let packet = try demuxer.readPacket() else { break }
                packetBudget -= 1
                guard packetBudget > 0 else {
                    throw FFmpegError(kind: .limit, operation: "read", reason: "too many packets for one still")
                }
                guard packet.streamIndex == streamIndex else { continue }
                nextNumber += 1
                return PacketWindow.Pending(
                    packet: packet, number: nextNumber, ticks: packet.presentationTicks ?? packet.decodeTicks,
                    entry: classifier.classify(packet))
            } catch let error as FFmpegError where error.kind == .damaged || error.kind == .inputOutput {
                run?.readFailure = error.reason
                break
            }
        }
        window.hasReachedEnd = true
        return nil
    }

    // MARK: Decoding

    /// Decodes on until the picture shown at the target is known.
    private func decode(to target: Int64, allowsSkipping: Bool) throws -> Outcome {
        guard run != nil else { return .nothing }
        if let next = run?.next, next.ticks <= target {
            run?.last = next
            run?.next = nil
        }
        if let last = run?.last, run?.next == nil, isFinal(last, target) { return answer(target, hasMore: true) }
        while true {
            if let next = run?.next, next.ticks > target { return answer(target, hasMore: true) }
            if run?.hasEnded == true { return answer(target, hasMore: false) }
            if let outcome = try drain(target) { return outcome }
            if run?.next == nil, run?.hasEnded == false { try feed(target, allowsSkipping: allowsSkipping) }
        }
    }

    /// Takes out what the decoder has ready.
    ///
    /// - Returns: The answer if it is among that.
    private func drain(_ target: Int64) throws -> Outcome? {
        while run?.next == nil {
            try interrupt.check("decode")
            let (output, logged) = try decoder.receive()
            if let logged { note(logged, number: lastSent.number, ticks: lastSent.ticks) }
            switch output {
            case .needsPacket: return nil
            case .end:
                run?.hasEnded = true
                return nil
            case .frame(let frame):
                guard let picture = picture(of: frame) else { continue }
                if picture.ticks > target {
                    run?.next = picture
                    return nil
                }
                run?.last = picture
                if isFinal(picture, target) { return answer(target, hasMore: true) }
            }
        }
        return nil
    }

    /// Whether no packet to come can be shown between this picture and the target.
    private func isFinal(_ picture: Picture, _ target: Int64) -> Bool {
        guard window.latestDecodeTicks > target, policy == .direct || policy == .search else { return false }
        return window.lastTime(atOrBefore: target).map { $0 <= picture.ticks } ?? true
    }

    private func picture(of frame: Frame) -> Picture? {
        // Raw streams and the last pictures of some containers have no time of their own.
        guard let ticks = frame.presentationTicks ?? following(run?.next ?? run?.last, frame) else { return nil }
        window.shown(ticks)
        // Leading pictures of an open GOP belong to the GOP before.
        if let entry = run?.entryTicks, ticks < entry { return nil }
        if let damage = frame.damage { run?.damage.add(packet: frame.packetNumber, ticks: ticks, reason: damage) }
        return Picture(
            frame: frame, ticks: ticks,
            damage: frame.damage ?? run?.damage.damage(ofPacket: frame.packetNumber, ticks: ticks),
            isSyncSample: window.isSyncSample(frame.packetNumber))
    }

    /// The time after a picture, or zero for the first one of a stream without times.
    private func following(_ picture: Picture?, _ frame: Frame) -> Int64? {
        guard let picture else { return run?.entryTicks == nil ? 0 : nil }
        return picture.ticks.addingReportingOverflow(frame.durationTicks ?? frameTicks).partialValue
    }

    /// Sends one packet, or the end of the stream.
    private func feed(_ target: Int64, allowsSkipping: Bool) throws {
        while window.count < 24, try readAhead() {}
        guard let item = window.takeFirst() else {
            _ = try decoder.send(nil, number: nextNumber)
            return
        }
        var skips = false
        if allowsSkipping, let ticks = item.ticks, !item.packet.isKey, ticks < target,
            let wanted = window.lastTime(atOrBefore: target), wanted > ticks
        {
            skips = true
            run?.skippedFor = wanted
        }
        counters.packetsSent += 1
        lastSent = (item.number, item.ticks)
        if item.packet.isCorrupt { note("a packet is incomplete", number: item.number, ticks: item.ticks) }
        if isUsable(item.entry), item.entry == .clean, let ticks = item.ticks {
            run?.damage.addEntry(packet: item.number, ticks: ticks)
        }
        if let logged = try decoder.send(item.packet, number: item.number, skipsIfUnreferenced: skips) {
            note(logged, number: item.number, ticks: item.ticks)
        }
    }

    private func readAhead() throws -> Bool {
        guard let item = try readNext() else { return false }
        window.append(item)
        return true
    }

    /// Why the packets ended before the container says that they do.
    private var truncation: String? {
        if let reason = demuxer.takeLoggedError() { return reason }
        guard let last = demuxer.lastIndexTicks(ofStream: streamIndex), last > window.latestDecodeTicks else {
            return nil
        }
        return "samples that the index lists are missing"
    }

    private func note(_ reason: String, number: Int64, ticks: Int64?) {
        // What a leading picture lacks is of no concern to the pictures after the entry.
        if let ticks, let entry = run?.entryTicks, ticks < entry { return }
        run?.damage.add(packet: number, ticks: ticks, reason: reason)
    }

    private func answer(_ target: Int64, hasMore: Bool) -> Outcome {
        guard let run else { return .nothing }
        guard let picture = run.last ?? (run.entryTicks == nil ? run.next : nil) else {
            if run.skippedFor != nil { return .skippedTooMuch }
            return run.next == nil ? .nothing : .tooLate
        }
        if let reason = picture.damage { return .damaged(reason, picture) }
        if let reason = run.damage.missing(after: picture.ticks, through: target) { return .damaged(reason, picture) }
        if let expected = run.skippedFor, expected > picture.ticks { return .skippedTooMuch }
        if !hasMore, picture.ticks < target, let reason = run.readFailure ?? truncation {
            return .damaged("the file is cut short: \(reason)", picture)
        }
        let next = run.next.flatMap { $0.ticks > picture.ticks ? $0.ticks : nil }
        return .found(picture, nextTicks: next ?? window.firstTime(after: picture.ticks))
    }
}
