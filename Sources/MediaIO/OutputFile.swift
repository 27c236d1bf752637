internal import CLinux
public import Foundation
public import MediaCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file that is open for writing.
package struct OutputFile: ~Copyable {
    let descriptor: Int32
    /// The name for errors; the file itself may have none yet.
    private let path: String
    /// What it means that nobody reads the bytes.
    private let closedKind: FileWriteError.Kind

    /// Takes over an open descriptor.
    init(descriptor: Int32, path: String, closedKind: FileWriteError.Kind = .writeFailed) {
        (self.descriptor, self.path, self.closedKind) = (descriptor, path, closedKind)
    }

    /// Opens what takes bytes as they come; waits for a FIFO's reader.
    ///
    /// - Parameter waiting: Called while there is no reader; what it throws ends the waiting.
    init(
        streamingTo place: OutputPlace, waiting: () throws(FileWriteError) -> Void = {}
    ) throws(FileWriteError) {
        let descriptor: Int32
        let path = place.path.ofOutput
        var closedKind = FileWriteError.Kind.writeFailed
        switch place.target {
        case .file(let path): throw FileWriteError(kind: .writeFailed, path: path, reason: "it is a file")
        case .descriptor(let other):
            descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
            closedKind = .outputClosed
        case .stream(let name): descriptor = try Self.openStream(name, for: path, waiting: waiting)
        case .empty(let name): descriptor = try Self.openEmpty(name, for: path)
        }
        guard descriptor >= 0 else { throw FileWriteError.last(.writeFailed, path) }
        guard isatty(descriptor) == 0 else {
            close(descriptor)
            throw FileWriteError.terminal(place.path)
        }
        self.init(descriptor: descriptor, path: path, closedKind: closedKind)
    }

    /// Opens a file that was empty, unless somebody has written to it meanwhile.
    private static func openEmpty(_ name: String, for path: String) throws(FileWriteError) -> Int32 {
        let descriptor = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { throw FileWriteError.last(.cannotCreate, path) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else {
            close(descriptor)
            throw FileWriteError(kind: .cannotCreate, path: path, reason: "it is not empty any more")
        }
        return descriptor
    }

    private static func openStream(
        _ name: String, for path: String, waiting: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) -> Int32 {
        while true {
            // Without a reader this fails instead of waiting where no signal could end it.
            let descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            var status = stat()
            guard descriptor < 0 else {
                guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
                    close(descriptor)
                    throw FileWriteError(kind: .cannotCreate, path: path, reason: "it is no stream any more")
                }
                return descriptor
            }
            guard errno == ENXIO, stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
                throw FileWriteError.last(.cannotCreate, path)
            }
            if Task.isCancelled { throw FileWriteError(kind: .cancelled, path: path, reason: "cancelled") }
            WorkPulse.beat()
            try waiting()
            usleep(20_000)
        }
    }

    /// Opens an existing file to change it in place.
    init(changing path: String) throws(FileWriteError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileWriteError.last(.cannotCreate, path) }
        self.init(descriptor: descriptor, path: path)
    }

    deinit { close(descriptor) }

    /// The file as the kernel names it while it has no other name.
    var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

    /// What it holds now, if it was opened for reading too.
    ///
    /// - Parameter limits: How much readers may take from it.
    func contents(limits: MediaLimits = MediaLimits()) throws(FileWriteError) -> RandomAccessFile {
        guard let file = RandomAccessFile(sharing: descriptor, limits: limits) else {
            throw FileWriteError.last(.writeFailed, path)
        }
        return file
    }

    /// Which version of the file is there now.
    func version() throws(FileWriteError) -> FileVersion {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileWriteError.last(.writeFailed, path) }
        return FileVersion(status)
    }

    /// Whether nobody of this package reads the file, nor will while it is open here.
    var excludesReaders: Bool { ReadLock.excludesReaders(descriptor) }

    /// Writes bytes where writing stopped last.
    package func write(_ bytes: some ContiguousBytes) throws(FileWriteError) {
        var position = 0
        let total = bytes.withUnsafeBytes(\.count)
        while position < total {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { systemWrite(descriptor, $0 + position, total - position) }
            }
            position += try advance(count ?? 0)
        }
    }

    /// Writes bytes at a position; a single page arrives whole even if the process is killed.
    func write(_ bytes: some ContiguousBytes, at position: UInt64) throws(FileWriteError) {
        var done = 0
        let total = bytes.withUnsafeBytes(\.count)
        guard let end = Int64(exactly: position), end <= Int64.max - Int64(total) else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "the position is beyond all limits")
        }
        while done < total {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map {
                    pwrite(descriptor, $0 + done, total - done, off_t(position) + off_t(done))
                }
            }
            done += try advance(count ?? 0)
        }
    }

    /// Copies a range of another file to where writing stopped last, within the
    /// kernel where that is possible.
    func copy(_ range: Range<UInt64>, of file: RandomAccessFile) throws(FileWriteError) {
        if let parts = file.parts(of: range) {
            guard parts.reduce(0, { $0 + $1.segment.byteCount }) == range.length else { throw shortSource }
            for part in parts { try write([part.segment], from: part.file) }
            return
        }
        var position = range.lowerBound
        if let source = file.descriptor {
            while position < range.upperBound {
                try checkCancellation()
                let count = avt_copy_range(
                    source, Int64(position), descriptor, Int(min(range.upperBound - position, 64 << 20)))
                // Some file systems cannot; at the end of a file cut short it copies nothing.
                if count <= 0 { break }
                WorkPulse.beat()
                position += UInt64(count)
            }
        }
        while position < range.upperBound {
            try checkCancellation()
            let bytes = file.read(at: position, count: Int(min(range.upperBound - position, 1 << 20)))
            guard !bytes.isEmpty else {
                try file.checkUnchanged(whileMaking: path)
                throw shortSource
            }
            try write(bytes)
            position += UInt64(bytes.count)
        }
    }

    /// Writes bytes and parts of a file to where writing stopped last.
    func write(_ segments: [FileRewrite.Segment], from file: RandomAccessFile) throws(FileWriteError) {
        for segment in segments {
            switch segment {
            case .bytes(let bytes): try write(bytes)
            case .source(let range): try copy(range, of: file)
            }
        }
    }

    /// Has the disk keep room for bytes that are going to be written, as far as the file system can tell; the length
    /// stays.
    ///
    /// - Throws: `FileWriteError` if there is no room; nothing is changed then.
    func reserve(_ range: Range<UInt64>) throws(FileWriteError) {
        guard let start = Int64(exactly: range.lowerBound), let count = Int64(exactly: range.length) else { return }
        while avt_reserve(descriptor, start, count) != 0 {
            switch errno {
            case EINTR: continue
            case ENOSPC, EDQUOT, EFBIG: throw FileWriteError.last(.writeFailed, path)
            // A file system that cannot reserve will say at the time of writing.
            default: return
            }
        }
    }

    /// Has the disk begin with some bytes, so that there is less to wait for later.
    func startWriteback(of range: Range<UInt64>) {
        avt_start_writeback(descriptor, Int64(range.lowerBound), Int64(range.length))
    }

    /// Sets where writing is to go on.
    func seek(to position: UInt64) throws(FileWriteError) {
        guard lseek(descriptor, off_t(position), SEEK_SET) >= 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Waits until the bytes are on the disk.
    func sync() throws(FileWriteError) {
        guard fdatasync(descriptor) == 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Sets the file's length.
    func truncate(to length: UInt64) throws(FileWriteError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Sets permissions, owner and extended attributes to those of another
    /// file, as far as allowed.
    func takeOverAttributes(of model: String) {
        var status = stat()
        guard stat(model, &status) == 0 else { return }
        takeOverOwner(of: status)
        avt_copy_extended_attributes(model, descriptor)
    }

    /// Sets permissions and owner to those of another file, as far as allowed.
    ///
    /// Whose file it is to be executed as is not kept: the kernel takes that from a file that is written to as well.
    func takeOverOwner(of status: stat) {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o1777)
    }

    private func checkCancellation() throws(FileWriteError) {
        if Task.isCancelled { throw FileWriteError(kind: .cancelled, path: path, reason: "cancelled") }
    }

    private var shortSource: FileWriteError {
        FileWriteError(kind: .writeFailed, path: path, reason: "the source became shorter meanwhile")
    }

    /// What a write did, or the error it met.
    private func advance(_ count: Int) throws(FileWriteError) -> Int {
        WorkPulse.beat()
        guard count <= 0 else { return count }
        switch count < 0 ? errno : EIO {
        case EINTR: return 0
        case EAGAIN:
            // A reader that takes its time.
            try checkCancellation()
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&wanted, 1, 100)
            return 0
        case EPIPE: throw FileWriteError(kind: closedKind, path: path, reason: "nobody reads from it any more")
        default: throw FileWriteError.last(.writeFailed, path)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Renames a file unless the new name is taken.
func renameToNew(_ old: String, _ new: String) -> Bool { avt_rename_to_new(old, new) == 0 }

/// A file could not be written; nothing is left under its name.
public struct FileWriteError: BridgedError, LocalizedError {
    /// What went wrong.
    public enum Kind: Sendable {
        /// There is a file of that name already.
        case exists
        /// The name is that of a file that the run reads.
        case isInput
        /// Another result of the run has that name.
        case isTaken
        /// The bytes would go to a terminal.
        case isTerminal
        /// The folder does not exist or does not allow new files.
        case cannotCreate
        /// There is no room for it on the disk.
        case diskFull
        /// Writing failed half-way for another reason.
        case writeFailed
        /// Nobody reads from standard output any more.
        case outputClosed
        /// It would have more bytes than the limit on what is written.
        case tooLarge
        /// The task was cancelled half-way.
        case cancelled
        /// Another process is changing the file.
        case busy
    }

    /// What went wrong.
    public let kind: Kind
    /// The file's path.
    public let path: String
    /// The operating system's reason, or the library's, in one line.
    public let reason: String
    /// Makes an error.
    public init(kind: Kind, path: String, reason: String) { (self.kind, self.path, self.reason) = (kind, path, reason) }

    /// Path and reason.
    public var errorDescription: String? { "\(path): \(reason)" }

    /// The error for a name that is taken.
    static func alreadyThere(_ path: String) -> FileWriteError {
        FileWriteError(kind: .exists, path: path, reason: "the file exists already")
    }

    /// The error for the name of a file that the run reads.
    static func input(_ path: String) -> FileWriteError {
        FileWriteError(
            kind: .isInput, path: path.ofOutput, reason: "is an input of this run, which is never written over")
    }

    /// The error for a name that another result has.
    static func taken(_ path: String) -> FileWriteError {
        FileWriteError(kind: .isTaken, path: path.ofOutput, reason: "another result of this run has that name")
    }

    /// The error for bytes that no terminal can show.
    static func terminal(_ path: String) -> FileWriteError {
        FileWriteError(
            kind: .isTerminal, path: path.ofOutput,
            reason: "is a terminal, which cannot show such a file; name a file with -o, or redirect it")
    }

    /// The error for what has more bytes than may be written.
    package static func beyond(_ limit: UInt64, _ path: String) -> FileWriteError {
        FileWriteError(
            kind: .tooLarge, path: path.ofOutput, reason: "would be larger than the limit of \(limit) bytes")
    }

    /// The error for the operating system's last one.
    static func last(_ kind: Kind, _ path: String) -> FileWriteError {
        let code = errno
        return FileWriteError(
            kind: code == ENOSPC || code == EDQUOT ? .diskFull : kind, path: path,
            reason: String(cString: strerror(code)))
    }
}
