package import FFmpegKit
internal import MediaCore

/// How often pictures come, and in which ticks their times are told.
package struct FrameTiming: Sendable, Equatable {
    /// Frames for each second: the fixed rate, or the average of a variable one; `nil` if unknown.
    package var rate: Ratio?
    var isVariable: Bool
    /// What the source's times are told in.
    package var timeBase: TimeBase
    package var limit: FrameRateLimit?

    /// The timing of pictures at a fixed rate.
    package init(rate: Ratio) {
        (self.rate, isVariable) = (rate, false)
        timeBase = TimeBase(numerator: rate.denominator, denominator: rate.numerator)
    }

    package init(_ stream: StreamInfo) {
        timeBase = stream.timeBase
        let average = stream.video?.averageFrameRate.flatMap { Self.isSane($0) ? $0 : nil }
        let shortest = stream.video?.realFrameRate.flatMap { Self.isSane($0) ? $0 : nil }
        guard let average, let shortest else {
            // Where times share no interval, the header has the ticks themselves.
            let countsTicks = (stream.video?.realFrameRate?.value ?? 0) > Self.highestRate
            (rate, isVariable) = (average ?? shortest, average != nil && countsTicks)
            return
        }
        // A header may count fields.
        let steps = (shortest.value / average.value).rounded()
        let (denominator, overflow) = shortest.denominator.multipliedReportingOverflow(by: steps == 2 ? 2 : 1)
        let exact = overflow ? shortest : Ratio(shortest.numerator, denominator)
        isVariable = abs(exact.value / average.value - 1) > 0.005 || !Self.isUsual(exact)
        rate = isVariable ? average : exact
    }

    /// The timing of pictures that come no more often than a number of times a second.
    package func limited(to maximum: Double?) -> FrameTiming {
        guard let maximum else { return self }
        let tolerance = 1.001
        var result = self
        let thousandths = Ratio(Int32((maximum * 1000).rounded()), 1000)
        guard let rate, !isVariable else {
            result.limit = .atMost(thousandths)
            if let rate, rate.value > maximum { result.rate = thousandths }
            return result
        }
        let count = Int((rate.value / (maximum * tolerance)).rounded(.up))
        guard count > 1 else { return self }
        let (denominator, overflow) = rate.denominator.multipliedReportingOverflow(by: Int32(clamping: count))
        result.limit = .oneOf(count)
        result.rate = overflow ? thousandths : Ratio(rate.numerator, denominator)
        return result
    }

    /// Ticks in which the source's times and the frames of a fixed rate are whole,
    /// fine enough for a range to begin and end anywhere.
    var encodingTimeBase: TimeBase {
        var ticks = Int64(timeBase.denominator)
        if let rate, !isVariable {
            let common = Int64(leastCommonMultiple(ticks.magnitude, UInt64(rate.numerator.magnitude)))
            if common <= Self.finestTicks { ticks = common }
        }
        guard ticks <= Self.finestTicks else { return TimeBase(numerator: 1, denominator: 90_000) }
        while ticks < Self.coarsestTicks { ticks *= 2 }
        return TimeBase(numerator: 1, denominator: Int32(clamping: ticks))
    }

    /// Whether a rate is one at which pictures are taken on purpose: in quarters
    /// of a picture, or these slowed down as television's are.
    private static func isUsual(_ rate: Ratio) -> Bool {
        [4.0, 4.004].contains { factor in
            let quarters = rate.value * factor
            return abs(quarters / quarters.rounded() - 1) < 0.0001
        }
    }

    private static let finestTicks: Int64 = 10_000_000
    private static let coarsestTicks: Int64 = 10_000

    private static func isSane(_ rate: Ratio) -> Bool {
        rate.numerator > 0 && rate.denominator > 0 && rate.value >= 0.01 && rate.value <= highestRate
    }

    private static let highestRate = 1000.0
}
