package import MediaContainers
internal import MediaCore

/// Sets right which packets of a transport stream lack a part.
///
/// FFmpeg says so of the unit that it reads when packets are missing or counters begin anew, whether or not that is whole; and
/// its parsers hand that on with the picture before.
package struct UnitWholeness: Sendable {
    private let file: TransportStreamFile
    /// The packet identifiers of the streams of pictures and of sound.
    private let identifiers: [UInt16]
    /// Where recordings begin that were put behind others, in ascending order; `nil` where nobody looked through the file.
    private let seams: [Int64]?
    /// Those of the part of the file that was looked through last.
    private var nearby: (block: Int64, seams: [Int64])?
    /// Where each stream's last packet began, and the one that is known to lack a part.
    private var places: [Int: Int64] = [:]
    private var torn: [Int: Int64] = [:]
    /// How many bytes may be looked at yet: of a file that is nothing but damage, FFmpeg's word is taken.
    private var budget: Int64

    private static let blockBytes: Int64 = 1 << 24
    /// A recording begins with tables, and these have counters that have to be known from before.
    private static let marginBytes: Int64 = 1 << 20

    package init(_ file: TransportStreamFile, of identifiers: [UInt16], seams: [Int64]?) {
        (self.file, self.identifiers, self.seams) = (file, identifiers, seams)
        budget = Int64(clamping: file.byteCount) * 2 + 4 * Self.blockBytes
    }

    /// Forgets what was read, for a new position in the file.
    mutating func restart() { (places, torn) = ([:], [:]) }

    /// Sets a packet's mark right, the next one of its stream.
    mutating func judge(_ packet: Packet, of stream: StreamInfo, _ interrupt: Interrupt) {
        let index = packet.streamIndex
        if let position = packet.position { places[index] = position }
        guard let position = places[index], packet.isCorrupt || position == torn[index] else { return }
        guard packet.isCorrupt else { return packet.setCorrupt(true) }
        guard let unit = unit(at: position, of: stream, interrupt) else { return }
        let next = unit.next.flatMap { self.unit(at: $0, of: stream, interrupt) }
        torn[index] = next?.isWhole == false ? unit.next : nil
        if unit.isWhole { packet.setCorrupt(false) }
    }

    private mutating func unit(
        at position: Int64, of stream: StreamInfo, _ interrupt: Interrupt
    ) -> TransportStreamFile.Unit? {
        guard let identifier = UInt16(exactly: stream.containerID), budget > 0 else { return nil }
        let unit = file.unit(at: position, of: identifier, isStopped: { interrupt.state != .none }) { range in
            hasSeam(in: range, interrupt)
        }
        budget -= (unit?.byteCount ?? 0) + Int64(TransportStreamFile.smallChunkBytes)
        return unit
    }

    private mutating func hasSeam(in range: ClosedRange<Int64>, _ interrupt: Interrupt) -> Bool {
        if let seams {
            let first = seams.firstIndex { $0 >= range.lowerBound }
            return first.map { seams[$0] <= range.upperBound } ?? false
        }
        let block = range.lowerBound / Self.blockBytes
        if nearby?.block != block {
            let start = block * Self.blockBytes
            let bytes = max(0, start - Self.marginBytes)..<(start + 2 * Self.blockBytes)
            let found = TransportStreamJoins(in: file, of: identifiers, range: bytes) { interrupt.state != .none }
            nearby = (block, found.starts.map(\.position))
            budget -= bytes.upperBound - bytes.lowerBound
        }
        return nearby?.seams.contains(where: range.contains) ?? false
    }
}
