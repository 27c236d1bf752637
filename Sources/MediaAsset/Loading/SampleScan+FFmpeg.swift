package import FFmpegKit
package import MediaTime

/// The samples of one stream as a pass over all packets finds them; nothing is
/// decoded.
package struct SampleScan: Sendable {
    /// Presentation times of the shown samples in ascending order, in ticks.
    package let ticks: [Int64]
    /// Where the last sample ends, on the container's timeline.
    package let end: CMTime
    package let timeBase: TimeBase

    /// Reads a whole file.
    ///
    /// - Complexity: One pass over the file's bytes.
    init(demuxer: Demuxer, stream index: Int) throws(FFmpegError) {
        let stream = demuxer.streams[index]
        timeBase = stream.timeBase
        demuxer.select(streams: [index])
        var shown: [Int64] = []
        var end = Int64.min
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == index, !packet.isDiscarded else { continue }
            guard !Self.isHidden(packet, codec: stream.codecName) else { continue }
            // Packets without a time follow the one before.
            let following = end == .min ? 0 : end
            let time = packet.presentationTicks ?? packet.decodeTicks ?? following
            guard shown.count < demuxer.policy.maximumPackets else {
                throw FFmpegError(kind: .limit, operation: "scan", reason: "the file has too many samples")
            }
            shown.append(time)
            let length = packet.durationTicks ?? (stream.kind == .video ? stream.frameTicks : 0)
            end = max(end, time.addingReportingOverflow(length).partialValue)
        }
        shown.sort()
        ticks = shown
        self.end = end == .min ? .invalid : stream.timeBase.time(of: end)
    }

    /// The container's time of a shown sample, by its number from 0.
    func time(ofFrame number: Int) -> CMTime { timeBase.time(of: ticks[number]) }

    /// Whether a VP8 frame is one that is decoded and never shown.
    private static func isHidden(_ packet: Packet, codec: String) -> Bool {
        guard codec == "vp8" else { return false }
        return packet.withBytes { bytes in bytes.first.map { $0 & 0x10 == 0 } ?? false }
    }
}
