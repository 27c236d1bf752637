// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// What a media library shows of a film.
struct FilmSummary: Equatable {
    var seconds: Double
    var size: CGSize
    var frameRate: Float
    var isPortrait: Bool
    var languages: [String]
}

struct FilmInspector {
    enum Problem: Error { case noVideo, unplayable }

    func summary(of url: URL) async throws -> FilmSummary {
        let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        let (duration, isPlayable) = try await asset.load(.duration, .isPlayable)
        guard isPlayable else { throw Problem.unplayable }
        guard let video = try await asset.loadTracks(withMediaType: .video).first else { throw Problem.noVideo }
        let (size, transform, rate) = try await video.load(.naturalSize, .preferredTransform, .nominalFrameRate)
        let isTurned = transform.a == 0 && transform.d == 0
        let shown = isTurned ? CGSize(width: size.height, height: size.width) : size
        var languages: [String] = []
        for track in try await asset.loadTracks(withMediaCharacteristic: .audible) {
            if let code = try await track.load(.languageCode) { languages.append(code) }
        }
        return FilmSummary(
            seconds: CMTimeGetSeconds(duration), size: shown, frameRate: rate, isPortrait: shown.height > shown.width,
            languages: languages)
    }
}

/// Evenly spread thumbnails, as a scrubbing bar needs them.
struct ThumbnailMaker {
    let asset: AVAsset

    func thumbnails(count: Int, height: CGFloat) async throws -> [(time: CMTime, image: CGImage)] {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 0, height: height)
        generator.apertureMode = .cleanAperture
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let duration = try await asset.load(.duration)
        var result: [(time: CMTime, image: CGImage)] = []
        for index in 0..<count {
            let time = CMTimeMultiplyByRatio(duration, multiplier: Int32(index), divisor: Int32(count))
            let (image, actualTime) = try await generator.image(at: time)
            result.append((actualTime, image))
        }
        return result
    }
}

/// Loading in the style of the years before `async`.
final class LegacyLoader: Sendable {
    let asset: AVAsset

    init(url: URL) { asset = AVAsset(url: url) }

    func prepare(completion: @escaping @Sendable (AVKeyValueStatus, NSError?) -> Void) {
        let asset = asset
        asset.loadValuesAsynchronously(forKeys: ["duration", "tracks"]) {
            var error: NSError?
            switch asset.statusOfValue(forKey: "duration", error: &error) {
            case .loaded: completion(.loaded, nil)
            case .failed, .cancelled: completion(.failed, error)
            case .loading, .unknown: completion(.unknown, nil)
            }
        }
    }
}

/// Where the pieces of a track lie, as an editor needs it.
struct SegmentList {
    func gaps(of track: AVAssetTrack) async throws -> [CMTimeRange] {
        try await track.load(.segments).filter(\.isEmpty).map(\.timeMapping.target)
    }

    /// Cuts a range into pieces of at most so many seconds.
    func pieces(of range: CMTimeRange, seconds: Double) -> [CMTimeRange] {
        let step = CMTime(seconds: seconds, preferredTimescale: 600)
        var pieces: [CMTimeRange] = []
        var position = range.start
        while position < range.end {
            let end = CMTimeMinimum(position + step, range.end)
            pieces.append(CMTimeRange(start: position, end: end))
            position = CMTimeAdd(position, step)
        }
        return pieces
    }
}
