import Foundation
import MediaAsset
import MediaCore
import TestSupport
import Testing

/// The rules of a timeline, carried out tick by tick.
private struct TickModel {
    static let count = 60
    var values = [Float](repeating: 1, count: count)
    /// Where something begins that was set.
    var isStart = [Bool](repeating: false, count: count)
    /// For ticks within a ramp, the tick at which it ends.
    var rampEnd = [Int?](repeating: nil, count: count)

    private func nextStart(from tick: Int) -> Int { (tick..<Self.count).first { isStart[$0] } ?? Self.count }

    mutating func set(_ value: Float, _ tick: Int) {
        for index in tick..<nextStart(from: tick + 1) { (values[index], rampEnd[index]) = (value, nil) }
        isStart[tick] = true
    }

    mutating func ramp(_ start: Float, _ end: Float, _ ticks: Range<Int>) {
        let isUnderWay = rampEnd[ticks.upperBound].map { $0 > ticks.upperBound } ?? false
        for index in ticks {
            let share = Float(index - ticks.lowerBound) / Float(ticks.count)
            values[index] = start + (end - start) * share
            (isStart[index], rampEnd[index]) = (index == ticks.lowerBound, ticks.upperBound)
        }
        guard !isStart[ticks.upperBound] else { return }
        if isUnderWay {
            isStart[ticks.upperBound] = true
        } else {
            for index in ticks.upperBound..<nextStart(from: ticks.upperBound) {
                (values[index], rampEnd[index]) = (end, nil)
            }
        }
    }
}

/// A tick as a time of changing timescales.
private func time(_ tick: Int) -> CMTime { t(Int64(tick) * Int64(1 + tick % 3), Int32(7 * (1 + tick % 3))) }

