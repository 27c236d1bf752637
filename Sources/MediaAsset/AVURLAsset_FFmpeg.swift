internal import FFmpegKit
internal import Foundation
internal import MediaCore
internal import MediaIO

extension AVURLAsset {
    /// What opens the file as the options say.
    static func source(url: URL, options: [String: Any]) -> AssetSource {
        var policy = SafetyPolicy()
        policy.additionalFormats = options[AVURLAssetAllowedFormatsKey] as? [String] ?? []
        policy.allowsNetwork = options[AVURLAssetAllowsNetworkAccessKey] as? Bool ?? false
        policy.limits = options[AVURLAssetLimitsKey] as? MediaLimits ?? MediaLimits()
        let frames = KnownFrames(
            of: url, given: options[AVURLAssetFrameIndexKey] as? FrameIndexFile,
            cache: options[AVURLAssetFrameIndexCacheKey] as? URL, limits: policy.limits)
        return AssetSource(
            path: url.isFileURL ? url.path : url.absoluteString, policy: policy,
            prefersPreciseDuration: options[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool ?? false,
            readsPipesWhole: options[AVURLAssetReadsPipesWholeKey] as? Bool ?? false,
            videoTrackID: options[AVURLAssetVideoTrackIDKey] as? Int32,
            isolation: options[AVURLAssetIsolationKey] as? AssetIsolation ?? .standard, refusal: refusal(of: options),
            frames: frames)
    }

    /// Why nothing is read: who asks for isolation in words that mean nothing here is not to go without.
    private static func refusal(of options: [String: Any]) -> AVError? {
        guard let value = options[AVURLAssetIsolationKey], !(value is AssetIsolation) else { return nil }
        return AVError(.incorrectlyConfigured, reason: "the value of AVURLAssetIsolationKey is no AssetIsolation")
    }
}
