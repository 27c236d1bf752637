internal import MediaContainers
internal import MediaCore

/// Gives pictures without any time those that their neighbours leave for them.
///
/// In MPEG streams only the first picture that begins in a unit of the stream has times. One without is decoded evenly
/// between its neighbours, and shown where its header counts it among them, whatever place reading began at.
struct TimeGaps {
    private typealias Counted = (packet: Packet, count: PictureCounter.Count)

    private let counter: PictureCounter
    private let frameTicks: Int64
    /// By how much counts of consecutive frames differ, where nothing else tells.
    private let step: Int
    /// The last pictures, up to as many as may lie between two that others refer to: counts go by these.
    private var recent: [Packet] = []
    private var start: PictureCounter.Count?
    private var pending: [Counted] = []

    /// More than any codec has between two pictures that others refer to.
    private static let mostRecent = 17

    /// The first picture whose time is not known yet.
    var first: Packet? { pending.first?.packet }

    init(_ counter: PictureCounter, stream: StreamInfo) {
        self.counter = counter
        frameTicks = stream.frameTicks
        step = stream.codec == .hevc ? 1 : 2
    }

    /// Takes the next packet, which sets the times of those that wait for it.
    mutating func add(_ packet: Packet) {
        guard packet.presentationTicks == nil, packet.decodeTicks == nil else {
            if !pending.isEmpty { settle(after: (packet, counter.next(packet))) }
            remember(packet)
            return
        }
        if pending.isEmpty { for packet in recent { start = counter.next(packet) } }
        let count = counter.next(packet)
        // The second field of a frame has the first one's time.
        if !count.isField { pending.append((packet, count)) }
    }

    /// Sets the times that are still open at the end of the stream.
    mutating func finish() {
        if !pending.isEmpty { settle(after: nil) }
    }

    /// Forgets what came before a jump.
    mutating func restart() { (recent, start, pending) = ([], nil, []) }

    private mutating func remember(_ packet: Packet) {
        if recent.count == Self.mostRecent { recent.removeFirst() }
        recent.append(packet)
    }

    private mutating func settle(after: Counted?) {
        defer {
            // What follows is counted from these too.
            for (packet, _) in pending { remember(packet) }
            pending = []
        }
        let first = recent.last.flatMap { Anchor($0, start, period: 0) }
        let resets = (pending + [after].compactMap(\.self)).map(\.count.resetsOrder)
        let last = after.flatMap { Anchor($0.packet, $0.count, period: resets.count { $0 }) }
        let places = Int128(pending.count + 1)
        let span = last.flatMap { last in first.map { last.decode - $0.decode } }
        // Nothing tells what is missing where times jump.
        if let span, span <= 0 || span > places * Int128(frameTicks) * 4 { return }
        let slope = Slope(first, last) ?? Slope(ticks: Int128(frameTicks), counts: Int128(step))
        for (index, (packet, count)) in pending.enumerated() {
            let place = Int128(index + 1)
            let decode: Int128
            if let first, let span {
                decode = first.decode + (span * place) / places
            } else if let first {
                decode = first.decode + place * Int128(frameTicks)
            } else if let last {
                decode = last.decode - (places - place) * Int128(frameTicks)
            } else {
                return
            }
            let period = resets[...index].count { $0 }
            let anchor = [first, last].compactMap(\.self).first { $0.period == period }
            let delay = (first ?? last).map { $0.presentation - $0.decode } ?? 0
            let shown = anchor.map { $0.presentation + slope.ticks(Int128(count.number) - $0.count) } ?? decode + delay
            guard let decode = Int64(exactly: decode), let shown = Int64(exactly: shown) else { continue }
            packet.set(presentation: shown, decode: decode)
        }
    }

    /// A frame of known times.
    private struct Anchor {
        let presentation: Int128
        let decode: Int128
        let count: Int128
        /// How often the count was reset before.
        let period: Int

        init?(_ packet: Packet, _ count: PictureCounter.Count?, period: Int) {
            guard let presentation = packet.presentationTicks, let decode = packet.decodeTicks, let count else {
                return nil
            }
            (self.presentation, self.decode) = (Int128(presentation), Int128(decode))
            (self.count, self.period) = (Int128(count.number), period)
        }
    }

    /// How much time there is between counts.
    private struct Slope {
        let numerator: Int128
        let denominator: Int128

        init(ticks: Int128, counts: Int128) { (numerator, denominator) = (ticks, counts) }

        init?(_ first: Anchor?, _ last: Anchor?) {
            guard let first, let last, first.period == last.period, first.count != last.count else { return nil }
            (numerator, denominator) = (last.presentation - first.presentation, last.count - first.count)
            guard numerator.signum() == denominator.signum() else { return nil }
        }

        func ticks(_ counts: Int128) -> Int128 { counts * numerator / denominator }
    }
}
