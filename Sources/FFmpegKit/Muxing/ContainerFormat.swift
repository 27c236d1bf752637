internal import CFFmpeg
package import MediaCore

/// A kind of file that can be written, by FFmpeg's muxer for it.
///
/// The list holds what writes one file and nothing else: no playlists, no
/// sequences of images, no network.
package struct ContainerFormat: Sendable, Hashable {
    package let container: Container
    /// Whether a transport stream is one as discs and cameras have them (BDAV), with packets of 192 bytes: the one that
    /// says of subtitles in pictures what they are.
    private(set) var isForDisc = false
    /// libavformat's, which lasts as long as the process and changes never.
    nonisolated(unsafe) let muxer: UnsafePointer<AVOutputFormat>?

    private static let allowed: Set<Container> = [
        .quickTime, .mp4, .iPod, .threeGP, .matroska, .webM, .mpegTransportStream, .avi, .mp3, .flac, .ogg, .oggSound,
        .oggVideo, .opus, .wave, .wave64, .aiff, .caf, .adts, .ac3, .eac3, .gif, .animatedPNG, .webP, .subRip, .webVTT,
        .ass,
    ]

    package init(_ container: Container) throws(FFmpegError) {
        guard Self.allowed.contains(container), let muxer = av_guess_format(container.rawValue, nil, nil) else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "there is no container \(container) that can be written")
        }
        (self.container, self.muxer) = (container, UnsafePointer(muxer))
    }

    /// The form of the container in which these codecs can be read again.
    ///
    /// - Parameter codecs: All that is to be put into it.
    package func holding(_ codecs: [Codec]) -> ContainerFormat {
        guard container == .mpegTransportStream, !Self.codecsOfDiscsOnly.isDisjoint(with: codecs),
            Self.codecsOfDiscs.isSuperset(of: codecs)
        else { return self }
        var format = self
        format.isForDisc = true
        return format
    }

    /// What the muxer has to be told for the form.
    var options: [String: String] { isForDisc ? ["mpegts_m2ts_mode": "1"] : [:] }

    private func hasFlag(_ flag: Int32) -> Bool { (muxer?.pointee.flags ?? 0) & flag != 0 }

    /// Whether encoders have to give their parameter sets apart from the stream.
    package var wantsGlobalHeader: Bool { hasFlag(AVFMT_GLOBALHEADER) }
    /// Whether consecutive samples may have the same decode time.
    var allowsEqualDecodeTimes: Bool { hasFlag(AVFMT_TS_NONSTRICT) }
    /// Whether samples follow each other without times of their own.
    package var hasNoTimes: Bool { hasFlag(AVFMT_NOTIMESTAMPS) }

    /// Whether files can say how much decoders leave out at the beginning of sound.
    package func saysLeadIn(of codec: Codec) -> Bool {
        if container.isMatroska { return [.opus, .vorbis].contains(codec) }
        return container.isMovie || ![.mpegTransportStream, .avi, .adts].contains(container)
    }

    /// Whether streams of a codec can be written into it.
    ///
    /// - Parameter isAttachedPicture: Whether it is cover art, which some
    ///   containers hold that hold no other pictures.
    package func canHold(codec: Codec, isAttachedPicture: Bool = false) -> Bool {
        guard let muxer, let id = codec.id else { return false }
        if isAttachedPicture, container.has(.holdsCovers) { return codec.has(.isForCovers) }
        if isForDisc { return Self.codecsOfDiscs.contains(codec) }
        if let codecs = Self.codecsWithoutTable[container] { return codecs.contains(codec) }
        if Self.codecsRefusedLater[container]?.contains(codec) == true { return false }
        return avformat_query_codec(muxer, id, FF_COMPLIANCE_EXPERIMENTAL) == 1
    }

    /// Whether uncompressed pictures are read from it as they were in the container that they come from.
    ///
    /// The code of their layout is all that tells what the samples are. QuickTime movies have codes of their own, and
    /// under those of other containers libavformat writes movies that nobody can read. Pictures in AVI files stand on
    /// their heads where they have no code.
    ///
    /// - Parameter layout: The code in the container that they come from; empty for none.
    /// - Source: QuickTime File Format, "Uncompressed Y´CbCr" and "Raw"; libavformat/movenc.c, riff.c.
    package func canHold(uncompressed layout: String) -> Bool {
        switch container {
        case .quickTime: return Self.layoutsOfMovies.contains(layout)
        case .avi where layout.isEmpty: return true
        case .avi, .matroska:
            guard layout != "raw ", let tag = Self.tag(fromText: layout), let known = muxer?.pointee.codec_tag else {
                return false
            }
            return av_codec_get_id(known, tag) == AV_CODEC_ID_RAWVIDEO
        default: return true
        }
    }

    private static let layoutsOfMovies: Set<String> = [
        "raw ", "2vuy", "yuvs", "yuv2", "L555", "L565", "B565", "b16g", "24BG", "BGRA", "RGBA", "ABGR", "b48r",
    ]

    /// The four-character code, or number, that the container has for a codec;
    /// `nil` if it has none.
    func codecTag(for codec: Codec) -> String? {
        guard let tags = muxer?.pointee.codec_tag, let id = codec.id else { return nil }
        if container.isMovie, codec == .hevc { return Self.preferredHEVCTag }
        var tag: UInt32 = 0
        guard av_codec_get_tag2(tags, id, &tag) != 0 else { return nil }
        return StreamInfo.fourCharacterCode(tag)
    }

    /// The tag to write for a stream that has one from another container; 0
    /// leaves the choice to the muxer.
    func tag(replacing tag: UInt32, of codec: AVCodecID) -> UInt32 {
        guard let tags = muxer?.pointee.codec_tag else { return tag }
        // The codes of MP4 would say that there are lengths instead of start codes, which few players expect here.
        if container == .avi, codec == AV_CODEC_ID_H264 { return Self.tag(fromText: "H264") ?? 0 }
        var known: UInt32 = 0
        let isKnown = av_codec_get_tag2(tags, codec, &known) != 0
        if av_codec_get_id(tags, tag) == codec || !isKnown { return tag }
        return defaultTag(of: codec)
    }

    /// Apple's players take no HEVC under the muxer's own choice, `hev1`.
    func defaultTag(of codec: AVCodecID) -> UInt32 {
        container.isMovie && codec == AV_CODEC_ID_HEVC ? Self.tag(fromText: Self.preferredHEVCTag) ?? 0 : 0
    }

    static func tag(fromText text: String) -> UInt32? {
        guard text.utf8.count == 4 else { return nil }
        return text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let preferredHEVCTag = "hvc1"
    /// What muxers list, and then refuse when they get it.
    private static let codecsRefusedLater: [Container: Set<Codec>] = [
        .quickTime: [.vp8, .vp9, .av1, .flac, .opus, .trueHD], .mp4: [.vp8], .matroska: [.animatedPNG, .gif],
        .wave: [.aac],
        // Of these a chunk of its own for each sample is written.
        .avi: [.flac, .vorbis],
    ]
    /// What can be told from anything else in a transport stream of the form for discs only.
    private static let codecsOfDiscsOnly: Set<Codec> = [.pgs, .pcmOfDiscs]
    /// All that this form has numbers for.
    private static let codecsOfDiscs = codecsOfDiscsOnly.union([
        .mpeg2Video, .h264, .hevc, .vc1, .ac3, .eac3, .dts, .trueHD,
    ])
    /// Muxers that do not tell, or take anything and write what nobody can read.
    private static let codecsWithoutTable: [Container: Set<Codec>] = [
        .mpegTransportStream: [
            .mpeg1Video, .mpeg2Video, .mpeg4, .h264, .hevc, .vc1, .cavs, .dirac, .mp2, .mp3, .aac, .aacLATM, .ac3,
            .eac3, .dts, .trueHD, .opus, .dvbSubtitle, .teletext, .aribCaption, .timedID3, .klv,
        ],
        .ogg: [.vorbis, .opus, .flac, .speex, .theora, .vp8], .oggSound: [.vorbis, .opus, .flac, .speex],
        .oggVideo: [.theora, .vp8, .vorbis, .opus, .flac, .speex], .opus: [.opus], .flac: [.flac],
        .mp3: [.mp3], .adts: [.aac], .ac3: [.ac3], .eac3: [.eac3], .gif: [.gif], .animatedPNG: [.animatedPNG],
        .webP: [.webP], .subRip: [.subRip, .plainText], .webVTT: [.webVTT], .ass: [.ass],
    ]
}

