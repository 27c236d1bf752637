internal import FFmpegKit
internal import MediaCore

/// How the pictures at a stream's beginning follow one another.
struct PictureSpacing {
    /// How far they are apart on average.
    let mean: CMTime
    /// How near to each other the nearest two are; the mean where only the rounding to ticks makes a difference.
    let shortest: CMTime

    /// - Parameter ticks: Presentation times in any order.
    /// - Returns: `nil` if fewer than two differ.
    init?(ticks: [Int64], timeBase: TimeBase) {
        let times = Set(ticks).sorted()
        let gaps = zip(times.dropFirst(), times).map { $0.0.subtractingReportingOverflow($0.1) }
        guard let first = times.first, let last = times.last, let count = Int32(exactly: gaps.count),
            let least = gaps.map(\.partialValue).min(), !gaps.contains(where: \.overflow)
        else { return nil }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow else { return nil }
        mean = CMTimeMultiplyByRatio(timeBase.time(of: span), multiplier: 1, divisor: count)
        guard mean.isNumeric, mean > .zero else { return nil }
        shortest = Int64(count) <= span && span / Int64(count) - least < 2 ? mean : timeBase.time(of: least)
    }
}

extension VideoDescription {
    /// Whether the container states no rate, or one that its shortest pictures leave no room for, such as its ticks.
    var lacksFrameRate: Bool { nominalFrameRate <= 0 || plausibleFrameRate != nominalFrameRate }

    /// Takes the rate from the pictures' times.
    ///
    /// A rate that the container has and that they confirm is the exact one: times are rounded to ticks.
    mutating func setFrameRate(_ spacing: PictureSpacing) {
        func isNear(_ time: CMTime) -> Bool {
            minFrameDuration.isNumeric && minFrameDuration > .zero
                && abs(minFrameDuration.seconds / time.seconds - 1) < 0.001
        }
        if !isNear(spacing.shortest) { minFrameDuration = spacing.shortest }
        nominalFrameRate = 1 / (isNear(spacing.mean) ? minFrameDuration : spacing.mean).seconds
    }
}
