internal import FFmpegKit
internal import MediaCore
package import MediaEngine
internal import SampleBuffers

/// Takes sound that is to be encoded: PCM of any kind.
final class SoundIntake: SampleIntake {
    private let assembly: SampleAssembly
    private let track: Int
    private let description: InputDescription
    private let settings: SoundEncodingSettings
    private let session: IntakeSession
    private var sound: SoundAssembly?
    private var form: (description: ObjectIdentifier, form: PCMForm)?
    private var hasRun = false

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
