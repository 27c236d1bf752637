package import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// Fades sound and makes it louder or quieter before it is encoded.
package final class EffectedSound: SoundOutlet {
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
    package init(
        _ output: any SoundOutlet, _ effects: TrackEffects, highest: Double? = nil, meter: LoudnessMeter? = nil
    ) {
        (self.output, self.effects, self.meter) = (output, effects, meter)
        limiter = highest.map { PeakLimiter(highest: $0, sampleRate: Int(output.timeBase.denominator)) }
    }

    package var timeBase: TimeBase { output.timeBase }
    package var frameSize: Int? { output.frameSize }

    package func send(_ frame: Frame, atTicks ticks: Int64) throws {
        let span = CMTimeRange(
            start: timeBase.time(of: ticks), end: timeBase.time(of: ticks + Int64(frame.sampleCount)))
        let gains = effects.fades.segments(over: span)
            .gains(count: frame.sampleCount, timeBase: timeBase, at: ticks).map { $0 * effects.gain }
        guard limiter != nil else { return try deliver(frame, ticks, gains) }
        waiting.append((frame, ticks, gains))
        limits += limiter?.add(zip(frame.peaks, gains).map { $0 * $1 }) ?? []
        try deliverWaiting()
    }

    package func finish() throws {
        limits += limiter?.finish() ?? []
        try deliverWaiting()
        try meter?.finish()
        try output.finish()
    }

    package func end() { output.end() }

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
