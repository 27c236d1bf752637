internal import MediaContainers

/// Holds packets back, in decoding order, until their presentation times are known.
struct PacketQueue {
    private var orders: [Int: PictureOrder] = [:]
    private var held: [Packet] = []
    private var head = 0
    private var failure: FFmpegError?
    private var hasEnded = false

    /// More than any encoder puts between two pictures that others are predicted from.
    private static let limit = 1024

    /// Whether packets have to pass through here.
    var isNeeded: Bool { !orders.isEmpty }

    mutating func add(_ order: PictureOrder, stream index: Int) { orders[index] = order }

    /// Streams whose packets do not tell when they are shown.
    var streams: Set<Int> { Set(orders.keys) }

    /// Has a stream's packets keep their times.
    mutating func remove(stream index: Int) { orders[index] = nil }

    /// The next packet, with what `read` gives until its time is known.
    mutating func next(_ read: () throws(FFmpegError) -> Packet?) throws(FFmpegError) -> Packet? {
        while true {
            if let packet = takeFirst() { return packet }
            if let failure { throw failure }
            guard !hasEnded else { return nil }
            do {
                guard let packet = try read() else {
                    end()
                    continue
                }
                orders[packet.streamIndex]?.add(packet)
                held.append(packet)
                if held.count - head > Self.limit { settle() }
            } catch {
                // What was read before comes first.
                failure = error
                end()
            }
        }
    }

    /// Forgets everything, for a new position in the file.
    mutating func restart() {
        for index in orders.keys { orders[index]?.restart() }
        (held, head, failure, hasEnded) = ([], 0, nil, false)
    }

    private mutating func takeFirst() -> Packet? {
        guard head < held.count else { return nil }
        let packet = held[head]
        guard orders[packet.streamIndex]?.waiting !== packet else { return nil }
        head += 1
        // One packet or another waits all the time, and those that were handed out are not to be kept until the end.
        if head > 32, head * 2 > held.count {
            held.removeFirst(head)
            head = 0
        }
        return packet
    }

    private mutating func settle() {
        for index in orders.keys { orders[index]?.finish() }
    }

    private mutating func end() {
        settle()
        hasEnded = true
    }
}

/// Puts the layers of a picture into one packet, which FFmpeg's parser divides where a stream has no packets of its own.
///
/// Packets come in the order in which they were read.
struct LayerJoin {
    private let streams: Set<Int>
    private var held: [Packet] = []
    private var failure: FFmpegError?
    private var hasEnded = false

    /// More than other streams have between two pictures.
    private static let limit = 1024

    init(streams: Set<Int> = []) { self.streams = streams }

    /// Whether packets have to pass through here.
    var isNeeded: Bool { !streams.isEmpty }

    /// The next packet, with what `read` gives until it is whole.
    mutating func next(_ read: () throws(FFmpegError) -> Packet?) throws(FFmpegError) -> Packet? {
        while true {
            if let first = held.first, hasEnded || isWhole(first) { return held.removeFirst() }
            // What was read before comes first.
            if let failure { throw failure }
            guard !hasEnded else { return nil }
            do {
                guard let packet = try read() else {
                    hasEnded = true
                    continue
                }
                try take(packet)
            } catch {
                (failure, hasEnded) = (error, true)
            }
        }
    }

    private func isWhole(_ first: Packet) -> Bool {
        !streams.contains(first.streamIndex) || held.count > Self.limit
            || held.dropFirst().contains { $0.streamIndex == first.streamIndex }
    }

    private mutating func take(_ packet: Packet) throws(FFmpegError) {
        guard streams.contains(packet.streamIndex), packet.withBytes({ HEVCLayers.continuesPicture($0) }),
            let index = held.lastIndex(where: { $0.streamIndex == packet.streamIndex })
        else { return held.append(packet) }
        let bytes = held[index].withBytes { Array($0) } + packet.withBytes { Array($0) }
        held[index] = try held[index].replacingData(with: bytes)
    }

    /// Forgets everything, for a new position in the file.
    mutating func restart() { self = LayerJoin(streams: streams) }
}