/// QuickTime's description of a track's pictures, which is what Matroska files hold of codecs that have no name of
/// their own there.
///
/// FFmpeg's muxer writes one that is empty but for the codec. Decoders of such codecs know by its depth alone whether
/// there is alpha, or a palette, and by its table the colours of that.
///
/// Source: QuickTime File Format, video sample description; Matroska codec specifications, `V_QUICKTIME`.
struct QuickTimeDescription {
    private static let byteCount = 86
    private static let depthOffset = 82
    private static let colorTableOffset = 84

    /// All of it, with its length first.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - parameters: The stream's, with the tag that it is to have.
    ///   - original: The description in the movie that the stream comes from, `nil` for another source.
    /// - Returns: `nil` for codecs that Matroska has a name for, and for what has such a description already.
    init?(_ parameters: AVCodecParameters, original: [UInt8]?) {
        guard Self.codecs.contains(Codec(parameters).rawValue), let tag = Self.tag(of: parameters) else {
            return nil
        }
        let own = parameters.extradata.map {
            Array(UnsafeBufferPointer(start: $0, count: Int(max(0, parameters.extradata_size))))
        }
        if let own, own.count >= Self.byteCount, own[4..<8].elementsEqual(tag) { return nil }
        var fields = Self.fields(of: parameters, tag)
        if let original, original.count >= Self.byteCount, original[4..<8].elementsEqual(tag) {
            fields.replaceSubrange(Self.depthOffset..<Self.colorTableOffset, with: original[82..<84])
            fields.replaceSubrange(Self.colorTableOffset..., with: Self.colors(in: original))
        }
        fields += own ?? []
        guard let count = UInt32(exactly: fields.count) else { return nil }
        fields.replaceSubrange(0..<4, with: Self.number(count))
        bytes = fields
    }

