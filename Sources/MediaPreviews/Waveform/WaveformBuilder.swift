/// Makes a waveform of sound that comes bit by bit; only points are held in memory.
///
/// Points are those of audiowaveform. Samples become 16-bit integers first, as FFmpeg makes them: times 32768, rounded
/// to nearest, cut to the range; NaN is silence. Several channels that become one are added up and divided by their
/// number, towards zero. A point is the smallest and the greatest sample of its stretch; for 8 bits both are divided by
/// 256, towards zero.
///
/// - Note: audiowaveform itself takes floating-point files times 32767 and cuts the fraction off; all that was 16 bits
///   before it was decoded comes out as there.
package struct WaveformBuilder: Sendable {
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
    package init(
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
    package mutating func add(channels sources: [UnsafeBufferPointer<Float>]) throws(WaveformSettingsError) {
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
    package mutating func addSilence(samples: Int) throws(WaveformSettingsError) {
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
