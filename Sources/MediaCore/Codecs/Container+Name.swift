extension Container {
    /// The name for people.
    package var name: String { Self.names[rawValue] ?? String(rawValue.prefix { $0 != "," }).uppercased() }

    private static let names = [
        "matroska,webm": "Matroska", "mpegts": "MPEG-TS", "mpeg": "MPEG-PS", "avi": "AVI", "flv": "FLV",
        "ogg": "Ogg", "asf": "ASF", "mxf": "MXF", "gif": "GIF", "nut": "NUT", "mov,mp4,m4a,3gp,3g2,mj2": "MP4",
        "image2": "image", "webp_pipe": "WebP", "dv": "DV", "rm": "RealMedia", "hls": "HLS", "dash": "DASH",
        "png_pipe": "PNG", "jpeg_pipe": "JPEG", "bmp_pipe": "BMP", "tiff_pipe": "TIFF", "apng": "animated PNG",
        "h264": "raw H.264", "hevc": "raw HEVC", "mpegvideo": "raw MPEG video", "m4v": "raw MPEG-4", "obu": "raw AV1",
        "mjpeg": "raw Motion JPEG", "yuv4mpegpipe": "Y4M", "ivf": "IVF", "mp3": "MP3", "aac": "raw AAC (ADTS)",
        "flac": "FLAC", "wav": "WAV", "w64": "Wave64", "aiff": "AIFF", "caf": "CAF", "wv": "WavPack",
        "ac3": "raw AC-3", "eac3": "raw E-AC-3", "dts": "raw DTS", "truehd": "raw TrueHD", "ape": "Monkey's Audio",
    ]
}
