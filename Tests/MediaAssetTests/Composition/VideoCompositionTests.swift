import Foundation
import MediaAsset
import MediaCore
import MediaImage
import Testing

@Suite struct `Video compositions` {
    @Test func `Video compositions have AVFoundation's default values`() {
        let composition = AVMutableVideoComposition()
        #expect(composition.frameDuration == .zero && composition.renderSize == .zero && composition.renderScale == 1)
        #expect(composition.instructions.isEmpty && composition.sourceTrackIDForFrameTiming == 0)
        #expect(composition.colorPrimaries == nil && composition.perFrameHDRDisplayMetadataPolicy == .propagate)
        let instruction = AVMutableVideoCompositionInstruction()
        #expect(!instruction.timeRange.isValid && instruction.backgroundColor == nil)
        #expect(instruction.layerInstructions.isEmpty && instruction.enablePostProcessing)
        #expect(instruction.requiredSourceTrackIDs.isEmpty && instruction.passthroughTrackID == 0)
    }

    @Test func `Video compositions have the values of their configuration`() {
        var layer = AVVideoCompositionLayerInstruction.Configuration(assetTrack: video(2))
        layer.addOpacityRamp(.init(timeRange: range(0, 1), start: 0, end: 1))
        layer.addTransformRamp(.init(timeRange: range(0, 1), start: .identity, end: .init(scaleX: 2, y: 2)))
        layer.addCropRectangleRamp(
            .init(timeRange: range(0, 1), start: .zero, end: CGRect(x: 0, y: 0, width: 1, height: 1)))
        let instruction = AVVideoCompositionInstruction(
            configuration: .init(
                backgroundColor: .white, layerInstructions: [AVVideoCompositionLayerInstruction(configuration: layer)],
                timeRange: range(0, 5)))
        let composition = AVVideoComposition(
            configuration: .init(
                colorPrimaries: "ITU_R_709_2", frameDuration: t(1, 30), instructions: [instruction],
                renderSize: CGSize(width: 640, height: 360)))
        #expect(composition.renderSize.width == 640 && composition.renderScale == 1)
        #expect(composition.colorPrimaries == "ITU_R_709_2" && composition.colorYCbCrMatrix == nil)
        #expect((composition.instructions.first as? AVVideoCompositionInstruction) === instruction)
        #expect(instruction.layerInstructions.first?.opacityRamp(at: .zero)?.end == 1)
        #expect(instruction.containsTweening)
    }

    @Test func `Instructions know the tracks that they need, as a class and as a protocol`() throws {
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = range(0, 5)
        let (first, second) = (
            AVMutableVideoCompositionLayerInstruction(assetTrack: video(7)),
            AVMutableVideoCompositionLayerInstruction(assetTrack: video(4))
        )
        instruction.layerInstructions = [first]
        #expect(instruction.passthroughTrackID == 7 && !instruction.containsTweening)
        first.setOpacity(0.5, at: .zero)
        #expect(instruction.passthroughTrackID == kCMPersistentTrackID_Invalid && !instruction.containsTweening)
        instruction.layerInstructions = [first, second, first]
        let numbers = instruction.requiredSourceTrackIDs.compactMap { ($0 as? NSNumber)?.int32Value }
        #expect(numbers == [7, 4])
        let anyInstruction: any AVVideoCompositionInstructionProtocol = instruction
        let required = try #require(anyInstruction.requiredSourceTrackIDs)
        #expect(required.compactMap { ($0 as? NSNumber)?.int32Value } == [7, 4])
        #expect(anyInstruction.requiredSourceSampleDataTrackIDs.isEmpty)
        instruction.requiredSourceSampleDataTrackIDs = [5]
        #expect(anyInstruction.requiredSourceSampleDataTrackIDs == [5])
        second.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range(4, 8))
        #expect(instruction.containsTweening)
        instruction.timeRange = range(0, 4)
        #expect(!instruction.containsTweening)
    }

    @Test func `Video compositions are copied with their instructions`() throws {
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: video(1))
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = range(0, 1)
        instruction.layerInstructions = [layer]
        let composition = AVMutableVideoComposition()
        composition.instructions = [instruction]
        composition.renderSize = CGSize(width: 10, height: 10)
        let copy = try #require(composition.copy() as? AVVideoComposition)
        let mutable = try #require(composition.mutableCopy() as? AVMutableVideoComposition)

        layer.setOpacity(0, at: .zero)
        instruction.timeRange = range(5, 6)
        instruction.backgroundColor = .white
        composition.renderSize = .zero

        for snapshot in [copy, mutable] {
            let held = try #require(snapshot.instructions.first as? AVVideoCompositionInstruction)
            #expect(snapshot.renderSize.width == 10 && held.timeRange == range(0, 1) && held.backgroundColor == nil)
            #expect(held.layerInstructions.first?.opacityRamp(at: .zero) == nil)
        }
        #expect(!(copy is AVMutableVideoComposition))
        #expect(!(copy.instructions.first is AVMutableVideoCompositionInstruction))
        let changeable = try #require(mutable.instructions.first as? AVMutableVideoCompositionInstruction)
        #expect(changeable.layerInstructions.first is AVMutableVideoCompositionLayerInstruction)
        let immutable = try #require(instruction.copy() as? AVVideoCompositionInstruction)
        #expect(!(immutable.layerInstructions.first is AVMutableVideoCompositionLayerInstruction))
    }

    @Test func `Copies of video compositions keep instructions of a client's own class`() throws {
        final class Marked: AVMutableVideoCompositionInstruction, @unchecked Sendable { var mark = 0 }
        let instruction = Marked()
        instruction.mark = 7
        let composition = AVMutableVideoComposition()
        composition.instructions = [instruction]
        let copy = try #require(composition.copy() as? AVVideoComposition)
        #expect((copy.instructions.first as? Marked)?.mark == 7)
    }

    @Test func `Video compositions find the instruction of a time`() {
        let instructions = [range(0, 2), range(2, 5)].map {
            AVVideoCompositionInstruction(configuration: .init(timeRange: $0))
        }
        let configuration = AVVideoComposition.Configuration(instructions: instructions)
        #expect(configuration.instruction(at: .zero) === instructions[0])
        #expect(configuration.instruction(at: t(2)) === instructions[1])
        #expect(configuration.instruction(at: t(5)) == nil)
        #expect(configuration.instruction(at: t(-1)) == nil)
    }
}

