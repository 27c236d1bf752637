internal import MediaCore

/// All that a sample buffer is made of.
struct SampleParts {
    var format: CMFormatDescription?
    var count: Int
    var timings: SampleTimings
    var sizes: SampleSizes
    var dataBuffer: CMBlockBuffer?
    var imageBuffer: CVImageBuffer?
    var readiness = CMSampleBuffer.DataReadiness.ready
    var makeDataReady: CMSampleBufferMakeDataReadyHandler?
    /// The buffer whose readiness counts in place of the own one.
    var tracked: CMSampleBuffer?
    var outputPresentationTimeStamp = CMTime.invalid
    var sampleAttachments: SampleAttachmentList?
    var dependencies: [SampleDependency] = []
    var attachments = Attachments()

    /// Samples in a block buffer.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`, `kCMSampleBufferError_InvalidSampleData`;
    ///   `kCMSampleBufferError_RequiredParameterMissing` for samples that are ready without bytes.
    init(
        dataBuffer: CMBlockBuffer?, isReady: Bool, format: CMFormatDescription?, count: Int,
        timings: [CMSampleTimingInfo], sizes: [Int], makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        (self.format, self.count, self.dataBuffer) = (format, count, dataBuffer)
        self.timings = try SampleTimings(timings, count: count)
        self.sizes = try SampleSizes(sizes, count: count)
        guard !isReady || count == 0 || dataBuffer != nil else {
            throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing)
        }
        (readiness, self.makeDataReady) = (isReady ? .ready : .notReady, makeDataReady)
    }

    /// A picture.
    init(
        imageBuffer: CVImageBuffer, isReady: Bool = true, format: CMFormatDescription?, timing: CMSampleTimingInfo,
        makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) {
        (self.format, count, self.imageBuffer) = (format, 1, imageBuffer)
        (timings, sizes) = (SampleTimings(timing), SampleSizes(count: 1))
        (readiness, self.makeDataReady) = (isReady ? .ready : .notReady, makeDataReady)
    }

    /// One sample of so many bytes.
    init(packet: CMBlockBuffer, byteCount: Int, format: CMFormatDescription?, timing: CMSampleTimingInfo) {
        (self.format, count, dataBuffer) = (format, 1, packet)
        (timings, sizes) = (SampleTimings(timing), SampleSizes(one: byteCount))
    }

    /// No samples.
    init(emptyOf format: CMFormatDescription) {
        (self.format, count) = (format, 0)
        (timings, sizes) = (SampleTimings(.invalid), SampleSizes(count: 0))
    }

    /// A picture that has to be as its format says.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat`.
    init(
        matching imageBuffer: CVImageBuffer, isReady: Bool = true, format: CMFormatDescription,
        timing: CMSampleTimingInfo, makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        guard CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: imageBuffer) else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        self.init(
            imageBuffer: imageBuffer, isReady: isReady, format: format, timing: timing, makeDataReady: makeDataReady)
    }
}

/// Entries that a client has in memory.
///
/// - Throws: `kCMSampleBufferError_InvalidEntryCount` for fewer than none,
///   `kCMSampleBufferError_RequiredParameterMissing` without an address.
func entries<Entry>(_ start: UnsafePointer<Entry>?, count: Int) throws(CoreMediaFailure) -> [Entry] {
    guard count >= 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount) }
    guard count > 0 else { return [] }
    guard let start else { throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing) }
    return Array(UnsafeBufferPointer(start: start, count: count))
}

/// How many bytes the samples of a buffer have: not known, one number for all, or one for each.
struct SampleSizes: Sendable {
    private enum Storage {
        /// Without memory of its own, as most buffers have one sample.
        case one(Int)
        case list([Int])
    }

    private let storage: Storage
    /// Bytes of all samples, 0 if they are not known.
    let total: Int
    private let count: Int
    /// Where each sample starts, and where the last one ends; empty unless there is a size for each.
    private let starts: [Int]

    /// None, one or as many as there are samples.
    var entries: [Int] {
        switch storage {
        case .one(let size): [size]
        case .list(let entries): entries
        }
    }

    /// Sizes that are not known.
    init(count: Int) { (storage, total, self.count, starts) = (.list([]), 0, count, []) }

    /// The size of one sample.
    init(one size: Int) { (storage, total, count, starts) = (.one(size), size, 1, []) }

    /// Sizes of samples.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`; `kCMSampleBufferError_InvalidSampleData` for sizes below 0
    ///   and more bytes than can be counted.
    init(_ entries: [Int], count: Int) throws(CoreMediaFailure) {
        guard count >= 0, entries.count <= 1 || entries.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        (storage, self.count) = (entries.count == 1 ? .one(entries[0]) : .list(entries), count)
        guard entries.count > 1 else {
            let (product, tooMany) = (entries.first ?? 0).multipliedReportingOverflow(by: count)
            guard entries.first ?? 0 >= 0, !tooMany else {
                throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData)
            }
            (total, starts) = (product, [])
            return
        }
        var (starts, end) = ([0], 0)
        for size in entries {
            let (sum, tooMany) = end.addingReportingOverflow(size)
            guard size >= 0, !tooMany else { throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData) }
            end = sum
            starts.append(end)
        }
        (total, self.starts) = (end, starts)
    }

    /// Whether they are known.
    var areKnown: Bool {
        if case .one = storage { return true }
        return !entries.isEmpty
    }

    /// Bytes of a sample, 0 if there is no such sample and if it is not known.
    func size(at index: Int) -> Int {
        guard (0..<count).contains(index) else { return 0 }
        if case .one(let size) = storage { return size }
        guard let first = entries.first else { return 0 }
        return entries.count > 1 ? entries[index] : first
    }

    /// Bytes from the first sample to a range of samples, and bytes of the range.
    ///
    /// - Parameter range: Samples that there are, of known sizes.
    func bytes(of range: Range<Int>) -> (offset: Int, length: Int) {
        guard entries.count > 1 else {
            // Less than the total, which can be counted.
            let size = entries.first ?? 0
            return (size * range.lowerBound, size * range.count)
        }
        return (starts[range.lowerBound], starts[range.upperBound] - starts[range.lowerBound])
    }

    /// The sizes of a range of samples.
    ///
    /// - Parameter range: Samples that there are.
    func part(_ range: Range<Int>) throws(CoreMediaFailure) -> SampleSizes {
        try SampleSizes(entries.count > 1 ? Array(entries[range]) : entries, count: range.count)
    }
}
