internal import CFFmpeg
internal import MediaContainers
internal import MediaCore

/// FFmpeg's parser of one stream's coded pictures: reads their headers, decodes nothing.
///
/// Used by one thread at a time.
final class PictureParser {
    /// What the headers of a packet's first picture tell.
    struct Picture {
        enum Structure { case frame, topField, bottomField, unknown }

        /// Its place in order of presentation, counted anew from each picture that resets it.
        var orderCount: Int
        var structure: Structure
    }

    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()

    /// - Returns: `nil` where FFmpeg has no parser for the codec, or no memory.
    init?(_ parameters: UnsafePointer<AVCodecParameters>) {
        guard let parser = oav_parser_init(parameters.pointee.codec_id) else { return nil }
        guard let context = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            return nil
        }
        (self.parser, self.context) = (parser, context)
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        guard avcodec_parameters_to_context(context, parameters) >= 0 else { return nil }
    }

    deinit {
        av_parser_close(parser)
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }

    func parse(_ packet: Packet) -> Picture {
        parser.pointee.output_picture_number = 0
        parser.pointee.picture_structure = AV_PICTURE_STRUCTURE_UNKNOWN
        var output: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        let source = packet.pointer.pointee
        _ = log.capturing {
            av_parser_parse2(
                parser, context, &output, &size, source.data, source.size, source.pts, source.dts, source.pos)
        }
        return Picture(
            orderCount: Int(parser.pointee.output_picture_number),
            structure: structure(parser.pointee.picture_structure))
    }

    private func structure(_ value: AVPictureStructure) -> Picture.Structure {
        switch value {
        case AV_PICTURE_STRUCTURE_FRAME: .frame
        case AV_PICTURE_STRUCTURE_TOP_FIELD: .topField
        case AV_PICTURE_STRUCTURE_BOTTOM_FIELD: .bottomField
        default: .unknown
        }
    }
}

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

/// Reads the order counts of H.264's and HEVC's pictures: in which order those are shown that lie in decoding order.
///
/// Used by one thread at a time.
package final class PictureCounter {
    /// What a picture says of its place.
    package struct Count: Sendable {
        /// Its place among the pictures since the last one that resets the order.
        package let number: Int
        package let resetsOrder: Bool
        /// Whether it is one of a frame's two fields.
        package var isField = false
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
        let picture = parser.parse(packet)
        return Count(
            number: picture.orderCount,
            resetsOrder: packet.withBytes { units.resetPictureOrder(in: $0, isHEVC: isHEVC) },
            isField: picture.structure == .topField || picture.structure == .bottomField)
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

extension Demuxer {
    /// Whether a stream's pictures have captions among their user data.
    ///
    /// Reads on from where reading stands, up to a number of pictures.
    package func hasCaptions(inStream index: Int, pictures limit: Int = 300) throws(FFmpegError) -> Bool {
        guard streams.indices.contains(index), ClosedCaptions.codecs.contains(streams[index].codec) else {
            return false
        }
        select(streams: [index])
        for _ in 0..<limit {
            guard let packet = try readPacket() else { return false }
            if packet.withBytes({ ClosedCaptions.areHeld(by: $0) }) { return true }
        }
        return false
    }
}
