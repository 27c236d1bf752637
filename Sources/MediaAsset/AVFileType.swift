public import MediaCore

/// A kind of file, by its uniform type identifier.
///
/// - Note: AVFoundation's has no constants for Matroska, WebM, Ogg and others that stand beside its own here.
public struct AVFileType: BridgedToNSString, Hashable, Sendable {
    /// The identifier, such as `public.mpeg-4`.
    public let rawValue: String
    /// Makes a type of its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: AVFoundation's

    /// QuickTime movie.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// MPEG-4.
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// MPEG-4 for iTunes.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// MPEG-4 that holds sound only.
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
    /// 3GPP.
    public static let mobile3GPP = AVFileType(rawValue: "public.3gpp")
    /// 3GPP2.
    public static let mobile3GPP2 = AVFileType(rawValue: "public.3gpp2")
    /// Core Audio format.
    public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
    /// WAVE.
    public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = AVFileType(rawValue: "public.aiff-audio")
    /// AIFF that may be compressed.
    public static let aifc = AVFileType(rawValue: "public.aifc-audio")
    /// Adaptive multi-rate speech.
    public static let amr = AVFileType(rawValue: "org.3gpp.adaptive-multi-rate-audio")
    /// MPEG layer 3.
    public static let mp3 = AVFileType(rawValue: "public.mp3")
    /// Sun's audio format.
    public static let au = AVFileType(rawValue: "public.au-audio")
    /// Dolby Digital.
    public static let ac3 = AVFileType(rawValue: "public.ac3-audio")
    /// Dolby Digital Plus.
    public static let eac3 = AVFileType(rawValue: "public.enhanced-ac3-audio")
    /// QuickTime file that holds sound only.
    public static let qta = AVFileType(rawValue: "com.apple.quicktime-audio")
    /// JPEG.
    public static let jpg = AVFileType(rawValue: "public.jpeg")
    /// TIFF.
    public static let tif = AVFileType(rawValue: "public.tiff")
    /// HEIF with HEVC.
    public static let heic = AVFileType(rawValue: "public.heic")
    /// HEIF.
    public static let heif = AVFileType(rawValue: "public.heif")
    /// HEIF with H.264.
    public static let avci = AVFileType(rawValue: "public.avci")
    /// Adobe's digital negative.
    public static let dng = AVFileType(rawValue: "com.adobe.raw-image")
    /// iTunes timed text.
    public static let appleiTT = AVFileType(rawValue: "com.apple.itunes-timed-text")
    /// Scenarist closed captions.
    public static let SCC = AVFileType(rawValue: "com.scenarist.closed-caption")
    /// Haptic pattern.
    public static let AHAP = AVFileType(rawValue: "public.haptics-content")

    // MARK: Beyond AVFoundation

    /// Matroska.
    ///
    /// Beyond AVFoundation.
    public static let matroska = AVFileType(rawValue: "org.matroska.mkv")
    /// Matroska that holds sound only.
    ///
    /// Beyond AVFoundation.
    public static let matroskaAudio = AVFileType(rawValue: "org.matroska.mka")
    /// WebM.
    ///
    /// Beyond AVFoundation.
    public static let webM = AVFileType(rawValue: "org.webmproject.webm")
    /// Ogg.
    ///
    /// Beyond AVFoundation.
    public static let ogg = AVFileType(rawValue: "org.xiph.ogg")
    /// Ogg that holds Opus.
    ///
    /// Beyond AVFoundation.
    public static let opus = AVFileType(rawValue: "org.xiph.opus")
    /// FLAC.
    ///
    /// Beyond AVFoundation.
    public static let flac = AVFileType(rawValue: "org.xiph.flac")
    /// GIF.
    ///
    /// Beyond AVFoundation.
    public static let gif = AVFileType(rawValue: "com.compuserve.gif")
    /// MPEG-2 transport stream.
    ///
    /// Beyond AVFoundation.
    public static let mpeg2TransportStream = AVFileType(rawValue: "public.mpeg-2-transport-stream")
    /// HTTP Live Streaming: a folder with a playlist and segments of fragmented MP4.
    ///
    /// Beyond AVFoundation.
    public static let hls = AVFileType(rawValue: "public.m3u-playlist")
    /// AVI.
    ///
    /// Beyond AVFoundation.
    public static let avi = AVFileType(rawValue: "public.avi")
}

extension AVFileType {
    /// The filename extensions that stand for the type, without dots, in lower case, the preferred one first;
    /// empty for a type that is not known here.
    ///
    /// Beyond AVFoundation.
    public var filenameExtensions: [String] { Self.facts[self]?.extensions ?? [] }

    /// The filename extension of this type, without its dot; empty for a type that is not known here.
    ///
    /// Beyond AVFoundation.
    public var preferredFilenameExtension: String { filenameExtensions.first ?? "" }

    /// Makes the type that a filename extension stands for.
    ///
    /// - Parameter filenameExtension: Without its dot, in upper or lower case.
    /// - Returns: `nil` if no type has it.
    public init?(filenameExtension: String) {
        guard let type = Self.byExtension[filenameExtension.lowercased()] else { return nil }
        self = type
    }

    /// The containers of the type, the preferred one first: the second takes
    /// codecs that the first refuses.
    package var containers: [Container] { Self.facts[self]?.containers ?? [] }

