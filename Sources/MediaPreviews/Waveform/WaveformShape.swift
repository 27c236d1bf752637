/// Where a drawn waveform has ink: a vertical span in each column of each channel, in pixels from the top.
///
/// Each channel has a band of its own, one below the other, with its zero in the middle.
struct WaveformShape {
    /// What is covered in a column.
    struct Span: Equatable {
        var top: Double
        var bottom: Double
    }

    /// The most pixels in a row or a column.
    static let maximumSide = 65535

    private let waveform: Waveform
    private let width: Int
    private let height: Int
    /// What a value is multiplied by to come from −1 to 1.
    private let factor: Double

    /// - Throws: ``WaveformSettingsError`` for sizes out of range, and for a scale that is not above zero.
    init(
        _ waveform: Waveform, width: Int, height: Int, amplitudeScale: Waveform.AmplitudeScale
    ) throws(WaveformSettingsError) {
        try WaveformSettingsError.check("the drawing's width", width, 1...Self.maximumSide)
        try WaveformSettingsError.check("the drawing's height", height, waveform.channels...Self.maximumSide)
        let fullScale = waveform.bits == 8 ? 128.0 : 32768.0
        switch amplitudeScale {
        case .factor(let factor):
            guard factor > 0, factor.isFinite else {
                throw WaveformSettingsError(reason: "the amplitude's scale must be a number above zero")
            }
            self.factor = factor / fullScale
        case .auto:
            self.factor = 1 / Double(waveform.data.lazy.map(\.magnitude).max().flatMap { $0 > 0 ? $0 : nil } ?? 1)
        }
        (self.waveform, self.width, self.height) = (waveform, width, height)
    }

    /// The rows of a channel's band; bands differ by one row at most.
    func band(of channel: Int) -> Range<Int> {
        channel * height / waveform.channels..<(channel + 1) * height / waveform.channels
    }

    /// The spans of a channel, one for each column; none for a waveform without points.
    func spans(of channel: Int) -> [Span] {
        let (length, stride) = (waveform.length, waveform.channels * 2)
        guard length > 0 else { return [] }
        let band = band(of: channel)
        return waveform.data.withUnsafeBufferPointer { data in
            (0..<width).map { column in
                let first = column * length / width
                let end = max(first + 1, (column + 1) * length / width)
                var (low, high) = (Int16.max, Int16.min)
                for point in first..<end {
                    low = min(low, data[point * stride + channel * 2])
                    high = max(high, data[point * stride + channel * 2 + 1])
                }
                return span(low: low, high: high, in: band)
            }
        }
    }

    /// What two values cover, a pixel at least.
    private func span(low: Int16, high: Int16, in band: Range<Int>) -> Span {
        let half = Double(band.count) / 2
        let middle = Double(band.lowerBound) + half
        func place(_ value: Int16) -> Double { middle - half * max(-1, min(1, Double(value) * factor)) }
        var span = Span(top: place(high), bottom: place(low))
        if low <= 0, high >= 0 {
            // A whole row in the middle, so that silence is a sharp line which sound grows out of.
            let row = middle.rounded(.down)
            span = Span(top: min(span.top, row), bottom: max(span.bottom, row + 1))
        } else if span.bottom - span.top < 1 {
            let top = (span.top + span.bottom - 1) / 2
            span.top = max(Double(band.lowerBound), min(Double(band.upperBound - 1), top))
            span.bottom = span.top + 1
        }
        return span
    }
}
