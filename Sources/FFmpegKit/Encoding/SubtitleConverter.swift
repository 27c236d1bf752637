internal import CFFmpeg
package import MediaCore

/// Turns text subtitles of one kind into another: SubRip into the timed text of MP4.
package final class SubtitleConverter {
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    let encoder: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()
    /// More than any text, and what the ffmpeg command allows.
    private static let maximumBytes = 1 << 20

    /// The ticks of the packets that come out.
    package let timeBase = TimeBase(numerator: 1, denominator: 1000)

    private init(decoder: UnsafeMutablePointer<AVCodecContext>, encoder: UnsafeMutablePointer<AVCodecContext>) {
        self.decoder = decoder
        self.encoder = encoder
    }

    deinit {
        for context in [decoder, encoder] {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
        }
    }

    /// Prepares for the packets of a stream.
    ///
    /// - Parameter codec: The one to write them in, by whose name FFmpeg has its encoder.
    package static func open(
        stream index: Int, of demuxer: Demuxer, to codec: Codec
    ) throws(FFmpegError) -> SubtitleConverter {
        guard let stream = demuxer.avStream(index), stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
        else {
            throw FFmpegError(kind: .other, operation: .encode, reason: "there is no stream \(index) of subtitles")
        }
        let source = Codec(stream.pointee.codecpar.pointee)
        guard let decoding = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id),
            SafetyPolicy.subtitleDecoders.contains(String(cString: decoding.pointee.name)),
            avcodec_descriptor_get(stream.pointee.codecpar.pointee.codec_id).map({
                $0.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
            }) == true
        else {
            throw FFmpegError(
                kind: .unsupported, operation: .encode, reason: "subtitles of the kind \(source) are not text")
        }
        guard let encoding = avcodec_find_encoder_by_name(codec.rawValue),
            encoding.pointee.type == AVMEDIA_TYPE_SUBTITLE
        else {
            throw FFmpegError(kind: .unsupported, operation: .encode, reason: "this FFmpeg has no encoder \(codec)")
        }
        guard let decoder = avcodec_alloc_context3(decoding), let encoder = avcodec_alloc_context3(encoding) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        let converter = SubtitleConverter(decoder: decoder, encoder: encoder)
        try converter.log.check(.encode, avcodec_parameters_to_context(decoder, stream.pointee.codecpar))
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        try converter.log.check(.encode) { avcodec_open2(decoder, decoding, nil) }
        encoder.pointee.time_base = AVRational(converter.timeBase)
        try converter.copyStyles()
        try converter.log.check(.encode) { avcodec_open2(encoder, encoding, nil) }
        return converter
    }

    /// Between the two, subtitles are events of ASS, under a header with their styles.
    private func copyStyles() throws(FFmpegError) {
        guard let header = decoder.pointee.subtitle_header, decoder.pointee.subtitle_header_size > 0 else { return }
        let size = Int(decoder.pointee.subtitle_header_size)
        guard let copy = av_mallocz(size + 1) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        copy.copyMemory(from: header, byteCount: size)
        encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
        encoder.pointee.subtitle_header_size = Int32(size)
    }

    /// The subtitle of a packet as a packet of the other kind; `nil` if it holds nothing to show.
    ///
    /// - Parameter timeBase: The ticks of the packet's times.
    package func converted(_ packet: Packet, timeBase source: TimeBase) throws(FFmpegError) -> Packet? {
        guard let ticks = packet.presentationTicks else { return nil }
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        log.clear()
        try log.check(.encode) { avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet.pointer) }
        guard isThere != 0 else { return nil }
        defer { avsubtitle_free(&subtitle) }
        guard subtitle.num_rects > 0 else { return nil }
        let delay = Int64(subtitle.start_display_time)
        let shown = Int64(subtitle.end_display_time) - delay
        subtitle.end_display_time = UInt32(clamping: shown)
        subtitle.start_display_time = 0
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let size = log.capturing { avcodec_encode_subtitle(encoder, &bytes, Int32(bytes.count), &subtitle) }
        try log.check(.encode, size)
        guard size > 0, let result = Packet(bytes: Array(bytes.prefix(Int(size))), like: packet) else { return nil }
        let start = timeBase.ticks(atOrBefore: source.time(of: ticks)) + delay
        // A packet's own duration is what the container says; the text may say otherwise.
        let duration = packet.durationTicks.map { timeBase.ticks(atOrBefore: source.time(of: $0)) }
        result.pointer.pointee.pts = start
        result.pointer.pointee.dts = start
        result.pointer.pointee.duration = shown > 0 && shown < Int64(UInt32.max) ? shown : duration ?? 0
        return result
    }
}
