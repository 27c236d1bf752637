package import MediaCore

/// What is known of an encoder that presets may name, beyond what FFmpeg tells of it.
package struct EncoderTraits: Sendable {
    package enum Media: Sendable { case video, audio }

    package var media: Media
    /// What comes out.
    package var codec: Codec
    /// The scale of constant quality; `nil` where there is none.
    package var qualities: ClosedRange<Double>?
    /// Whether two passes are possible.
    package var allowsTwoPasses = false
    /// Whether pictures of an odd size are possible where chroma is subsampled.
    var allowsOddSizes = false
    /// Whether it keeps fewer cores busy than there are, so that a film is done sooner in segments.
    package var leavesCoresIdle = false
    /// What a pixel takes of one core, in nanoseconds, roughly: measured at the settings of the built-in presets.
    package var nanosecondsPerPixel = 20.0
    /// The smallest picture that can be encoded.
    var minimumSize = VideoEncoding.MaximumSize(width: 1, height: 1)

    /// The encoders that presets may name.
    package static let known: [String: EncoderTraits] = [
        "libx264": EncoderTraits(
            media: .video, codec: .h264, qualities: 0...51, allowsTwoPasses: true),
        "libx265": EncoderTraits(
            media: .video, codec: .hevc, qualities: 0...51, allowsTwoPasses: true,
            nanosecondsPerPixel: 90, minimumSize: .init(width: 16, height: 16)),
        "libvpx-vp9": EncoderTraits(
            media: .video, codec: .vp9, qualities: 0...63, allowsTwoPasses: true, allowsOddSizes: true,
            leavesCoresIdle: true, nanosecondsPerPixel: 62),
        "libvpx": EncoderTraits(
            media: .video, codec: .vp8, qualities: 4...63, allowsTwoPasses: true, allowsOddSizes: true,
            nanosecondsPerPixel: 40),
        "libsvtav1": EncoderTraits(
            media: .video, codec: .av1, qualities: 1...63,
            nanosecondsPerPixel: 60, minimumSize: .init(width: 64, height: 64)),
        "prores_ks": EncoderTraits(media: .video, codec: .proRes, nanosecondsPerPixel: 24),
        "dnxhd": EncoderTraits(
            media: .video, codec: .dnxhd, allowsOddSizes: true, nanosecondsPerPixel: 10,
            minimumSize: .init(width: 256, height: 120)),
        "ffv1": EncoderTraits(media: .video, codec: .ffv1, allowsOddSizes: true, nanosecondsPerPixel: 10),
        "gif": EncoderTraits(media: .video, codec: .gif, allowsOddSizes: true),
        "aac": EncoderTraits(media: .audio, codec: .aac),
        "libmp3lame": EncoderTraits(media: .audio, codec: .mp3, qualities: 0...9),
        "libopus": EncoderTraits(media: .audio, codec: .opus),
        "libvorbis": EncoderTraits(media: .audio, codec: .vorbis, qualities: -1...10),
        "flac": EncoderTraits(media: .audio, codec: .flac),
        "alac": EncoderTraits(media: .audio, codec: .alac),
        "ac3": EncoderTraits(media: .audio, codec: .ac3),
        "eac3": EncoderTraits(media: .audio, codec: .eac3),
        // Stands for the one that has as many bits as the source.
        "pcm": EncoderTraits(media: .audio, codec: .pcm24),
        "pcm_s16le": EncoderTraits(media: .audio, codec: .pcm16),
        "pcm_s24le": EncoderTraits(media: .audio, codec: .pcm24),
        "pcm_s16be": EncoderTraits(media: .audio, codec: .pcm16BigEndian),
        "pcm_s24be": EncoderTraits(media: .audio, codec: .pcm24BigEndian),
        "pcm_s32le": EncoderTraits(media: .audio, codec: .pcm32),
        "pcm_f32le": EncoderTraits(media: .audio, codec: .pcmFloat),
        Codec.pcmDouble.rawValue: EncoderTraits(media: .audio, codec: .pcmDouble),
    ]

    /// Whether it keeps samples of sound as they are, up to 24 bits.
    var isLossless: Bool { codec.has(.isLossless) }

    /// How many channels it takes, where it takes any layout of them; `nil` for any number.
    var mostChannels: Int? { codec == .flac ? 8 : nil }

    /// How many bits of a sample of sound it keeps at most; `nil` for lossy coding.
    var depth: SoundDepth? {
        switch codec {
        case .pcm16, .pcm16BigEndian: .bits16
        case .flac, .alac, .pcm24, .pcm24BigEndian: .bits24
        case .pcm32: .bits32
        case .pcmFloat: .floating
        case .pcmDouble: .doubleFloating
        default: nil
        }
    }

    /// Whether it can be told how many bits a second to make.
    package var hasBitRate: Bool {
        media == .video ? qualities != nil : codec.has(.hasBitRate)
    }

    /// That this FFmpeg has no encoder or filter, in one line.
    package static func lacks(_ what: String, _ name: String) -> String {
        "this FFmpeg has no \(what) \(name), which the preset needs"
    }

    /// FFmpeg's name of the encoder, where presets have a name of their own for several.
    package static func encoderName(_ name: String) -> String { name == "pcm" ? "pcm_s24le" : name }

    package static func names(_ media: Media) -> [String] { known.filter { $0.value.media == media }.keys.sorted() }

    /// Whether an option or a parameter may make an encoder read or write files.
    ///
    /// A preset may come from a stranger.
    package static func namesFile(_ option: String) -> Bool {
        let text = option.lowercased()
        return !harmlessOptions.contains(text) && partsOfFileOptions.contains { text.contains($0) }
    }

    /// Whether an option or a parameter holds what a field of the document says.
    package static func isField(_ option: String) -> Bool { optionsOfFields.contains(option.lowercased()) }

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
        EncoderTraits.known.filter { $0.value.media == .audio && $0.value.codec == self }.keys.min()
    }
}

