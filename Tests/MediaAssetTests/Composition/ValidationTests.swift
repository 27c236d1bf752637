import Foundation
import MediaAsset
import MediaCore
import Testing

/// A composition of instructions for ranges, with a layer each.
private func composition(_ ranges: [CMTimeRange], track: CMPersistentTrackID = 1) -> AVMutableVideoComposition {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: 640, height: 360)
    composition.frameDuration = t(1, 30)
    composition.instructions = ranges.map { range in
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = range
        instruction.layerInstructions = [AVMutableVideoCompositionLayerInstruction(assetTrack: video(track))]
        return instruction
    }
    return composition
}

private final class Listener: NSObject, AVVideoCompositionValidationHandling {
    var heard: [String] = []
    var limit = Int.max

    private func hear(_ what: String) -> Bool {
        heard.append(what)
        return heard.count < limit
    }

    func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool { hear(key) }

    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool { hear("gap \(timeRange.start.seconds) to \(timeRange.end.seconds)") }

    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol
    ) -> Bool { hear("range") }

    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol,
        layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool { hear("track \(layerInstruction.trackID)") }
}

/// Hears nothing, as a delegate without functions of its own.
private final class Silent: NSObject, AVVideoCompositionValidationHandling {}

private let always = CMTimeRange(start: .zero, duration: .positiveInfinity)

@Suite struct `What is wrong with a composition` {
    @Test func `A composition whose instructions follow each other is valid`() async throws {
        let right = composition([range(0, 4), range(4, 10)])
        let tracks = [video(1)]
        #expect(right.isValid(for: film(tracks), timeRange: always, validationDelegate: Silent()))
        #expect(try await right.isValid(for: film(tracks), timeRange: always, validationDelegate: nil))
        #expect(right.isValid(for: tracks, assetDuration: t(10), timeRange: always, validationDelegate: nil))
        #expect(right.isValid(for: nil, timeRange: range(1, 3), validationDelegate: nil))
        #expect(right.problem(tracks: tracks, duration: t(10)) == nil)
        #expect(composition([range(-2, 30)]).problem(tracks: tracks, duration: t(10)) == nil)
        #expect(composition([always]).problem(tracks: tracks, duration: .indefinite) == nil)
    }

    @Test(
        arguments: [
            ([(1, 10)], ["gap 0.0 to 1.0"]), ([(0, 8)], ["gap 8.0 to 10.0"]), ([(0, 4), (5, 10)], ["gap 4.0 to 5.0"]),
            ([(0, 5), (4, 10)], ["range"]), ([(4, 10), (0, 4)], ["gap 0.0 to 4.0", "range"]), ([], ["gap 0.0 to 10.0"]),
            ([(0, 10), (3, 3)], ["range"]), ([(0, 10), (12, 14)], []),
        ] as [([(Int64, Int64)], [String])])
    func `Gaps and overlaps of instructions are reported to the delegate`(ranges: [(Int64, Int64)], heard: [String]) {
        let wrong = composition(ranges.map { range($0.0, $0.1) })
        let listener = Listener()
        let isValid = wrong.isValid(for: film([video(1)]), timeRange: always, validationDelegate: listener)
        #expect(isValid == heard.isEmpty)
        #expect(listener.heard == heard)
        #expect((wrong.problem(tracks: [video(1)], duration: t(10)) == nil) == heard.isEmpty)
    }

    @Test func `Invalid values and tracks are reported until the delegate declines`() {
        let wrong = composition([range(0, 10)], track: 8)
        (wrong.renderSize, wrong.frameDuration, wrong.renderScale) = (CGSize(width: -1, height: 20000), .zero, 0)
        wrong.sourceTrackIDForFrameTiming = 77
        let listener = Listener()
        let asset = film([video(1)])
        #expect(!wrong.isValid(for: asset, timeRange: always, validationDelegate: listener))
        #expect(
            listener.heard == [
                "renderSize", "frameDuration", "renderScale", "sourceTrackIDForFrameTiming", "track 8",
            ])
        let impatient = Listener()
        impatient.limit = 2
        #expect(!wrong.isValid(for: asset, timeRange: always, validationDelegate: impatient))
        #expect(impatient.heard.count == 2)
        #expect(
            !wrong.isValid(for: [video(1)], assetDuration: t(10), timeRange: always, validationDelegate: Listener()))
    }

    @Test func `Instructions are validated only where they overlap the range`() {
        let partial = composition([range(2, 4)], track: 8)
        #expect(partial.isValid(for: nil, timeRange: range(2, 4), validationDelegate: nil))
        #expect(!partial.isValid(for: nil, timeRange: range(1, 4), validationDelegate: nil))
        #expect(!partial.isValid(for: film([video(1)]), timeRange: range(2, 3), validationDelegate: nil))
    }

    @Test(arguments: [
        (CGSize(width: 0, height: 1), false), (CGSize(width: 16384, height: 16384), true),
        (CGSize(width: 16385, height: 1), false), (CGSize(width: Double.nan, height: 1), false),
        (CGSize(width: Double.infinity, height: 1), false),
    ]) func `Impossible render sizes are invalid`(size: CGSize, isRight: Bool) {
        let sized = composition([range(0, 10)])
        sized.renderSize = size
        #expect((sized.problem(tracks: [video(1)], duration: t(10)) == nil) == isRight)
    }

    @Test func `Problems of a composition are described in words`() {
        let tracks = [video(1)]
        #expect(
            composition([]).problem(tracks: tracks, duration: t(10))
                == "the video composition: there are no instructions")
        #expect(
            composition([range(0, 10)], track: 8).problem(tracks: tracks, duration: t(10))
                == "the video composition: layer 1 of instruction 1 is of track 8, which the asset does not have")
        #expect(
            composition([range(0, 4)]).problem(tracks: tracks, duration: t(10))
                == "the video composition: there is no instruction from 4.0 s to 10.0 s")
        #expect(composition([.invalid]).problem(tracks: tracks, duration: t(10))?.contains("instruction 1") == true)
    }
}
