internal import CFFmpeg
internal import MediaContainers
internal import MediaCore
package import MediaIO

/// What a file may make the library do: which formats and codecs are opened,
/// and how much is read, decoded and waited for.
///
/// The defaults suit untrusted input. Formats that open further files or
/// addresses are not on the list, whatever the file's name says; neither are
/// demuxers and decoders of formats that no program in use writes, because
/// they are the least watched part of the code that reads hostile bytes. They
/// can be allowed one by one, by their names.
package struct SafetyPolicy: Sendable, Equatable {
    /// How much is read, decoded and waited for.
    package var limits = MediaLimits()
    /// Microseconds of media read to find out what its streams are.
    var analyzeDuration: Int64 = 5_000_000
    /// Bytes of packets kept while looking ahead.
    package var maximumPendingBytes: Int = 48 << 20
    /// Demuxers and decoders allowed besides those of the lists, by FFmpeg's names.
    package var additionalFormats: [String] = []
    /// Whether addresses may be opened as well as files.
    package var allowsNetwork = false
    /// Whether a file whose end is torn off is refused, rather than read as far as it is there.
    package var refusesTornEnds = false

    package init() {}

    /// Packets read for one still or one scan of a file.
    package var maximumPackets: Int { Int(limits.packets) }
    /// How long one still may take.
    package var requestTimeout: Duration { limits.time }

    /// The same, but for reading ten times as much to find out what the streams are.
    var probingFurther: SafetyPolicy {
        var policy = self
        policy.limits.probeSize *= 10
        policy.analyzeDuration *= 10
        return policy
    }

    /// Whether files may name others that are read with them: playlists, of which HLS is the one kind that can be allowed.
    package var allowsNesting: Bool { additionalFormats.contains(PlaylistFiles.formatName) }

    var formatAllowlist: String { (Self.formats + additionalFormats).joined(separator: ",") }

    /// What fetching an address takes.
    static let networkProtocols = "http,https,tcp,tls"

    var codecAllowlist: String {
        (Self.videoDecoders + Self.audioDecoders + Self.subtitleDecoders + additionalFormats).joined(separator: ",")
    }

    /// Whether a decoder may be used: one of the lists, or one that was allowed by its name.
    func allowsDecoder(_ name: String) -> Bool {
        Self.videoDecoders.contains(name) || Self.audioDecoders.contains(name) || additionalFormats.contains(name)
    }

    // docs/codecs.md says of each entry why it is here; SafetyPolicyTests compare.
    static let formats: [String] = [
        "mov", "matroska", "webm", "mpegts", "mpeg", "mpegvideo", "avi", "flv", "asf", "ogg", "mxf", "nut", "dv",
        "ivf", "obu", "h264", "hevc", "m4v", "mjpeg", "yuv4mpegpipe", "gif", "apng", "webp_pipe", "png_pipe",
        "jpeg_pipe", "bmp_pipe", "tiff_pipe", "mp3", "aac", "ac3", "eac3", "dts", "truehd", "flac", "wav", "w64",
        "aiff", "caf", "au", "amr", "wv",
    ]

    static let videoDecoders: [String] = [
        "h264", "hevc", "libdav1d", "vp8", "vp9", "libvpx", "libvpx-vp9", "mpeg1video", "mpeg2video", "mpeg4",
        "msmpeg4", "h263", "wmv2", "wmv3", "vc1", "theora", "mjpeg", "prores", "dnxhd", "dvvideo", "qtrle", "png",
        "apng", "gif", "bmp", "tiff", "webp", "rawvideo", "v210", "ffv1",
    ]

    static let audioDecoders: [String] = [
        "aac", "aac_latm", "mp2", "mp3float", "ac3", "eac3", "dca", "truehd", "flac", "alac", "vorbis", "opus", "amrnb",
        "amrwb", "wmav1", "wmav2", "wmapro", "wavpack", "adpcm_ima_wav", "adpcm_ms", "pcm_u8", "pcm_s8", "pcm_s16le",
        "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le",
        "pcm_f64be", "pcm_alaw", "pcm_mulaw", "pcm_bluray", "pcm_dvd",
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
    /// elsewhere, and as many pixels as 8K has. Those of GIF and animated PNG hold several pictures of four bytes a pixel,
    /// however few bytes the file has, and so does what comes after them.
    func pixels(_ name: Name, _ codec: AVCodecID) -> Int64 {
        let limit = min(self[name], pixels)
        switch codec {
        case AV_CODEC_ID_JPEG2000: return max(1, limit / 4)
        case AV_CODEC_ID_GIF, AV_CODEC_ID_APNG: return max(1, limit / 6)
        default: return limit
        }
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

/// Parts of PNG pictures that are packed and no part of the picture, left out before a decoder sees them: it unpacks
/// them whole, however much that is.
///
/// Text goes, as nothing here reads it of a decoded picture. A colour profile goes only if it is more than any is.
///
/// Source: PNG Specification (Third Edition), 5.3, 11.3; libavcodec/pngdec.c.
enum PackedChunks {
    /// The most bytes that a colour profile may have unpacked; those of printers have some megabytes.
    private static let maximumProfile = 16 << 20
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The bytes of a picture, or chunks alone, without those parts; `nil` if it has none.
    static func without(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var kept: [Range<Int>] = []
        var position = bytes.starts(with: signature) ? signature.count : 0
        var start = 0
        while position + 12 <= bytes.count {
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            // The decoder ends at a chunk that is cut off, too.
            guard length <= bytes.count - position - 12 else { break }
            let end = position + 12 + length
            if isUnwanted(UnsafeRawBufferPointer(rebasing: bytes[(position + 4)..<(end - 4)])) {
                kept.append(start..<position)
                start = end
            }
            position = end
        }
        guard start > 0 else { return nil }
        return (kept + [start..<bytes.count]).flatMap { bytes[$0] }
    }

    /// - Parameter chunk: Its name and its content.
    private static func isUnwanted(_ chunk: UnsafeRawBufferPointer) -> Bool {
        switch String(decoding: chunk.prefix(4), as: UTF8.self) {
        case "zTXt", "iTXt": return true
        case "iCCP":
            let content = Array(chunk.dropFirst(4))
            guard let end = content.firstIndex(of: 0), end + 2 < content.count else { return true }
            return Inflate.content(content[(end + 2)...], limit: maximumProfile) == nil
        default: return false
        }
    }
}

/// Samples of speech that hold several frames, divided: FFmpeg's decoders take the first one of each.
package struct PackedSpeech {
    private let isWide: Bool
    private let timeBase: AVRational
    private var waiting: ArraySlice<Packet> = []

    /// `nil` for codecs without such samples.
    init?(_ context: AVCodecContext) {
        self.init(context.codec_id, context.pkt_timebase)
    }

    /// `nil` for streams without such samples.
    package init?(_ info: StreamInfo) {
        guard let codec = info.codec.id else { return nil }
        self.init(codec, AVRational(info.timeBase))
    }

    private init?(_ codec: AVCodecID, _ timeBase: AVRational) {
        switch codec {
        case AV_CODEC_ID_AMR_NB: isWide = false
        case AV_CODEC_ID_AMR_WB: isWide = true
        default: return nil
        }
        self.timeBase = timeBase
    }

    /// The frames of a sample, each with its own time.
    package mutating func frames(of packet: Packet) throws(FFmpegError) -> [Packet] {
        let first = try divide(packet)
        defer { waiting = [] }
        return [first] + waiting
    }

    /// The first frame of a sample; the others follow from ``next()``.
    mutating func divide(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard let ranges = packet.withBytes({ AMRFrames.ranges(in: $0, isWide: isWide) }), ranges.count > 1 else {
            return packet
        }
        var parts: [Packet] = []
        for (index, range) in ranges.enumerated() {
            let part = try packet.replacingData(with: packet.withBytes { Array($0[range]) })
            let delay = ticks(ofFrames: index)
            part.set(
                presentation: packet.presentationTicks.flatMap { Self.sum($0, delay) },
                decode: packet.decodeTicks.flatMap { Self.sum($0, delay) })
            part.setDuration(ticks(ofFrames: index + 1) - delay)
            parts.append(part)
        }
        waiting += parts.dropFirst()
        return parts[0]
    }

    mutating func next() -> Packet? { waiting.popFirst() }

    mutating func removeAll() { waiting = [] }

    /// How long frames of 20 ms last.
    private func ticks(ofFrames count: Int) -> Int64 {
        guard timeBase.num > 0, timeBase.den > 0 else { return 0 }
        return Int64(count) * Int64(timeBase.den) / (50 * Int64(timeBase.num))
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64? {
        let (sum, isBeyond) = one.addingReportingOverflow(other)
        return isBeyond ? nil : sum
    }
}
