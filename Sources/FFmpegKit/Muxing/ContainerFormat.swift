internal import CLibAV

/// A kind of file that can be written, by the name of FFmpeg's muxer.
///
/// The list holds what writes one file and nothing else: no playlists, no
/// sequences of images, no network.
package struct ContainerFormat: Sendable, Hashable {
    /// FFmpeg's name of the muxer: `mp4`, `matroska`.
    package let name: String
    /// Whether a transport stream is one as discs and cameras have them (BDAV), with packets of 192 bytes: the one that
    /// says of subtitles in pictures what they are.
    package private(set) var isForDisc = false

    package static let allowedNames: Set<String> = [
        "mov", "mp4", "ipod", "3gp", "matroska", "webm", "mpegts", "avi", "mp3", "flac", "ogg", "oga", "ogv", "opus",
        "wav", "w64", "aiff", "caf", "adts", "ac3", "eac3", "gif", "apng", "webp", "srt", "webvtt", "ass",
    ]

    package init(named name: String) throws(FFmpegError) {
        guard Self.allowedNames.contains(name), av_guess_format(name, nil, nil) != nil else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "there is no container \(name) that can be written")
        }
        self.name = name
    }

    /// The form of the container in which these codecs can be read again.
    ///
    /// - Parameter codecs: FFmpeg's names of all that is to be put into it.
    package func holding(_ codecs: [String]) -> ContainerFormat {
        guard name == "mpegts", !Self.codecsOfDiscsOnly.isDisjoint(with: codecs),
            Self.codecsOfDiscs.isSuperset(of: codecs)
        else { return self }
        var format = self
        format.isForDisc = true
        return format
    }

    /// What the muxer has to be told for the form.
    var options: [String: String] { isForDisc ? ["mpegts_m2ts_mode": "1"] : [:] }

    var muxer: UnsafePointer<AVOutputFormat>? { UnsafePointer(av_guess_format(name, nil, nil)) }

    private func hasFlag(_ flag: Int32) -> Bool { (muxer?.pointee.flags ?? 0) & flag != 0 }

    /// Whether encoders have to give their parameter sets apart from the stream.
    package var wantsGlobalHeader: Bool { hasFlag(AVFMT_GLOBALHEADER) }
    /// Whether consecutive samples may have the same decode time.
    var allowsEqualDecodeTimes: Bool { hasFlag(AVFMT_TS_NONSTRICT) }
    /// Whether samples follow each other without times of their own.
    package var hasNoTimes: Bool { hasFlag(AVFMT_NOTIMESTAMPS) }

    /// Whether it is of the family of MP4 and MOV, where edit lists say what is shown when.
    package var isMovieFile: Bool { ["mov", "mp4", "ipod", "3gp"].contains(name) }

    /// Whether streams of a codec can be written into it.
    ///
    /// - Parameter codec: FFmpeg's name of the codec, as ``StreamInfo/codecName``.
    /// - Parameter isAttachedPicture: Whether it is cover art, which some
    ///   containers hold that hold no other pictures.
    package func canHold(codec: String, isAttachedPicture: Bool = false) -> Bool {
        guard let muxer, let descriptor = avcodec_descriptor_get_by_name(codec) else { return false }
        if isAttachedPicture, Self.withCoverArt.contains(name) { return Self.coverArtCodecs.contains(codec) }
        if isForDisc { return Self.codecsOfDiscs.contains(codec) }
        if let codecs = Self.codecsWithoutTable[name] { return codecs.contains(codec) }
        if Self.codecsRefusedLater[name]?.contains(codec) == true { return false }
        return avformat_query_codec(muxer, descriptor.pointee.id, FF_COMPLIANCE_EXPERIMENTAL) == 1
    }

    /// The four-character code, or number, that the container has for a codec;
    /// `nil` if it has none.
    package func codecTag(for codec: String) -> String? {
        guard let tags = muxer?.pointee.codec_tag, let descriptor = avcodec_descriptor_get_by_name(codec) else {
            return nil
        }
        if isMovieFile, descriptor.pointee.id == AV_CODEC_ID_HEVC { return Self.preferredHEVCTag }
        var tag: UInt32 = 0
        guard av_codec_get_tag2(tags, descriptor.pointee.id, &tag) != 0 else { return nil }
        return StreamInfo.fourCharacterCode(tag)
    }

    /// The tag to write for a stream that has one from another container; 0
    /// leaves the choice to the muxer.
    func tag(replacing tag: UInt32, of codec: AVCodecID) -> UInt32 {
        guard let tags = muxer?.pointee.codec_tag else { return tag }
        // The codes of MP4 would say that there are lengths instead of start codes, which few players expect here.
        if name == "avi", codec == AV_CODEC_ID_H264 { return Self.tag(fromText: "H264") ?? 0 }
        var known: UInt32 = 0
        let isKnown = av_codec_get_tag2(tags, codec, &known) != 0
        if av_codec_get_id(tags, tag) == codec || !isKnown { return tag }
        return defaultTag(of: codec)
    }

    /// Apple's players take no HEVC under the muxer's own choice, `hev1`.
    func defaultTag(of codec: AVCodecID) -> UInt32 {
        isMovieFile && codec == AV_CODEC_ID_HEVC ? Self.tag(fromText: Self.preferredHEVCTag) ?? 0 : 0
    }

    static func tag(fromText text: String) -> UInt32? {
        guard text.utf8.count == 4 else { return nil }
        return text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let preferredHEVCTag = "hvc1"
    private static let coverArtCodecs: Set<String> = ["mjpeg", "png", "bmp", "gif"]
    private static let withCoverArt: Set<String> = ["mp3", "flac", "mov", "mp4", "ipod", "aiff"]
    /// What muxers list, and then refuse when they get it.
    private static let codecsRefusedLater: [String: Set<String>] = [
        "mov": ["vp8", "vp9", "av1", "flac", "opus", "truehd"], "mp4": ["vp8"], "matroska": ["apng", "gif"],
    ]
    /// What can be told from anything else in a transport stream of the form for discs only.
    private static let codecsOfDiscsOnly: Set<String> = ["hdmv_pgs_subtitle", "pcm_bluray"]
    /// All that this form has numbers for.
    private static let codecsOfDiscs = codecsOfDiscsOnly.union([
        "mpeg2video", "h264", "hevc", "vc1", "ac3", "eac3", "dts", "truehd",
    ])
    /// Muxers that do not tell, or take anything and write what nobody can read.
    private static let codecsWithoutTable: [String: Set<String>] = [
        "mpegts": [
            "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "vc1", "cavs", "dirac", "mp2", "mp3", "aac",
            "aac_latm", "ac3", "eac3", "dts", "truehd", "opus", "dvb_subtitle", "dvb_teletext", "arib_caption",
            "timed_id3", "klv",
        ],
        "ogg": ["vorbis", "opus", "flac", "speex", "theora", "vp8"], "oga": ["vorbis", "opus", "flac", "speex"],
        "ogv": ["theora", "vp8", "vorbis", "opus", "flac", "speex"], "opus": ["opus"], "flac": ["flac"],
        "mp3": ["mp3"], "adts": ["aac"], "ac3": ["ac3"], "eac3": ["eac3"], "gif": ["gif"], "apng": ["apng"],
        "webp": ["webp"], "srt": ["subrip", "text"], "webvtt": ["webvtt"], "ass": ["ass"],
    ]
}
