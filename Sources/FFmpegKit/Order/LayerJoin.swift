internal import MediaContainers

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
