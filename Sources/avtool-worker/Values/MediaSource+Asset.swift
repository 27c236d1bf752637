internal import AVToolCommands
internal import Foundation
internal import MediaFile
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MediaSource {
    /// A new asset of the film.
    func asset() -> AVURLAsset {
        var options: [String: Any] = [
            AVURLAssetAllowedFormatsKey: allowedFormats,
            AVURLAssetAllowsNetworkAccessKey: allowsNetwork,
            AVURLAssetPreferPreciseDurationAndTimingKey: isPrecise,
            AVURLAssetReadsPipesWholeKey: readsPipesWhole,
            AVURLAssetLimitsKey: limits,
        ]
        if let track { options[AVURLAssetVideoTrackIDKey] = track }
        return AVURLAsset(url: SourceFile.url(file), options: options)
    }
}
