/// Layers of HEVC: the second view of stereo pictures, or their alpha, each with pictures of its own.
///
/// Source: ITU-T H.265, 7.3.1.2 (NAL unit header), 7.3.2.1 (video parameter set).
enum HEVCLayers {
    private static let videoParameterSet: UInt8 = 32

    /// Whether parameter sets behind start codes announce more layers than the first.
    static func areAnnounced(in extradata: [UInt8]) -> Bool {
        guard extradata.first == 0 else { return false }
        var isLayered = false
        extradata.withUnsafeBytes { bytes in
            NALUnits(codec: "hevc", extradata: []).forEach(in: bytes) { unit in
                guard unit[unit.startIndex] >> 1 & 0x3f == videoParameterSet else { return true }
                // Behind the header's second byte, a number of four bits and two flags.
                let payload = NALUnits.payload(of: unit, limit: 3)
                guard payload.count == 3 else { return true }
                isLayered = (payload[1] & 3) << 4 | payload[2] >> 4 > 0
                return !isLayered
            }
        }
        return isLayered
    }

    /// Whether a packet begins with a unit of an upper layer, as no access unit does.
    static func continuesPicture(_ packet: Packet) -> Bool {
        var isUpper = false
        packet.withBytes { bytes in
            NALUnits(codec: "hevc", extradata: []).forEach(in: bytes) { unit in
                guard unit.count >= 2 else { return false }
                isUpper = (unit[unit.startIndex] & 1) << 5 | unit[unit.startIndex + 1] >> 3 > 0
                return false
            }
        }
        return isUpper
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
        guard streams.contains(packet.streamIndex), HEVCLayers.continuesPicture(packet),
            let index = held.lastIndex(where: { $0.streamIndex == packet.streamIndex })
        else { return held.append(packet) }
        let bytes = held[index].withBytes { Array($0) } + packet.withBytes { Array($0) }
        held[index] = try held[index].replacingData(with: bytes)
    }

    /// Forgets everything, for a new position in the file.
    mutating func restart() { self = LayerJoin(streams: streams) }
}
