internal import CLinux
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Reads parts of a file at given positions, and never past its end.
///
/// Reading needs no position of its own, so several threads may share one. What
/// the system fails to read looks like the end of the file; whoever makes
/// something of what was read asks ``readFailure`` or ``checkUnchanged(whileMaking:)``
/// before that counts.
package final class RandomAccessFile: Sendable {
    private enum Storage: Sendable {
        case descriptor(Int32)
        case bytes([UInt8])
        /// A new version of another file, which is written nowhere yet.
        case rewrite(SegmentIndex, of: RandomAccessFile)
        /// Several files one after the other.
        case joined(FileSequence)
    }

    private struct KeptPart: Sendable {
        let start: UInt64
        let bytes: [UInt8]

        /// Bytes from a position; `nil` unless all of them are here.
        func read(at position: UInt64, count: Int) -> [UInt8]? {
            guard position >= start, position - start + UInt64(count) <= UInt64(bytes.count) else { return nil }
            let first = Int(position - start)
            return Array(bytes[first..<(first + count)])
        }
    }

    private let storage: Storage
    /// A part that is held in memory.
    private let kept = Mutex<KeptPart?>(nil)
    /// The system's number of the first read that failed; zero while none has.
    private let failure = Atomic<Int32>(0)
    /// Bytes in the file when it was opened.
    package let byteCount: UInt64
    /// What tells this version of the file from another; `nil` for what is no named file.
    package let version: FileVersion?
    /// How much readers may take from it.
    package let limits: MediaLimits

    /// Opens a regular file; `nil` if there is none of that name or it cannot be read.
    package convenience init?(path: String, limits: MediaLimits = MediaLimits(), access: FileAccess = .direct) {
        guard let opened = try? Self.opened(path, access) else { return nil }
        self.init(opened, limits)
    }

    /// Opens a regular file, and tells why it cannot be opened.
    ///
    /// - Returns: `nil` for what is no regular file, or not there.
    /// - Throws: ``FileReadFailure`` if there is one that the system does not open.
    package static func open(
        _ path: String, limits: MediaLimits = MediaLimits(), access: FileAccess = .direct
    ) throws(FileReadFailure) -> RandomAccessFile? {
        try opened(path, access).map { RandomAccessFile($0, limits) }
    }

    private struct Opened {
        let descriptor: Int32
        let status: stat
    }

    private init(_ opened: Opened, _ limits: MediaLimits) {
        storage = .descriptor(opened.descriptor)
        byteCount = UInt64(opened.status.st_size)
        version = FileVersion(opened.status)
        self.limits = limits
    }

    private static func opened(_ path: String, _ access: FileAccess) throws(FileReadFailure) -> Opened? {
        // Opening a pipe and closing it again would end its writer.
        var status = stat()
        guard access.status(of: path, &status) == 0 else {
            guard [ENOENT, ENOTDIR].contains(errno) else { throw FileReadFailure(code: errno) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = access.openSource(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileReadFailure(code: errno) }
        guard fstat(descriptor, &status) == 0 else {
            let failure = FileReadFailure(code: errno)
            close(descriptor)
            throw failure
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            return nil
        }
        return Opened(descriptor: descriptor, status: status)
    }

    /// Bytes in memory, as if they were a file's.
    package init(bytes: [UInt8], limits: MediaLimits = MediaLimits()) {
        self.limits = limits
        storage = .bytes(bytes)
        byteCount = UInt64(bytes.count)
        version = nil
    }

    /// The new version of a file, as if it had been written.
    package init(_ rewrite: FileRewrite, of file: RandomAccessFile) {
        let index = SegmentIndex(rewrite.segments)
        storage = .rewrite(index, of: file)
        limits = file.limits
        byteCount = index.byteCount
        version = nil
    }

    /// Several files one after the other, as if they had been written as one.
    ///
    /// Readers may take as much from it as from the first. Files that would lie beyond what positions can tell,
    /// 2^63 bytes, are left out.
    package init(joining files: [RandomAccessFile]) {
        let sequence = FileSequence(files)
        storage = .joined(sequence)
        limits = files.first?.limits ?? MediaLimits()
        byteCount = sequence.byteCount
        version = nil
    }

    /// A file that is open already, and stays open by itself.
    convenience init?(sharing other: Int32, limits: MediaLimits = MediaLimits()) {
        self.init(owning: fcntl(other, F_DUPFD_CLOEXEC, 0), limits: limits)
    }

    /// A regular file that is open to be read as media, and stays open by itself.
    convenience init?(source other: Int32, limits: MediaLimits = MediaLimits()) {
        var status = stat()
        let descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            return nil
        }
        self.init(Opened(descriptor: descriptor, status: status), limits)
    }

    /// A file that is open already, and is this object's from now on.
    init?(owning descriptor: Int32, limits: MediaLimits = MediaLimits()) {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= 0 else {
            close(descriptor)
            return nil
        }
        storage = .descriptor(descriptor)
        byteCount = UInt64(status.st_size)
        version = nil
        self.limits = limits
    }

    deinit { if case .descriptor(let descriptor) = storage { close(descriptor) } }

    /// Up to `count` bytes from a position; fewer at the end of the file.
    package func read(at position: UInt64, count: Int) -> [UInt8] {
        guard position < byteCount, count > 0 else { return [] }
        let wanted = Int(min(UInt64(count), byteCount - position))
        switch storage {
        case .bytes(let bytes): return Array(bytes[Int(position)..<(Int(position) + wanted)])
        case .rewrite(let index, let file): return index.read(at: position, count: wanted, from: file)
        case .joined(let sequence): return sequence.read(at: position, count: wanted)
        case .descriptor(let descriptor):
            if let bytes = kept.withLock({ $0 })?.read(at: position, count: wanted) { return bytes }
            return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                filled = 0
                while filled < wanted, let base = buffer.baseAddress {
                    let got = pread(descriptor, base + filled, wanted - filled, off_t(position) + off_t(filled))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { note(errno) }
                    if got <= 0 { break }
                    filled += got
                }
            }
        }
    }

    /// Reads a part and holds it in memory for all that read within it, in place of the part that was held before.
    ///
    /// The file is not expected to change there.
    package func keep(_ range: Range<UInt64>) {
        let bytes = read(at: range.lowerBound, count: Int(clamping: range.length))
        kept.withLock { $0 = KeptPart(start: range.lowerBound, bytes: bytes) }
    }

    /// Lets go of the part that is held in memory.
    package func forgetPart() { kept.withLock { $0 = nil } }

    /// Why a part of the file, or of what it is made of, could not be read; `nil` if all could that was asked for.
    package var readFailure: FileReadFailure? {
        switch storage {
        case .rewrite(_, let file): return file.readFailure
        case .joined(let sequence): return sequence.readFailure
        case .bytes, .descriptor: break
        }
        let code = failure.load(ordering: .relaxed)
        return code == 0 ? nil : FileReadFailure(code: code)
    }

    private func note(_ code: Int32) {
        _ = failure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }

    /// The bytes of a range, or `nil` if the file does not hold all of them or
    /// there are more than `limit`.
    package func read(_ range: Range<UInt64>, limit: Int) -> [UInt8]? {
        guard range.upperBound <= byteCount, range.length <= UInt64(max(0, limit)) else {
            return nil
        }
        let bytes = read(at: range.lowerBound, count: Int(range.length))
        return bytes.count == Int(range.length) ? bytes : nil
    }

    /// Whether the file, or what it is made of, is as it was when it was opened.
    package var isUnchanged: Bool {
        switch storage {
        case .bytes: return true
        case .rewrite(_, let file): return file.isUnchanged
        case .joined(let sequence): return sequence.isUnchanged
        case .descriptor(let descriptor):
            var status = stat()
            guard let version else { return true }
            return fstat(descriptor, &status) == 0 && FileVersion(status) == version
        }
    }

    /// Checks that the file is as it was when it was opened, and that all could be read that was asked for.
    ///
    /// - Parameter path: What is made of it, for the error.
    package func checkUnchanged(whileMaking path: String) throws(FileWriteError) {
        if let readFailure {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "the source: \(readFailure.reason)")
        }
        guard !isUnchanged else { return }
        throw FileWriteError(kind: .writeFailed, path: path, reason: "the source was changed meanwhile")
    }

    /// What a range is made of, for a file that is made of others; `nil` for any other file.
    func parts(of range: Range<UInt64>) -> [FilePart]? {
        switch storage {
        case .rewrite(let index, let file): index.parts(of: range).map { FilePart(segment: $0, file: file) }
        case .joined(let sequence): sequence.parts(of: range)
        case .bytes, .descriptor: nil
        }
    }

    /// Lets the file be changed in place though it is open, by somebody who looks at its version then.
    func allowChange() {
        forgetPart()
        if let descriptor { ReadLock.release(descriptor) }
    }

    /// The open file, for copying within the kernel; `nil` for bytes in memory.
    var descriptor: Int32? {
        if case .descriptor(let descriptor) = storage { descriptor } else { nil }
    }

    /// The open file once more, for those who read by descriptor: the caller's, with a position that it shares with this
    /// one; `nil` for what is in memory, or made of others.
    package func duplicate() -> Int32? {
        guard let copy = descriptor.map({ fcntl($0, F_DUPFD_CLOEXEC, 0) }), copy >= 0 else { return nil }
        return copy
    }
}

