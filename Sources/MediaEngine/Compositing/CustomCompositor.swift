internal import Foundation
package import MediaAsset
package import MediaCore
internal import SampleBuffers
internal import Synchronization

/// A client's compositor at work: hands it pictures and takes what it makes of them.
///
/// `@unchecked Sendable`: requests are made one after the other, behind the lock; the compositor itself is the client's,
/// who is told so.
package final class CustomCompositor: @unchecked Sendable {
    /// The client's object.
    package let compositor: any AVVideoCompositing
    private let context: AVVideoCompositionRenderContext
    private let sourceFormat: ComponentFormat
    private let working = Mutex(false)

    /// - Throws: `AVError.invalidVideoComposition` if it asks for pixels that cannot be had.
    init(_ type: any AVVideoCompositing.Type, of composition: AVVideoComposition) throws {
        compositor = type.init()
        sourceFormat = try Self.format(compositor.sourcePixelBufferAttributes ?? [:], type)
        context = AVVideoCompositionRenderContext(
            composition,
            pixelFormat: try Self.format(compositor.requiredPixelBufferAttributesForRenderContext, type).pixelFormat)
    }

    private static func format(
        _ attributes: [String: any Sendable], _ type: any AVVideoCompositing.Type
    ) throws -> ComponentFormat {
        let value = attributes[kCVPixelBufferPixelFormatTypeKey as String]
        func number(_ value: Any) -> OSType? {
            (value as? OSType) ?? (value as? NSNumber)?.uint32Value
                ?? (value as? Int).map { OSType(truncatingIfNeeded: $0) }
        }
        guard let value else { return .usual }
        let wanted = (value as? [Any])?.compactMap(number) ?? number(value).map { [$0] } ?? []
        guard let format = wanted.lazy.compactMap({ ComponentFormat($0) }).first else {
            throw AVError(
                .invalidVideoComposition,
                reason:
                    "the compositor \(type) asks for pixels of a format that it cannot get; there are 32BGRA, 32RGBA, "
                    + "32ARGB, 32ABGR, 24RGB and 64RGBALE")
        }
        return format
    }

    /// Has a picture composed; blocks until it is.
    ///
    /// - Parameters:
    ///   - pictures: What the tracks show.
    ///   - isCancelled: Whether nobody waits any more.
    /// - Returns: Components of the canvas, multiplied by alpha.
    package func compose(
        at time: CMTime, _ instruction: any AVVideoCompositionInstructionProtocol,
        _ pictures: [CMPersistentTrackID: PicturePixels], isCancelled: () -> Bool
    ) throws -> [UInt16] {
        try working.withLock { hasBegun in
            if !hasBegun { compositor.renderContextChanged(context) }
            hasBegun = true
            let request = AVAsynchronousVideoCompositionRequest(
                context, at: time, instruction, sources: try pictures.mapValues { try sourceFormat.buffer(of: $0) })
            let frame: CVPixelBuffer
            if let passed = pictures[instruction.passthroughTrackID],
                CGSize(width: passed.width, height: passed.height) == context.size,
                let buffer = request.sourceFrame(byTrackID: instruction.passthroughTrackID)
            {
                frame = buffer
            } else {
                compositor.startRequest(request)
                do { frame = try request.wait(isCancelled: isCancelled) } catch {
                    if error is CancellationError { compositor.cancelAllPendingVideoCompositionRequests() }
                    throw error
                }
            }
            return try components(of: frame)
        }
    }

    private func components(of frame: CVPixelBuffer) throws -> [UInt16] {
        let (width, height) = (Int(context.size.width), Int(context.size.height))
        guard let format = ComponentFormat(frame.pixelFormat), frame.width == width, frame.height == height,
            let components = format.components(of: frame)
        else {
            throw AVError(
                .videoCompositorFailed,
                reason: "the compositor finished a request with a picture of \(frame.width)x\(frame.height), or of a "
                    + "format that cannot be read; \(width)x\(height) is asked for")
        }
        return components
    }
}

/// A video composition as it is carried out: a copy that does not change, and the client's compositor if it names one.
package struct VideoComposing: Sendable {
    /// What the composition says.
    package let composition: AVVideoComposition
    private let custom: Result<CustomCompositor, any Error>?

    /// Takes a copy, and makes the compositor.
    package init(_ composition: AVVideoComposition) {
        let copy = composition.copy() as? AVVideoComposition ?? composition
        self.composition = copy
        custom = copy.customVideoCompositorClass.map { type in Result { try CustomCompositor(type, of: copy) } }
    }

    /// The client's compositor, `nil` for our own.
    ///
    /// - Throws: What there is none for.
    package func compositor() throws -> CustomCompositor? { try custom?.get() }
}

/// How an asset's tracks become one picture and one sound, where that is said.
package struct ExportRendering: Sendable {
    /// How pictures are composed; `nil` to show them as they are.
    package var composing: VideoComposing?
    /// How loud tracks are; `nil` for as loud as they are.
    package var audioMix: AVAudioMix?
    /// How the speed of sound is changed, where its track does not say it.
    package var timePitch = AVAudioTimePitchAlgorithm.spectral

    package init() {}

    /// Whether there is something to do that is done on compositions only.
    package var isNeeded: Bool {
        composing != nil || audioMix?.inputParameters.contains { !$0.values.volumes.isEmpty } == true
    }

    /// How loud a track is; `nil` for as loud as it is.
    func volume(of trackID: CMPersistentTrackID) -> RampTimeline<Float>? {
        let volumes = audioMix?.parameters(ofTrack: trackID)?.values.volumes
        return volumes?.isEmpty == false ? volumes : nil
    }

    /// How the speed of a track's sound is changed.
    func timePitch(of trackID: CMPersistentTrackID) -> AVAudioTimePitchAlgorithm {
        audioMix?.parameters(ofTrack: trackID)?.audioTimePitchAlgorithm ?? timePitch
    }
}
