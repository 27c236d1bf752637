internal import FFmpegKit
internal import Foundation
internal import MediaFile

extension AVURLAsset {
    /// What opens the file as the options say.
    static func source(url: URL, options: [String: Any]) -> AssetSource {
        var policy = SafetyPolicy()
        policy.additionalFormats = options[AVURLAssetAllowedFormatsKey] as? [String] ?? []
        policy.allowsNetwork = options[AVURLAssetAllowsNetworkAccessKey] as? Bool ?? false
        policy.limits = options[AVURLAssetLimitsKey] as? MediaLimits ?? MediaLimits()
        return AssetSource(
            path: url.isFileURL ? url.path : url.absoluteString, policy: policy,
            prefersPreciseDuration: options[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool ?? false,
            readsPipesWhole: options[AVURLAssetReadsPipesWholeKey] as? Bool ?? false,
            videoTrackID: options[AVURLAssetVideoTrackIDKey] as? Int32)
    }
}
