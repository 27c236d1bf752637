/// How samples are coded.
///
/// There are more codecs than this library has anything to say of: any name makes one, and one
/// without an entry in the table of traits has none.
package struct Codec: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// FFmpeg's name, or the container's code for a codec that FFmpeg does not know.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

// MARK: Pictures

extension Codec {
    package static let h264 = Codec(rawValue: "h264")
    package static let hevc = Codec(rawValue: "hevc")
    package static let av1 = Codec(rawValue: "av1")
    package static let vp8 = Codec(rawValue: "vp8")
    package static let vp9 = Codec(rawValue: "vp9")
    package static let mpeg1Video = Codec(rawValue: "mpeg1video")
    package static let mpeg2Video = Codec(rawValue: "mpeg2video")
    /// MPEG-4 part 2.
    package static let mpeg4 = Codec(rawValue: "mpeg4")
    package static let vc1 = Codec(rawValue: "vc1")
    package static let wmv3 = Codec(rawValue: "wmv3")
    package static let cavs = Codec(rawValue: "cavs")
    package static let dirac = Codec(rawValue: "dirac")
    package static let theora = Codec(rawValue: "theora")
    package static let h263 = Codec(rawValue: "h263")
    /// H.263 with an extended picture type.
    package static let h263Plus = Codec(rawValue: "h263p")
    package static let sorensonSpark = Codec(rawValue: "flv1")
    package static let sorensonVideo = Codec(rawValue: "svq1")
    package static let msMPEG4v2 = Codec(rawValue: "msmpeg4v2")
    package static let msMPEG4v3 = Codec(rawValue: "msmpeg4v3")
    package static let wmv1 = Codec(rawValue: "wmv1")
    package static let wmv2 = Codec(rawValue: "wmv2")
    package static let dv = Codec(rawValue: "dvvideo")
    package static let proRes = Codec(rawValue: "prores")
    package static let dnxhd = Codec(rawValue: "dnxhd")
    package static let ffv1 = Codec(rawValue: "ffv1")
    package static let motionJPEG = Codec(rawValue: "mjpeg")
    package static let png = Codec(rawValue: "png")
    package static let animatedPNG = Codec(rawValue: "apng")
    package static let gif = Codec(rawValue: "gif")
    package static let webP = Codec(rawValue: "webp")
    package static let bmp = Codec(rawValue: "bmp")
    package static let uncompressedVideo = Codec(rawValue: "rawvideo")
}

// MARK: Sound

extension Codec {
    package static let aac = Codec(rawValue: "aac")
    /// AAC in frames that say of themselves what they are (LATM).
    package static let aacLATM = Codec(rawValue: "aac_latm")
    package static let mp2 = Codec(rawValue: "mp2")
    package static let mp3 = Codec(rawValue: "mp3")
    package static let ac3 = Codec(rawValue: "ac3")
    package static let eac3 = Codec(rawValue: "eac3")
    package static let dts = Codec(rawValue: "dts")
    package static let trueHD = Codec(rawValue: "truehd")
    package static let opus = Codec(rawValue: "opus")
    package static let vorbis = Codec(rawValue: "vorbis")
    package static let speex = Codec(rawValue: "speex")
    package static let flac = Codec(rawValue: "flac")
    package static let alac = Codec(rawValue: "alac")
    package static let wavPack = Codec(rawValue: "wavpack")
    package static let tta = Codec(rawValue: "tta")
    package static let pcm16 = Codec(rawValue: "pcm_s16le")
    package static let pcm24 = Codec(rawValue: "pcm_s24le")
    package static let pcm32 = Codec(rawValue: "pcm_s32le")
    package static let pcmFloat = Codec(rawValue: "pcm_f32le")
    package static let pcmDouble = Codec(rawValue: "pcm_f64le")
    package static let pcm16BigEndian = Codec(rawValue: "pcm_s16be")
    package static let pcm24BigEndian = Codec(rawValue: "pcm_s24be")
    /// Plain samples.
    ///
    /// - Parameter bits: Of a sample: 8, 16, 24, 32, or of floating-point numbers 32 or 64.
    package static func pcm(bits: Int, isFloat: Bool, isSigned: Bool = true, isBigEndian: Bool = false) -> Codec {
        let kind = isFloat ? "f" : isSigned ? "s" : "u"
        return Codec(rawValue: "pcm_\(kind)\(bits)" + (bits == 8 ? "" : isBigEndian ? "be" : "le"))
    }

