/// Counts the pictures of a stream whose container tells no times, such as raw H.264.
///
/// They follow one another without gaps, each for as long as the parser says, or by the stream's rate.
struct PictureClock {
    private let stream: Int
    private let frameTicks: Int64
    private var next: Int64

    init(of info: StreamInfo) { (stream, frameTicks, next) = (info.index, info.frameTicks, info.startTicks ?? 0) }

    /// Gives a packet its decode time if it has none.
    ///
    /// - Returns: The clock for the packet after it.
    func timing(_ packet: Packet) -> PictureClock {
        guard packet.streamIndex == stream, packet.decodeTicks == nil, packet.presentationTicks == nil else {
            return self
        }
        packet.set(decode: next)
        var clock = self
        clock.next = next.addingReportingOverflow(packet.durationTicks ?? frameTicks).partialValue
        return clock
    }
}
