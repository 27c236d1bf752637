internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Why a pipe could not be read.
package struct PipeError: Error, Sendable {
    package enum Kind: Sendable { case cannotOpen, readFailed, tooLarge, silent, storageFailed, stopped }

    package let kind: Kind
    package let reason: String
}

/// A pipe whose bytes can be read more than once: what came through it is kept
/// in an unnamed temporary file.
///
/// No more is taken from the pipe than was asked for. Several threads may read;
/// one at a time waits for the pipe.
package final class PipeSpool: Sendable {
    private struct State {
        var byteCount: UInt64 = 0
        var isComplete = false
    }

    private let source: Int32
    private let copy: Int32
    private let limits: MediaLimits
    private let state = Mutex(State())
    /// Held by whoever takes bytes out of the pipe.
    private let pulling = Mutex(())

    /// Bytes taken from the pipe in one go.
    private static let partByteCount = 1 << 18

    /// Whether a path leads to a pipe, or to a socket that is open already.
    package static func isPipe(_ path: String, access: FileAccess = .direct) -> Bool {
        var status = stat()
        return access.status(of: path, &status) == 0 && isPipe(path, status)
    }

    static func isPipe(_ path: String, _ status: stat) -> Bool {
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFSOCK && descriptor(of: path) != nil
    }

    /// Opens a pipe and reads nothing yet.
    ///
    /// - Parameter limits: How many bytes may come through it, and how long none may come.
    package init(path: String, limits: MediaLimits, access: FileAccess = .direct) throws(PipeError) {
        // Without O_NONBLOCK, opening a pipe waits for its writer beyond any interruption.
        let own = access.broker == nil ? Self.descriptor(of: path) : nil
        let source = own.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? access.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw PipeError(kind: .cannotOpen, reason: String(cString: strerror(errno))) }
        let folder = Self.folder
        let copy = access.temporaryFile()
        guard copy >= 0 else {
            let reason = "\(folder): \(String(cString: strerror(errno)))"
            close(source)
            throw PipeError(kind: .storageFailed, reason: reason)
        }
        (self.source, self.copy) = (source, copy)
        self.limits = limits
    }

    deinit {
        close(source)
        close(copy)
    }

    /// Whether all that the pipe gives has come.
    package var isComplete: Bool { state.withLock { $0.isComplete } }

    /// What has come so far, open by itself.
    package var contents: RandomAccessFile? { RandomAccessFile(sharing: copy, limits: limits) }

    /// Whether a byte is here already, so that reading it waits for nobody.
    package func holds(_ position: UInt64) -> Bool {
        state.withLock { $0.isComplete || position < $0.byteCount }
    }

    /// Reads bytes from a position, waiting for them if need be.
    ///
    /// - Parameter shouldStop: Asked every now and then while waiting.
    /// - Returns: How many; 0 only at the end.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at position: UInt64, shouldStop: () -> Bool
    ) throws(PipeError) -> Int {
        try pull(shouldStop) { $0.byteCount > position }
        guard let base = buffer.baseAddress, position <= UInt64(Int64.max) else { return 0 }
        while true {
            let count = pread(copy, base, buffer.count, off_t(position))
            if count >= 0 { return count }
            guard errno == EINTR else { throw storageFailure() }
        }
    }

    /// Waits until a number of bytes has come, or the end.
    package func fill(upTo count: UInt64, shouldStop: () -> Bool) throws(PipeError) {
        try pull(shouldStop) { $0.byteCount >= count }
    }

    /// Takes all that the pipe gives.
    package func fill(shouldStop: () -> Bool) throws(PipeError) { try pull(shouldStop) { _ in false } }

    // MARK: Taking bytes

    private func pull(_ shouldStop: () -> Bool, until isEnough: (State) -> Bool) throws(PipeError) {
        if isDone(isEnough) { return }
        let failure: PipeError? = pulling.withLock { _ in
            withUnsafeTemporaryAllocation(byteCount: Self.partByteCount, alignment: 16) { buffer in
                var lastCame = ContinuousClock.now
                while !isDone(isEnough) {
                    let before = state.withLock { $0.byteCount }
                    if let failure = takePart(buffer, shouldStop) { return failure }
                    if state.withLock({ $0.byteCount }) > before {
                        lastCame = .now
                    } else if ContinuousClock.now - lastCame > limits.time {
                        return PipeError(kind: .silent, reason: "nothing came through the pipe for \(limits.time)")
                    }
                }
                return nil
            }
        }
        if let failure { throw failure }
    }

    private func isDone(_ isEnough: (State) -> Bool) -> Bool {
        state.withLock { $0.isComplete || isEnough($0) }
    }

    private func takePart(_ buffer: UnsafeMutableRawBufferPointer, _ shouldStop: () -> Bool) -> PipeError? {
        if shouldStop() { return PipeError(kind: .stopped, reason: "cancelled") }
        // A pipe has a limit of its own on how long it may give nothing.
        WorkPulse.beat()
        var waiting = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 50) > 0 else { return nil }
        let count = systemRead(source, buffer)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return nil }
            return PipeError(kind: .readFailed, reason: String(cString: strerror(errno)))
        }
        guard count > 0 else {
            state.withLock { $0.isComplete = true }
            return nil
        }
        return keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> PipeError? {
        let begin = state.withLock { $0.byteCount }
        guard begin + UInt64(bytes.count) <= UInt64(limits.pipeSize) else {
            return PipeError(
                kind: .tooLarge, reason: "more bytes came through the pipe than the limit of \(limits.pipeSize)")
        }
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = pwrite(copy, base + done, bytes.count - done, off_t(begin) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return storageFailure() }
            done += count
        }
        state.withLock { $0.byteCount = begin + UInt64(bytes.count) }
        return nil
    }

    private func storageFailure() -> PipeError {
        PipeError(kind: .storageFailed, reason: "the temporary copy of the pipe: \(String(cString: strerror(errno)))")
    }

    // MARK: Descriptors

    /// The open file that a path such as `/dev/stdin` or `/dev/fd/63` stands for.
    private static func descriptor(of path: String) -> Int32? {
        if path == "/dev/stdin" { return 0 }
        for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
            return Int32(path.dropFirst(prefix.count)).flatMap { $0 >= 0 ? $0 : nil }
        }
        return nil
    }

    private static var folder: String {
        ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// An open file that has no name; below zero with `errno`.
    static func unnamedFile() -> Int32 {
        let folder = folder
        // `O_TMPFILE`, a macro that the importer cannot read: `__O_TMPFILE | O_DIRECTORY`.
        let unnamed = open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        guard unnamed < 0 else { return unnamed }
        let name = folder + "/.avtool-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).tmp"
        let named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if named >= 0 { unlink(name) }
        return named
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
