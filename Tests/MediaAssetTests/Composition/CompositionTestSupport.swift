import Foundation
import MediaCore

@testable import MediaAsset

/// So many seconds, or parts of them.
func t(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }

/// From so many seconds up to so many others.
func range(_ start: Int64, _ end: Int64) -> CMTimeRange { CMTimeRange(start: t(start), end: t(end)) }

/// What a file says of a track of ten seconds.
private func described(
    _ trackID: CMPersistentTrackID, _ mediaType: AVMediaType, during timeRange: CMTimeRange = range(0, 10)
) -> TrackDescription {
    TrackDescription(
        trackID: trackID, streamIndex: Int(trackID), mediaType: mediaType, isEnabled: true, codec: "", codecTag: "",
        mediaSubType: 0, timescale: 600, timeRange: timeRange, estimatedDataRate: 0, editList: [])
}

/// A video track of 16:9 that lasts ten seconds, unless more is said.
func video(
    _ trackID: CMPersistentTrackID, _ size: CGSize = CGSize(width: 1920, height: 1080),
    transform: CGAffineTransform = .identity, during timeRange: CMTimeRange = range(0, 10),
    frameDuration: CMTime = .invalid, rate: Float = 0, isEnabled: Bool = true
) -> AVAssetTrack {
    var track = described(trackID, .video, during: timeRange)
    track.isEnabled = isEnabled
    let coded = PixelSize(width: Int(size.width), height: Int(size.height))
    track.video = VideoDescription(
        codedSize: coded, naturalSize: size, displaySize: coded,
        cleanAperture: PixelRect(x: 0, y: 0, width: coded.width, height: coded.height),
        sampleAspectRatio: AspectRatio(horizontal: 1, vertical: 1), preferredTransform: transform,
        nominalFrameRate: Double(rate), minFrameDuration: frameDuration, pixelFormat: nil, bitsPerComponent: nil,
        hasAlpha: false, color: ColorDescription(), requiresFrameReordering: false)
    return AVAssetTrack(source: source([track], lasting: t(10)), track: track, of: nil)
}

/// A track of sound of ten seconds.
func sound(_ trackID: CMPersistentTrackID) -> AVAssetTrack {
    let track = described(trackID, .audio)
    return AVAssetTrack(source: source([track], lasting: t(10)), track: track, of: nil)
}

/// An asset of which no more is known than what a file says.
func film(_ tracks: [AVAssetTrack], lasting duration: CMTime = t(10)) -> AVAsset {
    AVAsset(source: source(tracks.map(\.track), lasting: duration))
}

private func source(_ tracks: [TrackDescription], lasting duration: CMTime) -> AssetSource {
    let description = AssetDescription(
        container: "made", duration: duration, durationIsEstimate: false, origin: .zero, byteCount: nil, tracks: tracks,
        attachedPictures: [], preferredRate: 1, preferredVolume: 1, canContainFragments: false,
        hasProtectedContent: false)
    return AssetSource(composition: CompositionState(CompositionContent(), description: description))
}

extension AVVideoComposition {
    /// Why the composition cannot be carried out on tracks of an asset, if it cannot.
    func problem(tracks: [AVAssetTrack], duration: CMTime) -> String? {
        let range = CMTimeRange(start: .zero, duration: duration.isNumeric ? duration : .positiveInfinity)
        do {
            try configuration.check(trackIDs: Set(tracks.map(\.trackID)), over: range)
            return nil
        } catch { return (error as? AVError)?.reason ?? "\(error)" }
    }
}
