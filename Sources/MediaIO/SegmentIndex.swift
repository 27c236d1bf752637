internal import MediaCore

/// The segments of a file's new version, found by position.
struct SegmentIndex: Sendable {
    private let segments: [FileRewrite.Segment]
    /// Where each segment begins.
    private let starts: [UInt64]
    let byteCount: UInt64

    init(_ segments: [FileRewrite.Segment]) {
        self.segments = segments.filter { $0.byteCount > 0 }
        var starts: [UInt64] = []
        starts.reserveCapacity(self.segments.count)
        var position: UInt64 = 0
        for segment in self.segments {
            starts.append(position)
            position += segment.byteCount
        }
        (self.starts, byteCount) = (starts, position)
    }

    /// What a range is made of; as much of it as there is.
    func parts(of range: Range<UInt64>) -> [FileRewrite.Segment] {
        let end = min(range.upperBound, byteCount)
        guard range.lowerBound < end else { return [] }
        var parts: [FileRewrite.Segment] = []
        var index = segmentIndex(of: range.lowerBound)
        while index < segments.count, starts[index] < end {
            let start = starts[index]
            let from = max(range.lowerBound, start) - start
            let to = min(end, start + segments[index].byteCount) - start
            parts.append(segments[index].part(from..<to))
            index += 1
        }
        return parts
    }

    /// Bytes from a position within the new version; fewer if the old one has become shorter.
    func read(at position: UInt64, count: Int, from file: RandomAccessFile) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        for part in parts(of: position..<(position + UInt64(count))) {
            switch part {
            case .bytes(let bytes): result += bytes
            case .source(let range):
                let bytes = file.read(at: range.lowerBound, count: Int(range.length))
                result += bytes
                if UInt64(bytes.count) < range.length { return result }
            }
        }
        return result
    }

    /// The last segment that begins at a position or before.
    private func segmentIndex(of position: UInt64) -> Int {
        max(0, starts.partitioningIndex { $0 > position } - 1)
    }
}

extension FileRewrite.Segment {
    /// The segment in pieces of so many bytes, if it is a part of a file.
    func parts(of byteCount: UInt64) -> [FileRewrite.Segment] {
        guard case .source(let range) = self, range.length > byteCount else { return [self] }
        return stride(from: range.lowerBound, to: range.upperBound, by: Int(byteCount)).map { start in
            .source(start..<Swift.min(range.upperBound, start + byteCount))
        }
    }

    /// The bytes of a range within the segment.
    fileprivate func part(_ range: Range<UInt64>) -> FileRewrite.Segment {
        if range == 0..<byteCount { return self }
        switch self {
        case .bytes(let bytes): return .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        case .source(let source):
            return .source((source.lowerBound + range.lowerBound)..<(source.lowerBound + range.upperBound))
        }
    }
}

extension FileRewrite {
    /// This rewrite of another rewrite's result, as one of what that was made of.
    ///
    /// - Parameter first: What gave the file that this one is for.
    package func composed(after first: FileRewrite) -> FileRewrite {
        let index = SegmentIndex(first.segments)
        var result: [Segment] = []
        for segment in segments {
            switch segment {
            case .bytes: result.append(segment)
            case .source(let range): result += index.parts(of: range)
            }
        }
        return FileRewrite(segments: result.joined)
    }

    /// More bytes that move are not held in memory.
    private static let maximumMoved: UInt64 = 32 << 20

    /// What to write where in the file itself, if all that stays of it stays in
    /// its place but for a little that is read beforehand; `nil` if more moves.
    func changesInPlace(of file: RandomAccessFile) -> [(position: UInt64, bytes: [UInt8])]? {
        var changes: [(UInt64, [UInt8])] = []
        var (position, moved): (UInt64, UInt64) = (0, 0)
        for segment in segments {
            switch segment {
            case .bytes(let bytes): changes.append((position, bytes))
            case .source(let range) where range.lowerBound == position || range.isEmpty: break
            case .source(let range):
                moved += range.length
                guard moved <= Self.maximumMoved, let bytes = file.read(range, limit: Int(Self.maximumMoved)) else {
                    return nil
                }
                changes.append((position, bytes))
            }
            position += segment.byteCount
        }
        return changes
    }
}

