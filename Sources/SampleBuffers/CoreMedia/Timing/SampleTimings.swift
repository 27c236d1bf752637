internal import MediaCore

/// When the samples of a buffer are decoded and shown: not known, one for all, or one for each.
struct SampleTimings: Sendable {
    private enum Storage {
        /// Without memory of its own, as most buffers have one sample.
        case one(CMSampleTimingInfo)
        case list([CMSampleTimingInfo])
    }

    private let storage: Storage
    private let count: Int

    /// None, one or as many as there are samples.
    var entries: [CMSampleTimingInfo] {
        switch storage {
        case .one(let timing): [timing]
        case .list(let entries): entries
        }
    }

    /// Times of samples.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`.
    init(_ entries: [CMSampleTimingInfo], count: Int) throws(CoreMediaFailure) {
        guard count >= 0, entries.count <= 1 || entries.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        self.init(unchecked: entries, count: count)
    }

    private init(unchecked entries: [CMSampleTimingInfo], count: Int) {
        (storage, self.count) = (entries.count == 1 ? .one(entries[0]) : .list(entries), count)
    }

    /// The times of one sample.
    init(_ timing: CMSampleTimingInfo) { (storage, count) = (.one(timing), 1) }

    /// The times of a sample.
    ///
    /// - Throws: `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    func timing(at index: Int) throws(CoreMediaFailure) -> CMSampleTimingInfo {
        guard (0..<count).contains(index) else { throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange) }
        guard let first = entries.first else {
            throw CoreMediaFailure(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }
        return entries.count > 1 ? entries[index] : shifted(first, by: index)
    }

    private func shifted(_ timing: CMSampleTimingInfo, by index: Int) -> CMSampleTimingInfo {
        guard index > 0 else { return timing }
        let shift = timing.duration.steps(index)
        var timing = timing
        timing.presentationTimeStamp = timing.presentationTimeStamp + shift
        // The sum of an invalid time is invalid.
        timing.decodeTimeStamp = timing.decodeTimeStamp + shift
        return timing
    }

    /// How long a range of samples lasts: the sum of their durations, without gaps; invalid if it is not known.
    ///
    /// - Parameter range: Samples that there are.
    func duration(of range: Range<Int>) -> CMTime {
        if case .one(let timing) = storage, range.count == 1 { return timing.duration }
        guard entries.count > 1 else { return entries.first?.duration.steps(range.count) ?? .invalid }
        return entries[range].dropFirst().reduce(entries[range].first?.duration ?? .zero) { $0 + $1.duration }
    }

    /// How long all samples last.
    var duration: CMTime { duration(of: 0..<count) }

    /// The earliest time at which a sample is shown; invalid if it is not known.
    var presentationTimeStamp: CMTime {
        if case .one(let timing) = storage { return timing.presentationTimeStamp }
        // Invalid times come after all others.
        return entries.map(\.presentationTimeStamp).min { CMTimeCompare($0, $1) < 0 } ?? .invalid
    }

    /// When the first sample is decoded: samples are in the order of decoding; invalid if it is not known.
    var decodeTimeStamp: CMTime { entries.first?.decodeTimeStamp ?? .invalid }

    /// The times of a range of samples.
    ///
    /// - Parameter range: Samples that there are.
    func part(_ range: Range<Int>) -> SampleTimings {
        if entries.count > 1 { return SampleTimings(unchecked: Array(entries[range]), count: range.count) }
        return SampleTimings(unchecked: entries.map { shifted($0, by: range.lowerBound) }, count: range.count)
    }
}
