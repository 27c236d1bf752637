package import MediaCore

extension AVAssetImageGenerator {
    /// How far representative frames may lie from their times: no further than
    /// halfway to the next one.
    package static func representativeWindow(_ wanted: CMTime, for times: [CMTime]) -> CMTime {
        let sorted = times.filter(\.isNumeric).sorted()
        let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > .zero }
        guard let gap = gaps.min() else { return wanted }
        // A half that is rounded up would give two windows a frame in common.
        let (timescale, overflow) = gap.timescale.multipliedReportingOverflow(by: 2)
        let half =
            overflow
            ? CMTime(value: gap.value / 2, timescale: gap.timescale) : CMTime(value: gap.value, timescale: timescale)
        return min(wanted, half)
    }
}
