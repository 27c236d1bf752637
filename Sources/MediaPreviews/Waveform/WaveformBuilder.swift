/// Makes a waveform of sound that comes bit by bit; only points are held in memory.
///
/// Points are those of audiowaveform. Samples become 16-bit integers first, as FFmpeg makes them: times 32768, rounded
/// to nearest, cut to the range; NaN is silence. Several channels that become one are added up and divided by their
/// number, towards zero. A point is the smallest and the greatest sample of its stretch; for 8 bits both are divided by
/// 256, towards zero.
///
/// - Note: audiowaveform itself takes floating-point files times 32767 and cuts the fraction off; all that was 16 bits
///   before it was decoded comes out as there.
struct WaveformBuilder: Sendable {
    /// The most values that a waveform may have, two for each point and channel: 512 MiB of memory.
    static let maximumValueCount = 1 << 28
    /// The most channels that sound may have.
    static let maximumChannelCount = 1024

    private let sampleRate: Int
    private let bits: Int
    private let grid: WaveformGrid
    /// Channels of the sound.
    private let sourceChannels: Int
    /// Channels of the waveform.
    private let channels: Int

    private var values: [Int16] = []
    /// Samples of each channel so far.
    private var position = 0
    /// Points that are complete.
    private var point = 0
    /// Where the point that is not complete began.
    private var pointStart = 0
    /// The extremes of each channel in the point that is not complete.
    private var extremes: [(low: Int32, high: Int32)]
    private var block = SampleBlock()

    /// What the extremes of no sample are.
    private static let nothing = (low: Int32.max, high: Int32.min)

    /// Begins a waveform.
    ///
    /// - Parameters:
    ///   - sampleRate: Samples per second.
    ///   - channels: Channels of the sound, from 1 to 1024.
    ///   - sampleCount: How many samples of each channel will come: needed for a number of points, else not looked at.
    ///     What comes beyond is left out, and what does not come is silence.
    /// - Throws: ``WaveformSettingsError`` for settings that do not fit the sound.
    init(
        sampleRate: Int, channels: Int, settings: WaveformSettings, sampleCount: Int? = nil
    ) throws(WaveformSettingsError) {
        try WaveformSettingsError.check("the number of channels", channels, 1...Self.maximumChannelCount)
        grid = try WaveformGrid(settings, sampleRate: sampleRate, sampleCount: sampleCount)
        (self.sampleRate, bits, sourceChannels) = (sampleRate, settings.bits, channels)
        self.channels = settings.splitsChannels ? channels : 1
        extremes = Array(repeating: Self.nothing, count: self.channels)
        try checkRoom(for: grid.pointCount ?? 0)
    }

    /// Takes the next samples, any number of them.
    ///
    /// - Parameter sources: A buffer for each channel, all as long; samples from −1 to 1.
    /// - Throws: ``WaveformSettingsError`` if buffers differ, or if there would be too many points to hold; nothing is
    ///   taken then.
    mutating func add(channels sources: [UnsafeBufferPointer<Float>]) throws(WaveformSettingsError) {
        let length = sources.first?.count ?? 0
        guard sources.count == sourceChannels, sources.allSatisfy({ $0.count == length }) else {
            throw WaveformSettingsError(
                reason: "sound of \(sourceChannels) channels needs as many buffers, all of one length")
        }
        let count = end(after: length) - position
        try checkRoom(for: grid.pointCount(endingBy: position + count))
        var start = 0
        while start < count {
            let part = start..<min(count, start + SampleBlock.capacity)
            addBlock(sources.map { $0[part] }, count: part.count)
            start = part.upperBound
        }
    }

    /// Takes silence in the place of samples, for a gap in the sound.
    ///
    /// - Parameter samples: How many, of each channel; nothing happens below 1.
    /// - Throws: ``WaveformSettingsError`` if there would be too many points to hold; nothing is taken then.
    /// - Complexity: That of the points, not of the samples.
    mutating func addSilence(samples: Int) throws(WaveformSettingsError) {
        let end = end(after: samples)
        guard end > position else { return }
        let completed = grid.pointCount(endingBy: end)
        try checkRoom(for: completed)
        if completed > point {
            if position > pointStart { completePoint(withSilence: true) }
            appendSilence(points: completed - point)
            begin(point: completed)
        }
        if end > pointStart { includeSilence() }
        position = end
    }

    /// The waveform of all samples; a point that is not complete counts.
    package consuming func finish() -> Waveform {
        // Where the sound's end is known, it has ended too early.
        if position > pointStart { completePoint(withSilence: grid.pointCount != nil) }
        if let count = grid.pointCount, count > point {
            appendSilence(points: count - point)
        }
        return Waveform(
            sampleRate: sampleRate, samplesPerPoint: grid.samplesPerPoint, bits: bits, channels: channels, data: values)
    }

    // MARK: Points

    /// The position after more samples, no farther than the sound's known end.
    private func end(after samples: Int) -> Int {
        let (sum, overflow) = position.addingReportingOverflow(max(0, samples))
        return min(overflow ? Int.max : sum, grid.sampleCount ?? Int.max)
    }

