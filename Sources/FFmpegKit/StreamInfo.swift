internal import CFFmpeg
internal import MediaContainers
package import MediaCore

/// What one stream of an open file is, copied out of FFmpeg's structures.
package struct StreamInfo: Sendable, Equatable {
    package enum Kind: Sendable { case video, audio, subtitle, data, attachment, unknown }

    package var index: Int
    /// The container's own number for the stream; 0 where it has none.
    package var containerID: Int
    package var kind: Kind
    /// A still picture such as cover art rather than something that plays.
    package var isAttachedPicture: Bool
    package var codec: Codec
    /// The codec's four-character code in the container, empty if none.
    package var codecTag: String
    package var profile: String?
    package var timeBase: TimeBase
    package var startTicks: Int64?
    /// How much decoders leave out of what the first packets last, on the container's timeline.
    package var leadIn = CMTime.zero
    package var durationTicks: Int64?
    package var frameCount: Int64?
    package var bitRate: Int64?
    package var language: String?
    package var title: String?
    package var video: VideoInfo?
    package var audio: AudioInfo?
    /// Codec configuration: `avcC`, `hvcC` and the like.
    package var extradata: [UInt8]
    /// What decoders of AAC are told where its frames are taken out of LATM; `nil` for other streams.
    package var unpackedConfiguration: [UInt8]?
    /// The timecode of the first frame, as the container tells it: untrusted text.
    package var timecode: String?
    /// Whether the container names a key that the stream is encrypted with.
    package var isEncrypted = false
    /// Whether the samples lie in another file, which is never opened.
    package var isForeign = false
    /// Whether its frames or audio can be decoded.
    package var decoder = DecoderAvailability.missing

    /// Whether nothing tells what its pictures or its sound are: it may have no packet at all.
    package var lacksFormat: Bool {
        switch kind {
        case .video: video.map { $0.width == 0 || $0.height == 0 } ?? true
        case .audio: audio.map { $0.sampleRate == 0 } ?? true
        default: false
        }
    }

    /// The length of a frame by the average rate, for frames that do not tell
    /// their own; at least one tick.
    package var frameTicks: Int64 {
        guard let rate = video?.averageFrameRate ?? video?.realFrameRate else { return 1 }
        return max(1, timeBase.ticks(atOrBefore: CMTime(value: Int64(rate.denominator), timescale: rate.numerator)))
    }
}

/// The picture side of a stream.
package struct VideoInfo: Sendable, Equatable {
    package var width: Int
    package var height: Int
    package var sampleAspectRatio: Ratio
    /// What the coded pictures say of it, whatever the container does; `nil` if they say nothing.
    package var codedAspectRatio: Ratio?
    /// Whether the container tells the shape of pixels, which then goes for all frames.
    package var isAspectOfContainer = false
    package var averageFrameRate: Ratio?
    package var realFrameRate: Ratio?
    package var pixelFormat: String?
    package var bitsPerComponent: Int?
    package var hasAlpha: Bool
    package var color: ColorInfo
    /// Whether only the container tells the color, or a part of it.
    package var isColorOfContainer = false
    package var fieldOrder: FieldOrder?
    package var reorderDelay: Int
    /// Nine 16.16 and 2.30 fixed-point values as in ISO/IEC 14496-12.
    package var displayMatrix: [Int32]?
    /// The brightest light of HDR content in cd/m², as the container says.
    package var peakLuminance: Double?
    /// Whether each picture is coded on its own.
    package var isIntraOnly: Bool
    /// Whether there is alpha that no decoder here gives.
    package var hasUndecodedAlpha = false
    /// How the stream says it is Dolby Vision, `nil` if it is not.
    package var dolbyVision: DolbyVisionInfo?
}

/// A stream's Dolby Vision configuration.
package struct DolbyVisionInfo: Sendable, Equatable {
    package var profile: Int
    package var level: Int
    /// What the base layer is without Dolby Vision: 0 for nothing that can be
    /// shown, 1 for HDR10, 2 for SDR, 4 for HLG.
    package var compatibilityID: Int
}

