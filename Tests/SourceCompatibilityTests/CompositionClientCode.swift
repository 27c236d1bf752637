// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// A film of several clips, with music.
final class FilmComposer {
    enum Problem: Error { case noTrack, noSession }

    private let composition = AVMutableComposition()

    func append(_ clip: AVAsset, from start: CMTime, for duration: CMTime) async throws {
        let range = CMTimeRange(start: start, duration: duration)
        let end = composition.duration
        for mediaType in [AVMediaType.video, .audio] {
            guard let source = try await clip.loadTracks(withMediaType: mediaType).first else { continue }
            let track =
                composition.mutableTrack(compatibleWith: source)
                ?? composition.addMutableTrack(
                    withMediaType: mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
            guard let track else { throw Problem.noTrack }
            try track.insertTimeRange(range, of: source, at: end)
            if mediaType == .video { track.preferredTransform = try await source.load(.preferredTransform) }
        }
    }

    func addMusic(_ song: AVAsset) async throws {
        guard let source = try await song.loadTracks(withMediaType: .audio).first,
            let music = composition.addMutableTrack(
                withMediaType: .audio, preferredTrackID: Int32(kCMPersistentTrackID_Invalid))
        else { throw Problem.noTrack }
        let length = CMTimeMinimum(composition.duration, try await song.load(.duration))
        try music.insertTimeRange(CMTimeRangeMake(start: .zero, duration: length), of: source, at: .zero)
    }

    func halveSpeed(of range: CMTimeRange) {
        composition.scaleTimeRange(range, toDuration: CMTimeMultiply(range.duration, multiplier: 2))
    }

    func cut(_ range: CMTimeRange) { composition.removeTimeRange(range) }

    /// Start and end of each clip in the film.
    var clips: [ClosedRange<Double>] {
        guard let video = composition.tracks(withMediaType: .video).first else { return [] }
        return video.segments.filter { !$0.isEmpty }.map { segment in
            segment.timeMapping.target.start.seconds...segment.timeMapping.target.end.seconds
        }
    }

    func poster() async throws -> CGImage {
        let generator = AVAssetImageGenerator(asset: composition)
        generator.appliesPreferredTrackTransform = true
        return try await generator.image(at: .zero).image
    }

    func export(to url: URL) async throws {
        guard let copy = composition.copy() as? AVComposition,
            let session = AVAssetExportSession(asset: copy, presetName: AVAssetExportPreset640x480)
        else { throw Problem.noSession }
        try await session.export(to: url, as: .mp4)
    }
}
