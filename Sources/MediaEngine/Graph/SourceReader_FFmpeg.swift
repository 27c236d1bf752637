internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaIO

/// What is missing of a source that was read to its end.
struct Shortfall: Sendable {
    var reason: String
    /// Whether the file just stops, as recordings and downloads do; else it lists what is not there.
    var isTornEnd = false
}

extension Sequence<Shortfall> {
    /// What is missing of several sources: that which is more than an end, or else all ends; `nil` if nothing is.
    var merged: Shortfall? {
        let all = Array(self)
        if let missing = all.first(where: { !$0.isTornEnd }) { return missing }
        var seen: Set<String> = []
        let reasons = all.map(\.reason).filter { seen.insert($0).inserted }
        return reasons.isEmpty ? nil : Shortfall(reason: reasons.joined(separator: "; "), isTornEnd: true)
    }
}

/// Reads the packets of a source, one after the other, on a timeline without jumps, and knows in the end whether there
/// was all that the source says there is.
///
/// One thread at a time may use it.
final class SourceReader {
    let demuxer: Demuxer
    private let description: AssetDescription
    private let range: KeptRange
    /// The source, if it is a file.
    private let source: AssetSource
    /// Those that are kept.
    private let streams: Set<Int>
    /// Where the packets read of each stream end, in ticks.
    private(set) var ends = StreamTicks()
    /// The last decode time of each stream.
    private(set) var lastDecodeTicks = StreamTicks()
    /// What reading failed with, if damage is allowed.
    private var failure: FFmpegError?
    /// Whether reading went on to the end of the source.
    private(set) var hasReachedEnd = false
    private var joins: TimeJumps
    /// Packets that were read to see what comes after them.
    private var ahead: [Packet] = []
    private let allowsDamage: Bool
    /// Whether last packets that are not whole are left out.
    private let leavesOutTorn: Bool
    /// Whether the streams' last packets have to be known before they come.
    private let watchesEnds: Bool
    /// The stream of the packet that an MPEG stream ends inside of.
    private let tornIdentifier: UInt16?
    /// Streams whose last packets are not whole, and when these are shown.
    private var torn: [Int: CMTime] = [:]
    /// The asset's zero, for messages.
    private var origin: CMTime { description.origin }

    init(
        _ demuxer: Demuxer, of source: AssetSource, description: AssetDescription, range: KeptRange,
        streams: Set<Int>, allowsDamage: Bool
    ) {
        (self.demuxer, self.source, self.description, self.range) = (demuxer, source, description, range)
        (self.streams, self.allowsDamage) = (streams, allowsDamage)
        joins = TimeJumps(demuxer)
        leavesOutTorn =
            !allowsDamage && (!demuxer.container.isMovie || description.canContainFragments)
        watchesEnds = [.mp3, .readADTS, .flac, .ac3, .eac3].contains(demuxer.container)
        tornIdentifier =
            leavesOutTorn ? source.file.flatMap { SourceTail($0, container: demuxer.container).tornIdentifier } : nil
    }

    /// How often recordings were joined whose times do not go on from one to the next.
    var jumps: Int { joins.count + demuxer.jumpsPassed }

    /// What is missing of the source so far, and from when on, if anything.
    func shortfall() -> Shortfall? {
        if let failure { return Shortfall(reason: failure.reason) }
        if let (index, end) = torn.max(by: { $0.value < $1.value }) {
            let place = "\((end - origin).secondsText(decimals: 3)) s"
            let last = ends.all.map { demuxer.streams[$0.stream].timeBase.time(of: $0.ticks) }.max() ?? end
            // A track may end long before the others do.
            let isEnd = last - end < Self.endTolerance
            return Shortfall(
                reason: isEnd
                    ? "the source is cut off at \(place): its last packet is not whole"
                    : "the last packet of \(demuxer.streams[index].nameOfTrack), at \(place), is not whole",
                isTornEnd: true)
        }
        return SourceEnd(demuxer: demuxer, description: description, range: range, file: source.file)
            .shortfall(self, streams: streams)
    }

