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
