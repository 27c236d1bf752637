internal import MediaAsset
internal import MediaEngine

// AVFoundation's names of presets; the value of each equals its name. None enlarges pictures.

/// H.264 within 480x360 and stereo AAC: the preset `low`.
///
/// - Note: AVFoundation's size depends on the device.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// H.264 within 960x720 and stereo AAC: the preset `medium`.
///
/// - Note: AVFoundation's size depends on the device.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264 and AAC of the source's size, hard to tell from the source: the preset `high`.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// HEVC and AAC of the source's size, HDR kept: the preset `hevc-high`.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// HEVC of the source's size with transparency; not available: a session of it is `nil`.
public let AVAssetExportPresetHEVCHighestQualityWithAlpha = "AVAssetExportPresetHEVCHighestQualityWithAlpha"
/// H.264 within 640x480.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// H.264 within 960x540.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// H.264 within 1280x720.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// H.264 within 1920x1080.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// H.264 within 3840x2160.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// HEVC within 1920x1080.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// HEVC within 3840x2160.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// HEVC within 1920x1080 with transparency; not available: a session of it is `nil`.
public let AVAssetExportPresetHEVC1920x1080WithAlpha = "AVAssetExportPresetHEVC1920x1080WithAlpha"
/// HEVC within 3840x2160 with transparency; not available: a session of it is `nil`.
public let AVAssetExportPresetHEVC3840x2160WithAlpha = "AVAssetExportPresetHEVC3840x2160WithAlpha"
/// HEVC within 4320x2160.
public let AVAssetExportPresetHEVC4320x2160 = "AVAssetExportPresetHEVC4320x2160"
/// HEVC within 7680x4320.
public let AVAssetExportPresetHEVC7680x4320 = "AVAssetExportPresetHEVC7680x4320"
/// Multiview HEVC within 960x960; not available: a session of it is `nil`.
public let AVAssetExportPresetMVHEVC960x960 = "AVAssetExportPresetMVHEVC960x960"
/// Multiview HEVC within 1440x1440; not available: a session of it is `nil`.
public let AVAssetExportPresetMVHEVC1440x1440 = "AVAssetExportPresetMVHEVC1440x1440"
/// Multiview HEVC within 4320x4320; not available: a session of it is `nil`.
public let AVAssetExportPresetMVHEVC4320x4320 = "AVAssetExportPresetMVHEVC4320x4320"
/// Multiview HEVC within 7680x7680; not available: a session of it is `nil`.
public let AVAssetExportPresetMVHEVC7680x7680 = "AVAssetExportPresetMVHEVC7680x7680"
/// AAC in MPEG-4.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// Coded samples as they are, in another container or trimmed: the preset `passthrough`.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"
/// ProRes 422 and PCM.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 and PCM.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"
/// H.264 for phones of old.
public let AVAssetExportPresetAppleM4VCellular = "AVAssetExportPresetAppleM4VCellular"
/// H.264 for the iPod.
public let AVAssetExportPresetAppleM4ViPod = "AVAssetExportPresetAppleM4ViPod"
/// H.264 of standard definition.
public let AVAssetExportPresetAppleM4V480pSD = "AVAssetExportPresetAppleM4V480pSD"
/// H.264 for the Apple TV.
public let AVAssetExportPresetAppleM4VAppleTV = "AVAssetExportPresetAppleM4VAppleTV"
/// H.264 for wireless networks.
public let AVAssetExportPresetAppleM4VWiFi = "AVAssetExportPresetAppleM4VWiFi"
/// H.264 within 1280x720.
public let AVAssetExportPresetAppleM4V720pHD = "AVAssetExportPresetAppleM4V720pHD"
/// H.264 within 1920x1080.
public let AVAssetExportPresetAppleM4V1080pHD = "AVAssetExportPresetAppleM4V1080pHD"

/// What one of AVFoundation's presets becomes here.
struct AVFoundationPreset: Sendable {
    /// What stands for it.
    enum Meaning: Sendable {
        /// One of the presets that come with the library, changed in a few fields.
        case preset(String, fileTypes: [AVFileType]?, maximumSize: ExportPreset.MaximumSize?)
        /// Nothing, for a reason.
        case unavailable(String)
    }