    /// The next packet; `nil` at the end.
    func next() throws(FFmpegError) -> Packet? {
        guard var packet = try following() else {
            hasReachedEnd = true
            return nil
        }
        // Sound without a time follows what was before it.
        if packet.presentationTicks == nil, packet.decodeTicks == nil, let end = ends[packet.streamIndex],
            demuxer.streams[packet.streamIndex].kind == .audio
        {
            packet = try packet.retimed(presentation: end, decode: end, duration: packet.durationTicks)
        }
        note(packet)
        return packet
    }

    /// The next packet, on a timeline without jumps.
    private func following() throws(FFmpegError) -> Packet? {
        guard var packet = ahead.isEmpty ? try read() : ahead.removeFirst() else { return nil }
        if leavesOutTorn, mayBeTorn(packet), try isAtEnd(packet) {
            let isLeftOut = isTorn(packet)
            if packet.isCorrupt || isLeftOut { noteTorn(packet) }
            if isLeftOut { return try following() }
            packet = try packet.withoutCorruptMark()
        }
        // Where recordings were joined, their last packets seem damaged.
        if packet.isCorrupt, !allowsDamage, joins.isPossible { try lookAhead(from: packet) }
        guard let jump = joins.jump(to: packet) else { return try joins.moved(packet) }
        guard allowsDamage else { throw jumpError(jump) }
        return try joins.joining(packet)
    }

    private func lookAhead(from packet: Packet) throws(FFmpegError) {
        var later = joins
        _ = later.jump(to: packet)
        for packet in ahead {
            if let jump = later.jump(to: packet) { throw jumpError(jump) }
            _ = try later.moved(packet)
        }
        while ahead.count < 200, let packet = try read() {
            ahead.append(packet)
            if let jump = later.jump(to: packet) { throw jumpError(jump) }
            _ = try later.moved(packet)
        }
    }

    // MARK: The end

    private static let endTolerance = CMTime(value: 1, timescale: 1)

    private func noteTorn(_ packet: Packet) {
        let base = demuxer.streams[packet.streamIndex].timeBase
        let ticks = ends[packet.streamIndex] ?? packet.presentationTicks ?? packet.decodeTicks
        torn[packet.streamIndex] = ticks.map { base.time(of: $0) } ?? range.start
    }

    private func mayBeTorn(_ packet: Packet) -> Bool {
        if packet.isCorrupt || watchesEnds || isWhereTorn(packet) { return true }
        let info = demuxer.streams[packet.streamIndex]
        return info.kind == .audio && info.codec != .flac && info.lacksEnd(of: packet) == true
    }

    /// Of sound, several packets come from one unit that is torn, most of which are whole.
    private func isTorn(_ packet: Packet) -> Bool {
        demuxer.streams[packet.streamIndex].lacksEnd(of: packet) ?? (packet.isCorrupt || isWhereTorn(packet))
    }

    /// Whether a packet belongs to the stream that a file ends within.
    private func isWhereTorn(_ packet: Packet) -> Bool {
        guard let tornIdentifier else { return false }
        let info = demuxer.streams[packet.streamIndex]
        // In program streams parts of a picture lie between those of sound.
        return info.kind == .video
            && (info.containerID == Int(tornIdentifier) || demuxer.container == .mpegProgramStream)
    }

    /// Whether no other packet of its stream follows, or none that is not torn as well.
    private func isAtEnd(_ packet: Packet) throws(FFmpegError) -> Bool {
        var (place, byteCount) = (0, 0)
        while place < Self.longestLookAhead, byteCount < demuxer.policy.maximumPendingBytes {
            if place == ahead.count {
                guard let next = try read() else { return true }
                ahead.append(next)
            }
            let next = ahead[place]
            byteCount += next.byteCount
            if next.streamIndex == packet.streamIndex, !packet.isCorrupt || isWholeUnit(next) { return false }
            place += 1
        }
        return false
    }

