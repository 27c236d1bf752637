package import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore
internal import Synchronization

/// Fades sound and makes it louder or quieter before it is encoded.
final class EffectedSound: SoundOutlet {
    private let output: any SoundOutlet
    private let effects: TrackEffects
    private var limiter: PeakLimiter?
    /// Frames whose gains are not certain yet, with those that they have without the limiter.
    private var waiting: [(frame: Frame, ticks: Int64, gains: [Float])] = []
    private var limits: [Float] = []
    /// Measures what comes out, where peaks are held down.
    private let meter: LoudnessMeter?

    /// - Parameters:
    ///   - highest: The largest sample that may come out, of 1; `nil` for no such bound.
    ///   - meter: Told what comes out.
    init(
        _ output: any SoundOutlet, _ effects: TrackEffects, highest: Double? = nil, meter: LoudnessMeter? = nil
    ) {
        (self.output, self.effects, self.meter) = (output, effects, meter)
        limiter = highest.map { PeakLimiter(highest: $0, sampleRate: Int(output.timeBase.denominator)) }
    }

    var timeBase: TimeBase { output.timeBase }
    var frameSize: Int? { output.frameSize }

    func send(_ frame: Frame, atTicks ticks: Int64) throws {
        let span = CMTimeRange(
            start: timeBase.time(of: ticks), end: timeBase.time(of: ticks + Int64(frame.sampleCount)))
        let gains = effects.fades.segments(over: span)
            .gains(count: frame.sampleCount, timeBase: timeBase, at: ticks).map { $0 * effects.gain }
        guard limiter != nil else { return try deliver(frame, ticks, gains) }
        waiting.append((frame, ticks, gains))
        limits += limiter?.add(zip(frame.peaks, gains).map { $0 * $1 }) ?? []
        try deliverWaiting()
    }

    func finish() throws {
        limits += limiter?.finish() ?? []
        try deliverWaiting()
        try meter?.finish()
        try output.finish()
    }

    func end() { output.end() }

    private func deliverWaiting() throws {
        while let first = waiting.first, limits.count >= first.frame.sampleCount {
            waiting.removeFirst()
            let gains = zip(first.gains, limits).map { $0 * $1 }
            limits.removeFirst(first.frame.sampleCount)
            try deliver(first.frame, first.ticks, gains)
        }
    }

    private func deliver(_ frame: Frame, _ ticks: Int64, _ gains: [Float]) throws {
        let changed = try frame.amplified(by: gains)
        try meter?.send(changed, atTicks: ticks)
        try output.send(changed, atTicks: ticks)
    }
}

extension [Ramp<Float>] {
    /// What each of some samples is multiplied by; ramps follow each other without gaps.
    func gains(count: Int, timeBase: TimeBase, at first: Int64) -> [Float] {
        var gains = [Float](repeating: 1, count: count)
        for ramp in self {
            let start = Int(clamping: timeBase.ticks(nearest: ramp.timeRange.start) - first)
            let end =
                ramp.timeRange.end.isNumeric
                ? Int(clamping: timeBase.ticks(nearest: ramp.timeRange.end) - first) : count
            let span = Swift.max(0, start)..<Swift.max(0, start, Swift.min(count, end))
            let step = end > start ? Double(ramp.end - ramp.start) / Double(end - start) : 0
            for index in span { gains[index] = Float(Double(ramp.start) + step * Double(index - start)) }
        }
        return gains
    }
}

/// What is done to the pictures or the sound of one track before they are encoded.
package struct TrackEffects: Sendable {
    /// How much of pictures and sound is left, on the new file's timeline.
    package var fades = RampTimeline(initial: Float(1))
    /// What samples are multiplied by besides.
    package var gain: Float = 1
    /// How loud sound is to become, in LUFS; `nil` for as loud as `gain` makes it.
    package var loudness: Double?
    /// What is laid over pictures.
    package var patch: PicturePatch?

    package init() {}

    /// Whether nothing changes.
    var isEmpty: Bool { fades.isEmpty && gain == 1 && loudness == nil && patch == nil }

    /// A picture at a time of the new file.
    func applied(to picture: Frame, at time: CMTime) throws -> Frame {
        var result = picture
        if let patch { result = try result.blended(with: patch) }
        if !fades.isEmpty { result = try result.faded(to: Double(fades.value(at: time))) }
        return result
    }
}

/// How loud a track is, by EBU R 128.
struct TrackLoudness: Sendable, Equatable {
    /// Integrated, in LUFS; negative infinity for silence.
    var integrated: Double
    /// The highest true peak, of 1.
    var peak: Double
    /// The largest sample, of 1.
    var samplePeak: Double

    /// Sound below this is silence to EBU R 128.
    private static let silence = -70.0
    /// The highest peak that normalised sound may have, -1 dBTP.
    private static let highestPeak = pow(10, -1.0 / 20)

    /// What samples are held below, so that what lies between them does not exceed the highest peak, as far as it does
    /// not exceed them by more than it did.
    var highestSample: Double {
        let excess = samplePeak > 0 ? max(1, peak / samplePeak) : 1
        return Self.highestPeak / min(2, max(1.06, excess * 1.01))
    }

