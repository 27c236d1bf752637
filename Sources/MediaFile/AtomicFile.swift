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
        /// There is no room for it on the disk.
        case diskFull
        /// Writing failed half-way for another reason.
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

    /// The error for a name that is taken.
    static func alreadyThere(_ path: String) -> FileWriteError {
        FileWriteError(kind: .exists, path: path, reason: "the file exists already")
    }

    /// The error for the operating system's last one.
    static func last(_ kind: Kind, _ path: String) -> FileWriteError {
        let code = errno
        return FileWriteError(
            kind: code == ENOSPC || code == EDQUOT ? .diskFull : kind, path: path,
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
        let file = try PendingFile(for: path, replaces: replaces)
        try file.fill(body)
        if let model { file.takeOverAttributes(of: model) }
        try file.complete(isSynced: isSynced)
    }
}