extension RandomAccessFile {
    /// Smaller holes are read, as the zeros that they stand for.
    private static let smallestHole: Int64 = 1 << 30
    /// More parts of data than this are not gone through.
    private static let maximumParts = 1 << 12

    // Linux's numbers, which Swift's view of the C library leaves out.
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)

    /// Where the hole begins that a sparse file may end in: terabytes of zeros that take no room on disk; `nil` if it ends
    /// in none that is worth leaving out.
    ///
    /// Demuxers look through all of them for a sign of their format, some with all that they have read in memory. What
    /// lies there was never written, so that it is nothing of the media.
    package var startOfHole: UInt64? {
        var status = stat()
        guard let descriptor, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Nearly all files are known by this to have no such hole.
        guard Int64(status.st_size) - Int64(status.st_blocks) * 512 > Self.smallestHole else { return nil }
        var end: off_t = 0
        for _ in 0..<Self.maximumParts {
            let data = lseek(descriptor, end, Self.seekData)
            guard data >= 0 else {
                // There is no more data, or a file system that does not tell.
                guard errno == ENXIO, Int64(status.st_size) - Int64(end) > Self.smallestHole else { return nil }
                return UInt64(end)
            }
            let hole = lseek(descriptor, data, Self.seekHole)
            guard hole > data else { return nil }
            end = hole
        }
        return nil
    }
}