@Suite struct `Values over time` {
    @Test(arguments: 0..<60) func `Ramps over time follow a model tick by tick`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var timeline = RampTimeline(initial: Float(1))
        var model = TickModel()
        for _ in 0..<random.int(1...14) {
            let first = random.int(0...(TickModel.count - 3))
            let (start, end) = (Float(random.int(0...16)) / 16, Float(random.int(0...16)) / 16)
            if random.int(0...2) == 0 {
                timeline.set(start, at: time(first))
                model.set(start, first)
            } else {
                let last = random.int((first + 1)...(TickModel.count - 2))
                timeline.setRamp(from: start, to: end, during: CMTimeRange(start: time(first), end: time(last)))
                model.ramp(start, end, first..<last)
            }
            for tick in 0..<TickModel.count {
                #expect(abs(timeline.value(at: time(tick)) - model.values[tick]) < 1e-5, "tick \(tick)")
            }
        }
        checkSegments(of: timeline)
    }

    private func checkSegments(of timeline: RampTimeline<Float>) {
        let whole = CMTimeRange(start: time(3), end: time(50))
        let segments = timeline.segments(over: whole)
        #expect(segments.first?.timeRange.start == whole.start)
        #expect(segments.last?.timeRange.end == whole.end)
        for (segment, next) in zip(segments, segments.dropFirst()) {
            #expect(segment.timeRange.end == next.timeRange.start)
        }
        for segment in segments {
            let middle =
                segment.timeRange.start + CMTimeMultiplyByRatio(segment.timeRange.duration, multiplier: 1, divisor: 3)
            #expect(abs(segment.value(at: middle) - timeline.value(at: middle)) < 1e-5)
            #expect(abs(segment.start - timeline.value(at: segment.timeRange.start)) < 1e-5)
        }
    }

    @Test func `A timeline of ramps holds its initial value before the first, and its last without end`() {
        var timeline = RampTimeline(initial: Float(1))
        #expect(timeline.value(at: t(5)) == 1)
        #expect(timeline.ramp(at: .zero) == nil)
        timeline.setRamp(from: 0.5, to: 0.25, during: range(2, 4))
        #expect(timeline.value(at: t(1)) == 1)
        #expect(timeline.value(at: t(2)) == 0.5)
        #expect(timeline.value(at: t(3)) == 0.375)
        #expect(timeline.value(at: t(4)) == 0.25)
        #expect(timeline.value(at: t(1000)) == 0.25)
        #expect(timeline.value(at: .positiveInfinity) == 0.25)
        #expect(timeline.value(at: .negativeInfinity) == 1)
        #expect(timeline.value(at: .invalid) == 1)
        #expect(timeline.value(at: .indefinite) == 1)
    }

    @Test func `A timeline of ramps finds the ramp of a time, or the next one`() {
        var timeline = RampTimeline(initial: Float(1))
        timeline.set(0.5, at: t(1))
        timeline.setRamp(from: 0, to: 1, during: range(3, 5))
        timeline.set(0.25, at: t(8))
        #expect(timeline.ramp(at: .zero)?.timeRange == range(1, 3))
        #expect(timeline.ramp(at: t(2)) == Ramp(timeRange: range(1, 3), start: 0.5, end: 0.5))
        #expect(timeline.ramp(at: t(4)) == Ramp(timeRange: range(3, 5), start: 0, end: 1))
        #expect(timeline.ramp(at: t(5))?.timeRange == CMTimeRange(start: t(8), end: .positiveInfinity))
        #expect(timeline.ramp(at: t(900))?.start == 0.25)
        timeline.setRamp(from: 1, to: 0, during: range(8, 9))
        #expect(timeline.ramp(at: t(9)) == nil)
        #expect(timeline.ramp(at: .invalid) == nil)
    }

    @Test func `Ramps refuse times that are not numeric, and are values in empty and endless ranges`() {
        var timeline = RampTimeline(initial: Float(1))
        for time in [CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
            timeline.set(0, at: time)
            timeline.setRamp(from: 0, to: 0, during: CMTimeRange(start: time, duration: t(1)))
        }
        timeline.setRamp(from: 0, to: 0, during: .invalid)
        timeline.setRamp(from: 0, to: 0, during: CMTimeRange(start: .zero, duration: .indefinite))
        timeline.setRamp(from: 0, to: 0, during: CMTimeRange(start: t(2), end: t(1)))
        #expect(timeline.isEmpty)
        timeline.setRamp(from: 0.25, to: 0.75, during: CMTimeRange(start: t(1), duration: .zero))
        #expect(timeline.value(at: t(1)) == 0.75)
        timeline.setRamp(from: 0.5, to: 0, during: CMTimeRange(start: t(2), duration: .positiveInfinity))
        #expect(timeline.value(at: t(20)) == 0.5)
    }

    @Test func `A timeline of ramps gives segments for all of a range, gaps included`() {
        var timeline = RampTimeline(initial: Float(1))
        #expect(timeline.segments(over: range(0, 4)) == [Ramp(timeRange: range(0, 4), start: 1, end: 1)])
        timeline.setRamp(from: 0, to: 1, during: range(2, 6))
        #expect(
            timeline.segments(over: range(1, 8)) == [
                Ramp(timeRange: range(1, 2), start: 1, end: 1), Ramp(timeRange: range(2, 6), start: 0, end: 1),
                Ramp(timeRange: range(6, 8), start: 1, end: 1),
            ])
        #expect(timeline.segments(over: range(3, 4)) == [Ramp(timeRange: range(3, 4), start: 0.25, end: 0.5)])
        #expect(timeline.segments(over: CMTimeRange(start: t(6), duration: .positiveInfinity)).count == 1)
        #expect(timeline.segments(over: .zero).isEmpty)
        #expect(timeline.segments(over: .invalid).isEmpty)
        #expect(timeline.isConstant(over: range(6, 9)))
        #expect(!timeline.isConstant(over: range(5, 9)))
        #expect(timeline.isConstant(over: range(0, 2)))
    }

    @Test func `Ramps of transforms and rectangles are mixed number by number`() {
        let turned = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 100, ty: 8)
        #expect(
            CGAffineTransform.interpolated(from: .identity, to: turned, fraction: 0.25)
                == CGAffineTransform(a: 0.75, b: 0.25, c: -0.25, d: 0.75, tx: 25, ty: 2))
        #expect(CGAffineTransform.interpolated(from: turned, to: .identity, fraction: 1) == .identity)
        let (small, large) = (CGRect(x: 8, y: 4, width: 0, height: 0), CGRect(x: 0, y: 0, width: 16, height: 8))
        #expect(
            CGRect.interpolated(from: small, to: large, fraction: 0.5) == CGRect(x: 4, y: 2, width: 8, height: 4))
        let mixed = CGRect.interpolated(from: .infinite, to: large, fraction: 0.5)
        #expect(mixed.origin.x.isFinite && mixed.size.width.isFinite)
    }
}
