internal import Bitstream
internal import MediaTypes

/// Gives pictures their presentation times where the container stores decode
/// times only.
///
/// AVI, and MPEG streams in part, tell when pictures are to be decoded. Where
/// some are predicted from later ones they are shown in another order, at the
/// same times. Packets go in and come out in decoding order; some have to wait
/// for those after them.
struct PictureOrder {
    /// How a stream's presentation times are found.
    enum Rule: Sendable {
        /// A picture that others may be predicted from is shown when the next such
        /// picture is decoded: MPEG-1, MPEG-2 and MPEG-4 part 2.
        ///
        /// - Parameter countsSlots: Whether decode times are numbers of pictures, as
        ///   in AVI, which the pictures shown take from the first one on; else the times that are stored take the decoder's delay into account.
        case anchors(countsSlots: Bool)
        /// Known from a pass over the whole stream.
        case known(KnownPictureOrder)
    }

    private let rule: Rule
    private let isMPEG4: Bool
    private var reader: MPEG4PictureReader
    /// The picture that waits for the next one of its kind.
    private(set) var waiting: Packet?
    private var previous: (decode: Int64, duration: Int64)?

    init(_ rule: Rule, stream: StreamInfo) {
        self.rule = rule
        isMPEG4 = stream.codec == .mpeg4
        reader = MPEG4PictureReader(extradata: isMPEG4 ? stream.extradata : [])
    }

    /// Takes the next packet of the stream, and sets the times that are known by now.
    mutating func add(_ packet: Packet) {
        guard let decode = packet.decodeTicks else { return }
        switch rule {
        case .known(let order): order.times[decode].map { packet.set(presentation: $0.presentation, decode: $0.decode) }
        case .anchors(let countsSlots): add(packet, decode, countsSlots: countsSlots)
        }
    }

    private mutating func add(_ packet: Packet, _ decode: Int64, countsSlots: Bool) {
        let picture = packet.withBytes { isMPEG4 ? reader.next($0) : CodedPicture.mpegVideo($0) }
        let slot = previous?.decode ?? decode.subtractingReportingOverflow(packet.durationTicks ?? 1).partialValue
        defer { previous = (decode, packet.durationTicks ?? 1) }
        // Here pictures are shown one place earlier than they are decoded, and never before.
        if countsSlots { packet.set(decode: slot) }
        // What is no picture takes no place in the order.
        guard let picture else { return }
        if picture.isBidirectional {
            settle(packet, countsSlots ? slot : decode, countsSlots: countsSlots)
        } else {
            if let waiting { settle(waiting, countsSlots ? slot : decode, countsSlots: countsSlots) }
            waiting = packet
        }
    }

    /// Sets the time that is still open at the end of the stream.
    mutating func finish() {
        guard case .anchors(let countsSlots) = rule, let waiting, let previous else { return }
        let end = previous.decode.addingReportingOverflow(previous.duration).partialValue
        settle(waiting, countsSlots ? previous.decode : end, countsSlots: countsSlots)
        self.waiting = nil
    }

    /// Forgets what came before a jump.
    mutating func restart() {
        (waiting, previous) = (nil, nil)
        reader.restart()
    }

    private func settle(_ packet: Packet, _ time: Int64, countsSlots: Bool) {
        if countsSlots || packet.presentationTicks == nil { packet.set(presentation: time) }
    }
}

extension PictureOrder.Rule {
    /// The rule for a stream whose container leaves out presentation times,
    /// `nil` for others.
    init?(container: Container, codec: Codec) {
        let countsSlots = container.has(.countsPictures)
        guard codec.has(.isOrderedByAnchors), countsSlots || container.has(.isMPEGStream) else { return nil }
        self = .anchors(countsSlots: countsSlots)
    }
}

/// The order in which the pictures of a whole stream are shown.
package struct KnownPictureOrder: Sendable {
    struct Times: Sendable {
        var presentation: Int64
        /// Not after the presentation time.
        var decode: Int64
    }

    /// By the decode times that the container stores.
    let times: [Int64: Times]

    /// One coded picture.
    struct Entry {
        let decode: Int64
        /// Its place among the pictures since the last one that resets the order.
        let orderCount: Int
        let resetsOrder: Bool
    }

    /// - Parameter entries: The stream's pictures in decoding order.
    init(_ entries: [Entry]) {
        var shown: [Int64] = []
        var start = 0
        while start < entries.count {
            let end = entries[(start + 1)...].firstIndex(where: \.resetsOrder) ?? entries.count
            let period = start..<end
            let places = period.sorted { (entries[$0].orderCount, $0) < (entries[$1].orderCount, $1) }
            var times = [Int64](repeating: 0, count: period.count)
            for (place, index) in zip(period, places) { times[index - start] = entries[place].decode }
            shown += times
            start = end
        }
        let decode = Self.decodeTimes(entries.map(\.decode), shown)
        times = Dictionary(
            zip(entries.indices, entries).map { ($1.decode, Times(presentation: shown[$0], decode: decode[$0])) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Decode times moved back by as many places as it takes for none to lie
    /// after its presentation time.
    private static func decodeTimes(_ decode: [Int64], _ shown: [Int64]) -> [Int64] {
        let places = Dictionary(zip(decode, decode.indices), uniquingKeysWith: { first, _ in first })
        let delay = zip(decode.indices, shown).reduce(0) { max($0, $1.0 - (places[$1.1] ?? $1.0)) }
        guard delay > 0, let first = decode.first else { return decode }
        let step = decode.count > 1 ? max(1, decode[1].subtractingReportingOverflow(first).partialValue) : 1
        return decode.indices.map { index in
            index >= delay ? decode[index - delay] : first &- Int64(delay - index) &* step
        }
    }
}
