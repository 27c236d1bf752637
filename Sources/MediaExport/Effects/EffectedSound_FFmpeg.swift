internal import FFmpegKit
internal import MediaComposition
internal import MediaTime

/// Fades sound and makes it louder or quieter before it is encoded.
final class EffectedSound: SoundOutlet {
    private let output: any SoundOutlet
    private let effects: TrackEffects
    private let limiter: FilterGraph?
    private var position: Int64 = 0

    /// - Parameter peak: The largest sample that may come out, of 1; `nil` for no such bound.
    init(_ output: any SoundOutlet, _ effects: TrackEffects, peak: Double? = nil) {
        (self.output, self.effects) = (output, effects)
        limiter = peak.map { peak in
            var configuration = FilterGraph.Configuration(timeBase: output.timeBase) { format in
                guard case .audio(let sound) = format else { return "anull" }
                return "alimiter=level=0:latency=1:limit=\(peak):attack=5:release=50,"
                    + "aformat=sample_fmts=\(sound.sampleFormat)"
            }
            (configuration.frameSize, configuration.threads) = (output.frameSize, 1)
            return FilterGraph(configuration)
        }
    }

    var timeBase: TimeBase { output.timeBase }
    var frameSize: Int? { output.frameSize }

    func send(_ frame: Frame, atTicks ticks: Int64) throws {
        let span = CMTimeRange(
            start: timeBase.time(of: ticks), end: timeBase.time(of: ticks + Int64(frame.sampleCount)))
        let gains = effects.fades.segments(over: span).gains(count: frame.sampleCount, timeBase: timeBase, at: ticks)
        let louder = try frame.amplified(by: gains.map { $0 * effects.gain })
        guard let limiter else { return try output.send(louder, atTicks: ticks) }
        if position == 0 { position = ticks }
        try limiter.push(louder, atTicks: ticks)
        try drain(limiter)
    }

    func finish() throws {
        if let limiter {
            try limiter.finish()
            try drain(limiter)
        }
        try output.finish()
    }

    func end() { output.end() }

    private func drain(_ limiter: FilterGraph) throws {
        while case .frame(let frame) = try limiter.pull() {
            try output.send(frame, atTicks: position)
            position += Int64(frame.sampleCount)
        }
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
