package import MediaAsset
package import MediaEngine

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
