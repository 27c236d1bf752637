package import MediaCore

/// What is known of an encoder that presets may name, beyond what FFmpeg tells of it.
struct PresetEncoder: Sendable {
    enum Media: Sendable { case video, audio }

    var media: Media
    /// What comes out.
    var codec: Codec
    /// The scale of constant quality; `nil` where there is none.
    var qualities: ClosedRange<Double>?
    /// Whether two passes are possible.
    var allowsTwoPasses = false
    /// Whether pictures of an odd size are possible where chroma is subsampled.
    var allowsOddSizes = false
    /// Whether it keeps fewer cores busy than there are, so that a film is done sooner in segments.
    var leavesCoresIdle = false
    /// What a pixel takes of one core, in nanoseconds, roughly: measured at the settings of the built-in presets.
    var nanosecondsPerPixel = 20.0
    /// The smallest picture that can be encoded.
    var minimumSize = ExportPreset.MaximumSize(width: 1, height: 1)

    /// The encoders that presets may name.
    static let known: [String: PresetEncoder] = [
        "libx264": PresetEncoder(
            media: .video, codec: .h264, qualities: 0...51, allowsTwoPasses: true),
        "libx265": PresetEncoder(
            media: .video, codec: .hevc, qualities: 0...51, allowsTwoPasses: true,
            nanosecondsPerPixel: 90, minimumSize: .init(width: 16, height: 16)),
        "libvpx-vp9": PresetEncoder(
            media: .video, codec: .vp9, qualities: 0...63, allowsTwoPasses: true, allowsOddSizes: true,
            leavesCoresIdle: true, nanosecondsPerPixel: 62),
        "libvpx": PresetEncoder(
            media: .video, codec: .vp8, qualities: 4...63, allowsTwoPasses: true, allowsOddSizes: true,
            nanosecondsPerPixel: 40),
        "libsvtav1": PresetEncoder(
            media: .video, codec: .av1, qualities: 1...63,
            nanosecondsPerPixel: 60, minimumSize: .init(width: 64, height: 64)),
        "prores_ks": PresetEncoder(media: .video, codec: .proRes, nanosecondsPerPixel: 24),
        "dnxhd": PresetEncoder(
            media: .video, codec: .dnxhd, allowsOddSizes: true, nanosecondsPerPixel: 10,
            minimumSize: .init(width: 256, height: 120)),
        "ffv1": PresetEncoder(media: .video, codec: .ffv1, allowsOddSizes: true, nanosecondsPerPixel: 10),
        "gif": PresetEncoder(media: .video, codec: .gif, allowsOddSizes: true),
        "aac": PresetEncoder(media: .audio, codec: .aac),
        "libmp3lame": PresetEncoder(media: .audio, codec: .mp3, qualities: 0...9),
        "libopus": PresetEncoder(media: .audio, codec: .opus),
        "libvorbis": PresetEncoder(media: .audio, codec: .vorbis, qualities: -1...10),
        "flac": PresetEncoder(media: .audio, codec: .flac),
        "alac": PresetEncoder(media: .audio, codec: .alac),
        "ac3": PresetEncoder(media: .audio, codec: .ac3),
        "eac3": PresetEncoder(media: .audio, codec: .eac3),
        // Stands for the one that has as many bits as the source.
        "pcm": PresetEncoder(media: .audio, codec: .pcm24),
        "pcm_s16le": PresetEncoder(media: .audio, codec: .pcm16),
        "pcm_s24le": PresetEncoder(media: .audio, codec: .pcm24),
        "pcm_s16be": PresetEncoder(media: .audio, codec: .pcm16BigEndian),
        "pcm_s24be": PresetEncoder(media: .audio, codec: .pcm24BigEndian),
        "pcm_s32le": PresetEncoder(media: .audio, codec: .pcm32),
        "pcm_f32le": PresetEncoder(media: .audio, codec: .pcmFloat),
    ]

    /// Whether it keeps samples of sound as they are, up to 24 bits.
    var isLossless: Bool { codec.has(.isLossless) }

    /// How many bits of a sample of sound it keeps at most; `nil` for lossy coding.
    var depth: SoundDepth? {
        switch codec {
        case .pcm16, .pcm16BigEndian: .bits16
        case .flac, .alac, .pcm24, .pcm24BigEndian: .bits24
        case .pcm32: .bits32
        case .pcmFloat: .floating
        default: nil
        }
    }

    /// Whether it can be told how many bits a second to make.
    var hasBitRate: Bool {
        media == .video ? qualities != nil : codec.has(.hasBitRate)
    }

    /// FFmpeg's name of the encoder, where presets have a name of their own for several.
    static func encoderName(_ name: String) -> String { name == "pcm" ? "pcm_s24le" : name }

    static func names(_ media: Media) -> [String] { known.filter { $0.value.media == media }.keys.sorted() }

    /// Whether an option or a parameter may make an encoder read or write files.
    ///
    /// A preset may come from a stranger.
    static func namesFile(_ option: String) -> Bool {
        let text = option.lowercased()
        return !harmlessOptions.contains(text) && partsOfFileOptions.contains { text.contains($0) }
    }

    /// Whether an option or a parameter holds what a field of the document says.
    static func isField(_ option: String) -> Bool { optionsOfFields.contains(option.lowercased()) }

    private static let partsOfFileOptions = [
        "file", "csv", "recon", "stat", "dump", "cqm", "analysis", "lambda", "scaling-list", "input", "output", "load",
        "save", "log", "rpu", "dhdr", "clbin", "params", "x264opts", "zones",
    ]
    private static let harmlessOptions: Set<String> = ["profile", "static-thresh"]
    private static let optionsOfFields: Set<String> = [
        "crf", "b", "bitrate", "tbr", "rc", "g", "keyint", "maxrate", "vbv-maxrate", "mbr", "bufsize", "vbv-bufsize",
        "pass", "passes", "threads", "global_quality", "flags", "pixel_format", "field_order", "mastering-display",
        "master-display", "max-cll", "content-light", "colorprim", "transfer", "colormatrix", "range", "fps",
    ]
}

extension Codec {
    /// FFmpeg's name of the encoder that presets make sound of this codec with; `nil` for none.
    package var soundEncoder: String? {
        PresetEncoder.known.filter { $0.value.media == .audio && $0.value.codec == self }.keys.min()
    }
}
