internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MediaSource {
    /// A new asset of the film.
    ///
    /// - Throws: If an index was named that is not one of this film.
    func asset() throws -> AVURLAsset {
        var options: [String: Any] = [
            AVURLAssetAllowedFormatsKey: allowedFormats,
            AVURLAssetAllowsNetworkAccessKey: allowsNetwork,
            AVURLAssetPreferPreciseDurationAndTimingKey: isPrecise,
            AVURLAssetReadsPipesWholeKey: readsPipesWhole,
            AVURLAssetLimitsKey: limits,
        ]
        if let track { options[AVURLAssetVideoTrackIDKey] = track }
        if let index {
            let url = SourceFile.url(index)
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw Failure(.noSuchInput, "there is no index \(index)")
            }
            let read = try FrameIndexFile(url: url, limits: limits)
            try read.checkFits(SourceFile.url(file))
            options[AVURLAssetFrameIndexKey] = read
        }
        if let cachedIndex { options[AVURLAssetFrameIndexCacheKey] = SourceFile.url(cachedIndex) }
        return AVURLAsset(url: SourceFile.url(file), options: options)
    }
}