extension [FileRewrite.Segment] {
    /// The same with ranges that follow each other as one.
    fileprivate var joined: [FileRewrite.Segment] {
        var result: [FileRewrite.Segment] = []
        for segment in self where segment.byteCount > 0 {
            if case .source(let next) = segment, case .source(let last) = result.last,
                last.upperBound == next.lowerBound
            {
                result[result.count - 1] = .source(last.lowerBound..<next.upperBound)
            } else {
                result.append(segment)
            }
        }
        return result
    }
}

/// What a file held before steps changed it, so that steps that fail can be taken back.
///
/// The old bytes are kept in memory: those that steps write are there as well.
struct StepJournal {
    /// What one step changes.
    private struct Entry {
        let position: UInt64
        let oldBytes: [UInt8]
        /// What it holds after the step; nothing if it was cut off.
        let newBytes: [UInt8]
        /// The file's length before the step, and after it.
        let length: UInt64
        let newLength: UInt64
    }

    /// More than this is not cut off in place: the bytes could not be kept.
    static let maximumCut: UInt64 = 64 << 20

    private var entries: [Entry] = []
    private var length: UInt64

    /// Whether no step was begun.
    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter length: The file's length before the first step.
    init(length: UInt64) { self.length = length }

    /// Takes note of what a step is going to change.
    ///
    /// - Throws: `FileWriteError` if that cannot be read, and so could not be put back: the step must not be done.
    mutating func note(_ step: FileRewrite.Step, of file: RandomAccessFile, path: String) throws(FileWriteError) {
        switch step {
        case .prepare(let bytes, let position), .commit(let bytes, let position):
            let old = try Self.read(position..<(position + UInt64(bytes.count)), of: file, length: length, path)
            let newLength = max(length, position + UInt64(bytes.count))
            entries.append(
                Entry(position: position, oldBytes: old, newBytes: bytes, length: length, newLength: newLength))
            length = newLength
        case .truncate(let end):
            let old = try Self.read(end..<max(end, length), of: file, length: length, path)
            entries.append(Entry(position: end, oldBytes: old, newBytes: [], length: length, newLength: end))
            length = end
        }
    }

    /// The bytes of a range, as far as there are any.
    private static func read(
        _ range: Range<UInt64>, of file: RandomAccessFile, length: UInt64, _ path: String
    ) throws(FileWriteError) -> [UInt8] {
        let range = range.clamped(to: 0..<max(length, range.lowerBound))
        let bytes = file.read(at: range.lowerBound, count: Int(clamping: range.length))
        guard bytes.count == range.length else {
            let reason = file.readFailure?.reason ?? "it became shorter meanwhile"
            throw FileWriteError(kind: .writeFailed, path: path, reason: reason)
        }
        return bytes
    }

    /// Makes the file what it was before the first step.
    ///
    /// The steps are taken back one by one, the last one first, so that every moment leaves what was once a moment of
    /// the change: the old version or the new one.
    ///
    /// - Parameter ofOwnOnly: Whether only what is still as a step left it is put back, since somebody else has written
    ///   to the file.
    func takeBack(on output: borrowing OutputFile, ofOwnOnly: Bool = false) throws(FileWriteError) {
        for entry in entries.reversed() {
            if ofOwnOnly {
                let file = try output.contents()
                guard file.byteCount == entry.newLength,
                    file.read(at: entry.position, count: entry.newBytes.count) == entry.newBytes
                else { return }
            }
            if !entry.oldBytes.isEmpty { try output.write(entry.oldBytes, at: entry.position) }
            try output.truncate(to: entry.length)
            try output.sync()
        }
    }
}

extension [FileRewrite.Step] {
    /// The ranges that are written: the disk must have room for them before the first byte changes.
    var writtenRanges: [Range<UInt64>] {
        compactMap { step in
            switch step {
            case .prepare(let bytes, let position), .commit(let bytes, let position):
                bytes.isEmpty ? nil : position..<(position + UInt64(bytes.count))
            case .truncate: nil
            }
        }
    }

    /// Whether all that a file of a length loses by being cut can be kept in memory.
    func canBeTakenBack(length: UInt64) -> Bool {
        allSatisfy { step in
            guard case .truncate(let end) = step, end < length else { return true }
            return length - end <= StepJournal.maximumCut
        }
    }
}
