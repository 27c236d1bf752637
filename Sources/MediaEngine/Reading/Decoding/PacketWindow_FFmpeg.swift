package import FFmpegKit
package import MediaContainers

/// The packets of one video stream around the decoder: read but not decoded
/// yet, and decoded but not shown yet.
///
/// Looking ahead tells which picture is the wanted one before anything is
/// decoded, and lets a reader pass over whole GOPs.
package struct PacketWindow {
    package struct Pending {
        package let packet: Packet
        package let number: Int64
        /// Presentation time, the decode time where there is none.
        package let ticks: Int64?
        package let entry: EntryClassifier.Entry
    }

    package private(set) var pending: [Pending] = []
    private var head = 0
    private(set) var pendingBytes = 0
    /// Times of packets that were sent and whose pictures have not come out.
    private var inFlight: [Int64] = []
    /// Which recent packets are sync samples, by number.
    private var syncNumbers: Set<Int64> = []
    /// The latest decode time read.
    private(set) var latestDecodeTicks = Int64.min

    package var count: Int { pending.count - head }
    /// The packet read last, if it waits still.
    package var last: Pending? { head < pending.count ? pending.last : nil }
    package var first: Pending? { head < pending.count ? pending[head] : nil }

    package mutating func append(_ item: Pending) {
        pending.append(item)
        pendingBytes += item.packet.byteCount
        if let ticks = item.packet.decodeTicks { latestDecodeTicks = max(latestDecodeTicks, ticks) }
    }

    /// The next packet for the decoder.
    mutating func takeFirst() -> Pending? {
        guard head < pending.count else { return nil }
        let item = pending[head]
        head += 1
        pendingBytes -= item.packet.byteCount
        if head > 64, head * 2 > pending.count {
            pending.removeFirst(head)
            head = 0
        }
        if let ticks = item.ticks, !item.packet.isDiscarded { inFlight.append(ticks) }
        if item.packet.isKey {
            if syncNumbers.count > 256 { syncNumbers.removeAll() }
            syncNumbers.insert(item.number)
        }
        return item
    }

    package func isSyncSample(_ number: Int64) -> Bool { syncNumbers.contains(number) }

    /// Forgets all packets before the last one appended.
    mutating func restartAtLast() {
        guard let last = pending.last else { return }
        pending = [last]
        head = 0
        pendingBytes = last.packet.byteCount
        inFlight.removeAll()
    }

    /// Forgets everything, for a new position in the file.
    mutating func removeAll() {
        self = PacketWindow()
    }

    /// A picture came out: earlier ones no longer will.
    package mutating func shown(_ ticks: Int64) { inFlight.removeAll { $0 <= ticks } }

    /// The greatest presentation time at or before `ticks` among the packets
    /// whose pictures are still to come.
    func lastTime(atOrBefore ticks: Int64) -> Int64? {
        var result: Int64?
        for time in inFlight where time <= ticks { result = max(result ?? time, time) }
        for item in pending[head...] where !item.packet.isDiscarded {
            if let time = item.ticks, time <= ticks { result = max(result ?? time, time) }
        }
        return result
    }

    /// The greatest such time among the packets that were not sent yet.
    func lastPendingTime(atOrBefore ticks: Int64) -> Int64? {
        pending[head...].lazy.filter { !$0.packet.isDiscarded }.compactMap(\.ticks).filter { $0 <= ticks }.max()
    }

    /// The packet of that time that was not sent yet.
    func lastPending(atOrBefore ticks: Int64) -> Pending? {
        pending[head...].lazy.filter { !$0.packet.isDiscarded && $0.ticks.map { $0 <= ticks } ?? false }
            .max { ($0.ticks ?? .min) < ($1.ticks ?? .min) }
    }

    /// The packets that were not sent yet, in decoding order.
    var numberedPackets: [(packet: Packet, number: Int64)] { pending[head...].map { ($0.packet, $0.number) } }

    /// The smallest presentation time after `ticks` among the same packets.
    func firstTime(after ticks: Int64) -> Int64? {
        var result: Int64?
        for time in inFlight where time > ticks { result = min(result ?? time, time) }
        for item in pending[head...] where !item.packet.isDiscarded {
            if let time = item.ticks, time > ticks { result = min(result ?? time, time) }
        }
        return result
    }
}
