package import FFmpegKit
package import MediaAsset
internal import MediaContainers
package import MediaCore

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
///
/// A lookup is a row of attempts, each made of an entry (`EntryFinder`) and a
/// run of the decoder from there (`DecodeRun`). An attempt that does not give
/// the picture says why, and that decides on the next one: the same entry
/// without shortcuts, where something was left out; an earlier entry, where the
/// picture may be whole from there; in the end the beginning of the file, which
/// gives what a linear decode gives. What holds after a clean entry is final,
/// since nothing before one can change what comes after it.
package final class FrameReader {
    private let source: AssetSource
    private var traits: DecodingTraits
    private var finder: EntryFinder
    private var decoder: Decoder
    /// The run in progress, `nil` between a seek and the entry after it.
    private var run: DecodeRun? {
        didSet { if let oldValue { spent.add(oldValue.counters) } }
    }
    /// What the runs before cost, and all entries.
    private var spent = StillStatistics()

    private enum Attempt {
        /// Go on decoding from where the last lookup stopped.
        case resume(DecodeRun)
        /// Seek, aiming at a time, and enter at the last entry point that is not
        /// after another.
        case seek(Int64, notAfter: Int64)
        /// Start at the beginning of the file.
        case beginning
    }

    /// Takes a demuxer out of the source; `finish()` gives it back.
    package init(source: AssetSource, streamIndex: Int) throws {
        self.source = source
        let description = try source.describe()
        if let track = description.tracks.first(where: { $0.streamIndex == streamIndex }) {
            try source.checkIsDecodable(track)
        }
        let demuxer = try source.checkOut()
        traits = try DecodingTraits(
            stream: demuxer.streams[streamIndex], of: demuxer, canContainFragments: description.canContainFragments,
            frames: source.knownFrames(ofStream: streamIndex))
        finder = EntryFinder(source: source, demuxer: demuxer, traits: traits)
        decoder = try finder.makeDecoder()
    }

    /// The length of the stream's tick.
    package var timeBase: TimeBase { traits.timeBase }

    /// Whether a pass over the file would lead to frames that are reached only from the beginning as it is.
    var lacksPositions: Bool { traits.canUsePositions && traits.positions == nil }

    /// Stops the work under way, from another thread.
    package var interrupt: Interrupt { finder.interrupt }

    /// What the work cost.
    package var counters: StillStatistics {
        var sum = spent
        if let run { sum.add(run.counters) }
        return sum
    }

    package func finish() { finder.finish() }

    /// Divides ascending targets into groups that are decoded independently: no
    /// GOP is part of two of them.
    package func groups(of targets: [Int64]) -> [Range<Int>] {
        guard let first = targets.first, traits.policy != .linear else {
            return targets.isEmpty ? [] : [targets.indices]
        }
        var groups: [Range<Int>] = []
        var start = 0
        var previous = first
        for (index, target) in targets.enumerated() {
            if !isNear(previous, target) {
                groups.append(start..<index)
                start = index
            }
            previous = target
        }
        return groups + [start..<targets.count]
    }

    /// Whether reading on from one time to another is cheaper than a seek.
    private func isNear(_ earlier: Int64, _ later: Int64, read: Int64 = .min) -> Bool {
        if !finder.completeIndex.isEmpty { return finder.completeIndex.isOneGOP(earlier, later) }
        return later.subtractingReportingOverflow(max(earlier, read)).partialValue <= 3 * traits.second
    }

    // MARK: Lookup

    /// The picture shown at a time, in the stream's ticks.
    ///
    /// - Parameters:
    ///   - acceptsDamage: Gives a damaged picture, marked as such, where no
    ///     better one can be had.
    ///   - goesOn: Whether the next lookup may lie in the same GOP; if not, the
    ///     decoder is emptied as soon as the picture is in it.
    package func frame(at target: Int64, acceptsDamage: Bool = false, goesOn: Bool = true) throws -> FrameLookup {
        do {
            return try lookUp(target, acceptsDamage: acceptsDamage, goesOn: goesOn)
        } catch is PositionsDoNotFit {
            try readFromBeginning()
            return try frame(at: target, acceptsDamage: acceptsDamage, goesOn: goesOn)
        }
    }

    private func lookUp(_ target: Int64, acceptsDamage: Bool, goesOn: Bool) throws -> FrameLookup {
        let shortcuts = goesOn ? traits.shortcuts.subtracting([.drain, .dependencies]) : traits.shortcuts
        let found = try finder.withinLimits {
            let (found, run) = try lookUp(target, first: firstAttempt(target), shortcuts: shortcuts)
            guard case .shown(let picture) = found, let entry = run.entry, entry.kind != .clean,
                !finder.isRecoveryProven
            else { return Optional(found) }
            return try confirm(picture, at: target, after: entry) ? found : nil
        }
        switch found {
        case nil: return try lookUp(target, acceptsDamage: acceptsDamage, goesOn: goesOn)
        case .unavailable(.damaged(_, let picture)) where acceptsDamage: return .shown(picture)
        case let found?: return found
        }
    }

    /// Goes without an index that has led astray.
    private func readFromBeginning() throws {
        source.forgetFrames()
        run = nil
        traits = DecodingTraits(
            stream: finder.demuxer.streams[traits.streamIndex], of: finder.demuxer, canContainFragments: false,
            frames: nil)
        finder = EntryFinder(source: source, demuxer: finder.demuxer, traits: traits)
        decoder = try finder.makeDecoder()
    }

    private func firstAttempt(_ target: Int64) -> Attempt {
        if let run, canResume(run, to: target) { return .resume(run) }
        switch traits.policy {
        case .direct: return .seek(target, notAfter: target)
        case .search: return .seek(target.subtractingReportingOverflow(traits.second).partialValue, notAfter: target)
        case .linear: return .beginning
        }
    }

    /// Whether the target lies ahead and reading on is cheaper than a seek.
    private func canResume(_ run: DecodeRun, to target: Int64) -> Bool {
        guard run.canGoOn, !finder.hasFailed, let reached = run.last?.ticks ?? run.entry?.ticks, reached <= target
        else { return false }
        if traits.policy == .linear || run.hasEnded || finder.hasReachedEnd { return true }
        return isNear(reached, target, read: finder.window.latestDecodeTicks)
    }

    /// Tries entry points, each earlier than the one before, until one gives
    /// the picture or the beginning of the file has been tried.
    private func lookUp(
        _ target: Int64, first: Attempt, shortcuts: DecodingTraits.Shortcuts
    ) throws -> (FrameLookup, DecodeRun) {
        var attempt = first
        var steps = RandomAccess.StepsBack(to: traits.startTicks, second: traits.second, isBeside: true)
        var shortcuts = shortcuts
        while true {
            let run = try enter(attempt, target: target)
            let found = try run.decode(to: target, shortcuts: shortcuts)
            guard case .unavailable(let absence) = found else { return (found, run) }
            if leftOutTooMuch(absence, run, shortcuts) {
                shortcuts = []
                attempt = run.entry.map { .seek($0.decodeTicks ?? $0.ticks, notAfter: $0.ticks) } ?? .beginning
                continue
            }
            switch absence {
            // Nothing decoded before a clean entry can help what comes after it.
            case .damaged, .nothing: if run.entry?.kind == .clean { return (found, run) }
            case .tooLate, .missing, .skippedTooMuch: break
            }
            guard let entry = run.entry else { return (found, run) }
            attempt = earlier(than: entry, target: target, &steps)
        }
    }

    /// Whether the outcome may be due to what the decoder was not given.
    private func leftOutTooMuch(
        _ absence: FrameLookup.Absence, _ run: DecodeRun, _ shortcuts: DecodingTraits.Shortcuts
    ) -> Bool {
        switch absence {
        case .skippedTooMuch: true
        case .damaged: run.hasSkipped && !shortcuts.isEmpty
        default: false
        }
    }

    /// A seek to an entry before another one: the one before that at first, then twice as far back each time.
    private func earlier(
        than entry: RandomAccessPoint, target: Int64, _ steps: inout RandomAccess.StepsBack
    ) -> Attempt {
        guard let aim = steps.next(before: min(entry.decodeTicks ?? entry.ticks, target)) else { return .beginning }
        return .seek(aim, notAfter: min(aim, entry.ticks - 1))
    }

    /// Decodes the same picture from an earlier entry point and compares.
    ///
    /// - Returns: Whether they are equal; if not, recovery points of this
    ///   stream are not used again.
    private func confirm(_ picture: ShownFrame, at target: Int64, after entry: RandomAccessPoint) throws -> Bool {
        var steps = RandomAccess.StepsBack(to: traits.startTicks, second: traits.second, isBeside: true)
        let attempt = earlier(than: entry, target: target, &steps)
        // What cannot be decoded from further back proves nothing.
        guard case .shown(let other) = try lookUp(target, first: attempt, shortcuts: []).0 else { return true }
        let isClean = other.ticks == picture.ticks && other.frame.contentDigest == picture.frame.contentDigest
        finder.noteRecovery(isClean: isClean)
        if !isClean { run = nil }
        return isClean
    }

    // MARK: Entering

    /// Brings the decoder to an entry point at or before the target, or to the
    /// beginning of the file if there is none.
    private func enter(_ attempt: Attempt, target: Int64) throws -> DecodeRun {
        var steps = RandomAccess.StepsBack(to: traits.startTicks, second: traits.second)
        var attempt = attempt
        while true {
            switch attempt {
            case .resume(let run): return try lookAhead(run, to: target)
            case .beginning: return try beginAtStart()
            case .seek(let ticks, let limit):
                if try seek(to: ticks), let entry = try finder.firstEntry(notAfter: limit, target: target) {
                    return try lookAhead(begin(at: entry), to: target)
                }
                attempt = steps.next(before: ticks).map { .seek($0, notAfter: limit) } ?? .beginning
            }
        }
    }

    private func seek(to ticks: Int64) throws -> Bool {
        run = nil
        spent.entries += 1
        return try finder.seek(to: ticks)
    }

    /// A fresh demuxer and decoder: the state that a linear decode begins with.
    private func beginAtStart() throws -> DecodeRun {
        spent.entries += 1
        try finder.startOver()
        decoder = try finder.makeDecoder()
        return begin(from: nil)
    }

    /// Has decoding begin anew at the entry point that was found last.
    private func begin(at entry: RandomAccessPoint) -> DecodeRun {
        finder.dropPacketsBeforeEntry()
        decoder.flush()
        return begin(from: entry)
    }

    private func begin(from entry: RandomAccessPoint?) -> DecodeRun {
        let next = DecodeRun(from: entry, decoder: decoder, packets: finder, traits: traits)
        run = next
        return next
    }

    /// Reads until all packets that could be shown at or before the target are
    /// there; passes over GOPs that end before it.
    private func lookAhead(_ run: DecodeRun, to target: Int64) throws -> DecodeRun {
        var run = run
        while let entry = try finder.nextEntry(to: target) {
            // The run in progress is cut short only if something was passed over.
            if finder.window.count > 1 || run.last != nil { run = begin(at: entry) }
        }
        return run
    }

    // MARK: Sync samples

    /// A sync sample within a range of times that needs nothing else decoded:
    /// the last one at or before the target if there is one, else the next.
    ///
    /// - Returns: `nil` if there is none in the range, or none that decodes
    ///   cleanly; then only an exact lookup helps.
    package func syncFrame(near target: Int64, within range: ClosedRange<Int64>) throws -> ShownFrame? {
        do {
            return try findSyncFrame(near: target, within: range)
        } catch is PositionsDoNotFit {
            try readFromBeginning()
            return nil
        }
    }

    private func findSyncFrame(near target: Int64, within range: ClosedRange<Int64>) throws -> ShownFrame? {
        guard traits.policy != .linear, range.contains(target) else { return nil }
        // Past the last picture there is nothing to look for, and what decoding has reached must stay.
        if let run, run.hasEnded(before: range.lowerBound) { return nil }
        return try finder.withinLimits {
            let index = finder.syncSamples(around: range)
            let indexed = index.nearest(to: target, within: range)
            if let known = run?.soleSyncSample, known.ticks == indexed { return known }
            guard index.isEmpty else {
                guard let indexed, try seek(to: indexed) else { return nil }
                return try enterNextSyncSample(within: range)?.decodeEntry(within: range)
            }
            return try enterSyncSample(near: target, within: range)?.decodeEntry(within: range)
        }
    }

    /// Starts a run whose entry lies in the range, if there is one, where no index tells of it.
    private func enterSyncSample(near target: Int64, within range: ClosedRange<Int64>) throws -> DecodeRun? {
        let aim =
            traits.policy == .search ? target.subtractingReportingOverflow(traits.second).partialValue : target
        let run = try enter(.seek(aim, notAfter: target), target: target)
        if let entry = run.entry, entry.kind != .gradual, range.contains(entry.ticks) { return run }
        return try enterNextSyncSample(within: range)
    }

    /// Starts a run at the first sync sample in the range that has not been passed yet, if there is one.
    private func enterNextSyncSample(within range: ClosedRange<Int64>) throws -> DecodeRun? {
        try finder.nextSyncSample(within: range).map(begin)
    }
}

