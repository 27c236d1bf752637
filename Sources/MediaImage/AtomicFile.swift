public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file could not be written; nothing is left under its name.
public struct FileWriteError: Error, LocalizedError, Sendable {
    /// What went wrong.
    public enum Kind: Sendable {
        /// There is a file of that name already.
        case exists
        /// The folder does not exist or does not allow new files.
        case cannotCreate
        /// Writing failed half-way: a full disk, for example.
        case writeFailed
    }

    /// What went wrong.
    public let kind: Kind
    /// The file's path.
    public let path: String
    /// The operating system's reason.
    public let reason: String
    /// Makes an error.
    public init(kind: Kind, path: String, reason: String) { (self.kind, self.path, self.reason) = (kind, path, reason) }

    /// Path and reason.
    public var errorDescription: String? { "\(path): \(reason)" }
}

/// Writes files that appear whole or not at all.
public enum AtomicFile {
    /// Writes data to a path.
    ///
    /// The bytes go to an unnamed file in the same folder, which gets its name
    /// only when it is complete; where the file system has no unnamed files, to
    /// a temporary name that is removed on failure.
    ///
    /// - Parameter replaces: Whether an existing file may be replaced.
    public static func write(_ data: Data, to path: String, replaces: Bool) throws(FileWriteError) {
        if !replaces, access(path, F_OK) == 0 {
            throw FileWriteError(kind: .exists, path: path, reason: "the file exists already")
        }
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, unnamedFile | O_WRONLY | O_CLOEXEC, 0o666)
        if descriptor >= 0 {
            defer { close(descriptor) }
            try writeAll(data, to: descriptor, path: path)
            try name("/proc/self/fd/\(descriptor)", path, replaces: replaces)
        } else {
            try writeThroughTemporaryName(data, path: path, replaces: replaces)
        }
    }

    /// `O_TMPFILE`, a macro that the importer cannot read: `__O_TMPFILE | O_DIRECTORY`.
    private static let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY

    private static func writeThroughTemporaryName(
        _ data: Data, path: String, replaces: Bool
    ) throws(FileWriteError) {
        let temporary = temporaryName(for: path)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(.cannotCreate, path) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        try writeAll(data, to: descriptor, path: path)
        try name(temporary, path, replaces: replaces)
    }

    /// Gives a complete file its name.
    private static func name(_ source: String, _ path: String, replaces: Bool) throws(FileWriteError) {
        if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return }
        guard errno == EEXIST else { throw failure(.cannotCreate, path) }
        guard replaces else { throw FileWriteError(kind: .exists, path: path, reason: "the file exists already") }
        // A link cannot replace; a rename can, and does so in one step.
        let second = temporaryName(for: path)
        guard linkat(AT_FDCWD, source, AT_FDCWD, second, AT_SYMLINK_FOLLOW) == 0 else {
            throw failure(.cannotCreate, path)
        }
        guard rename(second, path) == 0 else {
            let error = failure(.cannotCreate, path)
            unlink(second)
            throw error
        }
    }

    private static func writeAll(_ data: Data, to descriptor: Int32, path: String) throws(FileWriteError) {
        var position = 0
        while position < data.count {
            let written = data.withUnsafeBytes { bytes -> Int in
                guard let base = bytes.baseAddress else { return -1 }
                return unistdWrite(descriptor, base + position, bytes.count - position)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(.writeFailed, path) }
            position += written
        }
    }

    private static func unistdWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #else
            Musl.write(descriptor, bytes, count)
        #endif
    }

    private static func temporaryName(for path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        let name = ".avtool-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).tmp"
        return folder.isEmpty ? name : folder + "/" + name
    }

    private static func failure(_ kind: FileWriteError.Kind, _ path: String) -> FileWriteError {
        let reason = String(cString: strerror(errno))
        return FileWriteError(kind: errno == ENOSPC ? .writeFailed : kind, path: path, reason: reason)
    }
}
