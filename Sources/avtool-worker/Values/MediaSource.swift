internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film, and what it may make the tool do.
struct MediaSource: Codable, Sendable {
    let file: String
    var allowedFormats: [String] = []
    var allowsNetwork = false
    var isPrecise = false
    /// The number of the video track to take, the usual one if `nil`.
    var track: Int32?
    /// Whether a pipe is read to its end before anything else.
    var readsPipesWhole = true

    /// A new asset of the film.
    func asset() -> AVURLAsset {
        var options: [String: Any] = [
            AVURLAssetAllowedFormatsKey: allowedFormats,
            AVURLAssetAllowsNetworkAccessKey: allowsNetwork,
            AVURLAssetPreferPreciseDurationAndTimingKey: isPrecise,
            AVURLAssetReadsPipesWholeKey: readsPipesWhole,
        ]
        if let track { options[AVURLAssetVideoTrackIDKey] = track }
        return AVURLAsset(url: SourceFile.url(file), options: options)
    }
}