/// The sound side of a stream.
package struct AudioInfo: Sendable, Equatable {
    package var sampleRate: Int
    package var channels: Int
    package var channelLayout: String?
    /// FFmpeg's name of what the decoder gives, `nil` if unknown: `s16`, `fltp`.
    package var sampleFormat: String?
    /// How many bits of a sample the source uses; `nil` if unknown, or for coding that has none.
    package var bitsPerSample: Int?
    /// How many samples of each channel a packet holds; `nil` where packets differ, or unknown.
    package var framesPerPacket: Int?
    /// The bytes of one sample of all channels of interleaved PCM; `nil` for other coding.
    package var bytesPerFrame: Int?

    package init(
        sampleRate: Int, channels: Int, channelLayout: String?, sampleFormat: String? = nil, bitsPerSample: Int? = nil,
        framesPerPacket: Int? = nil, bytesPerFrame: Int? = nil
    ) {
        (self.sampleRate, self.channels, self.channelLayout) = (sampleRate, channels, channelLayout)
        (self.sampleFormat, self.bitsPerSample) = (sampleFormat, bitsPerSample)
        (self.framesPerPacket, self.bytesPerFrame) = (framesPerPacket, bytesPerFrame)
    }
}

/// A fraction of two 32-bit numbers, as headers hold them.
package struct Ratio: Sendable, Hashable {
    package var numerator: Int32
    package var denominator: Int32

    package init(_ numerator: Int32, _ denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    init?(positive rational: AVRational) {
        guard rational.num > 0, rational.den > 0 else { return nil }
        self.init(rational.num, rational.den)
    }

    package var value: Double { Double(numerator) / Double(denominator) }
}

extension StreamInfo {
    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        let disposition = stream.pointee.disposition
        self.init(
            index: Int(stream.pointee.index),
            containerID: Int(stream.pointee.id),
            kind: Kind(parameters.codec_type),
            isAttachedPicture: disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            codec: Codec(parameters),
            codecTag: Self.fourCharacterCode(parameters.codec_tag),
            profile: avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) },
            timeBase: TimeBase(stream.pointee.time_base),
            startTicks: Self.optional(oav_stream_start(context, stream)),
            durationTicks: Self.optional(stream.pointee.duration).flatMap { $0 > 0 ? $0 : nil },
            frameCount: stream.pointee.nb_frames > 0 ? stream.pointee.nb_frames : nil,
            bitRate: parameters.bit_rate > 0 ? parameters.bit_rate : nil,
            language: Self.metadata(stream.pointee.metadata, "language"),
            title: Self.metadata(stream.pointee.metadata, "title"),
            video: parameters.codec_type == AVMEDIA_TYPE_VIDEO ? VideoInfo(stream, of: context) : nil,
            audio: parameters.codec_type == AVMEDIA_TYPE_AUDIO ? AudioInfo(parameters) : nil,
            extradata: parameters.extradata.map {
                Array(UnsafeBufferPointer(start: $0, count: max(0, Int(parameters.extradata_size))))
            } ?? [],
            timecode: Self.metadata(stream.pointee.metadata, "timecode"),
            isEncrypted: Self.metadata(stream.pointee.metadata, "enc_key_id") != nil
        )
    }

    /// When the first sample or picture is heard or shown that decoders give.
    package var presentedTicks: Int64? {
        guard leadIn > .zero else { return startTicks }
        // libavformat and decoders take it off in whole ticks, the nearest ones.
        let (twice, isBeyond) = timeBase.denominator.multipliedReportingOverflow(by: 2)
        let half = isBeyond ? CMTime.zero : CMTime(value: Int64(timeBase.numerator), timescale: twice)
        return startTicks.map { $0.addingReportingOverflow(timeBase.ticks(atOrBefore: leadIn + half)).partialValue }
    }

    static func optional(_ ticks: Int64) -> Int64? { ticks == oav_nopts ? nil : ticks }

    static func metadata(_ dictionary: OpaquePointer?, _ key: String) -> String? {
        av_dict_get(dictionary, key, nil, 0).flatMap { $0.pointee.value }.map { String(cString: $0) }
    }

    static func fourCharacterCode(_ tag: UInt32) -> String {
        guard tag != 0 else { return "" }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
        guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            return "0x" + String(tag, radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StreamInfo.Kind {
    init(_ type: AVMediaType) {
        switch type {
        case AVMEDIA_TYPE_VIDEO: self = .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        case AVMEDIA_TYPE_DATA: self = .data
        case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
        default: self = .unknown
        }
    }
}

extension VideoInfo {
    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        let format = AVPixelFormat(rawValue: parameters.format)
        let descriptor = av_pix_fmt_desc_get(format)
        let codec = avcodec_descriptor_get(parameters.codec_id)
        self.init(
            width: Int(parameters.width),
            height: Int(parameters.height),
            sampleAspectRatio: Ratio(positive: av_guess_sample_aspect_ratio(context, stream, nil)) ?? Ratio(1, 1),
            codedAspectRatio: Ratio(positive: parameters.sample_aspect_ratio),
            isAspectOfContainer: Ratio(positive: stream.pointee.sample_aspect_ratio) != nil,
            averageFrameRate: Ratio(positive: stream.pointee.avg_frame_rate),
            realFrameRate: Ratio(positive: stream.pointee.r_frame_rate),
            pixelFormat: av_get_pix_fmt_name(format).map { String(cString: $0) },
            bitsPerComponent: descriptor.map { Int($0.pointee.comp.0.depth) },
            hasAlpha: descriptor.map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 } ?? false
                || StreamInfo.metadata(stream.pointee.metadata, "alpha_mode") == "1",
            color: ColorInfo(parameters),
            fieldOrder: FieldOrder(parameters.field_order),
            reorderDelay: Int(parameters.video_delay),
            displayMatrix: oav_stream_display_matrix(stream).map { Array(UnsafeBufferPointer(start: $0, count: 9)) }
                ?? Self.orientation(ofAttachedPicture: stream)?.displayMatrix,
            peakLuminance: Self.peakLuminance(of: stream),
            // libavcodec does not say it of all codecs whose frames refer to no other.
            isIntraOnly: [AV_CODEC_ID_PNG, AV_CODEC_ID_CFHD].contains(parameters.codec_id)
                || codec.map { $0.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 } ?? false,
            hasUndecodedAlpha: Self.hasUndecodedAlpha(parameters),
            dolbyVision: DolbyVisionInfo(stream)
        )
    }

    private static func orientation(ofAttachedPicture stream: UnsafePointer<AVStream>) -> PictureOrientation? {
        let picture = stream.pointee.attached_pic
        guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, let data = picture.data else { return nil }
        return PictureOrientation(file: UnsafeRawBufferPointer(start: data, count: max(0, Int(picture.size))))
    }

    private static func hasUndecodedAlpha(_ parameters: AVCodecParameters) -> Bool {
        guard parameters.codec_id == AV_CODEC_ID_HEVC, let data = parameters.extradata else { return false }
        return HEVCAlpha.isAnnounced(
            in: Array(UnsafeBufferPointer(start: data, count: max(0, Int(parameters.extradata_size)))))
    }

    private static func peakLuminance(of stream: UnsafePointer<AVStream>) -> Double? {
        var size = 0
        let light = oav_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size)
        if let brightest = LuminanceSideData.brightestPixel(light, size) { return brightest }
        let display = oav_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size)
        return LuminanceSideData.masteringPeak(display, size)
    }
}

