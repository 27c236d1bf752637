/// Which pictures of one decoding run cannot be trusted.
///
/// A packet that fails, or decodes with complaints, spoils its own picture and
/// each later one in decoding order, until decoding starts anew at a clean
/// entry. Pictures shown before that entry but decoded after it (leading
/// pictures) stay spoiled.
package struct DamageRecord {
    private struct Fault {
        var number: Int64
        var ticks: Int64?
        var reason: String
    }

    private var faults: [Fault] = []
    private var entries: [(number: Int64, ticks: Int64)] = []

    package init() {}

    /// What went wrong last.
    package var lastReason: String? { faults.last?.reason }

    package mutating func add(packet number: Int64, ticks: Int64?, reason: String) {
        // A fault may become known after later packets were sent: keep the order of decoding.
        let position = (faults.lastIndex { $0.number <= number } ?? -1) + 1
        if position > 0, faults[position - 1].number == number { return }
        faults.insert(Fault(number: number, ticks: ticks, reason: reason), at: position)
        if faults.count > 4096 { faults.removeFirst(2048) }
    }

    /// Notes that decoding could have started at this packet.
    package mutating func addEntry(packet number: Int64, ticks: Int64) {
        guard !faults.isEmpty else { return }
        entries.append((number, ticks))
        if entries.count > 4096 { entries.removeFirst(2048) }
    }

    /// Why the picture made from a packet cannot be trusted, `nil` if it can.
    package func damage(ofPacket number: Int64, ticks: Int64) -> String? {
        guard let fault = faults.last(where: { $0.number <= number }) else { return nil }
        let isRenewed = entries.contains { $0.number > fault.number && $0.number <= number && $0.ticks <= ticks }
        return isRenewed ? nil : fault.reason
    }

    /// Why a picture is missing between two times, `nil` if none is known to be.
    package func missing(after shown: Int64, through ticks: Int64) -> String? {
        faults.first { fault in fault.ticks.map { $0 > shown && $0 <= ticks } ?? false }?.reason
    }
}

/// What the stills of a generator cost, as numbers of events since it was made.
public struct StillStatistics: Sendable, Hashable {
    /// How often decoding began anew, at an entry point of a GOP.
    public package(set) var entries = 0
    /// Pictures given to the decoder whole.
    ///
    /// Where several stills lie in one GOP, it leaves some of these out by itself.
    public package(set) var decoded = 0
    /// Pictures of which the decoder got no more than the headers, because only
    /// pictures that nobody wanted refer to them.
    public package(set) var headersOnly = 0
    /// Pictures passed over, because no picture refers to them.
    public package(set) var skipped = 0

    package init() {}

    package mutating func add(_ other: StillStatistics) {
        entries += other.entries
        decoded += other.decoded
        headersOnly += other.headersOnly
        skipped += other.skipped
    }
}
