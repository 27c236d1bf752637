// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// Puts a small film into the corner of a large one, faded in and out, under music that gets quieter.
final class PictureInPicture: NSObject, AVVideoCompositionValidationHandling {
    enum Problem: Error { case noTrack, noSession, invalid }

    let composition = AVMutableComposition()
    let videoComposition = AVMutableVideoComposition()
    let audioMix = AVMutableAudioMix()
    private(set) var complaints: [String] = []

    private func add(_ source: AVAssetTrack, for duration: CMTime) throws -> AVMutableCompositionTrack {
        guard
            let track = composition.addMutableTrack(
                withMediaType: source.mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
        else { throw Problem.noTrack }
        try track.insertTimeRange(CMTimeRange(start: .zero, duration: duration), of: source, at: .zero)
        return track
    }

    func build(main: AVAsset, inset: AVAsset) async throws {
        guard let large = try await main.loadTracks(withMediaType: .video).first,
            let small = try await inset.loadTracks(withMediaType: .video).first,
            let sound = try await main.loadTracks(withMediaType: .audio).first
        else { throw Problem.noTrack }
        let duration = CMTimeMinimum(try await main.load(.duration), try await inset.load(.duration))
        let (size, transform) = try await large.load(.naturalSize, .preferredTransform)
        let background = AVMutableVideoCompositionLayerInstruction(assetTrack: try add(large, for: duration))
        background.setTransform(transform, at: .zero)
        let corner = AVMutableVideoCompositionLayerInstruction(assetTrack: try add(small, for: duration))
        let scale = CGAffineTransform(scaleX: 0.25, y: 0.25)
        corner.setTransform(
            scale.concatenating(CGAffineTransform(translationX: size.width * 0.7, y: size.height * 0.7)), at: .zero)
        let second = CMTime(value: 600, timescale: 600)
        corner.setOpacityRamp(
            fromStartOpacity: 0, toEndOpacity: 1, timeRange: CMTimeRange(start: .zero, duration: second))
        corner.setOpacityRamp(
            fromStartOpacity: 1, toEndOpacity: 0,
            timeRange: CMTimeRange(start: CMTimeSubtract(duration, second), duration: second))
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: duration)
        instruction.layerInstructions = [corner, background]
        instruction.backgroundColor = CGColor(red: 0, green: 0, blue: 0, alpha: 1)
        videoComposition.instructions = [instruction]
        videoComposition.frameDuration = CMTime(value: 1, timescale: 25)
        videoComposition.renderSize = size
        videoComposition.renderScale = 1
        videoComposition.colorPrimaries = AVVideoColorPrimaries_ITU_R_709_2
        videoComposition.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
        videoComposition.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_709_2

        let heard = try add(sound, for: duration)
        let parameters = AVMutableAudioMixInputParameters(track: heard)
        parameters.setVolume(0.8, at: .zero)
        parameters.setVolumeRamp(
            fromStartVolume: 0.8, toEndVolume: 0.1, timeRange: CMTimeRange(start: .zero, duration: duration))
        parameters.audioTimePitchAlgorithm = .spectral
        audioMix.inputParameters = [parameters]
    }

    func check() async throws {
        let isValid = try await videoComposition.isValid(
            for: composition, timeRange: CMTimeRange(start: .zero, duration: .positiveInfinity),
            validationDelegate: self)
        guard isValid else { throw Problem.invalid }
    }

    func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool {
        complaints.append(key)
        return true
    }

    func poster() async throws -> CGImage {
        let generator = AVAssetImageGenerator(asset: composition)
        generator.videoComposition = videoComposition
        return try await generator.image(at: CMTime(seconds: 1.5, preferredTimescale: 600)).image
    }

    func export(to url: URL) async throws {
        guard let session = AVAssetExportSession(asset: composition, presetName: AVAssetExportPreset640x480) else {
            throw Problem.noSession
        }
        session.videoComposition = videoComposition
        session.audioMix = audioMix
        session.audioTimePitchAlgorithm = .varispeed
        session.timeRange = CMTimeRange(start: .zero, duration: CMTime(seconds: 1, preferredTimescale: 600))
        try await session.export(to: url, as: .mp4)
    }

    /// The size and the rate that an asset's own pictures have.
    static func properties(of asset: AVAsset) async throws -> (size: CGSize, frameDuration: CMTime, layers: Int) {
        let own = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
        let first = own.instructions.first as? AVVideoCompositionInstruction
        return (own.renderSize, own.frameDuration, first?.layerInstructions.count ?? 0)
    }
}