    /// Plain samples as Blu-ray discs have them.
    package static let pcmOfDiscs = Codec(rawValue: "pcm_bluray")
}

// MARK: Subtitles and others

extension Codec {
    /// Timed text of MP4 (3GPP TS 26.245).
    package static let timedText = Codec(rawValue: "mov_text")
    package static let subRip = Codec(rawValue: "subrip")
    package static let ass = Codec(rawValue: "ass")
    package static let webVTT = Codec(rawValue: "webvtt")
    /// Text without marks of any kind.
    package static let plainText = Codec(rawValue: "text")
    package static let dvdSubtitle = Codec(rawValue: "dvd_subtitle")
    package static let dvbSubtitle = Codec(rawValue: "dvb_subtitle")
    /// Subtitles of Blu-ray discs, in pictures.
    package static let pgs = Codec(rawValue: "hdmv_pgs_subtitle")
    package static let xsub = Codec(rawValue: "xsub")
    package static let teletext = Codec(rawValue: "dvb_teletext")
    package static let aribCaption = Codec(rawValue: "arib_caption")
    package static let timedID3 = Codec(rawValue: "timed_id3")
    package static let klv = Codec(rawValue: "klv")
    package static let data = Codec(rawValue: "bin_data")
    /// FFmpeg's name of no codec.
    package static let unknown = Codec(rawValue: "none")
}

/// What the library has to know of codecs.
extension Codec {
    /// What is true of some codecs.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Pictures are predicted from later ones, which containers may tell nothing of.
        package static let reordersPictures = Traits(rawValue: 1 << 0)
        /// The order of pictures follows from which of them others are predicted from.
        package static let isOrderedByAnchors = Traits(rawValue: 1 << 1)
        /// Samples are NAL units, whose order counts tell when pictures are shown.
        package static let hasNALUnits = Traits(rawValue: 1 << 2)
        /// Each packet that is no field gives one picture.
        package static let hasPictureInEachPacket = Traits(rawValue: 1 << 3)
        /// Some pictures are never shown.
        package static let hasHiddenPictures = Traits(rawValue: 1 << 4)
        /// Alpha lies beside the samples.
        package static let hasAlphaBeside = Traits(rawValue: 1 << 5)
        /// Frames say by themselves whether they are interlaced.
        package static let saysFields = Traits(rawValue: 1 << 6)
        /// Each of two fields is a picture of its own.
        package static let codesFieldsApart = Traits(rawValue: 1 << 7)
        /// Covers may be coded so.
        package static let isForCovers = Traits(rawValue: 1 << 8)
        /// Encoders can be asked for a number of bits a second.
        package static let hasBitRate = Traits(rawValue: 1 << 9)
        /// Samples of sound are kept as they are.
        package static let isLossless = Traits(rawValue: 1 << 10)
        /// Subtitles are text, which converts into that of other kinds.
        package static let isText = Traits(rawValue: 1 << 11)
        /// Subtitles are pictures, or pages of codes: no words in them can be looked through.
        package static let isUnreadable = Traits(rawValue: 1 << 12)
        /// Sound depends on all that came before it: what is decoded from a later packet on never becomes the same, by the
        /// decoder's noise and filters, or begins later than its time.
        package static let isDecodedFromStart = Traits(rawValue: 1 << 13)
        /// A stream begins with packets of headers.
        package static let hasHeadersInBand = Traits(rawValue: 1 << 14)
        /// Decoders leave out the beginning of what they make of a stream, or its end, as the container tells.
        package static let isTrimmedByContainer = Traits(rawValue: 1 << 15)
        /// All frames of sound are equally long: encoders fill up the last one.
        package static let fillsFrames = Traits(rawValue: 1 << 16)
    }

    /// The table of traits.
    private static let table: [Codec: Traits] = [
        .h264: [.reordersPictures, .hasNALUnits, .hasPictureInEachPacket, .saysFields],
        .hevc: [.reordersPictures, .hasNALUnits, .hasPictureInEachPacket, .codesFieldsApart],
        .av1: [.hasHiddenPictures],
        .vp8: [.hasHiddenPictures, .hasAlphaBeside],
        .vp9: [.hasHiddenPictures, .hasAlphaBeside],
        .mpeg1Video: [.reordersPictures, .isOrderedByAnchors, .hasPictureInEachPacket],
        .mpeg2Video: [.reordersPictures, .isOrderedByAnchors, .hasPictureInEachPacket, .saysFields],
        .mpeg4: [.isOrderedByAnchors, .hasPictureInEachPacket, .saysFields],
        .vc1: [.saysFields], .wmv3: [.saysFields], .dv: [.saysFields], .proRes: [.saysFields],
        .motionJPEG: [.isForCovers], .png: [.isForCovers], .bmp: [.isForCovers], .gif: [.isForCovers],
        .aac: [.hasBitRate, .fillsFrames], .mp3: [.hasBitRate, .fillsFrames],
        .opus: [.hasBitRate, .isTrimmedByContainer],
        .vorbis: [.hasBitRate, .isTrimmedByContainer, .hasHeadersInBand], .theora: [.hasHeadersInBand],
        .ac3: [.hasBitRate, .fillsFrames], .eac3: [.hasBitRate, .fillsFrames],
        Codec(rawValue: "mp2"): [.fillsFrames],
        .flac: [.isLossless], .alac: [.isLossless],
        .timedText: [.isText], .subRip: [.isText], .webVTT: [.isText], .ass: [.isText], .plainText: [.isText],
        Codec(rawValue: "srt"): [.isText], Codec(rawValue: "ssa"): [.isText],
        .dvdSubtitle: [.isUnreadable], .dvbSubtitle: [.isUnreadable], .pgs: [.isUnreadable], .xsub: [.isUnreadable],
        .teletext: [.isUnreadable],
        .speex: [.isDecodedFromStart], Codec(rawValue: "amr_nb"): [.isDecodedFromStart],
        Codec(rawValue: "amr_wb"): [.isDecodedFromStart], Codec(rawValue: "wmav1"): [.isDecodedFromStart],
        Codec(rawValue: "wmav2"): [.isDecodedFromStart], Codec(rawValue: "wmapro"): [.isDecodedFromStart],
        Codec(rawValue: "qdm2"): [.isDecodedFromStart], Codec(rawValue: "gsm"): [.isDecodedFromStart],
        Codec(rawValue: "gsm_ms"): [.isDecodedFromStart], Codec(rawValue: "qcelp"): [.isDecodedFromStart],
        Codec(rawValue: "mace3"): [.isDecodedFromStart], Codec(rawValue: "mace6"): [.isDecodedFromStart],
        Codec(rawValue: "cook"): [.isDecodedFromStart], Codec(rawValue: "nellymoser"): [.isDecodedFromStart],
        Codec(rawValue: "adpcm_ima_qt"): [.isDecodedFromStart],
    ]

    /// The codec's traits, none for one that the table does not have.
    package var traits: Traits { Self.table[self] ?? [] }

    /// Whether it has all of some traits.
    package func has(_ traits: Traits) -> Bool { self.traits.isSuperset(of: traits) }

    /// Whether sound is plain samples.
    package var isPCM: Bool { rawValue.hasPrefix("pcm_") }
}

