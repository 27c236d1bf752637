internal import CFFmpeg
package import MediaCore

/// What a muxer has to know of a stream of packets, wherever these come from.
///
/// A copy: it shares nothing with the demuxer, filter or encoder that it describes.
package struct CodedStream: Sendable {
    let parameters: Parameters
    /// The ticks of its times.
    package private(set) var timeBase: TimeBase
    /// What the stream says of itself besides its codec.
    package private(set) var traits: StreamTraits
    /// What the source says of its rate and length.
    private(set) var rate: AVRational?
    private(set) var durationTicks: Int64?

    /// `@unchecked Sendable`: nobody else has them, and nobody writes to them.
    final class Parameters: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<AVCodecParameters>

        init(_ copy: (UnsafeMutablePointer<AVCodecParameters>) -> Int32) throws(FFmpegError) {
            guard let pointer = avcodec_parameters_alloc() else {
                throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
            }
            self.pointer = pointer
            let code = copy(pointer)
            guard code >= 0 else { throw FFmpegError(code: code, operation: .write, interrupt: nil, logLine: nil) }
        }

        deinit {
            var owned: UnsafeMutablePointer<AVCodecParameters>? = pointer
            avcodec_parameters_free(&owned)
        }
    }

    /// What decoders get before the first packet: parameter sets, a sequence header; empty for none.
    package var configuration: [UInt8] {
        let parameters = parameters.pointer.pointee
        return Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
    }

    /// The same stream, saying something else of itself.
    ///
    /// - Parameter ticks: In a second, to count its times in; `nil` for its own.
    package func with(_ traits: StreamTraits, ticks: Int32?) -> CodedStream {
        var stream = self
        stream.traits = traits
        if let ticks { stream.timeBase = TimeBase(numerator: 1, denominator: max(1, ticks)) }
        return stream
    }

    /// How its samples are coded.
    package var codec: Codec { Codec(parameters.pointer.pointee.codec_id) }

    private init(
        copying parameters: UnsafePointer<AVCodecParameters>, timeBase: TimeBase, traits: StreamTraits
    ) throws(FFmpegError) {
        self.parameters = try Parameters { avcodec_parameters_copy($0, parameters) }
        self.timeBase = timeBase
        self.traits = traits
    }

    /// A stream whose packets come from a file as they are.
    ///
    /// - Parameters:
    ///   - ticks: What to count its times in, where the container has a choice; `nil` for the source's.
    ///   - traits: What to say of the stream; `nil` for what the source says.
    package init(
        copying index: Int, of demuxer: Demuxer, ticks: TimeBase? = nil, traits: StreamTraits? = nil
    ) throws(FFmpegError) {
        guard let source = demuxer.avStream(index) else {
            throw FFmpegError(kind: .other, operation: .write, reason: "there is no stream \(index)")
        }
        try self.init(
            copying: source.pointee.codecpar, timeBase: ticks ?? TimeBase(source.pointee.time_base),
            traits: traits ?? demuxer.traits(ofStream: index))
        rate = source.pointee.r_frame_rate
        if source.pointee.duration > 0 { durationTicks = source.pointee.duration }
    }

    /// A stream of AAC whose frames are taken out of LATM.
    package init(
        unpacking index: Int, of demuxer: Demuxer, configuration: [UInt8], traits: StreamTraits
    ) throws(FFmpegError) {
        guard let source = demuxer.avStream(index) else {
            throw FFmpegError(kind: .other, operation: .write, reason: "there is no stream \(index)")
        }
        parameters = try Parameters { pointer in
            let code = avcodec_parameters_copy(pointer, source.pointee.codecpar)
            guard code >= 0, let room = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
                return min(code, oav_error_posix(ENOMEM))
            }
            configuration.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: room, count: $0.count).copyMemory(from: $0)
            }
            (pointer.pointee.codec_id, pointer.pointee.codec_tag) = (AV_CODEC_ID_AAC, 0)
            av_free(pointer.pointee.extradata)
            pointer.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
            pointer.pointee.extradata_size = Int32(configuration.count)
            return 0
        }
        timeBase = TimeBase(source.pointee.time_base)
        self.traits = traits
        if source.pointee.duration > 0 { durationTicks = source.pointee.duration }
    }

    /// A stream whose packets come out of a bitstream filter.
    package init(from filter: BitstreamFilter, ticks: TimeBase? = nil, traits: StreamTraits) throws(FFmpegError) {
        try self.init(copying: filter.parameters, timeBase: ticks ?? filter.timeBase, traits: traits)
    }

    /// A stream whose packets come from an encoder.
    package init(from encoder: Encoder, traits: StreamTraits = StreamTraits()) throws(FFmpegError) {
        try self.init(codec: encoder.context, traits: traits)
    }

    /// A stream of subtitles that were turned into another kind.
    package init(from converter: SubtitleConverter, traits: StreamTraits) throws(FFmpegError) {
        try self.init(codec: converter.encoder, traits: traits)
    }

    /// A stream of samples that a movie describes in a way that no muxer knows.
    ///
    /// The muxer describes it as cameras' telemetry; whoever has it written changes that.
    package init(describedLater timeBase: TimeBase, traits: StreamTraits) throws(FFmpegError) {
        parameters = try Parameters { pointer in
            pointer.pointee.codec_type = AVMEDIA_TYPE_DATA
            pointer.pointee.codec_id = AV_CODEC_ID_BIN_DATA
            pointer.pointee.codec_tag = ContainerFormat.tag(fromText: "gpmd") ?? 0
            return 0
        }
        (self.timeBase, self.traits) = (timeBase, traits)
    }

    /// A stream of pictures that somebody else encoded.
    ///
    /// - Parameters:
    ///   - configuration: What decoders get before the first packet, as movies have it; empty for nothing.
    ///   - tag: The code of four characters in movies; `nil` for the usual one.
    package init(
        pictures codec: Codec, width: Int, height: Int, configuration: [UInt8], tag: String?, timeBase: TimeBase,
        traits: StreamTraits
    ) throws(FFmpegError) {
        parameters = try Parameters { pointer in
            pointer.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            (pointer.pointee.width, pointer.pointee.height) = (Int32(clamping: width), Int32(clamping: height))
            pointer.pointee.codec_tag = tag.flatMap(ContainerFormat.tag(fromText:)) ?? 0
            return Self.set(codec, configuration, in: pointer)
        }
        (self.timeBase, self.traits) = (timeBase, traits)
    }

    /// A stream of sound that somebody else encoded.
    ///
    /// - Parameters:
    ///   - channelLayout: FFmpeg's name of the arrangement of channels.
    ///   - framesPerPacket: 0 where packets differ.
    ///   - bitsPerSample: Of PCM; 0 for others.
    package init(
        sound codec: Codec, sampleRate: Int, channelLayout: String, framesPerPacket: Int, bitsPerSample: Int,
        configuration: [UInt8], timeBase: TimeBase, traits: StreamTraits
    ) throws(FFmpegError) {
        parameters = try Parameters { pointer in
            pointer.pointee.codec_type = AVMEDIA_TYPE_AUDIO
            pointer.pointee.sample_rate = Int32(clamping: sampleRate)
            pointer.pointee.frame_size = Int32(clamping: framesPerPacket)
            let code = av_channel_layout_from_string(&pointer.pointee.ch_layout, channelLayout)
            guard code >= 0 else { return code }
            if bitsPerSample > 0 {
                let channels = Int(pointer.pointee.ch_layout.nb_channels)
                pointer.pointee.bits_per_coded_sample = Int32(clamping: bitsPerSample)
                pointer.pointee.block_align = Int32(clamping: bitsPerSample / 8 * channels)
            }
            return Self.set(codec, configuration, in: pointer)
        }
        (self.timeBase, self.traits) = (timeBase, traits)
    }

    private static func set(
        _ codec: Codec, _ configuration: [UInt8], in parameters: UnsafeMutablePointer<AVCodecParameters>
    ) -> Int32 {
        guard let id = codec.id else { return oav_error_posix(EINVAL) }
        parameters.pointee.codec_id = id
        guard !configuration.isEmpty else { return 0 }
        guard let room = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            return oav_error_posix(ENOMEM)
        }
        UnsafeMutableRawBufferPointer(start: room, count: configuration.count).copyBytes(from: configuration)
        parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: configuration.count)
        return 0
    }

    private init(codec: UnsafeMutablePointer<AVCodecContext>, traits: StreamTraits) throws(FFmpegError) {
        parameters = try Parameters { avcodec_parameters_from_context($0, codec) }
        parameters.pointer.pointee.codec_tag = 0
        timeBase = TimeBase(codec.pointee.time_base)
        var traits = traits
        let coded = UnsafeBufferPointer(
            start: codec.pointee.coded_side_data, count: Int(max(0, codec.pointee.nb_coded_side_data)))
        for piece in coded where !traits.sideData.contains(where: { $0.kind.type == piece.type }) {
            let bytes = Array(UnsafeBufferPointer(start: piece.data, count: Int(piece.size)))
            traits.sideData.append(SideData(kind: .init(piece.type), bytes: bytes))
        }
        traits.averageFrameRate = traits.averageFrameRate ?? Ratio(positive: codec.pointee.framerate)
        traits.sampleAspectRatio = Ratio(positive: codec.pointee.sample_aspect_ratio)
        self.traits = traits
    }
}

