public import MediaCore

/// A property of a track's media by which tracks are chosen.
public struct AVMediaCharacteristic: BridgedToNSString, Hashable, Sendable {
    /// The name as stored in files or defined by AVFoundation.
    public let rawValue: String
    /// Makes a characteristic of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Something to see.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// Something to hear.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// Something to read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
    /// Made of frames.
    public static let frameBased = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicFrameBased")
    /// PQ or HLG transfer function.
    public static let containsHDRVideo = AVMediaCharacteristic(rawValue: "public.contains-hdr-video")
    /// Primaries wider than BT.709.
    public static let usesWideGamutColorSpace = AVMediaCharacteristic(rawValue: "public.uses-wide-gamut-color-space")
    /// Transparency.
    public static let containsAlphaChannel = AVMediaCharacteristic(rawValue: "public.contains-alpha-channel")
    /// Part of the main programme.
    ///
    /// Options for selection have it unless they are auxiliary; tracks where the file says so.
    public static let isMainProgramContent = AVMediaCharacteristic(rawValue: "public.main-program-content")
    /// Beside the main programme, such as a commentary.
    public static let isAuxiliaryContent = AVMediaCharacteristic(rawValue: "public.auxiliary-content")
    /// In the language of the original.
    public static let isOriginalContent = AVMediaCharacteristic(rawValue: "public.original-content")
    /// Subtitles that are always shown.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic(rawValue: "public.subtitles.forced-only")
    /// Text of what is spoken.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.transcribes-spoken-dialog")
    /// Text of music and sound.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-music-and-sound")
    /// Sound in which speech is easier to follow.
    public static let enhancesSpeechIntelligibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.enhances-speech-intelligibility")
    /// Sound that describes the pictures.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-video")
    /// Text made easy to read.
    public static let easyToRead = AVMediaCharacteristic(rawValue: "public.easy-to-read")
    /// A translation.
    public static let languageTranslation = AVMediaCharacteristic(rawValue: "public.translation")
    /// A dubbed translation.
    public static let dubbedTranslation = AVMediaCharacteristic(rawValue: "public.translation.dubbed")
    /// A translation spoken over the original.
    public static let voiceOverTranslation = AVMediaCharacteristic(rawValue: "public.translation.voice-over")
    /// Haptics of few effects.
    public static let tactileMinimal = AVMediaCharacteristic(rawValue: "public.haptics.minimal")
    /// Pictures for each eye.
    ///
    /// No track here is said to have it.
    public static let containsStereoMultiviewVideo = AVMediaCharacteristic(
        rawValue: "public.contains-stereo-multiview-video")
    /// Metadata for stereoscopic pictures.
    ///
    /// No track here is said to have it.
    public static let carriesVideoStereoMetadata = AVMediaCharacteristic(
        rawValue: "public.carries-video-stereo-metadata")
    /// Pictures of a stated field of view.
    ///
    /// No track here is said to have it.
    public static let indicatesHorizontalFieldOfView = AVMediaCharacteristic(
        rawValue: "public.indicates-horizontal-field-of-view")
}
