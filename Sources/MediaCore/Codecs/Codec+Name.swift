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