    private func checkRoom(for points: Int) throws(WaveformSettingsError) {
        // One more for the point that is not complete.
        let limit = Self.maximumValueCount / (2 * channels) - 1
        guard points > limit else { return }
        throw WaveformSettingsError(
            reason: "the waveform would have more than \(limit) points; take more samples for each")
    }

    private mutating func addBlock(_ sources: [Slice<UnsafeBufferPointer<Float>>], count: Int) {
        let completed = grid.pointCount(endingBy: position + count)
        appendSilence(points: completed - point)
        if channels == sourceChannels {
            for (channel, source) in sources.enumerated() {
                block.set(source)
                fold(channel, count: count)
            }
        } else {
            for (channel, source) in sources.enumerated() {
                if channel == 0 { block.set(source) } else { block.add(source) }
            }
            fold(0, count: count)
        }
        position += count
        if completed > point { begin(point: completed) }
    }

    /// Brings the block into the points of a channel, for which there is room.
    private mutating func fold(_ channel: Int, count: Int) {
        var (point, start, current) = (point, 0, extremes[channel])
        while start < count {
            let end = grid.start(of: point + 1) - position
            current = block.extremes(in: start..<min(end, count), and: current)
            guard end <= count else { break }
            write(current, point: point, channel: channel)
            (point, start, current) = (point + 1, end, Self.nothing)
        }
        extremes[channel] = current
    }

    /// Makes room for points, which are silent until they are written.
    private mutating func appendSilence(points: Int) {
        values += [Int16](repeating: 0, count: points * channels * 2)
    }

    private mutating func begin(point: Int) {
        self.point = point
        pointStart = grid.start(of: point)
    }

    private mutating func includeSilence() {
        for channel in extremes.indices {
            extremes[channel] = (min(extremes[channel].low, 0), max(extremes[channel].high, 0))
        }
    }

    private mutating func completePoint(withSilence: Bool) {
        if withSilence { includeSilence() }
        appendSilence(points: 1)
        for channel in extremes.indices {
            write(extremes[channel], point: point, channel: channel)
            extremes[channel] = Self.nothing
        }
        point += 1
    }

    private mutating func write(_ extremes: (low: Int32, high: Int32), point: Int, channel: Int) {
        let divisor = Int32(sourceChannels / channels)
        let place = (point * channels + channel) * 2
        // A mean grows with its sum, so that only extremes need be divided. First the mean, then the bits: both round
        // towards zero, one after the other.
        values[place] = Int16(clamping: extremes.low / divisor) / (bits == 8 ? 256 : 1)
        values[place + 1] = Int16(clamping: extremes.high / divisor) / (bits == 8 ? 256 : 1)
    }
}

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

/// Samples of sixteen bits on their way into points, a few thousand at a time.
///
/// Loops are kept plain, over memory without bounds, so that the compiler makes vectors of them.
struct SampleBlock: Sendable {
    /// The most samples that there is room for: what stays in the fastest cache.
    static let capacity = 2048

    /// One sample for each moment: a channel's, or the sum of several.
    private var sums = [Int32](repeating: 0, count: capacity)

    /// 1.5 × 2²³: a float that large has no bits for fractions, so that adding it rounds to whole numbers, halves to
    /// even.
    private static let roundingOffset: Float = 12_582_912

    /// Takes the first channel.
    mutating func set(_ source: UnsafeBufferPointer<Float>.SubSequence) {
        sums.withUnsafeMutableBufferPointer { sums in
            let source = UnsafeBufferPointer(rebasing: source)
            for index in 0..<min(source.count, sums.count) { sums[index] = Self.sample(source[index]) }
        }
    }

    /// Adds a channel to those before.
    ///
    /// Of 65,536 channels the sums would no longer fit.
    mutating func add(_ source: UnsafeBufferPointer<Float>.SubSequence) {
        sums.withUnsafeMutableBufferPointer { sums in
            let source = UnsafeBufferPointer(rebasing: source)
            for index in 0..<min(source.count, sums.count) { sums[index] &+= Self.sample(source[index]) }
        }
    }

    /// The smallest and the greatest of some samples and of two numbers.
    func extremes(in range: Range<Int>, and others: (low: Int32, high: Int32)) -> (low: Int32, high: Int32) {
        sums.withUnsafeBufferPointer { sums in
            var (low, high) = others
            for index in range.clamped(to: 0..<sums.count) {
                low = min(low, sums[index])
                high = max(high, sums[index])
            }
            return (low, high)
        }
    }

    /// A sample of 16 bits: the nearest, halves to even; what is no number is silence, what is too loud is cut.
    @inline(__always)
    static func sample(_ value: Float) -> Int32 {
        let scaled = value * 32768
        let number = scaled == scaled ? scaled : 0
        let limited = min(32767, max(-32768, number))
        return Int32(bitPattern: (limited + roundingOffset).bitPattern &- roundingOffset.bitPattern)
    }
}