extension DolbyVisionInfo {
    /// `nil` if the container has no configuration record.
    init?(_ stream: UnsafePointer<AVStream>) {
        var size = 0
        // Eight bytes: version in two, profile, level, three flags, compatibility.
        guard let record = oav_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size), size >= 8 else { return nil }
        self.init(profile: Int(record[2]), level: Int(record[3]), compatibilityID: Int(record[7]))
    }
}

extension AudioInfo {
    init(_ parameters: AVCodecParameters) {
        var layout = parameters.ch_layout
        var text = [CChar](repeating: 0, count: 128)
        let isKnown = av_channel_layout_describe(&layout, &text, text.count) > 0
        self.init(
            sampleRate: Int(parameters.sample_rate),
            channels: Int(parameters.ch_layout.nb_channels),
            channelLayout: isKnown
                ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil,
            sampleFormat: av_get_sample_fmt_name(AVSampleFormat(rawValue: parameters.format)).map {
                String(cString: $0)
            },
            bitsPerSample: [parameters.bits_per_raw_sample, av_get_bits_per_sample(parameters.codec_id)]
                .first { $0 > 0 }.map { Int($0) },
            framesPerPacket: parameters.frame_size > 0 ? Int(parameters.frame_size) : nil,
            bytesPerFrame: Self.bytesPerFrame(of: parameters)
        )
    }

