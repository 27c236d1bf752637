package import FFmpegKit
package import MediaCore

/// Puts the packets of segments that are encoded at the same time into the order of the film.
///
/// Those of the segment whose turn it is go on at once; those of later ones wait. What waits is bounded in bytes: an
/// encoder that is too far ahead is held back, the one whose turn it is never is.
package final class SegmentRelay: Sendable {
    private struct State {
        var next: Int
        var waiting: [Int: [Packet]] = [:]
        var waitingBytes = 0
        var complete: Set<Int> = []
        /// Whether a thread passes the turn on.
        var isAdvancing = false
        var isStopped = false

        /// The segment whose turn it is, if it has ended; else nobody passes the turn on.
        mutating func takeEnded() -> Int? {
            guard complete.remove(next) != nil else {
                isAdvancing = false
                return nil
            }
            return next
        }

        mutating func takeWaiting(of segment: Int) -> [Packet] {
            let packets = waiting.removeValue(forKey: segment) ?? []
            waitingBytes -= packets.reduce(0) { $0 + $1.byteCount }
            return packets
        }
    }

    private let state: WaitingLock<State>
    private let outlet: any PacketOutlet
    /// How many bytes of packets may wait.
    private static let maximumWaitingBytes = 256 << 20

    package init(first: Int, outlet: any PacketOutlet, cancellation: Cancellation) {
        state = WaitingLock(State(next: first))
        self.outlet = outlet
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    package func send(_ packet: Packet, of segment: Int) throws {
        let isDue = try state.wait { state throws(WorkStopped) -> Bool? in
            if state.isStopped { throw WorkStopped() }
            if state.next == segment { return true }
            let fits = state.waitingBytes + packet.byteCount <= Self.maximumWaitingBytes
            guard fits || state.waiting[segment] == nil else { return nil }
            state.waiting[segment, default: []].append(packet)
            state.waitingBytes += packet.byteCount
            return false
        }
        if isDue { try outlet.send(packet, of: segment) }
    }

    /// A segment has no more packets; the turn goes on to the ones after it.
    package func finish(_ segment: Int) throws {
        let isDue = state.change { state in
            state.complete.insert(segment)
            guard state.next == segment, !state.isAdvancing else { return false }
            state.isAdvancing = true
            return true
        }
        guard isDue else { return }
        while let ended = state.change({ $0.takeEnded() }) {
            try outlet.finish(ended)
            try sendWaiting(of: ended + 1)
        }
    }

    /// Sends what waits of a segment, which has its turn once nothing does.
    private func sendWaiting(of segment: Int) throws {
        while true {
            let packets = state.change { state in
                let packets = state.takeWaiting(of: segment)
                if packets.isEmpty { state.next = segment }
                return packets
            }
            if packets.isEmpty { return }
            for packet in packets { try outlet.send(packet, of: segment) }
        }
    }
}

/// Where the packets of a track's segments go, in order, from one thread at a time.
package protocol PacketOutlet: Sendable {
    func send(_ packet: Packet, of segment: Int) throws
    /// A segment has no more packets.
    func finish(_ segment: Int) throws
}
