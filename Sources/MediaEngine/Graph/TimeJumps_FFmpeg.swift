package import FFmpegKit
package import MediaCore

/// Finds where the times of a transport stream jump, as they do where recordings
/// were joined, and lets them go on.
package struct TimeJumps {
    package struct Jump {
        package var from: CMTime
        package var to: CMTime
    }

    /// Whether the container is one whose times may jump.
    let isPossible: Bool
    private let streams: [StreamInfo]
    /// Where each stream's next packet is due, on the timeline without jumps.
    private var due: [Int: CMTime] = [:]
    /// What is added to each stream's times: streams do not come to a jump at once.
    private var shifts: [Int: CMTime] = [:]
    private var latestShift = CMTime.zero
    package private(set) var count = 0

    /// What a stream may go back by without a jump, and forward: a gap in a recording may be this long.
    private static let (back, forward) = (CMTime(value: 1, timescale: 1), CMTime(value: 10, timescale: 1))

    package init(_ demuxer: Demuxer) {
        isPossible = demuxer.container.has(.isMPEGStream)
        streams = demuxer.streams
    }

    /// The jump that a packet makes, `nil` if it follows those before it.
    func jump(to packet: Packet) -> Jump? {
        guard isPossible, let (time, _) = times(of: packet), let due = due[packet.streamIndex] else { return nil }
        let moved = time + shift(of: packet)
        return Self.follows(moved, due) ? nil : Jump(from: due, to: moved)
    }

    private static func follows(_ time: CMTime, _ due: CMTime) -> Bool { time >= due - back && time <= due + forward }

    private func shift(of packet: Packet) -> CMTime { shifts[packet.streamIndex] ?? .zero }

    /// The packet on the timeline without jumps.
    package mutating func moved(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard isPossible, let (time, duration) = times(of: packet) else { return packet }
        let shift = shift(of: packet)
        let end = time + shift + duration
        due[packet.streamIndex] = due[packet.streamIndex].map { max($0, end) } ?? end
        guard shift != .zero else { return packet }
        let ticks = streams[packet.streamIndex].timeBase.ticks(nearest: shift)
        return try packet.retimed(
            presentation: packet.presentationTicks.map { $0 &+ ticks }, decode: packet.decodeTicks.map { $0 &+ ticks },
            duration: packet.durationTicks)
    }

    /// The first packet after a jump, which goes on where the streams before it end.
    mutating func joining(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard let (time, _) = times(of: packet), let due = due[packet.streamIndex] else { return try moved(packet) }
        if !Self.follows(time + latestShift, due) {
            count += 1
            latestShift = (self.due.values.max() ?? due) - time
        }
        shifts[packet.streamIndex] = latestShift
        return try moved(packet)
    }

    private func times(of packet: Packet) -> (CMTime, CMTime)? {
        guard streams.indices.contains(packet.streamIndex) else { return nil }
        let info = streams[packet.streamIndex]
        guard [.video, .audio].contains(info.kind), let ticks = packet.decodeTicks ?? packet.presentationTicks else {
            return nil
        }
        let time = info.timeBase.time(of: ticks)
        return time.isNumeric ? (time, info.timeBase.time(of: packet.durationTicks ?? 0)) : nil
    }
}
