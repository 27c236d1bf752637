internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
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

/// Takes sound that is to be encoded: PCM of any kind.
final class SoundIntake: SampleIntake {
    private let assembly: SampleAssembly
    private let track: Int
    private let description: InputDescription
    private let settings: SoundEncodingSettings
    private let session: IntakeSession
    private var sound: SoundAssembly?
    private var form: (description: ObjectIdentifier, form: PCMForm)?

    init(_ assembly: SampleAssembly, track: Int, _ description: InputDescription, _ session: IntakeSession) throws {
        (self.assembly, self.track, self.description, self.session) = (assembly, track, description, session)
        settings = try SoundEncodingSettings(description.outputSettings ?? [:])
    }

    /// Encoding is done by whoever brings the sound.
    var hasRoom: Bool { true }

    func append(_ buffer: CVPixelBuffer, at time: CMTime) throws {
        throw AVError(.incorrectlyConfigured, reason: "an input for sound takes no pictures")
    }

    func append(_ sample: CMSampleBuffer) throws {
        guard CMSampleBufferGetNumSamples(sample) > 0 else { return }
        let form = try form(of: sample)
        let time = CMSampleBufferGetPresentationTimeStamp(sample)
        guard time.isNumeric else { throw AVError(.incorrectlyConfigured, reason: "sound has no time: \(time)") }
        var frame = try form.frame(of: sample)
        var start = time - session.start
        if start < .zero {
            let early = TimeBase(numerator: 1, denominator: Int32(form.sampleRate)).ticks(atOrAfter: .zero - start)
            guard early < Int64(frame.sampleCount) else { return }
            frame = try frame.part(of: Int(early)..<frame.sampleCount)
            start = .zero
        }
        let sound = try sound ?? open(form)
        self.sound = sound
        try sound.append(frame, at: start)
        assembly.note(end: start + CMTime(value: Int64(frame.sampleCount), timescale: Int32(form.sampleRate)))
    }

    private func form(of sample: CMSampleBuffer) throws -> PCMForm {
        guard let format = CMSampleBufferGetFormatDescription(sample) else {
            throw AVError(.incorrectlyConfigured, reason: "a sample buffer of sound has no format description")
        }
        if let form, form.description == ObjectIdentifier(format) { return form.form }
        guard let new = try PCMForm(format) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "coded sound cannot be encoded: it goes to an input without outputSettings")
        }
        form = (ObjectIdentifier(format), new)
        return new
    }

    private func open(_ form: PCMForm) throws -> SoundAssembly {
        var target = SoundTarget(
            encoder: settings.encoder, sampleRate: settings.sampleRate ?? form.sampleRate,
            channelLayout: settings.channelLayout ?? form.channelLayout)
        target.bitRate = settings.bitRate
        if target.bitRate == nil, settings.isAAC {
            target.bitRate = SoundEncodingSettings.usualBitRate(channels: form.channels)
        }
        (target.sampleFormat, target.traits) = (settings.sampleFormat, description.traits)
        return try SoundAssembly(assembly, track: track, target: target)
    }

    func finish(at end: CMTime?) throws {
        if let sound { try sound.finish() } else { try assembly.finish(track: track) }
    }
}

/// What an input says of the track it makes, as it is when writing starts.
struct InputDescription {
    var mediaType: AVMediaType
    var outputSettings: [String: Any]?
    var sourceFormatHint: CMFormatDescription?
    var languageCode: String?
    var extendedLanguageTag: String?
    var transform = CGAffineTransform.identity
    var mediaTimeScale: Int32?
    var isEnabled = true
    /// Whether `isEnabled` and `transform` were said rather than left as they are.
    var saysTransform = false

    var isPicture: Bool { mediaType == .video }
    var isSound: Bool { mediaType == .audio }

    /// What the track says of itself besides its codec.
    var traits: StreamTraits { traits(over: StreamTraits()) }

    /// What the track says of itself, over what is known of its samples.
    func traits(over known: StreamTraits) -> StreamTraits {
        var traits = known
        if let language = extendedLanguageTag.map({ Locale(identifier: $0).language.languageCode?.identifier(.alpha3) })
            ?? languageCode
        {
            traits.language = language
        }
        if saysTransform, isPicture {
            traits.displayMatrix = transform == .identity ? nil : transform.displayMatrix
        }
        if isEnabled { traits.disposition.insert(.default) } else { traits.disposition.remove(.default) }
        return traits
    }
}

/// The error of writing samples in the shape that callers know.
func writerError(for error: any Error) -> any Error { writingError(for: error) }