    private static func bytesPerFrame(of parameters: AVCodecParameters) -> Int? {
        let codec = Codec(parameters.codec_id)
        // PCM of discs has headers, which FFmpeg says by telling no bits.
        let bits = Int(av_get_bits_per_sample(parameters.codec_id)) * Int(parameters.ch_layout.nb_channels)
        guard codec.isPCM, !codec.rawValue.hasSuffix("_planar"), bits > 0, bits % 8 == 0 else { return nil }
        return bits / 8
    }
}

extension StreamInfo {
    /// How much sound decoders of Opus leave out when they begin, wherever that is; zero for other codecs.
    ///
    /// Source: RFC 7845, 4.2 and 5.1.
    package var preSkip: CMTime {
        guard codec == .opus, extradata.count >= 12 else { return .zero }
        return CMTime(value: Int64(extradata[10]) | Int64(extradata[11]) << 8, timescale: 48_000)
    }

    /// How much the first packet of Vorbis lasts, which decoders make no sound of: it is of the shorter kind of block.
    ///
    /// Source: Vorbis I specification, 4.2.2 and 4.3.8.
    package var firstVorbisPacket: CMTime {
        guard codec == .vorbis, let audio, let rate = Int32(exactly: audio.sampleRate), rate > 0,
            let samples = HeaderPackets.shortVorbisBlock(in: extradata)
        else { return .zero }
        return CMTime(value: Int64(samples / 2), timescale: rate)
    }
}

extension StreamInfo {
    /// Why nothing is read of a track whose samples lie elsewhere.
    package static let foreignReason = "its samples lie in another file, which is not opened"
}

/// Whether there is a decoder for a stream, and whether it may be used on untrusted input.
package enum DecoderAvailability: Sendable, Equatable {
    case available
    /// There is one, which is off by default: its name, as FFmpeg spells it.
    case off(String)
    case missing

    init(_ id: AVCodecID, _ policy: SafetyPolicy) {
        guard let decoder = avcodec_find_decoder(id) else {
            self = .missing
            return
        }
        let name = String(cString: decoder.pointee.name)
        self = policy.allowsDecoder(name) ? .available : .off(name)
    }

    /// Why a stream of a codec cannot be decoded, and what to do; `nil` if it can.
    package func objection(to codec: Codec) -> String? {
        switch self {
        case .available: nil
        case .off(let name):
            "the decoder \(name) is off by default; \(Self.option(name)) turns it on"
        case .missing: "there is no decoder for the codec \(codec)"
        }
    }

    /// How a format or decoder is allowed, in the tool and in the library.
    static func option(_ name: String) -> String { "--allow-format \(name) (AVURLAssetAllowedFormatsKey)" }
}

