internal import CFFmpeg
internal import MediaContainers
internal import MediaCore

/// Reads the order counts of H.264's and HEVC's pictures: in which order those are shown that lie in decoding order.
///
/// Used by one thread at a time.
package final class PictureCounter {
    /// What a picture says of its place.
    package struct Count: Sendable {
        /// Its place among the pictures since the last one that resets the order.
        package let number: Int
        package let resetsOrder: Bool
    }

    private let parser: PictureParser
    private let units: NALUnits
    private let isHEVC: Bool

    init?(_ parameters: UnsafePointer<AVCodecParameters>, of stream: StreamInfo) {
        guard let parser = PictureParser(parameters) else { return nil }
        self.parser = parser
        units = NALUnits(codec: stream.codec, extradata: stream.extradata)
        isHEVC = stream.codec == .hevc
    }

    /// Takes the stream's next packet, in decoding order.
    package func next(_ packet: Packet) -> Count {
        Count(
            number: parser.parse(packet).orderCount,
            resetsOrder: packet.withBytes { units.resetPictureOrder(in: $0, isHEVC: isHEVC) })
    }

    /// The place of each picture, counted from 0, among all in the order in which they are shown.
    package static func places(of counts: [Count]) -> [Int] {
        var places = Array(counts.indices)
        var start = 0
        while start < counts.count {
            let end = counts[(start + 1)...].firstIndex(where: \.resetsOrder) ?? counts.count
            let ordered = (start..<end).sorted { (counts[$0].number, $0) < (counts[$1].number, $1) }
            for (place, index) in zip(start..<end, ordered) { places[index] = place }
            start = end
        }
        return places
    }
}
