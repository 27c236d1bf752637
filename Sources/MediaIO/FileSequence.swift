internal import MediaCore

/// Several files one after the other, as one address space.
struct FileSequence: Sendable {
    private let files: [RandomAccessFile]
    /// Where each file begins.
    private let starts: [UInt64]
    let byteCount: UInt64
    /// Each file once, however often it comes.
    private let distinct: [RandomAccessFile]

    /// - Parameter all: Those that would begin or end beyond what the system has positions for are left out.
    init(_ all: [RandomAccessFile]) {
        var (files, starts, distinct): ([RandomAccessFile], [UInt64], [RandomAccessFile]) = ([], [], [])
        var known: Set<ObjectIdentifier> = []
        var end: UInt64 = 0
        for file in all where file.byteCount > 0 {
            guard file.byteCount <= UInt64(Int64.max) - end else { break }
            files.append(file)
            starts.append(end)
            end += file.byteCount
            if known.insert(ObjectIdentifier(file)).inserted { distinct.append(file) }
        }
        (self.files, self.starts, self.distinct, byteCount) = (files, starts, distinct, end)
    }

    /// What a range is made of; as much of it as there is.
    func parts(of range: Range<UInt64>) -> [FilePart] {
        let end = min(range.upperBound, byteCount)
        guard range.lowerBound < end else { return [] }
        var parts: [FilePart] = []
        var index = max(0, starts.partitioningIndex { $0 > range.lowerBound } - 1)
        while index < files.count, starts[index] < end {
            let from = max(range.lowerBound, starts[index]) - starts[index]
            let to = min(end - starts[index], files[index].byteCount)
            parts.append(FilePart(segment: .source(from..<to), file: files[index]))
            index += 1
        }
        return parts
    }

    /// Bytes from a position within the sequence; fewer if one of the files has become shorter.
    func read(at position: UInt64, count: Int) -> [UInt8] {
        var result: [UInt8] = []
        for part in parts(of: position..<(position + UInt64(count))) {
            guard case .source(let range) = part.segment else { continue }
            let bytes = part.file.read(at: range.lowerBound, count: Int(range.length))
            // Most reads lie within one file.
            if result.isEmpty { result = bytes } else { result += bytes }
            if UInt64(bytes.count) < range.length { break }
        }
        return result
    }

    var readFailure: FileReadFailure? { distinct.lazy.compactMap(\.readFailure).first }

    var isUnchanged: Bool { distinct.allSatisfy(\.isUnchanged) }
}

/// Bytes, or a range of a file, that a part of a file is made of.
struct FilePart: Sendable {
    var segment: FileRewrite.Segment
    /// The file that a range is of.
    var file: RandomAccessFile
}
