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
