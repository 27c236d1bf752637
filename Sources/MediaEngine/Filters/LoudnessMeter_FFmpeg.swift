package import FFmpegKit
internal import Foundation
internal import MediaCore
internal import Synchronization

/// How loud a track is, by EBU R 128.
package struct TrackLoudness: Sendable, Equatable {
    /// Integrated, in LUFS; negative infinity for silence.
    package var integrated: Double
    /// The highest true peak, of 1.
    package var peak: Double
    /// The largest sample, of 1.
    package var samplePeak: Double

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
    package var text: String { "\((integrated * 10).rounded() / 10) LUFS" }

    /// Whether nothing is heard.
    var isSilence: Bool { !integrated.isFinite || integrated <= Self.silence }

    /// What makes it as loud as said, and whether peaks have to be held down then; 1 for silence.
    package func gain(to target: Double) -> (gain: Double, limits: Bool) {
        guard !isSilence else { return (1, false) }
        let gain = pow(10, (target - integrated) / 20)
        return (gain, gain > 1 && gain * peak > Self.highestPeak)
    }
}

/// Measures how loud sound is.
package final class LoudnessMeter: SoundOutlet {
    package let timeBase: TimeBase
    package let frameSize: Int? = nil
    private let graph: FilterGraph
    private let found: LoudnessRecord
    private let progress: ProgressReport?
    private var loudness = TrackLoudness(integrated: -.infinity, peak: 0, samplePeak: 0)

    package init(timeBase: TimeBase, found: LoudnessRecord, progress: ProgressReport? = nil) {
        (self.timeBase, self.found, self.progress) = (timeBase, found, progress)
        var configuration = FilterGraph.Configuration(timeBase: timeBase) { _ in
            "ebur128=metadata=1:peak=true,aformat=sample_fmts=fltp"
        }
        configuration.threads = 1
        graph = FilterGraph(configuration)
    }

    package func send(_ frame: Frame, atTicks ticks: Int64) throws {
        try graph.push(frame, atTicks: ticks)
        try drain()
        progress?.note { PipelineProgress(time: timeBase.time(of: ticks), byteCount: 0, frames: 0, pass: 1) }
    }

    package func finish() throws {
        try graph.finish()
        try drain()
        found.set(loudness)
    }

    package func end() {}

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
package final class LoudnessRecord: Sendable {
    private let loudness = Mutex<TrackLoudness?>(nil)

    /// `nil` before all was measured.
    package var value: TrackLoudness? { loudness.withLock { $0 } }

    package func set(_ new: TrackLoudness) { loudness.withLock { $0 = new } }
}
