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
