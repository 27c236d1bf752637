public import Foundation
public import MediaCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
