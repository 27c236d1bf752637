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
