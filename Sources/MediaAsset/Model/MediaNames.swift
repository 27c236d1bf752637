internal import Foundation
package import MediaMetadata
internal import MetadataFormats

/// Names for people of what FFmpeg has short names for.
package enum MediaNames {
    private static let codecs = [
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
        "vp6": "VP6", "vp6f": "VP6", "vp6a": "VP6", "rv40": "RealVideo 4", "cook": "RealAudio", "qdm2": "QDesign 2",
    ]

    private static let containers = [
        "matroska,webm": "Matroska", "mpegts": "MPEG-TS", "mpeg": "MPEG-PS", "avi": "AVI", "flv": "FLV",
        "ogg": "Ogg", "asf": "ASF", "mxf": "MXF", "gif": "GIF", "nut": "NUT", "mov,mp4,m4a,3gp,3g2,mj2": "MP4",
        "image2": "image", "webp_pipe": "WebP", "dv": "DV", "rm": "RealMedia", "hls": "HLS", "dash": "DASH",
        "png_pipe": "PNG", "jpeg_pipe": "JPEG", "bmp_pipe": "BMP", "tiff_pipe": "TIFF", "apng": "animated PNG",
        "h264": "raw H.264", "hevc": "raw HEVC", "mpegvideo": "raw MPEG video", "m4v": "raw MPEG-4", "obu": "raw AV1",
        "mjpeg": "raw Motion JPEG", "yuv4mpegpipe": "Y4M", "ivf": "IVF", "mp3": "MP3", "aac": "raw AAC (ADTS)",
        "flac": "FLAC", "wav": "WAV", "w64": "Wave64", "aiff": "AIFF", "caf": "CAF", "wv": "WavPack",
        "ac3": "raw AC-3", "eac3": "raw E-AC-3", "dts": "raw DTS", "truehd": "raw TrueHD", "ape": "Monkey's Audio",
    ]

    /// A codec's name.
    package static func codec(_ name: String) -> String {
        if let known = codecs[name] { return known }
        return name.hasPrefix("pcm_") ? "PCM" : name.uppercased()
    }

    /// A container's name.
    ///
    /// - Parameter isWebM: Which of the two a Matroska file calls itself.
    package static func container(_ name: String, isWebM: Bool) -> String {
        if isWebM, name == "matroska,webm" { return "WebM" }
        return containers[name] ?? String(name.prefix { $0 != "," }).uppercased()
    }

    /// A container's name by what the file itself says besides its demuxer.
    ///
    /// - Parameter kind: What the file's own metadata reader takes it for.
    package static func container(_ name: String, kind: FileMetadata.Container, fileName: String) -> String {
        switch kind {
        case .quickTime: return "QuickTime"
        case .isoBaseMedia: return "MP4"
        default: return container(name, isWebM: fileName.lowercased().hasSuffix(".webm"))
        }
    }

    /// The order of an interlaced picture's fields in words, `nil` for progressive.
    ///
    /// - Parameter order: As FFmpeg names it: the field coded first, the field shown first.
    package static func fieldOrder(_ order: String?) -> String? {
        switch order {
        case "tt", "bt": "top field first"
        case "bb", "tb": "bottom field first"
        default: nil
        }
    }

    /// A language in English by its code, the code itself if it is not known;
    /// `nil` for no language.
    package static func language(_ code: String?) -> String? {
        guard let code, !code.isEmpty, code.count <= 35 else { return nil }
        let isPlain = code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isPlain else { return nil }
        let tag = code.count == 3 ? LanguageCodes.tag(ofISO639: code) : code
        guard let tag, tag != "und" else { return nil }
        return Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
    }
}
