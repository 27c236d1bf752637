// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// What the compositor is to do with a track's pictures.
final class NegativeInstruction: NSObject, AVVideoCompositionInstructionProtocol {
    let timeRange: CMTimeRange
    let enablePostProcessing = false
    let containsTweening = false
    let requiredSourceTrackIDs: [NSValue]?
    let passthroughTrackID = kCMPersistentTrackID_Invalid
    let trackID: CMPersistentTrackID

    init(trackID: CMPersistentTrackID, timeRange: CMTimeRange) {
        (self.trackID, self.timeRange) = (trackID, timeRange)
        requiredSourceTrackIDs = [NSNumber(value: trackID)]
        super.init()
    }
}

/// Shows pictures as negatives.
final class NegativeCompositor: NSObject, AVVideoCompositing {
    enum Problem: Error { case noFrame }

    private let queue = DispatchQueue(label: "negative")
    private var renderContext: AVVideoCompositionRenderContext?

    var sourcePixelBufferAttributes: [String: any Sendable]? {
        [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    }

    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
        [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    }

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
        queue.sync { renderContext = newRenderContext }
    }

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        guard let instruction = request.videoCompositionInstruction as? NegativeInstruction,
            let source = request.sourceFrame(byTrackID: instruction.trackID),
            let target = request.renderContext.newPixelBuffer()
        else { return request.finish(with: Problem.noFrame) }
        CVPixelBufferLockBaseAddress(source, .readOnly)
        CVPixelBufferLockBaseAddress(target, [])
        let height = min(CVPixelBufferGetHeight(source), CVPixelBufferGetHeight(target))
        let width = min(CVPixelBufferGetWidth(source), CVPixelBufferGetWidth(target))
        if let from = CVPixelBufferGetBaseAddress(source), let to = CVPixelBufferGetBaseAddress(target) {
            for row in 0..<height {
                let input = (from + row * CVPixelBufferGetBytesPerRow(source)).assumingMemoryBound(to: UInt8.self)
                let output = (to + row * CVPixelBufferGetBytesPerRow(target)).assumingMemoryBound(to: UInt8.self)
                for index in 0..<(4 * width) { output[index] = index % 4 == 3 ? 255 : 255 - input[index] }
            }
        }
        CVPixelBufferUnlockBaseAddress(target, [])
        CVPixelBufferUnlockBaseAddress(source, .readOnly)
        request.finish(withComposedVideoFrame: target)
    }

    func cancelAllPendingVideoCompositionRequests() {}
}

enum NegativeFilm {
    static func composition(of asset: AVAsset) async throws -> AVMutableVideoComposition {
        let composition = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
        composition.customVideoCompositorClass = NegativeCompositor.self
        let track = try await asset.loadTracks(withMediaType: .video)[0]
        composition.instructions = [
            NegativeInstruction(
                trackID: track.trackID, timeRange: CMTimeRange(start: .zero, duration: try await asset.load(.duration)))
        ]
        return composition
    }
}
