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
        /// The task was cancelled half-way.
        case cancelled
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

    /// The error for the operating system's last one.
    static func last(_ kind: Kind, _ path: String) -> FileWriteError {
        let code = errno
        return FileWriteError(
            kind: code == ENOSPC || code == EDQUOT ? .writeFailed : kind, path: path,
            reason: String(cString: strerror(code)))
    }
}

/// Writes files that appear whole or not at all.
public enum AtomicFile {
    /// Writes data to a path.
    ///
    /// - Parameter replaces: Whether an existing file may be replaced.
    public static func write(_ data: Data, to path: String, replaces: Bool) throws(FileWriteError) {
        try write(to: path, replaces: replaces) { output throws(FileWriteError) in
            try output.write(data)
        }
    }

    /// Makes a file of what a closure writes.
    ///
    /// The bytes go to an unnamed file in the same folder, which gets its name
    /// only when it is complete; where the file system has no unnamed files, to
    /// a temporary name that is removed on failure.
    ///
    /// - Parameters:
    ///   - replaces: Whether an existing file may be replaced.
    ///   - model: A file whose permissions, owner and times of access the new one
    ///     takes over as far as allowed.
    ///   - isSynced: Whether the bytes reach the disk before the file gets its name.
    package static func write(
        to path: String, replaces: Bool, like model: String? = nil, isSynced: Bool = false,
        _ body: (borrowing OutputFile) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        if !replaces, access(path, F_OK) == 0 {
            throw FileWriteError(kind: .exists, path: path, reason: "the file exists already")
        }
        let folder = folder(of: path)
        let unnamed = open(folder, unnamedFile | O_WRONLY | O_CLOEXEC, 0o666)
        if unnamed >= 0 {
            let output = OutputFile(descriptor: unnamed, path: path)
            try fill(output, like: model, isSynced: isSynced, body)
            try name("/proc/self/fd/\(unnamed)", path, replaces: replaces)
        } else {
            let temporary = temporaryName(for: path)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw FileWriteError.last(.cannotCreate, path) }
            let output = OutputFile(descriptor: descriptor, path: path)
            defer { unlink(temporary) }
            try fill(output, like: model, isSynced: isSynced, body)
            try name(temporary, path, replaces: replaces)
        }
        if isSynced { syncFolder(folder) }
    }

    private static func fill(
        _ output: borrowing OutputFile, like model: String?, isSynced: Bool,
        _ body: (borrowing OutputFile) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        try body(output)
        if let model { output.takeOverAttributes(of: model) }
        if isSynced { try output.sync() }
    }

    /// `O_TMPFILE`, a macro that the importer cannot read: `__O_TMPFILE | O_DIRECTORY`.
    private static let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY

    /// Gives a complete file its name.
    private static func name(_ source: String, _ path: String, replaces: Bool) throws(FileWriteError) {
        if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return }
        guard errno == EEXIST else { throw FileWriteError.last(.cannotCreate, path) }
        guard replaces else { throw FileWriteError(kind: .exists, path: path, reason: "the file exists already") }
        // A link cannot replace; a rename can, and does so in one step.
        let second = temporaryName(for: path)
        guard linkat(AT_FDCWD, source, AT_FDCWD, second, AT_SYMLINK_FOLLOW) == 0 else {
            throw FileWriteError.last(.cannotCreate, path)
        }
        guard rename(second, path) == 0 else {
            let error = FileWriteError.last(.cannotCreate, path)
            unlink(second)
            throw error
        }
    }

    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private static func temporaryName(for path: String) -> String {
        folder(of: path) + "/.avtool-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).tmp"
    }
}
