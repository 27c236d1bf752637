internal import CFFmpeg

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
