internal import Foundation

/// A new version of a file, described by parts of the old one and new bytes.
///
/// It is carried out in place where every moment of that leaves either the old
/// or the new version for all readers, else by a copy that replaces the file at
/// once.
package struct FileRewrite: Sendable {
    /// A part of the new version.
    package enum Segment: Hashable, Sendable {
        case bytes([UInt8])
        /// A range of the old version.
        case source(Range<UInt64>)

        package var byteCount: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .source(let range): range.length
            }
        }
    }

    /// One change of the file itself, on the disk before the next begins.
    package enum Step: Hashable, Sendable {
        /// Any number of bytes where no reader looks: in free space or after the end.
        case prepare([UInt8], at: UInt64)
        /// Bytes that readers see, within one page of 4,096 bytes, so that they arrive together.
        case commit([UInt8], at: UInt64)
        /// Cuts off what no reader looks at any more.
        case truncate(to: UInt64)
    }

    /// The new version from beginning to end.
    package var segments: [Segment]
    /// A way to change the file itself, if the format has one for this change.
    ///
    /// Its result may differ from `segments` in where things lie, not in what they say.
    package var steps: [Step]?

    /// Makes a rewrite.
    package init(segments: [Segment], steps: [Step]? = nil) { (self.segments, self.steps) = (segments, steps) }

    /// Bytes of the new version.
    package var byteCount: UInt64 { segments.byteCount }

    /// Bytes of a page of memory: so many arrive in a file together.
    package static let pageSize: UInt64 = 4096

    /// Whether bytes at a position lie within one page, so that readers see all of them or none.
    package static func fitsOnePage(_ count: Int, at position: UInt64) -> Bool {
        count == 0 || position / pageSize == (position + UInt64(count) - 1) / pageSize
    }

    /// How the rewrite of a file will be carried out.
    package func method(for file: RandomAccessFile) -> FileRewriteMethod {
        switch plan(for: file) {
        case .some(let steps): steps.isEmpty ? .unchanged : .inPlace
        case .none: .copy
        }
    }

    /// Carries the rewrite out on the file itself.
    ///
    /// - Parameter file: The file as it was read when the rewrite was made.
    /// - Throws: `FileWriteError` if it cannot be written, or if it was changed
    ///   by somebody else meanwhile; the file is then as it was.
    /// - Parameters:
    ///   - lock: The right to change the file, if somebody has it already.
    ///   - access: Who changes it.
    @discardableResult
    package func apply(
        to path: String, of file: RandomAccessFile, under lock: EditLock? = nil, access: FileAccess = .direct
    ) throws -> FileRewriteMethod {
        if let broker = access.broker {
            // What this process could not read, the broker knows nothing of.
            try file.checkUnchanged(whileMaking: path)
            return try broker.apply(self, to: path, of: file)
        }
        let lock = try lock ?? EditLock(changing: path)
        try lock.check(file.version)
        let steps = plan(for: file)
        // The new version was made of what was read: nothing changes if that is not what the file holds.
        try file.checkUnchanged(whileMaking: lock.path)
        if let steps {
            guard !steps.isEmpty else { return .unchanged }
            if try carryOut(steps, of: file, under: lock) { return .inPlace }
        }
        LocalName.clearLeftovers(in: lock.path.parentFolder)
        try AtomicFile.write(
            to: OutputPlace(changing: lock.path), like: lock.path, isSynced: true,
            checking: { () throws(FileWriteError) in try lock.check(file.version) }
        ) { output throws(FileWriteError) in
            try write(to: output, from: file)
            try file.checkUnchanged(whileMaking: lock.path)
        }
        return .copy
    }

    /// Writes the new version to another place.
    ///
    /// - Throws: `FileWriteError` if it cannot be written, or if the file was changed by somebody else since it was
    ///   read; there is no new file then.
    package func write(to place: OutputPlace, from file: RandomAccessFile) throws {
        try AtomicFile.write(to: place, isSynced: true) { output throws(FileWriteError) in
            try write(to: output, from: file)
            try file.checkUnchanged(whileMaking: place.path)
        }
    }

    /// Writes the new version to where an open file's writing stopped last.
    func write(to output: borrowing OutputFile, from file: RandomAccessFile) throws(FileWriteError) {
        try output.write(segments, from: file)
    }

    /// Carries steps out, or none of them: those of a change that fails half-way are taken back.
    ///
    /// - Returns: Whether it was done: not while the file is being read, which could see one part before and another
    ///   after the change.
    private func carryOut(
        _ steps: [Step], of file: RandomAccessFile, under lock: EditLock
    ) throws(FileWriteError) -> Bool {
        let output = try OutputFile(changing: lock.path)
        file.allowChange()
        guard output.excludesReaders else { return false }
        try lock.check(file.version)
        // What the file is but for what somebody else does to it.
        var version = file.version
        var journal = StepJournal(length: file.byteCount)
        var isForeign = false
        do {
            for range in steps.writtenRanges { try output.reserve(range) }
            version = try output.version()
            for step in steps {
                isForeign = true
                try lock.check(version)
                isForeign = false
                try journal.note(step, of: try output.contents(), path: lock.path)
                switch step {
                case .prepare(let bytes, let position), .commit(let bytes, let position):
                    try output.write(bytes, at: position)
                case .truncate(let length): try output.truncate(to: length)
                }
                try output.sync()
                version = try output.version()
            }
        } catch {
            try? journal.takeBack(on: output, ofOwnOnly: isForeign)
            // What was reserved behind the end goes as well, unless somebody else has written there.
            if journal.isEmpty, !isForeign, let now = try? output.version(), now.byteCount == file.byteCount {
                try? output.truncate(to: file.byteCount)
            }
            throw error
        }
        return true
    }

    // MARK: In place

    /// The steps that change the file itself, `nil` if only a copy can do it.
    private func plan(for file: RandomAccessFile) -> [Step]? {
        if let change = change(of: file) {
            if Self.fitsOnePage(change.bytes.count, at: change.position) {
                return change.bytes.isEmpty ? [] : [.commit(change.bytes, at: change.position)]
            }
        }
        guard let steps, steps.allSatisfy(\.isWhole), steps.canBeTakenBack(length: file.byteCount) else { return nil }
        return steps
    }

    /// The bytes from the first to the last that differ, if the old and the new
    /// version are of one length and nothing moves.
    private func change(of file: RandomAccessFile) -> (position: UInt64, bytes: [UInt8])? {
        guard byteCount == file.byteCount else { return nil }
        var position: UInt64 = 0
        var parts: [(position: UInt64, bytes: ArraySlice<UInt8>)] = []
        for segment in segments {
            switch segment {
            case .source(let range): guard range.lowerBound == position || range.isEmpty else { return nil }
            case .bytes(let bytes):
                let old = file.read(at: position, count: bytes.count)
                guard old.count == bytes.count else { return nil }
                if let first = bytes.indices.first(where: { bytes[$0] != old[$0] }),
                    let last = bytes.indices.last(where: { bytes[$0] != old[$0] })
                {
                    parts.append((position + UInt64(first), bytes[first...last]))
                }
            }
            position += segment.byteCount
        }
        guard let first = parts.first, let last = parts.last else { return (0, []) }
        let end = last.position + UInt64(last.bytes.count)
        guard end - first.position <= Self.pageSize else { return nil }
        var bytes = file.read(at: first.position, count: Int(end - first.position))
        guard bytes.count == Int(end - first.position) else { return nil }
        for part in parts {
            let start = Int(part.position - first.position)
            bytes.replaceSubrange(start..<(start + part.bytes.count), with: part.bytes)
        }
        return (first.position, bytes)
    }
}