@Suite struct `Compositions of an asset's properties` {
    @Test func `Compositions of an asset's properties show one track upright, at its own times`() async throws {
        let turned = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
        let asset = film([video(5, transform: turned, frameDuration: t(1001, 30000), rate: 29.97)])
        for composition in [
            AVMutableVideoComposition(propertiesOf: asset),
            try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset),
        ] {
            #expect(composition.renderSize == CGSize(width: 1080, height: 1920))
            #expect(composition.frameDuration == t(1001, 30000) && composition.sourceTrackIDForFrameTiming == 5)
            let instruction = try #require(composition.instructions.first as? AVVideoCompositionInstruction)
            #expect(composition.instructions.count == 1 && instruction.timeRange == range(0, 10))
            #expect(instruction.layerInstructions.map(\.trackID) == [5])
            #expect(instruction.layerInstructions[0].transformRamp(at: t(3))?.start == turned)
            #expect(composition.isValid(for: asset, timeRange: range(0, 10), validationDelegate: nil))
        }
    }

    @Test func `Compositions of an asset's properties have an instruction for each set of tracks`() throws {
        let tracks = [
            video(1, CGSize(width: 640, height: 360), during: range(0, 6), rate: 25),
            video(2, CGSize(width: 320, height: 480), during: range(4, 9), rate: 50),
            video(3, CGSize(width: 9000, height: 9000), isEnabled: false),
        ]
        let composition = AVVideoComposition(propertiesOf: film(tracks, lasting: t(12)))
        #expect(composition.renderSize == CGSize(width: 640, height: 480))
        #expect(composition.frameDuration == t(1, 50) && composition.sourceTrackIDForFrameTiming == 0)
        let instructions = composition.instructions.compactMap { $0 as? AVVideoCompositionInstruction }
        #expect(instructions.map(\.timeRange) == [range(0, 4), range(4, 6), range(6, 9), range(9, 12)])
        #expect(instructions.map { $0.layerInstructions.map(\.trackID) } == [[1], [1, 2], [2], []])
        #expect(composition.problem(tracks: tracks, duration: t(12)) == nil)
    }

    @Test(
        arguments: [
            (Float(23.976), t(1001, 24000)), (29.97, t(1001, 30000)), (30, t(1, 30)), (0, t(1, 30)), (.nan, t(1, 30)),
            (12.5, t(2, 25)),
        ] as [(Float, CMTime)])
    func `Compositions of an asset's properties have the rate of the fastest track`(rate: Float, duration: CMTime) {
        let composition = AVVideoComposition(propertiesOf: film([video(1, rate: rate)]))
        #expect(composition.frameDuration == duration)
    }

    @Test func `Compositions of an asset's properties are empty without video, and fail with the asset`() async throws {
        #expect(AVVideoComposition(propertiesOf: film([])).instructions.isEmpty)
        let broken = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/film.mp4"))
        #expect(AVVideoComposition(propertiesOf: broken).instructions.isEmpty)
        await #expect(throws: AVError.self) {
            _ = try await AVVideoComposition.videoComposition(withPropertiesOf: broken)
        }
        let failed = await withCheckedContinuation { continuation in
            AVMutableVideoComposition.videoComposition(withPropertiesOf: broken) { composition, error in
                continuation.resume(returning: composition?.renderSize == nil && error is AVError)
            }
        }
        #expect(failed)
    }

    @Test func `Compositions of an asset's properties take the background of a prototype`() async throws {
        let prototype = AVMutableVideoCompositionInstruction()
        prototype.backgroundColor = .white
        prototype.enablePostProcessing = false
        let asset = film([video(1)])
        for composition in [
            AVMutableVideoComposition(propertiesOf: asset, prototypeInstruction: prototype),
            try await AVMutableVideoComposition.videoComposition(
                withPropertiesOf: asset, prototypeInstruction: prototype),
        ] {
            let instruction = try #require(composition.instructions.first as? AVVideoCompositionInstruction)
            #expect(instruction.backgroundColor == .white && !instruction.enablePostProcessing)
            #expect(instruction.timeRange == range(0, 10))
        }
    }
}