    /// Whether a packet is whole and has a place of its own; else it comes from a unit that began before it.
    private func isWholeUnit(_ packet: Packet) -> Bool {
        packet.position != nil && !packet.isCorrupt && demuxer.streams[packet.streamIndex].lacksEnd(of: packet) != true
    }

    /// More than other streams have between two packets of one.
    private static let longestLookAhead = 1024

    private func jumpError(_ jump: TimeJumps.Jump) -> FFmpegError {
        FFmpegError(
            kind: .damaged, operation: .read,
            reason: "at \((jump.from - origin).secondsText(decimals: 3)) s the times jump to "
                + "\((jump.to - origin).secondsText(decimals: 3)) s: recordings were joined; allowing damage makes "
                + "one film of them")
    }

    private func read() throws(FFmpegError) -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            let reached = ends.all.map { demuxer.streams[$0.stream].timeBase.time(of: $0.ticks) }.max() ?? origin
            let named = FFmpegError(
                kind: error.kind, code: error.code, operation: error.operation,
                reason: "at \((reached - origin).secondsText(decimals: 3)) s: \(error.reason)")
            guard allowsDamage else { throw named }
            failure = named
            return nil
        }
    }

    private func note(_ packet: Packet) {
        let index = packet.streamIndex
        if let ticks = packet.decodeTicks { lastDecodeTicks.advance(index, to: ticks) }
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks, !packet.isDiscarded else { return }
        let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0).partialValue
        ends.advance(index, to: end)
    }
}

/// Tells whether a source ended before its header says that it does.
struct SourceEnd {
    let demuxer: Demuxer
    let description: AssetDescription
    let range: KeptRange
    /// The source, if it is a file.
    let file: RandomAccessFile?

    /// Headers that overstate the length a little are common.
    private static let tolerance = CMTime(value: 1, timescale: 2)

    /// - Parameter streams: Those that are kept.
    /// - Returns: When it ended and what is missing, `nil` if nothing is.
    func shortfall(_ reader: SourceReader, streams: Set<Int>) -> Shortfall? {
        guard reader.hasReachedEnd else { return nil }
        let playing = streams.filter { [.video, .audio].contains(demuxer.streams[$0].kind) }.sorted()
        let ends = playing.compactMap { index in reader.ends[index].map { time($0, index) } }
        let last = ends.max() ?? range.start
        if let complaint = demuxer.takeComplaint(), complaint.matter == .shortData {
            return ended(
                "the source ends at \((last - description.origin).secondsText(decimals: 3)) s: \(complaint.reason)")
        }
        let tail = file.map { SourceTail($0, container: demuxer.container) }
        if let truncation = tail?.truncation {
            return ended(
                "the source is cut off at \((last - description.origin).secondsText(decimals: 3)) s: \(truncation)")
        }
        if tail?.isWhole == true { return nil }
        if demuxer.container.isMovie {
            return playing.lazy.compactMap { trackShortfall($0, reader) }.first.map(ended)
        }
        if demuxer.container == .avi {
            return playing.lazy.compactMap { index in pictureShortfall(index, reader) }.first.map(ended)
        }
        guard demuxer.container.has(.saysLength), !description.durationIsEstimate,
            description.duration.isNumeric, !ends.isEmpty
        else { return nil }
        let end = description.origin + description.duration
        // The length that is said is that of the longest stream, which may be one that was not read.
        guard missing(until: end, after: last) != nil, let longest = endOfAll(but: streams, from: last) else {
            return nil
        }
        return missing(until: end, after: longest).map(ended)
    }

    /// A movie lists all its samples, but for one that is written in fragments.
    private func ended(_ reason: String) -> Shortfall {
        Shortfall(reason: reason, isTornEnd: !demuxer.container.isMovie || description.canContainFragments)
    }