extension FileBroker {
    /// Has the broker change a file.
    fileprivate func apply(
        _ rewrite: FileRewrite, to path: String, of file: RandomAccessFile
    ) throws(FileWriteError) -> FileRewriteMethod {
        guard let version = file.version else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "it is no regular file")
        }
        var bytes: [UInt8] = []
        let pieces = rewrite.segments.map { segment -> FileCall.Segment in
            switch segment {
            case .source(let range): return .source(range)
            case .bytes(let part):
                bytes += part
                return .bytes(part.count)
            }
        }
        let changes = rewrite.steps?.map { step -> FileCall.Change in
            switch step {
            case .truncate(let length): return .truncate(length)
            case .prepare(let part, let position):
                bytes += part
                return .prepare(part.count, at: position)
            case .commit(let part, let position):
                bytes += part
                return .commit(part.count, at: position)
            }
        }
        let answer = answer(to: .rewrite(path: path, version, pieces, changes), bytes).0
        guard case .rewritten(let name) = answer, let method = FileRewriteMethod(rawValue: name) else {
            throw Self.failure(answer, path)
        }
        return method
    }
}

extension FileRewrite {
    /// The rewrite that was sent to a broker; `nil` if it makes no sense.
    init?(_ pieces: [FileCall.Segment], _ changes: [FileCall.Change]?, bytes: [UInt8], of file: RandomAccessFile) {
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8]? {
            guard count >= 0, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        var segments: [Segment] = []
        for piece in pieces {
            switch piece {
            case .source(let range):
                guard range.upperBound <= file.byteCount else { return nil }
                segments.append(.source(range))
            case .bytes(let count):
                guard let part = take(count) else { return nil }
                segments.append(.bytes(part))
            }
        }
        var steps: [Step]? = changes.map { _ in [] }
        for change in changes ?? [] {
            switch change {
            case .truncate(let length):
                guard length <= UInt64(Int64.max) else { return nil }
                steps?.append(.truncate(to: length))
            case .prepare(let count, let position):
                guard let part = take(count), position <= UInt64(Int64.max - Int64(count)) else { return nil }
                steps?.append(.prepare(part, at: position))
            case .commit(let count, let position):
                guard let part = take(count), position <= UInt64(Int64.max - Int64(count)) else { return nil }
                steps?.append(.commit(part, at: position))
            }
        }
        var total: UInt64 = 0
        for segment in segments {
            let (sum, overflow) = total.addingReportingOverflow(segment.byteCount)
            guard !overflow, sum <= UInt64(Int64.max) else { return nil }
            total = sum
        }
        self.init(segments: segments, steps: steps)
    }
}

extension FileRewrite.Step {
    /// Whether what readers see changes at once.
    fileprivate var isWhole: Bool {
        guard case .commit(let bytes, let position) = self else { return true }
        return FileRewrite.fitsOnePage(bytes.count, at: position)
    }
}

extension [FileRewrite.Segment] {
    /// The bytes they take together.
    package var byteCount: UInt64 { reduce(0) { $0 + $1.byteCount } }
}

/// How a change of a file is, or would be, carried out.
public enum FileRewriteMethod: String, Sendable {
    /// There is nothing to change.
    case unchanged
    /// The file itself is changed; at every moment it holds the old or the new version.
    case inPlace
    /// A whole new file is written, and takes the old one's place or another name at once.
    case copy
}