/// What a layout of samples can hold, as far as presets may ask for it.
package struct PixelLayout: Sendable, Equatable {
    /// Bits of one component.
    package var depth: Int
    /// How many luma samples share one of chroma, as powers of two.
    var chromaShift: (horizontal: Int, vertical: Int)
    package var isRGB = false
    var isGrey = false
    package var hasAlpha = false

    package static func == (left: PixelLayout, right: PixelLayout) -> Bool {
        left.depth == right.depth && left.chromaShift == right.chromaShift && left.isRGB == right.isRGB
            && left.isGrey == right.isGrey && left.hasAlpha == right.hasAlpha
    }

    /// The layouts that presets may name, by FFmpeg's names.
    package static let known: [String: PixelLayout] = [
        "yuv420p": PixelLayout(depth: 8, chromaShift: (1, 1)),
        "yuv422p": PixelLayout(depth: 8, chromaShift: (1, 0)),
        "yuv444p": PixelLayout(depth: 8, chromaShift: (0, 0)),
        "yuv420p10le": PixelLayout(depth: 10, chromaShift: (1, 1)),
        "yuv422p10le": PixelLayout(depth: 10, chromaShift: (1, 0)),
        "yuv444p10le": PixelLayout(depth: 10, chromaShift: (0, 0)),
        "yuv420p12le": PixelLayout(depth: 12, chromaShift: (1, 1)),
        "yuv422p12le": PixelLayout(depth: 12, chromaShift: (1, 0)),
        "yuv444p12le": PixelLayout(depth: 12, chromaShift: (0, 0)),
        "yuva420p": PixelLayout(depth: 8, chromaShift: (1, 1), hasAlpha: true),
        "yuva444p10le": PixelLayout(depth: 10, chromaShift: (0, 0), hasAlpha: true),
        "gbrp": PixelLayout(depth: 8, chromaShift: (0, 0), isRGB: true),
        "gbrp10le": PixelLayout(depth: 10, chromaShift: (0, 0), isRGB: true),
        // One of its colours may be transparent.
        "pal8": PixelLayout(depth: 8, chromaShift: (0, 0), isRGB: true, hasAlpha: true),
    ]
}

/// How many bits samples of sound need so that nothing of them is lost.
enum SoundDepth: Int, Comparable {
    case bits16 = 16
    case bits24 = 24
    case bits32 = 32
    /// More than any number of whole ones.
    case floating = 33
    /// Of 64 bits.
    case doubleFloating = 65

    /// The bits that a sample takes.
    var bits: Int {
        switch self {
        case .floating: 32
        case .doubleFloating: 64
        default: rawValue
        }
    }

    var words: String {
        switch self {
        case .floating, .doubleFloating: "\(bits)-bit floating point"
        default: "\(bits) bits"
        }
    }

    static func < (left: SoundDepth, right: SoundDepth) -> Bool { left.rawValue < right.rawValue }

    /// Plain samples of so many bits.
    var pcm: Codec {
        switch self {
        case .bits16: .pcm16
        case .bits24: .pcm24
        case .bits32: .pcm32
        case .floating: .pcmFloat
        case .doubleFloating: .pcmDouble
        }
    }
}