/// The system did not let a file be opened, or a part of it be read.
package struct FileReadFailure: Error {
    /// The system's number of the reason, as in `errno`.
    package let code: Int32

    /// What failed, and the system's reason, in one line.
    package var reason: String { "it could not be read (\(String(cString: strerror(code))))" }
}

/// What tells one version of a file from another: which file it is, how long,
/// and when it was last written to.
package struct FileVersion: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// How long it is.
    package var byteCount: Int64 { size }

    /// When the bytes were last changed: seconds since 1970, and nanoseconds.
    package var modificationTime: (seconds: Int, nanoseconds: Int) { (seconds, nanoseconds) }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// The version of the file that a path names now.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// Files that are read as a whole, be they regular ones, pipes or standard input.
package enum WholeFile {
    /// Why a file cannot be had.
    package enum Failure: Error {
        /// The operating system's error.
        case system(Int32)
        case tooLarge
    }

    /// All bytes of a file; waits for those of a pipe.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - limit: How many bytes it may have.
    package static func read(
        _ path: String, limit: Int, access: FileAccess = .direct
    ) throws(Failure) -> [UInt8] {
        let isInput = path == "-"
        // Without O_NONBLOCK, whoever opens a pipe for this process would wait for its writer.
        let descriptor = access.open(isInput ? "/dev/stdin" : path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        // One that was handed over may have been read already; a pipe has no beginning to go to.
        lseek(descriptor, 0, SEEK_SET)
        var whole: [UInt8] = []
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 1000) > 0 else { continue }
            var got = 0
            let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(0, got)
            }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got >= 0 else { throw .system(errno) }
            guard got > 0 else { return whole }
            whole += part
            guard whole.count <= limit else { throw .tooLarge }
        }
    }
}

extension RandomAccessFile {
    /// Bytes that are put into a file in memory, for those who read by descriptor.
    ///
    /// - Returns: `nil` if there is not enough memory, or the system has no such files.
    package convenience init?(inMemory bytes: UnsafeRawBufferPointer) {
        let descriptor = avt_memory_file()
        guard descriptor >= 0 else { return nil }
        var written = 0
        while written < bytes.count, let base = bytes.baseAddress {
            let count = Glibc.write(descriptor, base + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(descriptor)
                return nil
            }
            written += count
        }
        self.init(owning: descriptor)
    }
}

/// Which parts of a file stand for all of it where that would take too long to read: media files differ there, because samples
/// are compressed and headers list their sizes.
package struct FileSample: Sendable {
    /// Bytes of the beginning and of the end.
    private let edge: Int
    /// Bytes of each block between them, and how many there are.
    private let block: Int
    private let count: Int
    /// Files of up to so many bytes are read whole.
    private let wholeByteCount: UInt64

    package init(edge: Int, block: Int, count: Int, wholeByteCount: UInt64) {
        (self.edge, self.block, self.count, self.wholeByteCount) = (edge, block, count, wholeByteCount)
    }

    /// Calls `body` with the parts, in order.
    ///
    /// - Returns: Whether they could be read.
    package func forEachPart(of file: RandomAccessFile, _ body: ([UInt8]) -> Void) -> Bool {
        let byteCount = file.byteCount
        guard byteCount > max(wholeByteCount, 2 * UInt64(edge)) else {
            body(file.read(at: 0, count: Int(byteCount)))
            return file.readFailure == nil
        }
        body(file.read(at: 0, count: edge))
        let (rest, count) = (byteCount - 2 * UInt64(edge), UInt64(count))
        for index in 0..<count {
            // The same as the product divided, which may be more than a number holds.
            let start = rest / count * index + rest % count * index / count
            body(file.read(at: UInt64(edge) + start, count: block))
        }
        body(file.read(at: byteCount - UInt64(edge), count: edge))
        return file.readFailure == nil
    }
}
