package import FFmpegKit
package import MediaAsset
internal import MediaCore

/// Reads the packets of a source, one after the other, on a timeline without jumps, and knows in the end whether there
/// was all that the source says there is.
///
/// One thread at a time may use it.
package final class SourceReading {
    package let demuxer: Demuxer
    private let description: AssetDescription
    private let range: KeptRange
    /// The source, if it is a file.
    private let source: AssetSource
    /// Those that are kept.
    private let streams: Set<Int>
    /// Where the packets read of each stream end, in ticks.
    package private(set) var ends = StreamTicks()
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
    /// The asset's zero, for messages.
    private var origin: CMTime { description.origin }

    package init(
        _ demuxer: Demuxer, of source: AssetSource, description: AssetDescription, range: KeptRange,
        streams: Set<Int>, allowsDamage: Bool
    ) {
        (self.demuxer, self.source, self.description, self.range) = (demuxer, source, description, range)
        (self.streams, self.allowsDamage) = (streams, allowsDamage)
        joins = TimeJumps(demuxer)
    }

    /// How often recordings were joined whose times do not go on from one to the next.
    package var jumps: Int { joins.count }

    /// What is missing of the source so far, and from when on, if anything.
    func shortfall() -> String? {
        if let failure { return failure.reason }
        return SourceEnd(demuxer: demuxer, description: description, range: range, file: source.file)
            .shortfall(self, streams: streams)
    }

    /// The next packet; `nil` at the end.
    package func next() throws(FFmpegError) -> Packet? {
        guard let packet = try following() else {
            hasReachedEnd = true
            return nil
        }
        note(packet)
        return packet
    }

    /// The next packet, on a timeline without jumps.
    private func following() throws(FFmpegError) -> Packet? {
        guard let packet = ahead.isEmpty ? try read() : ahead.removeFirst() else { return nil }
        // Where recordings were joined, their last packets seem damaged.
        if packet.isCorrupt, !allowsDamage, joins.isPossible, ahead.isEmpty { try lookAhead(from: packet) }
        guard let jump = joins.jump(to: packet) else { return try joins.moved(packet) }
        guard allowsDamage else { throw jumpError(jump) }
        return try joins.joining(packet)
    }

    private func lookAhead(from packet: Packet) throws(FFmpegError) {
        var later = joins
        _ = later.jump(to: packet)
        while ahead.count < 200, let packet = try read() {
            ahead.append(packet)
            if let jump = later.jump(to: packet) { throw jumpError(jump) }
            _ = try later.moved(packet)
        }
    }

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
