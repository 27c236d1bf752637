internal import Bitstream
internal import FFmpegKit
internal import MediaAsset
internal import MediaTime
internal import MediaTypes

/// A decoded picture and where it stands on its stream's timeline, in ticks.
struct ShownFrame {
    let frame: Frame
    let ticks: Int64
    /// When the next picture begins, if known.
    let nextTicks: Int64?
    let isSyncSample: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    let damage: String?

    /// Whether the picture is known to be the one shown at a time.
    func covers(_ target: Int64) -> Bool {
        guard ticks <= target else { return false }
        let end = nextTicks ?? ticks.addingReportingOverflow(frame.durationTicks ?? 0).partialValue
        return ticks == target || target < end
    }
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
    let source: AssetSource
    let streamIndex: Int
    var demuxer: Demuxer
    var decoder: Decoder
    let classifier: EntryClassifier
    let policy: SeekPolicy
    let possibleShortcuts: Shortcuts
    let isH264: Bool
    /// Whether no picture needs another one to be decoded.
    let isIntraOnly: Bool
    /// Whether each packet that is shown gives a picture of its time.
    let givesPictureForEachPacket: Bool
    /// The presentation times of all sync samples in ascending order, where the
    /// container's index is known to be complete; else empty.
    private(set) var completeIndex: [Int64] = []
    /// What is known of an index that may be incomplete, for a look at where sync samples are.
    var knownIndex: (end: Int64?, ticks: [Int64]) = (nil, [])
    let startTicks: Int64
    let timeBase: TimeBase
    let second: Int64
    /// The length of a frame that does not tell its own.
    let frameTicks: Int64
    var window = PacketWindow()
    var run: Run?
    var nextNumber: Int64 = 0
    var lastSent: (number: Int64, ticks: Int64?) = (0, nil)
    var recovery = RecoveryTrust()
    /// Reads the references between pictures, for codecs where they are followed.
    let references: (any PictureReferences)?
    var packetBudget = 0
    /// What the work cost.
    var counters = StillStatistics()

    /// One uninterrupted decode from an entry point on.
    struct Run {
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
        /// The picture that the packets promise for the last target.
        var expected: Int64?
        /// Whether the decoder was told that the stream ends, so that it hands
        /// out the wanted picture at once; it cannot go on from there.
        var isDrainedEarly = false
        /// Which packets the wanted picture depends on, where that is known.
        var plan: DependencyPlan?
        /// Whether a plan was tried, which makes sense before the first packet only.
        var isPlanned = false
        /// Whether nothing but the sync sample itself was decoded.
        var isSyncOnly = false
        var readFailure: String?
    }

    struct Picture {
        var frame: Frame
        var ticks: Int64
        var damage: String?
        var isSyncSample: Bool
    }

    /// Whether recovery points of this stream have proved to give clean pictures.
    struct RecoveryTrust {
        var confirmations = 0
        var isBroken = false
        var isProven: Bool { confirmations >= 2 }
    }

    enum Attempt {
        /// Go on decoding from where the last lookup stopped.
        case resume
        /// Seek, aiming at a time, and enter at the last entry point that is not
        /// after another.
        case seek(Int64, notAfter: Int64)
        /// Start at the beginning of the file.
        case beginning
    }

    /// Ways to decode less, each undone if what was expected does not come out.
    struct Shortcuts: OptionSet {
        let rawValue: Int
        /// Leave out pictures that nothing refers to.
        static let skip = Shortcuts(rawValue: 1)
        /// Empty the decoder once the wanted picture is in it.
        static let drain = Shortcuts(rawValue: 2)
        /// Decode only what the wanted picture depends on; the run ends there.
        static let dependencies = Shortcuts(rawValue: 4)
    }

    enum Outcome {
        case found(Picture, nextTicks: Int64?)
        /// The first picture after the entry is already past the target.
        case tooLate
        /// The picture is damaged or missing.
        case damaged(String, Picture?)
        /// Skipping hid what was wanted.
        case skippedTooMuch
        /// A packet that should have been shown at the target gave no picture.
        case missing
        case nothing
    }

