internal import CFFmpeg
package import MediaCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Encodes pictures or sound.
///
/// After each frame sent, packets are received until it needs another frame.
/// One thread at a time may use it.
package final class Encoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()
    private let collectsStatistics: Bool
    private var framesSent = 0
    private var hasFinished = false
    /// How long the frames last that were sent and have not come out yet.
    private var durations: [Int64: Int64] = [:]
    package let settings: EncoderSettings
    /// After the first of two passes, what ``EncodingPass/second(directory:statistics:)`` wants.
    package private(set) var passStatistics = ""

    package enum Output {
        case packet(Packet)
        case needsFrame
        case end
    }

    private init(adopting context: UnsafeMutablePointer<AVCodecContext>, settings: EncoderSettings) {
        self.context = context
        self.settings = settings
        collectsStatistics = settings.pass.number == 1
    }

    deinit {
        if settings.name == "libsvtav1", framesSent == 0 { sendBlankFrame() }
        av_freep(&context.pointee.stats_in)
        // One that was given up still codes what it has, for up to a second: nobody waits for that.
        guard framesSent > 0, !hasFinished, !collectsStatistics else { return Self.free(context) }
        nonisolated(unsafe) let abandoned = context
        WorkThread.start(name: "encoder's end") { Self.free(abandoned) }
    }

    private static func free(_ context: UnsafeMutablePointer<AVCodecContext>) {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        // Some tell statistics in the end.
        LogCapture().capturing { avcodec_free_context(&owned) }
    }

    /// SVT-AV1 1.4 waits for its last packet when it is closed, which never comes
    /// if there was no picture.
    private func sendBlankFrame() {
        let (width, height) = (Int(context.pointee.width), Int(context.pointee.height))
        guard avcodec_is_open(context) != 0,
            let frame = try? Frame.allocate(width: width, height: height, format: context.pointee.pix_fmt)
        else { return }
        frame.pointer.pointee.pts = 0
        _ = log.capturing { avcodec_send_frame(context, frame.pointer) }
    }

    /// Whether this FFmpeg has an encoder of a name.
    package static func isAvailable(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }

    /// Opens an encoder.
    ///
    /// - Throws: An error of kind `unsupported` that names what is not possible:
    ///   the encoder, an option, a format.
    package static func open(_ settings: EncoderSettings) throws(FFmpegError) -> Encoder {
        guard let codec = avcodec_find_encoder_by_name(settings.name) else {
            throw FFmpegError(
                kind: .unsupported, operation: .encode, reason: "this FFmpeg has no encoder \(settings.name)")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        let encoder = Encoder(adopting: context, settings: settings)
        switch settings.media {
        case .video(let video): try encoder.set(video)
        case .audio(let audio): try encoder.set(audio)
        }
        if let bitRate = settings.bitRate { context.pointee.bit_rate = bitRate }
        context.pointee.thread_count = Int32(clamping: max(0, settings.threads))
        if settings.usesGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        try encoder.setPass()
        let options = try settings.completedOptions()
        try options.asOptions(for: "the encoder \(settings.name)", operation: .encode) { options throws(FFmpegError) in
            let code = encoder.log.capturing { oav_open_encoder(context, codec, &options) }
            try encoder.log.check(.encode, code)
        }
        // Parameters that an encoder does not know are only complained of. What FLAC's complains of is a layout that the
        // muxer says.
        if settings.name != Codec.flac.rawValue, let complaint = encoder.log.lastError {
            throw FFmpegError(kind: .unsupported, operation: .encode, reason: "\(settings.name): \(complaint)")
        }
        return encoder
    }

    private func set(_ video: VideoSettings) throws(FFmpegError) {
        let format = av_get_pix_fmt(video.pixelFormat)
        guard format != AV_PIX_FMT_NONE else { throw Self.unknown("pixel format", video.pixelFormat) }
        context.pointee.width = Int32(clamping: video.width)
        context.pointee.height = Int32(clamping: video.height)
        context.pointee.pix_fmt = format
        context.pointee.time_base = AVRational(video.timeBase)
        if let rate = video.frameRate {
            context.pointee.framerate = AVRational(rate)
            // libvpx shares out bits by how long it is told that frames last.
            let ticks = video.timeBase.ticks(
                atOrBefore: CMTime(value: Int64(rate.denominator), timescale: rate.numerator))
            if settings.name.hasPrefix("libvpx"), let ticks = Int32(exactly: ticks), ticks > 0 {
                oav_encoder_set_frame_ticks(context, ticks)
            }
        }
        if let ratio = video.sampleAspectRatio { context.pointee.sample_aspect_ratio = AVRational(ratio) }
        if let interval = video.keyframeInterval { context.pointee.gop_size = Int32(clamping: interval) }
        let tags = try video.color.tags()
        context.pointee.color_primaries = tags.primaries
        context.pointee.color_trc = tags.transfer
        context.pointee.colorspace = tags.matrix
        context.pointee.color_range = tags.range
        context.pointee.chroma_sample_location = tags.location
    }

    private func set(_ audio: AudioSettings) throws(FFmpegError) {
        let format = av_get_sample_fmt(audio.sampleFormat)
        guard format != AV_SAMPLE_FMT_NONE else { throw Self.unknown("sample format", audio.sampleFormat) }
        guard av_channel_layout_from_string(&context.pointee.ch_layout, audio.channelLayout) >= 0 else {
            throw Self.unknown("channel layout", audio.channelLayout)
        }
        context.pointee.sample_rate = Int32(clamping: audio.sampleRate)
        context.pointee.sample_fmt = format
        context.pointee.time_base = AVRational(num: 1, den: context.pointee.sample_rate)
    }

    private func setPass() throws(FFmpegError) {
        switch settings.pass {
        case .only: break
        case .first: context.pointee.flags |= AV_CODEC_FLAG_PASS1
        case .second(_, let statistics):
            context.pointee.flags |= AV_CODEC_FLAG_PASS2
            context.pointee.stats_in = av_strdup(statistics)
        }
    }

    // MARK: What it made of the settings

    /// The ticks of frames and packets.
    package var timeBase: TimeBase { TimeBase(context.pointee.time_base) }
    /// How many samples each frame of sound but the last has to have; `nil` for any number.
    package var frameSize: Int? {
        let isFree = context.pointee.codec.pointee.capabilities & AV_CODEC_CAP_VARIABLE_FRAME_SIZE != 0
        return isFree || context.pointee.frame_size <= 0 ? nil : Int(context.pointee.frame_size)
    }
    // MARK: Frames and packets

    /// Sends a frame.
    ///
    /// - Parameters:
    ///   - ticks: When it is shown, in ``timeBase``; later than all before it.
    ///   - duration: How long it is shown, if that is known.
    ///   - isKeyframe: Whether it has to become a keyframe.
    package func send(
        _ frame: Frame, atTicks ticks: Int64, duration: Int64? = nil, isKeyframe: Bool = false
    ) throws(FFmpegError) {
        let copy = try frame.sharingData()
        copy.pointer.pointee.pts = ticks
        // Otherwise encoders would take over what kind of picture it was in the source.
        copy.pointer.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        oav_frame_set_duration(copy.pointer, duration ?? 0)
        // ProRes says of each picture what its colours mean, and takes that from the picture.
        if !frame.isSound { copy.setColor(of: context) }
        // Where fields are kept, pictures between them that are none have the stream's own order.
        if let isTopFirst = settings.isTopFieldFirst, !frame.isInterlaced {
            oav_frame_set_fields(copy.pointer, 1, isTopFirst ? 1 : 0)
        }
        // The bound is there for an encoder that drops frames without a word.
        if let duration, durations.count < 4096 { durations[ticks] = duration }
        framesSent += 1
        log.clear()
        try log.check(.encode) { avcodec_send_frame(context, copy.pointer) }
    }

    /// Says that there are no more frames; the packets that remain have to be received.
    package func finish() throws(FFmpegError) {
        hasFinished = true
        // SVT-AV1 1.4 would wait for a packet of no picture.
        guard framesSent > 0 else { return }
        log.clear()
        let code = log.capturing { avcodec_send_frame(context, nil) }
        if code != oav_error_eof { try log.check(.encode, code) }
    }

    /// The next packet in decode order.
    package func receive() throws(FFmpegError) -> Output {
        if hasFinished, framesSent == 0 { return .end }
        let packet = Packet()
        let code = log.capturing { avcodec_receive_packet(context, packet.pointer) }
        if collectsStatistics, code >= 0 || code == oav_error_eof, let text = context.pointee.stats_out {
            passStatistics += String(cString: text)
        }
        switch code {
        case oav_error_posix(EAGAIN): return .needsFrame
        case oav_error_eof: return .end
        default: try log.check(.encode, code)
        }
        // x265 3.5 makes up decode times if there are fewer frames than it could reorder.
        if settings.name == "libx265", framesSent <= 2 { packet.pointer.pointee.dts = packet.pointer.pointee.pts }
        if let ticks = packet.presentationTicks, let duration = durations.removeValue(forKey: ticks),
            packet.pointer.pointee.duration == 0
        {
            packet.pointer.pointee.duration = duration
        }
        try tellMatrix(in: packet)
        return .packet(packet)
    }

    /// Has a frame of VC-3 say the matrix of its samples: FFmpeg's encoder says BT.709 of all.
    ///
    /// Source: SMPTE ST 2019-1, the coding unit's header: two bits of its byte 44.
    private func tellMatrix(in packet: Packet) throws(FFmpegError) {
        let isWide = [AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL].contains(context.pointee.colorspace)
        guard isWide, context.pointee.codec_id == AV_CODEC_ID_DNXHD else { return }
        try log.check(.encode, av_packet_make_writable(packet.pointer))
        guard packet.pointer.pointee.size > 44, let data = packet.pointer.pointee.data,
            // The header's prefix, its length, and the version that is for every resolution.
            data[0] == 0, data[1] == 0, data[4] == 3
        else { return }
        data[44] |= context.pointee.colorspace == AVCOL_SPC_BT2020_NCL ? 1 << 1 : 2 << 1
    }

    private static func unknown(_ what: String, _ name: String) -> FFmpegError {
        FFmpegError(kind: .unsupported, operation: .encode, reason: "there is no \(what) \(name)")
    }
}

