internal import Foundation
internal import MediaMetadata

/// Names for people of what FFmpeg has short names for.
enum MediaNames {
    private static let codecs = [
        "h264": "H.264", "hevc": "HEVC", "vvc": "VVC", "av1": "AV1", "vp8": "VP8", "vp9": "VP9", "prores": "ProRes",
        "mpeg1video": "MPEG-1", "mpeg2video": "MPEG-2", "mpeg4": "MPEG-4", "msmpeg4v3": "MS MPEG-4 v3",
        "mjpeg": "Motion JPEG", "theora": "Theora", "vorbis": "Vorbis", "opus": "Opus", "flac": "FLAC",
        "aac": "AAC", "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS", "truehd": "TrueHD", "alac": "Apple Lossless",
        "mp1": "MP1", "mp2": "MP2", "mp3": "MP3", "dvvideo": "DV", "dnxhd": "DNxHD", "rawvideo": "uncompressed",
        "cfhd": "CineForm", "ffv1": "FFV1", "huffyuv": "HuffYUV", "qtrle": "QuickTime Animation",
        "wmav2": "WMA 2", "amr_nb": "AMR", "amr_wb": "AMR-WB", "h263": "H.263", "flv1": "Sorenson Spark",
    ]

    private static let containers = [
        "matroska,webm": "Matroska", "mpegts": "MPEG-TS", "mpeg": "MPEG-PS", "avi": "AVI", "flv": "FLV",
        "ogg": "Ogg", "asf": "ASF", "mxf": "MXF", "gif": "GIF", "nut": "NUT", "mov,mp4,m4a,3gp,3g2,mj2": "MP4",
        "image2": "image", "webp_pipe": "WebP", "dv": "DV", "rm": "RealMedia",
    ]

    /// A codec's name.
    static func codec(_ name: String) -> String {
        if let known = codecs[name] { return known }
        return name.hasPrefix("pcm_") ? "PCM" : name.uppercased()
    }

    /// A container's name.
    ///
    /// - Parameter isWebM: Which of the two a Matroska file calls itself.
    static func container(_ name: String, isWebM: Bool) -> String {
        if isWebM, name == "matroska,webm" { return "WebM" }
        return containers[name] ?? String(name.prefix { $0 != "," }).uppercased()
    }

    /// A language in English by its code, the code itself if it is not known;
    /// `nil` for no language.
    static func language(_ code: String?) -> String? {
        guard let code, !code.isEmpty, code.count <= 35 else { return nil }
        let isPlain = code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isPlain else { return nil }
        let tag = code.count == 3 ? LanguageCodes.tag(ofISO639: code) : code
        guard let tag, tag != "und" else { return nil }
        return Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
    }
}