extension Codec {
    /// The name for people.
    package var name: String {
        if let known = Self.names[rawValue] { return known }
        return isPCM ? "PCM" : rawValue.uppercased()
    }

    private static let names = [
        "h264": "H.264", "hevc": "HEVC", "vvc": "VVC", "av1": "AV1", "vp8": "VP8", "vp9": "VP9", "prores": "ProRes",
        "mpeg1video": "MPEG-1", "mpeg2video": "MPEG-2", "mpeg4": "MPEG-4", "msmpeg4v3": "MS MPEG-4 v3",
        "mjpeg": "Motion JPEG", "theora": "Theora", "vorbis": "Vorbis", "opus": "Opus", "flac": "FLAC",
        "aac": "AAC", "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS", "truehd": "TrueHD", "alac": "Apple Lossless",
        "mp1": "MP1", "mp2": "MP2", "mp3": "MP3", "dvvideo": "DV", "dnxhd": "DNxHD", "rawvideo": "uncompressed",
        "cfhd": "CineForm", "ffv1": "FFV1", "huffyuv": "HuffYUV", "qtrle": "QuickTime Animation",
        "wmav2": "WMA 2", "amr_nb": "AMR", "amr_wb": "AMR-WB", "h263": "H.263", "flv1": "Sorenson Spark",
        "wmv1": "WMV 7", "wmv2": "WMV 8", "wmv3": "WMV 9", "vc1": "VC-1", "msmpeg4v2": "MS MPEG-4 v2",
        "svq1": "Sorenson Video", "svq3": "Sorenson Video 3", "cinepak": "Cinepak", "rpza": "Apple Video",
        "webp": "WebP", "jpeg2000": "JPEG 2000", "huffman": "HuffYUV", "ffvhuff": "HuffYUV", "utvideo": "Ut Video",
        "wmav1": "WMA 1", "wmapro": "WMA Pro", "wmalossless": "WMA Lossless", "wavpack": "WavPack", "speex": "Speex",
        "mov_text": "timed text", "subrip": "SubRip", "ass": "ASS", "webvtt": "WebVTT", "dvd_subtitle": "DVD subtitles",
        "hdmv_pgs_subtitle": "PGS", "dvb_subtitle": "DVB subtitles", "eia_608": "CEA-608", "dvb_teletext": "teletext",
        "tmcd": "timecode", "bin_data": "data", "none": "unknown codec", "ttml": "TTML", "xsub": "XSUB",
        "drmi": "FairPlay video", "drms": "FairPlay sound", "p608": "CEA-608",
        "vp6": "VP6", "vp6f": "VP6", "vp6a": "VP6", "rv40": "RealVideo 4", "cook": "RealAudio", "qdm2": "QDesign 2",
    ]
}