extension Frame {
    /// Says of the picture's colours what an encoder says of all pictures'.
    fileprivate func setColor(of context: UnsafeMutablePointer<AVCodecContext>) {
        pointer.pointee.color_primaries = context.pointee.color_primaries
        pointer.pointee.color_trc = context.pointee.color_trc
        pointer.pointee.colorspace = context.pointee.colorspace
        pointer.pointee.color_range = context.pointee.color_range
    }
}

/// What an encoder of this FFmpeg can take; an empty list means anything.
package struct EncoderCapabilities: Sendable, Equatable {
    /// What comes out.
    package var codec: Codec
    var kind: StreamInfo.Kind
    package var pixelFormats: [String]
    package var sampleFormats: [String]
    package var sampleRates: [Int]
    package var channelLayouts: [String]

    /// - Returns: `nil` if there is no such encoder.
    package init?(ofEncoder name: String) {
        guard let codec = avcodec_find_encoder_by_name(name) else { return nil }
        self.codec = Codec(codec.pointee.id)
        kind = StreamInfo.Kind(codec.pointee.type)
        pixelFormats = Self.list { oav_codec_pixel_format(codec, $0) }.compactMap {
            av_get_pix_fmt_name(AVPixelFormat(rawValue: $0)).map { String(cString: $0) }
        }
        sampleFormats = Self.list { oav_codec_sample_format(codec, $0) }.compactMap {
            av_get_sample_fmt_name(AVSampleFormat(rawValue: $0)).map { String(cString: $0) }
        }
        sampleRates = Self.list { oav_codec_sample_rate(codec, $0) }.map { Int($0) }
        channelLayouts = []
        var index: Int32 = 0
        while let layout = oav_codec_channel_layout(codec, index) {
            channelLayouts.append(ChannelLayout.name(of: layout))
            index += 1
        }
    }

    private static func list(_ element: (Int32) -> Int32) -> [Int32] {
        var result: [Int32] = []
        while true {
            let value = element(Int32(result.count))
            guard value >= 0 else { return result }
            result.append(value)
        }
    }
}

enum ChannelLayout {
    static func name(of layout: UnsafePointer<AVChannelLayout>) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, av_channel_layout_describe(layout, base, buffer.count) > 0 else {
                return "unknown"
            }
            return String(cString: base)
        }
    }
}