    /// What FFmpeg's muxer puts under QuickTime's name, but for what its decoders look for settings at fixed places.
    private static let codecs: Set<String> = [
        "8bps", "aic", "cinepak", "dnxhd", "dxv", "exr", "hap", "mjpegb", "pixlet", "qdraw", "qtrle", "sgi", "sgirle",
        "sheervideo", "smc", "svq1", "targa_y216", "tiff",
    ]

    private static func tag(of parameters: AVCodecParameters) -> [UInt8]? {
        var lists: [OpaquePointer?] = [avformat_get_mov_video_tags(), nil]
        var tag = parameters.codec_tag
        if av_codec_get_id(&lists, tag) != parameters.codec_id {
            guard av_codec_get_tag2(&lists, parameters.codec_id, &tag) != 0 else { return nil }
        }
        return withUnsafeBytes(of: tag.littleEndian) { Array($0) }
    }

    private static func fields(of parameters: AVCodecParameters, _ tag: [UInt8]) -> [UInt8] {
        let isDepthKnown = (1...40).contains(parameters.bits_per_coded_sample)
        let resolution = number(UInt32(72 << 16))
        return number(UInt32(byteCount)) + tag
            // Six bytes that mean nothing, then the first of the data references.
            + [0, 0, 0, 0, 0, 0, 0, 1]
            // Version, revision, vendor and two qualities.
            + [UInt8](repeating: 0, count: 16)
            + number(UInt16(clamping: parameters.width)) + number(UInt16(clamping: parameters.height))
            + resolution + resolution + [0, 0, 0, 0]
            // One picture in each sample; a compressor without a name.
            + number(UInt16(1)) + [UInt8](repeating: 0, count: 32)
            + number(UInt16(isDepthKnown ? parameters.bits_per_coded_sample : 24)) + noTable
    }

    /// Colours of the system, or none.
    private static let noTable: [UInt8] = [0xff, 0xff]

    /// The number of the table of colours, and the table where it is the movie's own.
    private static func colors(in original: [UInt8]) -> [UInt8] {
        // The bit beside the depth stands for shades of grey.
        let hasPalette = [1, 2, 4, 8].contains(original[depthOffset + 1])
        let table = original[byteCount...]
        guard original[colorTableOffset..<byteCount].elementsEqual([0, 0]), hasPalette else {
            return hasPalette ? Array(original[colorTableOffset..<byteCount]) : noTable
        }
        guard table.count >= 8 else { return noTable }
        let last = Int(table[byteCount + 6]) << 8 | Int(table[byteCount + 7])
        let length = 8 + 8 * (last + 1)
        guard last < 256, table.count >= length else { return noTable }
        return [0, 0] + table.prefix(length)
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

extension QuickTimeDescription {
    /// Has a stream that is to be written begin with this.
    func apply(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) {
        guard let room = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
        }
        UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
        av_freep(&parameters.pointee.extradata)
        parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: bytes.count)
    }
}