extension Codec {
    /// Apple's code of the codec, four bytes with the first one highest; `nil` where it has none that does not depend
    /// on the container.
    ///
    /// Those of sound are Core Audio's format identifiers, those of pictures Core Media's codec types. Codings that
    /// only Windows' files have are `ms` and the number of the wave format, as Core Audio has it for IMA and GSM.
    ///
    /// - Parameter profile: FFmpeg's name of the profile; some profiles have codes of their own.
    package func fourCharacterCode(profile: String? = nil) -> UInt32? {
        let ofProfile = profile.flatMap { Self.codesOfProfiles[self]?[$0] }
        if let code = ofProfile ?? Self.codes[self] { return Self.number(code) }
        return isPCM ? Self.number("lpcm") : nil
    }

    /// A code for a codec that has none: the first four letters of its name, filled up with spaces.
    package var makeshiftFourCharacterCode: UInt32 {
        let letters = rawValue.utf8.filter { (0x20..<0x7F).contains($0) }
        return Self.number(letters.isEmpty ? Self.unknown.rawValue : String(decoding: letters, as: UTF8.self))
    }

    private static func number(_ code: String) -> UInt32 {
        let bytes = Array(code.utf8.prefix(4))
        return (0..<4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : UInt8(ascii: " ")) }
    }

    private static let codesOfProfiles: [Codec: [String: String]] = [
        .aac: aacProfiles, .aacLATM: aacProfiles,
        .proRes: [
            "Proxy": "apco", "LT": "apcs", "Standard": "apcn", "HQ": "apch", "4444": "ap4h", "XQ": "ap4x",
        ],
    ]
    private static let aacProfiles = ["HE-AAC": "aach", "HE-AACv2": "aacp", "LD": "aacl", "ELD": "aace"]

    private static let codes = sound.merging(others) { own, _ in own }

    private static let sound: [Codec: String] = [
        .aac: "aac ", .aacLATM: "aac ", .mp2: ".mp2", .mp3: ".mp3", .ac3: "ac-3", .eac3: "ec-3", .dts: "dtsc",
        .trueHD: "mlpa", .opus: "opus", .vorbis: "vorb", .speex: "spxn", .flac: "flac", .alac: "alac",
        .wavPack: "wvpk", .tta: "TTA1", Codec(rawValue: "mp1"): ".mp1", Codec(rawValue: "mp3adu"): ".mp3",
        Codec(rawValue: "mp3on4"): ".mp3", Codec(rawValue: "mlp"): "mlpa", Codec(rawValue: "ac4"): "ac-4",
        Codec(rawValue: "amr_nb"): "samr", Codec(rawValue: "amr_wb"): "sawb", Codec(rawValue: "ilbc"): "ilbc",
        Codec(rawValue: "qcelp"): "Qclp", Codec(rawValue: "qdmc"): "QDMC", Codec(rawValue: "qdm2"): "QDM2",
        Codec(rawValue: "mace3"): "MAC3", Codec(rawValue: "mace6"): "MAC6", Codec(rawValue: "gsm"): "agsm",
        Codec(rawValue: "pcm_mulaw"): "ulaw", Codec(rawValue: "pcm_alaw"): "alaw", Codec(rawValue: "s302m"): "aes3",
        Codec(rawValue: "adpcm_ima_qt"): "ima4", Codec(rawValue: "nellymoser"): "nmos",
        Codec(rawValue: "adpcm_ms"): "ms\u{0}\u{2}", Codec(rawValue: "adpcm_ima_wav"): "ms\u{0}\u{11}",
        Codec(rawValue: "gsm_ms"): "ms\u{0}\u{31}", Codec(rawValue: "wmav1"): "ms\u{1}\u{60}",
        Codec(rawValue: "wmav2"): "ms\u{1}\u{61}", Codec(rawValue: "wmapro"): "ms\u{1}\u{62}",
        Codec(rawValue: "wmalossless"): "ms\u{1}\u{63}",
    ]

    private static let others: [Codec: String] = [
        .h264: "avc1", .hevc: "hvc1", .av1: "av01", .vp8: "vp08", .vp9: "vp09", .mpeg1Video: "mp1v",
        .mpeg2Video: "mp2v", .mpeg4: "mp4v", .vc1: "vc-1", .dirac: "drac", .dnxhd: "AVdn", .ffv1: "FFV1",
        .motionJPEG: "jpeg", .png: "png ", .gif: "gif ", Codec(rawValue: "vvc"): "vvc1",
        .h263: "h263", Codec(rawValue: "tiff"): "tiff", Codec(rawValue: "cinepak"): "cvid",
        .sorensonVideo: "SVQ1", Codec(rawValue: "svq3"): "SVQ3", Codec(rawValue: "qtrle"): "rle ",
        Codec(rawValue: "cfhd"): "CFHD", Codec(rawValue: "jpeg2000"): "mjp2",
        .timedText: "tx3g", .webVTT: "wvtt", Codec(rawValue: "eia_608"): "c608", Codec(rawValue: "ttml"): "stpp",
    ]
}

