internal import CLibAV
package import MediaFile

/// What a file may make the library do: which formats and codecs are opened,
/// and how much is read, decoded and waited for.
///
/// The defaults suit files from strangers. Formats that open further files or
/// addresses are not on the list, whatever the file's name says; neither are
/// decoders of formats that nobody films, edits or publishes with, because
/// they are the least watched part of the code that reads hostile bytes.
package struct SafetyPolicy: Sendable, Equatable {
    /// How much is read, decoded and waited for.
    package var limits = MediaLimits()
    /// Microseconds of media read to find out what its streams are.
    package var analyzeDuration: Int64 = 5_000_000
    /// Bytes of packets kept while looking ahead.
    package var maximumPendingBytes: Int = 48 << 20
    /// Demuxers allowed besides `formats`.
    package var additionalFormats: [String] = []
    /// Whether addresses may be opened as well as files.
    package var allowsNetwork = false

    package init() {}

    /// Packets read for one still or one scan of a file.
    package var maximumPackets: Int { Int(limits.packets) }
    /// How long one still may take.
    package var requestTimeout: Duration { limits.time }

    var formatAllowlist: String { (Self.formats + additionalFormats).joined(separator: ",") }

    /// What fetching an address takes.
    static let networkProtocols = "http,https,tcp,tls"

    var codecAllowlist: String {
        (Self.videoDecoders + Self.audioDecoders + Self.subtitleDecoders).joined(separator: ",")
    }

    static let formats: [String] = [
        "mov", "matroska", "webm", "mpegts", "mpeg", "mpegvideo", "avi", "flv", "asf", "ogg", "mxf", "nut", "dv",
        "rm", "ivf", "obu", "h264", "hevc", "m4v", "mjpeg", "yuv4mpegpipe", "gif", "apng", "webp_pipe", "png_pipe",
        "jpeg_pipe", "bmp_pipe", "tiff_pipe", "mp3", "aac", "ac3", "eac3", "dts", "truehd", "flac", "wav", "w64",
        "aiff", "caf", "au", "amr", "wv", "ape", "tta",
    ]

    static let videoDecoders: [String] = [
        "h264", "hevc", "libdav1d", "libaom-av1", "av1", "vp8", "vp9", "libvpx", "libvpx-vp9", "vp6", "vp6a", "vp6f",
        "mpeg1video", "mpeg2video", "mpegvideo", "mpeg4", "msmpeg4", "msmpeg4v1", "msmpeg4v2", "h261", "h263", "h263p",
        "flv", "wmv1", "wmv2", "wmv3", "vc1", "theora", "svq1", "svq3", "cinepak", "rv10", "rv20", "rv30", "rv40",
        "mjpeg", "mjpegb", "prores", "dnxhd", "cfhd", "dvvideo", "qtrle", "rpza", "png", "apng", "gif", "bmp", "tiff",
        "webp", "jpeg2000", "rawvideo", "v210", "huffyuv", "ffvhuff", "ffv1", "utvideo",
    ]

    static let audioDecoders: [String] = [
        "aac", "aac_latm", "mp1", "mp1float", "mp2", "mp2float", "mp3", "mp3float", "ac3", "eac3", "dca", "truehd",
        "mlp", "flac", "alac", "vorbis", "opus", "libopus", "amrnb", "amrwb", "libopencore_amrnb", "libopencore_amrwb",
        "wmav1", "wmav2", "wmapro", "wmalossless", "qdm2", "qcelp", "gsm", "speex", "libspeex", "wavpack", "ape", "tta",
        "cook", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "adpcm_swf", "mace3", "mace6", "nellymoser", "pcm_u8",
        "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le",
        "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw", "pcm_bluray", "pcm_dvd", "pcm_lxf",
    ]

    static let subtitleDecoders: [String] = [
        "subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text", "pgssub", "dvbsub", "dvdsub", "cc_dec",
    ]
}

extension MediaLimits {
    /// The pixels that a coded picture may have: covers are bounded by both limits on them.
    ///
    /// FFmpeg's decoder of JPEG 2000 has four bytes for each coefficient of each component beside the picture, and asks for
    /// them by what the header says: a file of 14 kB had 4 GB. A quarter of the limit is as much memory as the limit takes
    /// elsewhere, and as many pixels as 8K has.
    func pixels(_ name: Name, _ codec: AVCodecID) -> Int64 {
        let limit = min(self[name], pixels)
        return codec == AV_CODEC_ID_JPEG2000 ? max(1, limit / 4) : limit
    }
}

extension FFmpegError {
    /// The error for packets of which nothing comes.
    ///
    /// - Parameter what: What they were read for.
    package static func tooManyPackets(for what: String, _ policy: SafetyPolicy) -> FFmpegError {
        FFmpegError(
            kind: .limit, operation: .read,
            reason: "\(what) did not come within the limit of \(policy.maximumPackets) packets", limit: .packets)
    }

    /// The error for a track with more samples than are listed.
    package static func tooManySamples(_ policy: SafetyPolicy) -> FFmpegError {
        FFmpegError(
            kind: .limit, operation: .scan,
            reason: "a track has more samples than the limit of \(policy.maximumPackets) packets", limit: .packets)
    }
}
