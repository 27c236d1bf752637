internal import Foundation
public import MediaCore
package import MediaMetadata
internal import MetadataFormats

/// What a track holds, as a four-character code.
public struct AVMediaType: BridgedToNSString, Hashable, Sendable {
    /// The code, such as `vide`.
    public let rawValue: String
    /// Makes a type of its code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Text.
    public static let text = AVMediaType(rawValue: "text")
    /// Closed captions.
    public static let closedCaption = AVMediaType(rawValue: "clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType(rawValue: "sbtl")
    /// Timecode.
    public static let timecode = AVMediaType(rawValue: "tmcd")
    /// Timed metadata.
    public static let metadata = AVMediaType(rawValue: "meta")
    /// Pictures that belong to another track's, such as their alpha.
    public static let auxiliaryPicture = AVMediaType(rawValue: "auxv")
    /// Haptics.
    public static let haptic = AVMediaType(rawValue: "hapt")
    /// Depth.
    public static let depthData = AVMediaType(rawValue: "dpth")
    /// What a camera sees in its pictures.
    public static let metadataObject = AVMediaType(rawValue: "mobj")
    /// Sound and pictures in one.
    public static let muxed = AVMediaType(rawValue: "muxx")
}

extension AVMediaType {
    /// The type's name for people and for JSON.
    package var name: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .text: "text"
        case .subtitle: "subtitle"
        case .closedCaption: "closedCaption"
        case .timecode: "timecode"
        case .metadata: "metadata"
        case .auxiliaryPicture: "auxiliaryPicture"
        case AVMediaType(rawValue: "atch"): "attachment"
        default: "data"
        }
    }
}

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

// The global names that kinds of media had before they were members. AVFoundation keeps them for Objective-C.

/// The old name of `AVMediaType.video`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.video")
public let AVMediaTypeVideo = AVMediaType.video

/// The old name of `AVMediaType.audio`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.audio")
public let AVMediaTypeAudio = AVMediaType.audio

/// The old name of `AVMediaType.text`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.text")
public let AVMediaTypeText = AVMediaType.text

/// The old name of `AVMediaType.closedCaption`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.closedCaption")
public let AVMediaTypeClosedCaption = AVMediaType.closedCaption

/// The old name of `AVMediaType.subtitle`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.subtitle")
public let AVMediaTypeSubtitle = AVMediaType.subtitle

/// The old name of `AVMediaType.timecode`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.timecode")
public let AVMediaTypeTimecode = AVMediaType.timecode

/// The old name of `AVMediaType.metadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.metadata")
public let AVMediaTypeMetadata = AVMediaType.metadata

/// The old name of `AVMediaType.muxed`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.muxed")
public let AVMediaTypeMuxed = AVMediaType.muxed

/// The old name of `AVMediaCharacteristic.visual`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.visual")
public let AVMediaCharacteristicVisual = AVMediaCharacteristic.visual

/// The old name of `AVMediaCharacteristic.audible`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.audible")
public let AVMediaCharacteristicAudible = AVMediaCharacteristic.audible

/// The old name of `AVMediaCharacteristic.legible`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.legible")
public let AVMediaCharacteristicLegible = AVMediaCharacteristic.legible

/// The old name of `AVMediaCharacteristic.frameBased`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.frameBased")
public let AVMediaCharacteristicFrameBased = AVMediaCharacteristic.frameBased

/// Names for people.
package enum MediaNames {
    /// The name of a track's codec.
    package static func codec(of track: TrackDescription) -> String { track.codecType.name }

    /// A container's name by what the file itself says besides its demuxer.
    ///
    /// - Parameter kind: What the file's own metadata reader takes it for.
    package static func container(
        of asset: AssetDescription, kind: FileMetadata.Container, fileName: String
    ) -> String {
        let container = asset.containerType
        return switch kind {
        case .quickTime: "QuickTime"
        case .isoBaseMedia: "MP4"
        default: container == .matroskaOrWebM && fileName.lowercased().hasSuffix(".webm") ? "WebM" : container.name
        }
    }

    /// The order of an interlaced picture's fields in words, `nil` for progressive.
    package static func fieldOrder(of video: VideoDescription) -> String? {
        guard let order = video.fields, order.isInterlaced else { return nil }
        return order.isTopFirst ? "top field first" : "bottom field first"
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

/// Formats besides those that are allowed by default.
///
/// Beyond AVFoundation.
public enum MediaFormats {}