    /// Where the last of the streams ends, by those that were not read; `nil` if these cannot be read any more.
    private func endOfAll(but streams: Set<Int>, from last: CMTime) -> CMTime? {
        let others = demuxer.streams.filter { [.video, .audio].contains($0.kind) && !streams.contains($0.index) }
        guard let first = others.first else { return last }
        guard demuxer.isSeekable else { return nil }
        demuxer.select(streams: Set(others.map(\.index)))
        var end = last
        do {
            _ = try demuxer.seek(stream: first.index, toTicks: first.timeBase.ticks(atOrBefore: last))
            while let packet = try demuxer.readPacket() {
                guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { continue }
                end = max(end, time(ticks, packet.streamIndex))
            }
        } catch {
            // What can be read is all that there is.
        }
        return end
    }

    private func time(_ ticks: Int64, _ index: Int) -> CMTime { demuxer.streams[index].timeBase.time(of: ticks) }

    /// What of the samples that a movie lists was not there.
    private func trackShortfall(_ index: Int, _ reader: SourceReader) -> String? {
        let info = demuxer.streams[index]
        guard demuxer.lastIndexTicks(ofStream: index) != nil else {
            guard let count = info.frameCount, reader.ends[index] == nil else { return nil }
            return "\(count) samples of the source are missing"
        }
        let read = reader.lastDecodeTicks[index] ?? .min
        guard demuxer.indexGoesOn(ofStream: index), range.endTicks(info.timeBase).map({ read < $0 }) ?? true else {
            return nil
        }
        let last = reader.ends[index].map { time($0, index) } ?? range.start
        return
            "the source ends at \((last - description.origin).secondsText(decimals: 3)) s, samples that its index lists are missing"
    }

    /// What of the pictures that an AVI file's header counts was not there.
    private func pictureShortfall(_ index: Int, _ reader: SourceReader) -> String? {
        let info = demuxer.streams[index]
        guard info.kind == .video, let count = info.frameCount, let last = reader.ends[index] else { return nil }
        return missing(until: time((info.startTicks ?? 0) + count, index), after: time(last, index))
    }

    private func missing(until end: CMTime, after last: CMTime) -> String? {
        let wanted = range.end.map { min($0, end) } ?? end
        guard wanted.isNumeric, last.isNumeric, wanted - last > Self.tolerance else { return nil }
        return "the source ends at \((last - description.origin).secondsText(decimals: 3)) s, "
            + "\((wanted - last).durationText(decimals: 3)) s before its end"
    }
}

/// Takes what decoders say of damage, and makes it an error or counts it.
struct DamageWatch {
    private let isAllowed: Bool
    /// How many packets the threads of a decoder may be ahead.
    private let delay: Int64
    /// What to take off a container's time to name it on the asset's timeline.
    private let origin: CMTime
    private var fault: (reason: String, packet: Int64)?
    private var latest: Int64 = 0
    private(set) var count = 0

    init(isAllowed: Bool, delay: Int64, origin: CMTime) {
        (self.isAllowed, self.delay, self.origin) = (isAllowed, delay, origin)
    }

    mutating func note(_ reason: String, packet: Int64) {
        if fault == nil, packet > warmUp { fault = (reason, packet) }
    }

    /// Whether decoding starts at a sample that is built on others.
    var startsInside = false
    /// The number of the last packet that may lack what came before the stream's beginning.
    var warmUp: Int64 = 0

    /// What was noted concerns nothing that is wanted.
    mutating func forget() { fault = nil }

    /// A frame came out, maybe the first one.
    mutating func began() {
        if startsInside { forget() }
        startsInside = false
    }

    /// A frame came out that is wanted.
    mutating func check(_ frame: Frame, at time: CMTime) throws {
        if let reason = frame.damage { note(reason, packet: frame.packetNumber) }
        try check(through: frame.packetNumber, at: time)
    }

    mutating func check(through number: Int64, at time: CMTime) throws {
        latest = max(latest, number)
        guard let fault, latest >= fault.packet - delay else { return }
        guard isAllowed else { throw Self.error(fault.reason, at: time - origin) }
        count += 1
        self.fault = nil
    }

    static func error(_ reason: String, at time: CMTime) -> FFmpegError {
        FFmpegError(
            kind: .damaged, operation: .decode, reason: "damaged at \(time.secondsText(decimals: 3)) s: \(reason)")
    }
}
