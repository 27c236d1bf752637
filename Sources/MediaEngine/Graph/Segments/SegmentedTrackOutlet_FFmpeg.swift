package import FFmpegKit

/// Puts the packets of a track's segments into the new file, as one encoder would have made them.
package final class SegmentedTrackOutlet: PacketOutlet {
    private let mux: MuxPort
    private let track: Int
    private let timeBase: TimeBase
    private let last: Int
    private let order = SegmentOrder()

    /// - Parameter last: The film's last segment.
    package init(_ mux: MuxPort, track: Int, timeBase: TimeBase, last: Int) {
        (self.mux, self.track, self.timeBase, self.last) = (mux, track, timeBase, last)
    }

    package func send(_ packet: Packet, of segment: Int) throws {
        try mux.send(order.placed(packet), track: track, timeBase: timeBase)
    }

    package func finish(_ segment: Int) throws { if segment == last { mux.finish(track: track) } }
}
