// Code as applications on Apple's platforms have it; only the imports differ.
import Foundation
import MediaAsset
import MediaCore
import MediaImage
import Testing

/// A picture in picture that fades out, with the sound turned down under a voice.
struct OverlayEditor {
    let background: AVAssetTrack
    let inset: AVAssetTrack
    let music: AVAssetTrack?

    func videoComposition(duration: CMTime) -> AVMutableVideoComposition {
        let insetLayer = AVMutableVideoCompositionLayerInstruction(assetTrack: inset)
        let scale = CGAffineTransform(scaleX: 0.25, y: 0.25)
        insetLayer.setTransform(scale.concatenating(CGAffineTransform(translationX: 20, y: 20)), at: .zero)
        insetLayer.setCropRectangle(CGRect(x: 0, y: 0, width: inset.naturalSize.width, height: 400), at: .zero)
        let fadeDuration = CMTime(seconds: 1, preferredTimescale: 600)
        let fadeStart = CMTimeSubtract(duration, fadeDuration)
        insetLayer.setOpacityRamp(
            fromStartOpacity: 1.0, toEndOpacity: 0.0, timeRange: CMTimeRange(start: fadeStart, duration: fadeDuration))
        insetLayer.setOpacity(0.0, at: duration)

        let backgroundLayer = AVMutableVideoCompositionLayerInstruction(assetTrack: background)
        backgroundLayer.setTransform(background.preferredTransform, at: .zero)

        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRangeMake(start: .zero, duration: duration)
        instruction.backgroundColor = CGColor(red: 0.1, green: 0.1, blue: 0.1, alpha: 1)
        instruction.layerInstructions = [insetLayer, backgroundLayer]

        let composition = AVMutableVideoComposition()
        composition.frameDuration = CMTimeMake(value: 1, timescale: 30)
        composition.renderSize = background.naturalSize
        composition.instructions = [instruction]
        composition.colorPrimaries = "ITU_R_709_2"
        composition.colorTransferFunction = "ITU_R_709_2"
        composition.colorYCbCrMatrix = "ITU_R_709_2"
        return composition
    }

    func audioMix(duckingDuring range: CMTimeRange) -> AVAudioMix {
        let parameters = AVMutableAudioMixInputParameters(track: music)
        parameters.setVolumeRamp(
            fromStartVolume: 1, toEndVolume: 0.2,
            timeRange: CMTimeRange(start: range.start, duration: CMTime(value: 1, timescale: 2)))
        parameters.setVolume(1, at: range.end)
        parameters.audioTimePitchAlgorithm = .spectral
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        return mix
    }
}

/// An instruction of an application's own, as custom compositors have them.
final class FilterInstruction: NSObject, AVVideoCompositionInstructionProtocol {
    let timeRange: CMTimeRange
    let enablePostProcessing = false
    let containsTweening = true
    let passthroughTrackID = kCMPersistentTrackID_Invalid
    let trackID: CMPersistentTrackID
    var requiredSourceTrackIDs: [NSValue]? { [NSNumber(value: Int(trackID))] }

    init(trackID: CMPersistentTrackID, timeRange: CMTimeRange) {
        self.trackID = trackID
        self.timeRange = timeRange
        super.init()
    }
}

/// A subclass with a property of its own.
final class NamedInstruction: AVMutableVideoCompositionInstruction, @unchecked Sendable {
    var name = ""

    override init() { super.init() }

    override var requiredSourceTrackIDs: [NSValue] { [NSNumber(value: 42)] }
}

@Suite struct `Programs written for AVFoundation` {
    @Test func `Client code composes a picture-in-picture`() async throws {
        let tracks = [video(1), video(2)]
        let editor = OverlayEditor(background: tracks[0], inset: tracks[1], music: nil)
        let composition = editor.videoComposition(duration: t(10))
        #expect(composition.problem(tracks: tracks, duration: t(10)) == nil)
        let instruction = try #require(
            composition.configuration.instruction(at: t(19, 2)) as? AVVideoCompositionInstruction)
        let placements = instruction.layerInstructions.map { $0.configuration.placement(at: t(19, 2)) }
        #expect(placements.map(\.opacity) == [0.5, 1])
        #expect(instruction.backgroundColor?.components == [0.1, 0.1, 0.1, 1])
        let mix = editor.audioMix(duckingDuring: range(2, 6))
        #expect(mix.inputParameters.first?.values.volumes.value(at: t(4)) == 0.2)
    }

    @Test func `Client code has instructions of its own`() {
        let composition = AVMutableVideoComposition(propertiesOf: film([video(1)]))
        composition.instructions = [FilterInstruction(trackID: 1, timeRange: range(0, 10))]
        #expect(composition.isValid(for: film([video(1)]), timeRange: range(0, 10), validationDelegate: nil))
        #expect(composition.problem(tracks: [video(1)], duration: t(10))?.contains("no compositor is named") == true)
        let named = NamedInstruction()
        named.name = "intro"
        let anyInstruction: any AVVideoCompositionInstructionProtocol = named
        #expect(anyInstruction.requiredSourceTrackIDs == [NSNumber(value: 42)])
    }

    @Test func `Client code fits a portrait video into a square`() async throws {
        let track = video(
            1, transform: CGAffineTransform(rotationAngle: .pi / 2).concatenating(.init(translationX: 1080, y: 0)))
        let composition = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: film([track]))
        #expect(composition.renderSize == CGSize(width: 1080, height: 1920))
        let side = min(composition.renderSize.width, composition.renderSize.height)
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(
            track.preferredTransform.concatenating(CGAffineTransform(translationX: 0, y: (side - 1920) / 2)), at: .zero)
        (composition.instructions.first as? AVMutableVideoCompositionInstruction)?.layerInstructions = [layer]
        composition.renderSize = CGSize(width: side, height: side)
        var start = CGAffineTransform.identity
        let instruction = composition.instructions[0] as? AVVideoCompositionInstruction
        #expect(
            instruction?.layerInstructions[0].getTransformRamp(for: .zero, start: &start, end: nil, timeRange: nil)
                == true)
        #expect(start.ty == -420)
    }
}
