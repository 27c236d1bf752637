internal import FFmpegKit
internal import MediaCore
package import MediaEngine
internal import SampleBuffers

/// Takes pictures that are to be encoded.
final class PictureIntake: SampleIntake {
    private let assembly: PictureAssembly
    private let session: IntakeSession
    /// Whether what is seen through stays so.
    private let keepsAlpha: Bool
    /// The last picture from before the session's start, which may be what is seen at it.
    private var before: (frame: Frame, time: CMTime)?
    private var last: (time: CMTime, duration: CMTime)?

    init(_ assembly: SampleAssembly, track: Int, _ description: InputDescription, _ session: IntakeSession) throws {
        let target = try description.pictureTarget()
        keepsAlpha = target.encoding.keepsAlpha
        self.assembly = PictureAssembly(assembly, track: track, target: target)
        self.session = session
    }

    var hasRoom: Bool { assembly.hasRoom }

    func append(_ sample: CMSampleBuffer) throws {
        guard let buffer = CMSampleBufferGetImageBuffer(sample) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "a sample buffer has no picture; coded samples go to an input without outputSettings")
        }
        try append(
            buffer, at: CMSampleBufferGetPresentationTimeStamp(sample), duration: CMSampleBufferGetDuration(sample))
    }

    func append(_ buffer: CVPixelBuffer, at time: CMTime) throws { try append(buffer, at: time, duration: .invalid) }

    private func append(_ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime) throws {
        guard time.isNumeric else {
            throw AVError(.incorrectlyConfigured, reason: "a picture has no time: \(time)")
        }
        if let last, time <= last.time {
            throw AVError(
                .incorrectlyConfigured,
                reason: "times go back: a picture at \(time.secondsText(decimals: 6)) s comes after one at "
                    + "\(last.time.secondsText(decimals: 6)) s")
        }
        let frame = try Frame.picture(of: buffer, keepsAlpha: keepsAlpha)
        last = (time, duration)
        let moved = time - session.start
        guard moved > .zero else {
            before = (frame, moved)
            return
        }
        try sendEarlier(until: moved)
        try assembly.append(frame, at: moved)
    }

    /// Sends the picture that is seen at the session's start.
    private func sendEarlier(until next: CMTime) throws {
        guard let before else { return }
        self.before = nil
        try assembly.append(before.frame, at: .zero)
    }

    func finish(at end: CMTime?) throws {
        var stop = end.map { $0 - session.start }
        if stop == nil, let last, last.duration.isNumeric, last.duration > .zero {
            stop = last.time + last.duration - session.start
        }
        if let known = stop ?? last.map({ $0.time - session.start }) { assembly.note(end: known) }
        if stop.map({ $0 > .zero }) ?? true { try sendEarlier(until: stop ?? .zero) }
        try assembly.finish(at: stop)
    }
}

extension InputDescription {
    /// What its pictures become.
    func pictureTarget() throws -> PictureTarget {
        let settings = try PictureEncodingSettings(outputSettings ?? [:])
        var target = PictureTarget(encoding: settings.encoding, width: settings.width, height: settings.height)
        switch settings.scalingMode {
        case AVVideoScalingModeResize: target.scaling = .stretch
        case AVVideoScalingModeResizeAspectFill: target.scaling = .fill
        default: target.scaling = .fit
        }
        if let colors = settings.colors {
            target.color = ColorInfo(
                primariesName: colors.primaries, transferFunctionName: colors.transferFunction,
                matrixName: colors.matrix)
        }
        if let aspect = settings.pixelAspectRatio { target.sampleAspect = Ratio(aspect.horizontal, aspect.vertical) }
        (target.timescale, target.frameRate) = (mediaTimeScale, settings.frameRate)
        (target.keyframeInterval, target.traits) = (settings.keyframeInterval, traits)
        return target
    }
}
