package import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore

/// Reads the packets of one video stream ahead of the decoder, and finds those
/// at which decoding can begin.
///
/// Where a seek lands is a proposal: indexes list decode times or leave samples
/// out. Whether a packet is a random access point (`RandomAccess`), and whether
/// it is shown early enough, is read from the packet itself.
package final class EntryFinder {
    private let source: AssetSource
    private let traits: DecodingTraits
    private let access: RandomAccess
    /// How often a frame after a point that is not clean was the same as one decoded from further back.
    private var confirmations = 0
    private var isRecoveryBroken = false
    package private(set) var demuxer: Demuxer
    private(set) var window = PacketWindow()
    /// Why there are no more packets, while there are some `nil`.
    private var end: End?
    private var packetsRead: Int64 = 0
    private var packetBudget = 0
    /// All sync samples where the container's index is known to be complete; else empty.
    let completeIndex: SyncSamples
    /// Which frame comes next, where an index tells their places; `nil` before the one that was looked for.
    private var nextFrame: Int?
    /// The frame that was looked for, and how many came before it.
    private var soughtFrame = 0
    private var framesPassed = 0
    /// What is known of an index that may be incomplete, for a look at where sync samples are.
    private var knownIndex: (end: Int64?, samples: SyncSamples) = (nil, SyncSamples())

    private enum End {
        case ofFile
        case failure(String)
    }

    init(source: AssetSource, demuxer: Demuxer, traits: DecodingTraits) {
        self.source = source
        self.demuxer = demuxer
        self.traits = traits
        access = RandomAccess(demuxer.streams[traits.streamIndex])
        demuxer.select(streams: [traits.streamIndex])
        completeIndex =
            traits.positions?.syncSamples
            ?? (traits.isIndexComplete ? Self.syncSamples(of: demuxer, traits) : SyncSamples())
    }

    package var interrupt: Interrupt { demuxer.interrupt }

    /// Gives the demuxer back to the source.
    package func finish() { source.checkIn(demuxer) }

    func makeDecoder() throws -> Decoder { try demuxer.makeDecoder(stream: traits.streamIndex) }

    /// Does one lookup, which may take so much time and so many packets.
    func withinLimits<Result>(_ lookup: () throws -> Result) rethrows -> Result {
        interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        defer { interrupt.setDeadline(after: nil) }
        packetBudget = demuxer.policy.maximumPackets
        return try lookup()
    }

    // MARK: Position

    /// Goes on reading from about a time.
    ///
    /// - Returns: Whether the demuxer found a position.
    func seek(to ticks: Int64) throws -> Bool {
        forgetPackets()
        guard let positions = traits.positions else {
            return try demuxer.seek(stream: traits.streamIndex, toTicks: ticks)
        }
        guard let number = positions.entry(notAfter: ticks), let place = positions.readingPosition(ofFrame: number)
        else {
            return false
        }
        (nextFrame, soughtFrame, framesPassed) = (nil, number, 0)
        try demuxer.enter(atByte: place)
        return true
    }

    /// Goes on reading from the beginning of the file, with the state that a
    /// linear decode begins with: a demuxer that has read has found out things.
    func startOver() throws {
        if demuxer.packetsRead > 0 || demuxer.seeks > 0 {
            demuxer = try source.open(interrupt: interrupt)
            demuxer.select(streams: [traits.streamIndex])
            interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        }
        forgetPackets()
        nextFrame = 0
    }

    /// Forgets all packets before the entry found last.
    func dropPacketsBeforeEntry() { window.restartAtLast() }

    private func forgetPackets() {
        window.removeAll()
        end = nil
    }

    // MARK: Entries

    /// Reads on to the first entry point.
    ///
    /// - Returns: `nil` if it is after a limit, or there is none up to the target.
    func firstEntry(notAfter limit: Int64, target: Int64) throws -> RandomAccessPoint? {
        while let item = try readNext() {
            guard let ticks = item.ticks else { continue }
            if isUsable(item.entry) {
                guard ticks <= limit else { return nil }
                window.append(item)
                return item.point
            }
            if let decode = item.packet.decodeTicks, decode > target { return nil }
        }
        return nil
    }

    /// Reads on to the next entry point that is not after the target, or until
    /// all packets that could be shown at or before the target are there.
    func nextEntry(to target: Int64) throws -> RandomAccessPoint? {
        let maximumBytes = demuxer.policy.maximumPendingBytes
        while window.latestDecodeTicks <= target, window.pendingBytes < maximumBytes, let item = try readNext() {
            window.append(item)
            // Where an edit begins, the decoder does so too, and its first samples may have any time.
            guard traits.policy != .linear, isUsable(item.entry), !item.packet.beginsAnew, let ticks = item.ticks
            else {
                continue
            }
            return ticks > target ? nil : item.point
        }
        return nil
    }

    /// Reads on to the first sync sample in a range that has not been passed yet.
    ///
    /// If there is none, a run in progress can go on: no packet is lost.
    func nextSyncSample(within range: ClosedRange<Int64>) throws -> RandomAccessPoint? {
        var next = window.last
        while let item = try next ?? readNext() {
            if next == nil { window.append(item) }
            next = nil
            if isUsable(item.entry), item.entry != .gradual, !item.packet.isDiscarded, let ticks = item.ticks {
                if ticks > range.upperBound { return nil }
                if ticks >= range.lowerBound { return item.point }
            }
            // No later packet can be shown before it is decoded.
            if let decode = item.packet.decodeTicks, decode > range.upperBound { return nil }
            guard window.pendingBytes < demuxer.policy.maximumPendingBytes else { return nil }
        }
        return nil
    }

    /// Whether decoding may begin at a packet: if it is not clean, its frames are compared with others.
    func isUsable(_ kind: EntryClassifier.Entry) -> Bool { kind == .clean || kind != .none && !isRecoveryBroken }

    /// Whether frames after points that are not clean need no comparison any more.
    var isRecoveryProven: Bool { confirmations >= 2 }

    /// Notes what comparing a frame after a point that is not clean with one decoded from further back has shown.
    func noteRecovery(isClean: Bool) {
        if isClean { confirmations += 1 } else { isRecoveryBroken = true }
    }

    // MARK: Index

    /// The sync samples that the container's index lists, where it lists some on
    /// both sides of a range; else none.
    ///
    /// It may leave out some, so that it only tells where to look.
    func syncSamples(around range: ClosedRange<Int64>) -> SyncSamples {
        guard completeIndex.isEmpty else { return completeIndex }
        guard traits.policy == .direct, let end = demuxer.lastIndexTicks(ofStream: traits.streamIndex),
            end > range.upperBound
        else { return SyncSamples() }
        if end != knownIndex.end { knownIndex = (end, Self.syncSamples(of: demuxer, traits)) }
        return knownIndex.samples.surround(range) ? knownIndex.samples : SyncSamples()
    }

    private static func syncSamples(of demuxer: Demuxer, _ traits: DecodingTraits) -> SyncSamples {
        let entries = demuxer.indexEntries(ofStream: traits.streamIndex)
        guard let first = entries.first else { return SyncSamples() }
        guard !demuxer.listsPresentationTimes(ofStream: traits.streamIndex) else {
            return SyncSamples(entries.filter { $0.isKey && !$0.isHidden }.map(\.ticks))
        }
        // A movie's index holds decode times, which run ahead of presentation times by a constant.
        let delay = max(0, traits.startTicks.subtractingReportingOverflow(first.ticks).partialValue)
        return SyncSamples(entries.filter(\.isKey).map { $0.ticks.addingReportingOverflow(delay).partialValue })
    }

    // MARK: Packets

    /// Reads until so many packets wait, if there are as many.
    func readAhead(_ count: Int) throws {
        while window.count < count, let item = try readNext() { window.append(item) }
    }

    /// The next packet for the decoder.
    func takeFirst() -> PacketWindow.Pending? { window.takeFirst() }

    /// A picture came out: earlier ones no longer will.
    func noteShown(_ ticks: Int64) { window.shown(ticks) }

    var hasReachedEnd: Bool { end != nil }

    /// Whether the end that was reached is where reading failed.
    var hasFailed: Bool {
        if case .failure = end { true } else { false }
    }

    /// That the packets ended before the container says that they do, and why.
    func truncation() -> String? {
        if case .failure(let reason) = end { return Demuxer.cutShort(reason) }
        // Then all is there that the index lists, which is of a whole file.
        guard traits.positions == nil else { return nil }
        let reason = demuxer.truncation(ofStream: traits.streamIndex) ?? demuxer.takeComplaint()?.reason
        return reason.map(Demuxer.cutShort)
    }

    private func readNext() throws -> PacketWindow.Pending? {
        while end == nil {
            do {
                guard let read = try demuxer.readPacket() else {
                    try checkIsLast()
                    end = .ofFile
                    break
                }
                packetBudget -= 1
                guard packetBudget > 0 else {
                    throw FFmpegError.tooManyPackets(for: "the picture", demuxer.policy)
                }
                guard read.streamIndex == traits.streamIndex, let packet = try placed(read) else { continue }
                packetsRead += 1
                return PacketWindow.Pending(
                    packet: packet, number: packetsRead, ticks: packet.presentationTicks ?? packet.decodeTicks,
                    entry: kind(of: packet))
            } catch let error as FFmpegError where error.kind == .damaged || error.kind == .inputOutput {
                end = .failure(error.reason)
            }
        }
        return nil
    }

    private func kind(of packet: Packet) -> EntryClassifier.Entry {
        let kind = access.kind(of: packet)
        guard kind != .none, traits.positions != nil, !access.holdsParameters(packet) else { return kind }
        return .none
    }

    // MARK: Packets by their places

    /// The packet with the times that the index has of it, where there is an index; `nil` for one that precedes the frame
    /// that was looked for.
    private func placed(_ packet: Packet) throws -> Packet? {
        guard let positions = traits.positions else { return packet }
        guard let number = nextFrame else { return try entry(packet, positions) }
        guard positions.fits(packet, frame: number) else { throw PositionsDoNotFit() }
        nextFrame = number + 1
        return try positions.timed(packet, frame: number)
    }

    /// The frame that was looked for, if it is that: what begins within a packet of the container is read from that
    /// packet's beginning, where another frame ends.
    private func entry(_ packet: Packet, _ positions: StreamPositions) throws -> Packet? {
        guard positions.fits(packet, frame: soughtFrame), packet.isKey else {
            framesPassed += 1
            guard framesPassed <= Self.maximumFramesPassed else { throw PositionsDoNotFit() }
            return nil
        }
        (nextFrame, framesPassed) = (soughtFrame + 1, 0)
        return try positions.timed(packet, frame: soughtFrame)
    }

    /// More frames than a packet of a container has, of which a page of Ogg has 255 at most.
    private static let maximumFramesPassed = 512

    /// Fails where the index has more frames than the file.
    private func checkIsLast() throws {
        guard let positions = traits.positions else { return }
        guard nextFrame == positions.frames.count else { throw PositionsDoNotFit() }
    }
}

/// An index of frames is not that of the file, or cannot be used: the stream is to be decoded from its beginning.
struct PositionsDoNotFit: Error {}

extension StreamPositions {
    /// Whether a packet is what the index has as one of its frames.
    ///
    /// Where packets lie within those of a container, what is said of their places depends on where reading began.
    fileprivate func fits(_ packet: Packet, frame number: Int) -> Bool {
        frames.indices.contains(number) && frames[number].byteCount == packet.byteCount
    }

    fileprivate func timed(_ packet: Packet, frame number: Int) throws(FFmpegError) -> Packet {
        try packet.retimed(
            presentation: frames[number].presentation, decode: decodeTicks(ofFrame: number),
            duration: packet.durationTicks)
    }
}