    var name: String
    var meaning: Meaning

    private static func preset(
        _ name: String, _ stands: String, fileTypes: [AVFileType]? = nil, maximumSize: (Int, Int)? = nil
    ) -> AVFoundationPreset {
        AVFoundationPreset(
            name: name,
            meaning: .preset(
                stands, fileTypes: fileTypes, maximumSize: maximumSize.map { .init(width: $0.0, height: $0.1) }))
    }

    private static func unavailable(_ name: String, _ reason: String) -> AVFoundationPreset {
        AVFoundationPreset(name: name, meaning: .unavailable(reason))
    }

    private static let noAlpha = "there is no encoder of HEVC with alpha; prores-4444 and webm-vp9 keep transparency"
    private static let noMultiview = "there is no encoder of multiview HEVC"

    /// In the order that AVFoundation's headers have.
    static let all: [AVFoundationPreset] = [
        preset(AVAssetExportPresetLowQuality, "low"),
        preset(AVAssetExportPresetMediumQuality, "medium"),
        preset(AVAssetExportPresetHighestQuality, "high"),
        preset(AVAssetExportPresetHEVCHighestQuality, "hevc-high"),
        unavailable(AVAssetExportPresetHEVCHighestQualityWithAlpha, noAlpha),
        preset(AVAssetExportPreset640x480, "640x480"),
        preset(AVAssetExportPreset960x540, "960x540"),
        preset(AVAssetExportPreset1280x720, "1280x720"),
        preset(AVAssetExportPreset1920x1080, "1920x1080"),
        preset(AVAssetExportPreset3840x2160, "3840x2160"),
        preset(AVAssetExportPresetHEVC1920x1080, "hevc-1920x1080"),
        unavailable(AVAssetExportPresetHEVC1920x1080WithAlpha, noAlpha),
        preset(AVAssetExportPresetHEVC3840x2160, "hevc-3840x2160"),
        unavailable(AVAssetExportPresetHEVC3840x2160WithAlpha, noAlpha),
        preset(AVAssetExportPresetHEVC4320x2160, "hevc-3840x2160", maximumSize: (4320, 2160)),
        preset(AVAssetExportPresetHEVC7680x4320, "hevc-3840x2160", maximumSize: (7680, 4320)),
        unavailable(AVAssetExportPresetMVHEVC960x960, noMultiview),
        unavailable(AVAssetExportPresetMVHEVC1440x1440, noMultiview),
        unavailable(AVAssetExportPresetMVHEVC4320x4320, noMultiview),
        unavailable(AVAssetExportPresetMVHEVC7680x7680, noMultiview),
        preset(AVAssetExportPresetAppleM4A, "m4a"),
        preset(AVAssetExportPresetPassthrough, "passthrough"),
        preset(AVAssetExportPresetAppleProRes422LPCM, "prores-422"),
        preset(AVAssetExportPresetAppleProRes4444LPCM, "prores-4444"),
        preset(AVAssetExportPresetAppleM4VCellular, "low", fileTypes: [.m4v]),
        preset(AVAssetExportPresetAppleM4ViPod, "640x480", fileTypes: [.m4v]),
        preset(AVAssetExportPresetAppleM4V480pSD, "640x480", fileTypes: [.m4v], maximumSize: (854, 480)),
        preset(AVAssetExportPresetAppleM4VAppleTV, "1280x720", fileTypes: [.m4v]),
        preset(AVAssetExportPresetAppleM4VWiFi, "960x540", fileTypes: [.m4v]),
        preset(AVAssetExportPresetAppleM4V720pHD, "1280x720", fileTypes: [.m4v]),
        preset(AVAssetExportPresetAppleM4V1080pHD, "1920x1080", fileTypes: [.m4v]),
    ]

    static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of those that something stands for.
    static let availableNames = all.compactMap { preset -> String? in
        if case .preset = preset.meaning { preset.name } else { nil }
    }

    /// The constants that a document may say that it stands for.
    static let documented = all.map(\.name)
}
