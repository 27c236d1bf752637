internal import MediaIO

/// The sample sizes of a track that is put together: one for all as long as that is so.
struct JoinedSizes {
    private enum Storage {
        case none
        /// What `stsz` says in its second field.
        case constant(UInt32)
        case each([UInt32])
    }

    private var storage = Storage.none
    private(set) var count = 0

    /// Adds the sizes of all samples of a piece.
    mutating func append(_ sizes: SampleSizes, count added: Int) throws(MovieError) {
        guard added > 0 else { return }
        if let size = sizes.commonSize {
            try append(size, times: added)
        } else {
            try makeEach()
            guard case .each(var all) = storage else { return }
            storage = .none
            all.reserveCapacity(all.count + added)
            for sample in 0..<added { all.append(UInt32(clamping: sizes.byteCount(of: sample..<(sample + 1)))) }
            storage = .each(all)
            try count(added)
        }
    }

    /// Adds samples of one size.
    mutating func append(_ size: UInt32, times added: Int) throws(MovieError) {
        switch storage {
        case .none where size > 0: storage = .constant(size)
        case .constant(let other) where other == size: break
        default:
            try makeEach()
            guard case .each(var all) = storage else { break }
            try Self.check(all.count + added)
            storage = .none
            all += repeatElement(size, count: added)
            storage = .each(all)
        }
        try count(added)
    }

    /// Whether samples of the one size that all have can be added.
    var constant: UInt32? { if case .constant(let size) = storage { size } else { nil } }

    private mutating func count(_ added: Int) throws(MovieError) {
        count += added
        guard count <= Int(UInt32.max) else { throw MovieError(.limit, "it would have more than 2^32 samples") }
        if case .each = storage { try Self.check(count) }
    }

    /// Sizes that a movie box may have room for.
    private static func check(_ count: Int) throws(MovieError) {
        guard count <= MovieSource.maximumMovieBytes / 4 else {
            throw MovieError(.limit, "it would have too many samples")
        }
    }

    private mutating func makeEach() throws(MovieError) {
        switch storage {
        case .each: break
        case .none: storage = .each([])
        // Units of older sound, whose true size the description tells.
        case .constant(1) where count > 1: throw MovieError(.unsupported, "its samples are of different packings")
        case .constant(let size):
            try Self.check(count)
            storage = .each(Array(repeating: size, count: count))
        }
    }

    /// The box `stsz`.
    var box: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: constant ?? 0)
        content.append(bigEndian: UInt32(clamping: count))
        if case .each(let all) = storage {
            content.reserveCapacity(12 + all.count * 4)
            for size in all { content.append(bigEndian: size) }
        }
        return .box("stsz", content)
    }
}

extension SampleSizes {
    /// What `stsz` says that all samples have; `nil` if each has a size of its own.
    fileprivate var commonSize: UInt32? { constantSize > 0 ? constantSize : nil }
}
