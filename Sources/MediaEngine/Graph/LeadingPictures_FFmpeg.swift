package import FFmpegKit
internal import MediaAsset

/// Finds how much earlier than the picture of its first packet a track is shown.
///
/// Pictures that follow the first one in decoding order may precede it in presentation. They count if decoding from
/// there gives them; what refers to pictures that are not there is shown by no player.
package struct LeadingPictures {
    private var pictures: ShownPictures
    private var first: Int64?
    private var least: Int64?
    private var count = 0

    /// More packets than any codec puts between a picture and those that precede it.
    private static let limit = 64

    package init(_ pictures: ShownPictures) { self.pictures = pictures }

    /// Takes the stream's next packet, in decoding order.
    package mutating func note(_ packet: Packet) {
        guard count < Self.limit, let ticks = packet.presentationTicks else { return }
        count += 1
        if let first, let decode = packet.decodeTicks, decode >= first {
            count = Self.limit
            return
        }
        let isShown = pictures.shows(packet)
        first = first ?? ticks
        if isShown { least = min(least ?? ticks, ticks) }
    }

    /// How much earlier it is, in ticks.
    ///
    /// - Parameters:
    ///   - start: The new file's zero, before which nothing is shown.
    ///   - stream: The stream of the demuxer that the packets came from.
    package func lead(from start: Int64, of stream: Int, in demuxer: Demuxer) throws(FFmpegError) -> Int64 {
        guard let first, first > start else { return 0 }
        var shown = try demuxer.decodableLeadingTicks(pictures, stream: stream)
        if let least { shown.append(least) }
        let earliest = max(start, shown.min() ?? first)
        return max(0, first.subtractingReportingOverflow(earliest).partialValue)
    }
}