/// Changes coded samples without decoding them: `mpeg4_unpack_bframes`, `hevc_metadata`.
///
/// What a container needs for its own sake, such as start codes or lengths
/// before NAL units, its muxer does by itself.
package final class BitstreamFilter {
    private let context: UnsafeMutablePointer<AVBSFContext>
    private let log = LogCapture()

    package enum Output {
        case packet(Packet)
        case needsPacket
        case end
    }

    private init(adopting context: UnsafeMutablePointer<AVBSFContext>) { self.context = context }

    deinit {
        var owned: UnsafeMutablePointer<AVBSFContext>? = context
        av_bsf_free(&owned)
    }

    /// Makes a filter for the packets of a stream.
    ///
    /// - Parameter description: Names and options in FFmpeg's syntax, `a=x=1,b`.
    package static func open(
        _ description: String, stream index: Int, of demuxer: Demuxer
    ) throws(FFmpegError) -> BitstreamFilter {
        guard let stream = demuxer.avStream(index) else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "there is no stream \(index)")
        }
        var raw: UnsafeMutablePointer<AVBSFContext>?
        let log = LogCapture()
        let code = log.capturing { av_bsf_list_parse_str(description, &raw) }
        guard code >= 0, let raw else {
            throw FFmpegError(code: code, operation: .filter, interrupt: nil, logLine: log.lastError)
        }
        let filter = BitstreamFilter(adopting: raw)
        try filter.log.check(.filter, avcodec_parameters_copy(raw.pointee.par_in, stream.pointee.codecpar))
        raw.pointee.time_base_in = stream.pointee.time_base
        try filter.log.check(.filter) { av_bsf_init(raw) }
        return filter
    }

    /// The options of a codec's metadata filter that have coded frames say what their colors are.
    ///
    /// - Returns: None if the codec has no such filter.
    package static func colorOptions(_ color: ColorInfo, of codec: Codec) -> [String] {
        guard codec.has(.hasNALUnits) || codec == .mpeg2Video, let tags = try? color.tags() else { return [] }
        let codes = [
            ("colour_primaries", tags.primaries.rawValue), ("transfer_characteristics", tags.transfer.rawValue),
            ("matrix_coefficients", tags.matrix.rawValue),
        ]
        // Zero is none of what frames with chroma may say, two is "unspecified"; MPEG-2 knows eight codes.
        let known = codes.filter { ![0, 2].contains($1) && (codec != .mpeg2Video || $1 <= 8) }
        var options = known.map { "\($0)=\($1)" }
        if codec.has(.hasNALUnits), let range = color.range {
            options.append("video_full_range_flag=\(range == .full ? 1 : 0)")
        }
        return options
    }

    /// What comes out, as far as its codec is concerned.
    var parameters: UnsafePointer<AVCodecParameters> { UnsafePointer(context.pointee.par_out) }

    /// The ticks of what comes out.
    package var timeBase: TimeBase { TimeBase(context.pointee.time_base_out) }

    /// Sends a packet, after everything was received; `nil` ends the stream.
    package func send(_ packet: Packet?) throws(FFmpegError) {
        log.clear()
        let copy = try packet?.sharingData()
        try log.check(.filter) { av_bsf_send_packet(context, copy?.pointer) }
    }

    package func receive() throws(FFmpegError) -> Output {
        let packet = Packet()
        let code = log.capturing { av_bsf_receive_packet(context, packet.pointer) }
        switch code {
        case oav_error_posix(EAGAIN): return .needsPacket
        case oav_error_eof: return .end
        default: try log.check(.filter, code)
        }
        return .packet(packet)
    }
}