    /// Takes a demuxer out of the source; `finish()` gives it back.
    init(source: AssetSource, streamIndex: Int) throws {
        self.source = source
        self.streamIndex = streamIndex
        if let track = try source.describe().tracks.first(where: { $0.streamIndex == streamIndex }) {
            try source.checkIsDecodable(track)
        }
        demuxer = try source.checkOut()
        let stream = demuxer.streams[streamIndex]
        decoder = try demuxer.makeDecoder(stream: streamIndex)
        isIntraOnly = stream.video?.isIntraOnly ?? false
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: isIntraOnly)
        // An index that calls every sample a sync sample says nothing.
        let isIndexUseful =
            isIntraOnly || EntryClassifier.readsPictures(of: stream.codec)
            || !demuxer.indexEntries(ofStream: streamIndex).allSatisfy(\.isKey)
        policy =
            demuxer.isSeekable && isIndexUseful
            ? demuxer.container.seekPolicy(for: stream.codec) : .linear
        // Of a picture in two packets, one for each field, both or none must be decoded.
        let isProgressive = stream.video?.fieldOrder?.isInterlaced != true
        let areSafe = policy != .linear && stream.codec.has(.hasNALUnits) && isProgressive
        possibleShortcuts =
            areSafe
            ? [.skip, .drain, .dependencies] : stream.codec == .av1 && policy != .linear ? [.dependencies] : []
        isH264 = stream.codec == .h264
        references =
            possibleShortcuts.contains(.dependencies)
            ? PictureReferencesReader.make(codec: stream.codec, extradata: stream.extradata) : nil
        let isAVI = demuxer.container == .avi
        givesPictureForEachPacket =
            policy != .linear && !isAVI && isProgressive
            && (isIntraOnly || stream.codec.has(.hasPictureInEachPacket))
        startTicks = stream.startTicks ?? 0
        timeBase = stream.timeBase
        second = stream.timeBase.ticks(microseconds: 1_000_000)
        frameTicks = stream.frameTicks
        demuxer.select(streams: [streamIndex])
        let isMovie = demuxer.container.isMovie
        if isMovie, policy == .direct, try !source.describe().canContainFragments { completeIndex = syncTicks() }
    }

    var interrupt: Interrupt { demuxer.interrupt }

    func finish() { source.checkIn(demuxer) }

    // MARK: Lookup

    /// The picture shown at a time, in the stream's ticks.
    ///
    /// - Parameters:
    ///   - acceptsDamage: Gives a damaged picture, marked as such, where no
    ///     better one can be had.
    ///   - goesOn: Whether the next lookup may lie in the same GOP; if not, the
    ///     decoder is emptied as soon as the picture is in it.
    func frame(at target: Int64, acceptsDamage: Bool = false, goesOn: Bool = true) throws -> FrameLookup {
        interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        defer { interrupt.setDeadline(after: nil) }
        packetBudget = demuxer.policy.maximumPackets
        let (outcome, kind) = try lookUp(
            target, first: firstAttempt(target),
            shortcuts: goesOn ? possibleShortcuts.subtracting([.drain, .dependencies]) : possibleShortcuts)
        switch outcome {
        case .found(let picture, let next):
            if kind == .recovery || kind == .gradual, !recovery.isProven, try !confirm(picture, at: target) {
                return try frame(at: target, acceptsDamage: acceptsDamage, goesOn: goesOn)
            }
            return .shown(shown(picture, next: next, damage: nil))
        case .damaged(let reason, let picture?) where acceptsDamage:
            return .shown(shown(picture, next: run?.next?.ticks, damage: reason))
        case .damaged(let reason, _): return .unavailable(reason)
        case .tooLate, .nothing, .skippedTooMuch, .missing: return .unavailable("no picture could be decoded")
        }
    }

    func shown(_ picture: Picture, next: Int64?, damage: String?) -> ShownFrame {
        ShownFrame(
            frame: picture.frame, ticks: picture.ticks, nextTicks: next, isSyncSample: picture.isSyncSample,
            damage: damage)
    }

    func firstAttempt(_ target: Int64) -> Attempt {
        if canResume(to: target) { return .resume }
        switch policy {
        case .direct: return .seek(target, notAfter: target)
        case .search: return .seek(target.subtractingReportingOverflow(second).partialValue, notAfter: target)
        case .linear: return .beginning
        }
    }

    /// Whether the target lies ahead and reading on is cheaper than a seek.
    func canResume(to target: Int64) -> Bool {
        // A run that decoded for one picture only has no others to offer.
        guard let run, run.readFailure == nil, !run.isDrainedEarly, run.plan == nil else { return false }
        guard let reached = run.last?.ticks ?? run.entryTicks, reached <= target else { return false }
        if policy == .linear || run.hasEnded || window.hasReachedEnd { return true }
        if !completeIndex.isEmpty { return isSameGOP(reached, target) }
        return target.subtractingReportingOverflow(max(reached, window.latestDecodeTicks)).partialValue <= 3 * second
    }

    /// Tries entry points, each earlier than the one before, until one gives
    /// the picture or the beginning of the file has been tried.
    func lookUp(
        _ target: Int64, first: Attempt, shortcuts: Shortcuts
    ) throws -> (Outcome, EntryClassifier.Entry) {
        var attempt = first
        var step = second
        var shortcuts = shortcuts
        while true {
            try enter(attempt, target: target)
            let outcome = try decode(to: target, shortcuts: shortcuts)
            let isFromBeginning = run?.entryTicks == nil
            let kind = run?.kind ?? .none
            if leftOutTooMuch(outcome, shortcuts) {
                shortcuts = []
                let entry = run?.entryTicks ?? target
                attempt = isFromBeginning ? .beginning : .seek(run?.entryDecodeTicks ?? entry, notAfter: entry)
                continue
            }
            switch outcome {
            case .found, .skippedTooMuch: return (outcome, kind)
            case .damaged, .nothing:
                // Nothing decoded before a clean entry can help what comes after it.
                if isFromBeginning || kind == .clean { return (outcome, kind) }
            case .tooLate, .missing:
                if isFromBeginning { return (outcome, kind) }
            }
            attempt = earlier(target: target, step: &step)
        }
    }

    /// Whether the outcome may be due to what the decoder was not given.
    private func leftOutTooMuch(_ outcome: Outcome, _ shortcuts: Shortcuts) -> Bool {
        switch outcome {
        case .skippedTooMuch: true
        case .damaged: run?.skippedFor != nil && !shortcuts.isEmpty
        default: false
        }
    }

    func earlier(target: Int64, step: inout Int64) -> Attempt {
        guard let run, let entry = run.entryTicks else { return .beginning }
        let position = min(run.entryDecodeTicks ?? entry, target)
        let aim = step == second ? position - 1 : position.subtractingReportingOverflow(step).partialValue
        step = step.multipliedReportingOverflow(by: 2).partialValue
        return aim < startTicks || step <= 0 ? .beginning : .seek(aim, notAfter: min(aim, entry - 1))
    }

    /// Decodes the same picture from an earlier entry point and compares.
    ///
    /// - Returns: Whether they are equal; if not, recovery points of this
    ///   stream are not used again.
    func confirm(_ picture: Picture, at target: Int64) throws -> Bool {
        var step = second
        let attempt = earlier(target: target, step: &step)
        // What cannot be decoded from further back proves nothing.
        guard case .found(let other, _) = try lookUp(target, first: attempt, shortcuts: []).0 else { return true }
        if other.ticks == picture.ticks, other.frame.contentDigest == picture.frame.contentDigest {
            recovery.confirmations += 1
            return true
        }
        recovery.isBroken = true
        run = nil
        return false
    }

    func isUsable(_ entry: EntryClassifier.Entry) -> Bool {
        entry == .clean || entry != .none && !recovery.isBroken
    }
}