    /// Whether files of the type can be written at all, by some preset.
    ///
    /// Beyond AVFoundation.
    public var isWritable: Bool { !containers.isEmpty }

    /// The types that can be written.
    package static let writable = facts.filter { !$0.value.containers.isEmpty }.map(\.key)

    /// Whether the format is for sound only.
    package var holdsSoundOnly: Bool { Self.forSound.contains(self) }

    private struct Facts {
        var extensions: [String]
        var containers: [Container] = []
    }

    private static let forSound: Set<AVFileType> = [
        .m4a, .caf, .wav, .aiff, .aifc, .amr, .mp3, .au, .ac3, .eac3, .qta, .matroskaAudio, .opus, .flac,
    ]

    private static let facts: [AVFileType: Facts] = [
        .mov: Facts(extensions: ["mov", "qt"], containers: [.quickTime]),
        .mp4: Facts(extensions: ["mp4"], containers: [.mp4]),
        .m4v: Facts(extensions: ["m4v"], containers: [.iPod, .mp4]),
        .m4a: Facts(extensions: ["m4a", "m4b"], containers: [.iPod]),
        .mobile3GPP: Facts(extensions: ["3gp", "3gpp", "sdv"], containers: [.threeGP]),
        .mobile3GPP2: Facts(extensions: ["3g2", "3gp2"]),
        .caf: Facts(extensions: ["caf"], containers: [.caf]),
        .wav: Facts(extensions: ["wav", "wave", "bwf"], containers: [.wave]),
        .aiff: Facts(extensions: ["aiff", "aif"], containers: [.aiff]),
        .aifc: Facts(extensions: ["aifc", "cdda"], containers: [.aiff]),
        .amr: Facts(extensions: ["amr"]),
        .mp3: Facts(extensions: ["mp3"], containers: [.mp3]),
        .au: Facts(extensions: ["au", "snd"]),
        .ac3: Facts(extensions: ["ac3"], containers: [.ac3]),
        .eac3: Facts(extensions: ["eac3"], containers: [.eac3]),
        .qta: Facts(extensions: ["qta"], containers: [.quickTime]),
        .jpg: Facts(extensions: ["jpg", "jpeg"]),
        .tif: Facts(extensions: ["tiff", "tif"]),
        .heic: Facts(extensions: ["heic"]),
        .heif: Facts(extensions: ["heif"]),
        .avci: Facts(extensions: ["avci"]),
        .dng: Facts(extensions: ["dng"]),
        .appleiTT: Facts(extensions: ["itt"]),
        .SCC: Facts(extensions: ["scc"]),
        .AHAP: Facts(extensions: ["ahap"]),
        .matroska: Facts(extensions: ["mkv"], containers: [.matroska]),
        .matroskaAudio: Facts(extensions: ["mka"], containers: [.matroska]),
        .webM: Facts(extensions: ["webm"], containers: [.webM]),
        .ogg: Facts(extensions: ["ogg", "oga", "ogv"], containers: [.ogg]),
        .opus: Facts(extensions: ["opus"], containers: [.opus]),
        .flac: Facts(extensions: ["flac"], containers: [.flac]),
        .gif: Facts(extensions: ["gif"], containers: [.gif]),
        .mpeg2TransportStream: Facts(extensions: ["ts", "m2ts", "mts"], containers: [.mpegTransportStream]),
        .hls: Facts(extensions: ["m3u8"], containers: [.mp4]),
        .avi: Facts(extensions: ["avi"], containers: [.avi]),
    ]

    private static let byExtension = Dictionary(
        facts.flatMap { type, facts in facts.extensions.map { ($0, type) } }, uniquingKeysWith: { first, _ in first })
}

// The global names that kinds of files had before they were members. AVFoundation keeps them for Objective-C.

/// The old name of `AVFileType.mov`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mov")
public let AVFileTypeQuickTimeMovie = AVFileType.mov

/// The old name of `AVFileType.mp4`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mp4")
public let AVFileTypeMPEG4 = AVFileType.mp4

/// The old name of `AVFileType.m4v`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.m4v")
public let AVFileTypeAppleM4V = AVFileType.m4v

/// The old name of `AVFileType.m4a`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.m4a")
public let AVFileTypeAppleM4A = AVFileType.m4a

/// The old name of `AVFileType.mobile3GPP`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP")
public let AVFileType3GPP = AVFileType.mobile3GPP

/// The old name of `AVFileType.mobile3GPP2`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP2")
public let AVFileType3GPP2 = AVFileType.mobile3GPP2

/// The old name of `AVFileType.caf`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.caf")
public let AVFileTypeCoreAudioFormat = AVFileType.caf

/// The old name of `AVFileType.wav`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.wav")
public let AVFileTypeWAVE = AVFileType.wav

/// The old name of `AVFileType.aiff`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.aiff")
public let AVFileTypeAIFF = AVFileType.aiff

/// The old name of `AVFileType.aifc`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.aifc")
public let AVFileTypeAIFC = AVFileType.aifc

/// The old name of `AVFileType.amr`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.amr")
public let AVFileTypeAMR = AVFileType.amr

/// The old name of `AVFileType.mp3`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mp3")
public let AVFileTypeMPEGLayer3 = AVFileType.mp3

/// The old name of `AVFileType.ac3`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.ac3")
public let AVFileTypeAC3 = AVFileType.ac3
