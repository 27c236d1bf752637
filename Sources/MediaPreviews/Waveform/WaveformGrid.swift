/// Where the points of a waveform begin and end, counted in samples, exactly.
struct WaveformGrid: Sendable {
    /// How many points there will be; `nil` if that is the sound's to say.
    let pointCount: Int?
    /// The samples that the points cover; `nil` if that is the sound's to say.
    let sampleCount: Int?
    /// Samples of a point; of points that differ, those of the shortest.
    private let wholeSamples: Int
    /// Samples that are left over when each of ``pointCount`` points has got as many.
    private let remainder: Int

    /// Lays points out.
    ///
    /// - Parameter sampleCount: The length of the film's sound; only looked at for a number of points.
    /// - Throws: ``WaveformSettingsError`` if points would have fewer than two samples, or more than there may be.
    init(
        _ settings: WaveformSettings, sampleRate: Int, sampleCount: Int?
    ) throws(WaveformSettingsError) {
        try settings.check()
        try WaveformSettingsError.check("the sample rate", sampleRate, 1...Int(Int32.max))
        switch settings.resolution {
        case .samplesPerPoint(let count):
            (wholeSamples, remainder, self.pointCount, self.sampleCount) = (count, 0, nil, nil)
        case .pointsPerSecond(let count):
            wholeSamples = sampleRate / count
            (remainder, self.pointCount, self.sampleCount) = (0, nil, nil)
            guard wholeSamples >= WaveformSettings.minimumSamplesPerPoint else {
                throw WaveformSettingsError(
                    reason: "\(count) points per second are too many for \(sampleRate) samples per second; "
                        + "take \(sampleRate / WaveformSettings.minimumSamplesPerPoint) at most")
            }
        case .atMost(let count):
            guard let sampleCount else {
                throw WaveformSettingsError(reason: "for a number of points the length of the sound must be known")
            }
            wholeSamples = max(
                WaveformSettings.minimumSamplesPerPoint, max(0, sampleCount - 1) / count + 1)
            let points = max(1, (sampleCount + wholeSamples - 1) / wholeSamples)
            (remainder, self.pointCount, self.sampleCount) = (0, points, points * wholeSamples)
            guard wholeSamples <= WaveformSettings.maximumSamplesPerPoint else {
                throw WaveformSettingsError(reason: "\(count) points are too few for \(sampleCount) samples")
            }
        case .pointCount(let count):
            guard let sampleCount else {
                throw WaveformSettingsError(reason: "for a number of points the length of the sound must be known")
            }
            guard sampleCount / count >= WaveformSettings.minimumSamplesPerPoint else {
                throw WaveformSettingsError(
                    reason: "\(count) points are too many for \(sampleCount) samples; "
                        + "take \(max(0, sampleCount) / WaveformSettings.minimumSamplesPerPoint) at most")
            }
            guard sampleCount / count < WaveformSettings.maximumSamplesPerPoint else {
                throw WaveformSettingsError(reason: "\(count) points are too few for \(sampleCount) samples")
            }
            (wholeSamples, remainder) = sampleCount.quotientAndRemainder(dividingBy: count)
            (self.pointCount, self.sampleCount) = (count, sampleCount)
        }
    }

    /// Samples of a point, rounded to nearest, halves up, where points differ.
    var samplesPerPoint: Int {
        guard let pointCount else { return wholeSamples }
        return wholeSamples + (2 * remainder >= pointCount ? 1 : 0)
    }

    /// The sample that a point begins with.
    ///
    /// - Parameter point: From 0 on; of a grid with a number of points, at most that number.
    func start(of point: Int) -> Int {
        // The product is below 2⁵², for there are 2²⁶ points at most, and fewer samples left over.
        point * wholeSamples + (pointCount.map { point * remainder / $0 } ?? 0)
    }

    /// How many points end at a sample or before it.
    func pointCount(endingBy sample: Int) -> Int {
        guard let pointCount, let sampleCount else { return sample / wholeSamples }
        guard sample < sampleCount else { return pointCount }
        return Int(((Int128(sample) + 1) * Int128(pointCount) - 1) / Int128(sampleCount))
    }
}