extension Codec {
    /// The codec that the parameter `codecs` of a media type names, such as `avc1.640028`; `nil` for a name that is
    /// not known here.
    ///
    /// Source: RFC 6381; ISO/IEC 14496-15; the bindings of AV1 and VP9 to ISO files.
    package init?(mediaTypeName name: String) {
        let parts = name.lowercased().split(separator: ".").map(String.init)
        guard let code = parts.first else { return nil }
        let known = code == "mp4a" ? Self.soundsOfMPEG4[parts.dropFirst().first ?? "40"] : Self.mediaTypeNames[code]
        guard let known else { return nil }
        self = known
    }

    private static let mediaTypeNames: [String: Codec] = [
        "avc1": .h264, "avc3": .h264, "hvc1": .hevc, "hev1": .hevc, "av01": .av1, "vp8": .vp8, "vp08": .vp8,
        "vp9": .vp9, "vp09": .vp9, "mp4v": .mpeg4, "theora": .theora, "ac-3": .ac3, "ec-3": .eac3, "opus": .opus,
        "vorbis": .vorbis, "flac": .flac, "alac": .alac, "mp3": .mp3,
    ]

    /// By object type, in hexadecimal.
    private static let soundsOfMPEG4: [String: Codec] = [
        "40": .aac, "66": .aac, "67": .aac, "68": .aac, "69": .mp3, "6b": .mp3, "a5": .ac3, "a6": .eac3, "ad": .opus,
    ]
}

/// Encoders that take parameters of their own besides their options.
package enum EncoderParameters {
    /// The option that holds them all, `nil` for most encoders.
    ///
    /// - Parameter name: FFmpeg's name of the encoder.
    package static func option(ofEncoder name: String) -> String? {
        switch name {
        case "libx264", "libx264rgb": "x264-params"
        case "libx265": "x265-params"
        case "libsvtav1": "svtav1-params"
        default: nil
        }
    }
}

/// By how many threads encoders give the same packets on every machine.
package enum EncoderThreads {
    /// A number of threads that always gives the same packets, and whether another number would give others.
    ///
    /// libvpx codes rows of VP9 in one way by one thread, and in another by any other number.
    package static func reproducible(byEncoder name: String) -> (count: Int, isFixed: Bool) {
        name == "libvpx-vp9" ? (2, false) : (1, true)
    }

    /// The parameters, as ``EncoderParameters`` has them, that bound the threads of an encoder that takes others than libavcodec's;
    /// `nil` for all other encoders.
    ///
    /// x265 also notes in its headers which processor it found, unless it is told not to.
    package static func parameters(ofEncoder name: String, threads: Int) -> String? {
        ["libx265": "pools=\(threads):info=0", "libsvtav1": "lp=\(threads)"][name]
    }
}
