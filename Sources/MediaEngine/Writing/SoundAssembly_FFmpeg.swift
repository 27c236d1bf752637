package import FFmpegKit
package import MediaCore

/// What sound becomes that clients bring piece by piece.
package struct SoundTarget: Sendable {
    /// FFmpeg's name of the encoder.
    var encoder: String
    /// Samples in a second.
    var sampleRate: Int
    /// FFmpeg's name of a layout of channels.
    var channelLayout: String
    /// Bits for each second; `nil` for the encoder's own choice.
    package var bitRate: Int64?
    /// FFmpeg's name of how the encoder gets samples; `nil` for the one that loses least.
    package var sampleFormat: String?
    /// Options of the encoder, by FFmpeg's names.
    var options: [String: String] = [:]
    package var traits = StreamTraits()

    package init(encoder: String, sampleRate: Int, channelLayout: String) {
        (self.encoder, self.sampleRate, self.channelLayout) = (encoder, sampleRate, channelLayout)
    }
}

/// Encodes the sound of one track of an assembly, on the thread that brings it.
///
/// Silence is put where there is a gap. One thread at a time may bring sound.
package final class SoundAssembly {
    private let assembly: SampleAssembly
    private let track: Int
    private let encoder: Encoder
    private let graph: FilterGraph
    /// Where the next sample is, in samples of the new file; `nil` before the first one.
    private var position: Int64?
    /// Ticks of the sound that comes in.
    private var base: TimeBase?
    /// Where the next piece is due, in samples of what comes in.
    private var due: Int64?

    package init(_ assembly: SampleAssembly, track: Int, target: SoundTarget) throws {
        guard let capabilities = EncoderCapabilities(ofEncoder: target.encoder) else {
            throw AVError(.encoderNotFound, reason: EncoderTraits.lacks("encoder", target.encoder))
        }
        let rates = capabilities.sampleRates
        guard rates.isEmpty || rates.contains(target.sampleRate) else {
            throw AVError(
                .incorrectlyConfigured,
                reason:
                    "\(target.encoder) makes sound of \(rates.sorted().map(String.init).joined(separator: ", ")) Hz, "
                    + "not of \(target.sampleRate)")
        }
        let formats = capabilities.sampleFormats
        let sampleFormat =
            target.sampleFormat.flatMap { formats.isEmpty || formats.contains($0) ? $0 : nil }
            ?? AudioConversion.sampleFormats.first { formats.contains($0) } ?? formats.first ?? "fltp"
        var settings = EncoderSettings(
            name: target.encoder,
            media: .audio(
                AudioSettings(
                    sampleRate: target.sampleRate, sampleFormat: sampleFormat, channelLayout: target.channelLayout)))
        settings.usesGlobalHeader = assembly.wantsGlobalHeader
        settings.options = target.options
        settings.bitRate = target.bitRate
        encoder = try Encoder.open(settings)
        (self.assembly, self.track) = (assembly, track)
        let form = SoundForm(
            sampleRate: target.sampleRate, channelLayout: target.channelLayout, sampleFormat: sampleFormat)
        var configuration = FilterGraph.Configuration(timeBase: encoder.timeBase) { form.filters(for: $0) }
        (configuration.frameSize, configuration.threads) = (encoder.frameSize, 1)
        graph = FilterGraph(configuration)
        try assembly.declare(CodedStream(from: encoder, traits: target.traits), track: track)
    }

    /// Brings a piece of sound; blocks while there is too much.
    ///
    /// - Parameter time: Of its first sample, from the new file's zero on.
    package func append(_ frame: Frame, at time: CMTime) throws {
        try assembly.cancellation.check()
        let own = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, frame.sampleRate)))
        if base != own {
            due = due.flatMap { due in base.flatMap { TickMap(from: $0, to: own, zero: .zero)(due) } }
            base = own
        }
        let start = own.ticks(nearest: time)
        var frame = frame
        if let due {
            let gap = start - due
            // Times that are rounded differ by less.
            let jitter = Int64(frame.sampleRate) / 100
            if gap > jitter { try fill(gap, like: frame) }
            if gap < -jitter {
                guard Int64(frame.sampleCount) > -gap else { return }
                frame = try frame.part(of: Int(-gap)..<frame.sampleCount)
            }
            self.due = (abs(gap) > jitter ? max(start, due) : due) + Int64(frame.sampleCount)
        } else {
            position = encoder.timeBase.ticks(nearest: time)
            due = start + Int64(frame.sampleCount)
        }
        try push(frame)
    }

    private func fill(_ count: Int64, like frame: Frame) throws {
        var left = count
        while left > 0 {
            let piece = min(left, Int64(max(1, frame.sampleRate)))
            try push(frame.silence(samples: Int(piece)))
            left -= piece
        }
    }

    private func push(_ frame: Frame) throws {
        try graph.push(frame, atTicks: due)
        try drain()
    }

    /// There is no more sound.
    package func finish() throws {
        try graph.finish()
        try drain()
        try encoder.finish()
        try drainEncoder()
        try assembly.finish(track: track)
    }

    private func drain() throws {
        while case .frame(let frame) = try graph.pull() {
            let ticks = position ?? 0
            position = ticks + Int64(frame.sampleCount)
            try encoder.send(frame, atTicks: ticks)
            try drainEncoder()
        }
    }

    private func drainEncoder() throws {
        while case .packet(let packet) = try encoder.receive() {
            try assembly.send(packet, track: track, timeBase: encoder.timeBase)
        }
    }
}