    /// For people.
    var text: String { "\((integrated * 10).rounded() / 10) LUFS" }

    /// Whether nothing is heard.
    var isSilence: Bool { !integrated.isFinite || integrated <= Self.silence }

    /// What makes it as loud as said, and whether peaks have to be held down then; 1 for silence.
    func gain(to target: Double) -> (gain: Double, limits: Bool) {
        guard !isSilence else { return (1, false) }
        let gain = pow(10, (target - integrated) / 20)
        return (gain, gain > 1 && gain * peak > Self.highestPeak)
    }
}

/// Measures how loud sound is.
final class LoudnessMeter: SoundOutlet {
    let timeBase: TimeBase
    let frameSize: Int? = nil
    private let graph: FilterGraph
    private let found: LoudnessRecord
    private let progress: ProgressReport?
    private var loudness = TrackLoudness(integrated: -.infinity, peak: 0, samplePeak: 0)

    init(timeBase: TimeBase, found: LoudnessRecord, progress: ProgressReport? = nil) {
        (self.timeBase, self.found, self.progress) = (timeBase, found, progress)
        var configuration = FilterGraph.Configuration(timeBase: timeBase) { _ in
            "ebur128=metadata=1:peak=true,aformat=sample_fmts=fltp"
        }
        configuration.threads = 1
        graph = FilterGraph(configuration)
    }

    func send(_ frame: Frame, atTicks ticks: Int64) throws {
        try graph.push(frame, atTicks: ticks)
        try drain()
        progress?.note { PipelineProgress(time: timeBase.time(of: ticks), byteCount: 0, frames: 0, pass: 1) }
    }

    func finish() throws {
        try graph.finish()
        try drain()
        found.set(loudness)
    }

    func end() {}

    private func drain() throws {
        while case .frame(let frame) = try graph.pull() {
            loudness.samplePeak = max(loudness.samplePeak, Double(frame.peaks.max() ?? 0))
            loudness.peak = max(loudness.peak, loudness.samplePeak)
            if let integrated = frame.note("lavfi.r128.I").flatMap({ Double($0) }) { loudness.integrated = integrated }
            // Told to three decimals, so that the samples' own peak may be above it.
            if let peak = frame.note("lavfi.r128.true_peak").flatMap({ Double($0) }) {
                loudness.peak = max(loudness.peak, peak)
            }
        }
    }
}

/// Where a meter leaves what it has found.
final class LoudnessRecord: Sendable {
    private let loudness = Mutex<TrackLoudness?>(nil)

    /// `nil` before all was measured.
    var value: TrackLoudness? { loudness.withLock { $0 } }

    func set(_ new: TrackLoudness) { loudness.withLock { $0 = new } }
}

/// What effects come to in one pass.
extension PipelineRun {
    /// What takes the sound of a track: its encoder, after what is done to it.
    func outlet(
        _ encoding: TrackEncoding, _ encoder: sending Encoder, track index: Int, _ mux: MuxPort
    ) -> sending any SoundOutlet {
        let encoded = EncodedSound(encoder, track: index, mux: mux)
        var effects = encoding.effects
        guard !effects.isEmpty else { return encoded }
        let found = loudness(ofTrack: index, effects)
        if let found { effects.gain *= Float(found.gain) }
        guard let found, found.limits else { return EffectedSound(encoded, effects) }
        return EffectedSound(
            encoded, effects, highest: found.highestSample,
            meter: LoudnessMeter(timeBase: encoded.timeBase, found: reached[index]))
    }

    /// What measures how loud a track is once it is faded.
    func meter(
        _ encoding: TrackEncoding, _ audio: AudioSettings, _ found: LoudnessRecord, _ progress: ProgressReport
    ) -> sending any SoundOutlet {
        let meter = LoudnessMeter(timeBase: audio.timeBase, found: found, progress: progress)
        var fades = TrackEffects()
        fades.fades = encoding.effects.fades
        return fades.isEmpty ? meter : EffectedSound(meter, fades)
    }

    private func loudness(
        ofTrack index: Int, _ effects: TrackEffects
    ) -> (gain: Double, limits: Bool, highestSample: Double)? {
        guard case .second(_, let found) = pass, let target = effects.loudness, let loudness = found.loudness[index]
        else { return nil }
        let (gain, limits) = loudness.gain(to: target)
        return (gain, limits, loudness.highestSample)
    }

    /// Notes how loud a track was that was to become as loud as said.
    func noteLoudness(ofTrack index: Int, in result: inout PipelineResult.Track) {
        guard case .second(_, let found) = pass, case .encoding(let encoding) = job.tracks[index].treatment else {
            return
        }
        result.loudness = found.loudness[index]
        guard loudness(ofTrack: index, encoding.effects)?.limits == true else { return }
        result.reachedLoudness = reached[index].value
    }
}

extension AudioSettings {
    /// Ticks of a sample.
    var timeBase: TimeBase { TimeBase(numerator: 1, denominator: Int32(clamping: max(1, sampleRate))) }
}