extension FrameReader {
    /// A reader for some times, for which a pass over the file is made first if that is less work than to decode all that lies
    /// before them.
    ///
    /// - Parameters:
    ///   - targets: What times are, in the stream's ticks.
    ///   - always: Whether a pass is made wherever one is of any use.
    package static func make(
        of source: AssetSource, streamIndex: Int, cancellation: Cancellation, always: Bool = false,
        targets: (TimeBase) -> [Int64]
    ) throws -> (reader: FrameReader, targets: [Int64]) {
        let reader = try FrameReader(source: source, streamIndex: streamIndex)
        let wanted = targets(reader.timeBase)
        guard reader.lacksPositions, try always || isPassWorthwhile(to: wanted.max(), reader, source),
            try source.makeFramesKnown(ofStream: streamIndex, cancellation)
        else { return (reader, wanted) }
        reader.finish()
        return (try FrameReader(source: source, streamIndex: streamIndex), wanted)
    }

    /// To read a film takes a small part of the time that it takes to decode it.
    private static func isPassWorthwhile(to last: Int64?, _ reader: FrameReader, _ source: AssetSource) throws -> Bool {
        let description = try source.describe()
        guard let last else { return false }
        let place = reader.timeBase.time(of: last) - description.origin
        guard place.isNumeric, place > shortestDecode else { return false }
        guard description.duration.isNumeric else { return true }
        return CMTimeMultiply(place, multiplier: passesForADecode) > description.duration
    }