extension Codec {
    /// Whether there is a decoder of frames or audio that may be used on untrusted input by default.
    package var hasDecoder: Bool { id.map { DecoderAvailability($0, SafetyPolicy()) == .available } ?? false }

    /// Whether there is a decoder of subtitles that may be used on untrusted input.
    package var hasSubtitleDecoder: Bool {
        guard let id, let decoder = avcodec_find_decoder(id) else { return false }
        return SafetyPolicy.subtitleDecoders.contains(String(cString: decoder.pointee.name))
    }
}

/// Where FFmpeg's codes become the types of the library, and these FFmpeg's codes.
extension Codec {
    init(_ id: AVCodecID) { self.init(rawValue: String(cString: avcodec_get_name(id))) }

    /// The container's code stands for a codec that FFmpeg does not know.
    init(_ parameters: AVCodecParameters) {
        let tag = StreamInfo.fourCharacterCode(parameters.codec_tag)
        let isKnown = parameters.codec_id != AV_CODEC_ID_NONE || tag.isEmpty
        self = isKnown ? Codec(parameters.codec_id) : Codec(rawValue: tag)
    }

    /// `nil` for one that FFmpeg does not know.
    var id: AVCodecID? { avcodec_descriptor_get_by_name(rawValue)?.pointee.id }
}

extension FieldOrder {
    init?(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT: self = .topFirst
        case AV_FIELD_BB: self = .bottomFirst
        case AV_FIELD_TB: self = .interleavedTopFirst
        case AV_FIELD_BT: self = .interleavedBottomFirst
        default: return nil
        }
    }
}

extension ColorInfo {
    init(
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
        range: AVColorRange, location: AVChromaLocation
    ) {
        func type<T: RawRepresentable<String>>(_ name: UnsafePointer<CChar>?) -> T? {
            name.flatMap { T(rawValue: String(cString: $0)) }
        }
        self.init(
            primaries: type(av_color_primaries_name(primaries)),
            transferFunction: type(av_color_transfer_name(transfer)), yCbCrMatrix: type(av_color_space_name(matrix)),
            range: type(av_color_range_name(range)), chromaLocation: type(av_chroma_location_name(location)))
    }

    init(_ parameters: AVCodecParameters) {
        self.init(
            primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space,
            range: parameters.color_range, location: parameters.chroma_location)
    }

    /// FFmpeg's codes; unspecified where nothing is said.
    func tags() throws(FFmpegError) -> (
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange,
        location: AVChromaLocation
    ) {
        func code(_ name: String?, _ what: String, _ find: (String) -> Int32) throws(FFmpegError) -> UInt32? {
            guard let name else { return nil }
            let code = find(name)
            guard code >= 0 else {
                throw FFmpegError(kind: .unsupported, operation: .encode, reason: "there is no \(what) \(name)")
            }
            return UInt32(code)
        }
        return (
            try code(primaries?.rawValue, "color primaries", { av_color_primaries_from_name($0) })
                .map { AVColorPrimaries(rawValue: $0) } ?? AVCOL_PRI_UNSPECIFIED,
            try code(transferFunction?.rawValue, "transfer function", { av_color_transfer_from_name($0) })
                .map { AVColorTransferCharacteristic(rawValue: $0) } ?? AVCOL_TRC_UNSPECIFIED,
            try code(yCbCrMatrix?.rawValue, "color matrix", { av_color_space_from_name($0) })
                .map { AVColorSpace(rawValue: $0) } ?? AVCOL_SPC_UNSPECIFIED,
            try code(range?.rawValue, "color range", { av_color_range_from_name($0) })
                .map { AVColorRange(rawValue: $0) } ?? AVCOL_RANGE_UNSPECIFIED,
            try code(chromaLocation?.rawValue, "chroma location", { av_chroma_location_from_name($0) })
                .map { AVChromaLocation(rawValue: $0) } ?? AVCHROMA_LOC_UNSPECIFIED
        )
    }
}