/// Keeps the times of one stream's packets in the order that containers ask for.
///
/// A decode time after the presentation time, or at or before the decode time of
/// the packet before, is moved as the `ffmpeg` command does it, and counted.
struct DecodeOrder {
    /// Whether two packets may have the same decode time.
    let allowsEqual: Bool
    /// Whether only the order of the two times of a packet is looked at.
    let ignoresPrevious: Bool
    private(set) var last: Int64?
    private(set) var repairs = 0

    init(allowsEqual: Bool, ignoresPrevious: Bool) {
        self.allowsEqual = allowsEqual
        self.ignoresPrevious = ignoresPrevious
    }

    /// The times to write for a packet, in the output's ticks.
    mutating func placed(presentation: Int64?, decode: Int64?) -> (presentation: Int64?, decode: Int64?) {
        var (presentation, decode) = (presentation, decode)
        var isRepaired = false
        if let shown = presentation, let decoded = decode, decoded > shown {
            // The middle one of three guesses.
            let guess = [shown, decoded, (last ?? Int64.min / 4) + 1].sorted()[1]
            (presentation, decode) = (guess, guess)
            isRepaired = true
        }
        if !ignoresPrevious, let decoded = decode, let last, decoded < last + (allowsEqual ? 0 : 1) {
            let earliest = last + (allowsEqual ? 0 : 1)
            if let shown = presentation, shown >= decoded { presentation = max(shown, earliest) }
            decode = earliest
            isRepaired = true
        }
        if isRepaired { repairs += 1 }
        last = decode ?? last
        return (presentation, decode)
    }
}