    /// What is decoded in no time to speak of.
    private static let shortestDecode = CMTime(value: 10, timescale: 1)
    /// How many passes over a film take as long as to decode it, at the least.
    private static let passesForADecode: Int32 = 10
}

/// A decoded picture and where it stands on its stream's timeline, in ticks.
package struct ShownFrame {
    package let frame: Frame
    package let ticks: Int64
    /// When the next picture begins, if known.
    package var nextTicks: Int64?
    package let isSyncSample: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    package var damage: String?

    /// Whether the picture is known to be the one shown at a time.
    package func covers(_ target: Int64) -> Bool {
        guard ticks <= target else { return false }
        let end = nextTicks ?? ticks.addingReportingOverflow(frame.durationTicks ?? 0).partialValue
        return ticks == target || target < end
    }
}

/// What asking for the picture at a time gives.
package enum FrameLookup {
    case shown(ShownFrame)
    /// The picture at that time cannot be had, and why.
    case unavailable(Absence)

    /// Why there is no picture.
    ///
    /// What a run of the decoder could not give, one that begins earlier may.
    package enum Absence: CustomStringConvertible {
        /// The picture is damaged, or missing behind the one given.
        case damaged(String, ShownFrame)
        /// The first picture after the entry is already past the target.
        case tooLate
        /// What was left out hid what was wanted.
        case skippedTooMuch
        /// A packet that should have been shown at the target gave no picture.
        case missing
        case nothing

        package var description: String {
            switch self {
            case .damaged(let reason, _): reason
            case .tooLate, .skippedTooMuch, .missing, .nothing: "no picture could be decoded"
            }
        }
    }
}
