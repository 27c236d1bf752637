internal import FFmpegKit
internal import Synchronization

/// Has the decode times of segments go on from one to the next.
///
/// An encoder tells them as if what comes before its first picture had the distances of the first pictures themselves. Where
/// pictures come at no fixed rate, they may reach back behind the last decode time of the segment before.
package final class SegmentOrder: Sendable {
    private let last = Mutex<Int64?>(nil)

    /// The packet, no earlier than a tick after the one before it.
    func placed(_ packet: Packet) throws -> Packet {
        guard let decode = packet.decodeTicks else { return packet }
        let earliest = last.withLock { last in
            let time = max(decode, last.map { $0 + 1 } ?? decode)
            last = time
            return time
        }
        guard earliest > decode else { return packet }
        return try packet.retimed(
            presentation: packet.presentationTicks.map { max($0, earliest) }, decode: earliest,
            duration: packet.durationTicks)
    }
}
