internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What opens files for a process that may not, and gives its results their names.
///
/// A worker has one: what reads a stranger's bytes has no file but by its broker, which is in another process and
/// knows what the command line asked for.
package protocol FileBroker: Sendable {
    /// Asks for something, and waits for the answer.
    ///
    /// - Parameter bytes: What goes along that is no text.
    /// - Returns: The answer, and the open file that came with it, which is the caller's.
    func answer(to call: FileCall, _ bytes: [UInt8]) -> (FileAnswer, descriptor: Int32?)

    /// Whether a path is one that the command line names, and means what it means there.
    func isInput(_ path: String) -> Bool
}

/// What a process may ask its broker for.
package enum FileCall: Sendable {
    /// Open to read.
    case open(path: String, flags: Int32)
    /// What `stat` says of a path that means something else in each process.
    case status(path: String)
    /// An unnamed file that nobody else sees, in a folder for temporary ones.
    case temporaryFile

    // MARK: Names of results
    case place(path: String, replaces: Bool, makesFolder: Bool, isFolder: Bool)
    case check(path: String, replaces: Bool)
    case checkIsNoInput(path: String)

    // MARK: Results
    case newFile(place: Int, temporaryFolder: String?)
    case newFolder(place: Int, ReplaceableFolder)
    case newFileInFolder(folder: Int, name: String)
    /// A file of a new folder that is complete, to read.
    case openInFolder(folder: Int, name: String)
    case link(folder: Int, name: String, other: String)
    case complete(Int, isSynced: Bool)
    case discard(Int)

    /// The right to change a file that the command line allows to be changed, until it is given back.
    case lock(path: String)
    case unlock(path: String)
    /// A new version of a file that the command line allows to be changed; its bytes go along.
    case rewrite(path: String, FileVersion, [Piece], [Change]?)

    /// A part of a new version.
    package enum Piece: Sendable {
        case bytes(Int)
        case source(Range<UInt64>)
    }

    /// A step of a change in place.
    package enum Change: Sendable {
        case prepare(Int, at: UInt64)
        case commit(Int, at: UInt64)
        case truncate(UInt64)
    }
}

/// What a broker says.
package enum FileAnswer: Sendable {
    case done
    /// With an open file.
    case opened
    /// The operating system's error.
    case systemError(Int32)
    case status([UInt8])
    case place(Int, OutputTarget)
    case made(Int)
    /// How, by the name of a ``FileRewriteMethod``.
    case rewritten(String)
    case failed(Failure)

    /// A ``FileWriteError``.
    package struct Failure: Sendable {
        let kindName: String
        let path: String
        let reason: String

        init(_ error: FileWriteError) {
            (kindName, path, reason) = (String(describing: error.kind), error.path, error.reason)
        }

        private static let kinds: [FileWriteError.Kind] = [
            .exists, .isInput, .isTaken, .isTerminal, .cannotCreate, .diskFull, .writeFailed, .outputClosed,
            .tooLarge, .cancelled, .busy,
        ]

        var error: FileWriteError {
            let kind = Self.kinds.first { String(describing: $0) == kindName } ?? FileWriteError.Kind.writeFailed
            return FileWriteError(kind: kind, path: path, reason: reason)
        }
    }
}

/// Who opens files for this process.
package enum FileAccess {
    private static let held = Mutex<(any FileBroker)?>(nil)
    private static let passes = Mutex<String?>(nil)

    /// What names of files begin with that no file system has, but that encoders of this process can open to keep a
    /// log between two passes; `nil` where they have a folder.
    package static var passFolder: String? {
        get { passes.withLock { $0 } }
        set { passes.withLock { $0 = newValue } }
    }

    /// The broker; `nil` for a process that opens files itself.
    package static var broker: (any FileBroker)? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

extension FileBroker {
    /// - Returns: The descriptor; below zero with `errno`.
    func open(_ path: String, _ flags: Int32) -> Int32 {
        switch answer(to: .open(path: path, flags: flags), []) {
        case (.opened, let descriptor?): return descriptor
        case (.systemError(let code), _): errno = code
        default: errno = EACCES
        }
        return -1
    }

    func status(of path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
        switch answer(to: .status(path: path), []).0 {
        case .status(let bytes) where bytes.count == MemoryLayout<stat>.size:
            withUnsafeMutableBytes(of: &status.pointee) { $0.copyBytes(from: bytes) }
            return 0
        case .systemError(let code): errno = code
        default: errno = EACCES
        }
        return -1
    }

    /// The number of what was made, and the open file where it is one.
    func made(_ call: FileCall, for path: String) throws(FileWriteError) -> (Int, descriptor: Int32?) {
        let (answer, descriptor) = answer(to: call, [])
        guard case .made(let number) = answer else { throw Self.failure(answer, path) }
        return (number, descriptor)
    }

    func done(_ call: FileCall, for path: String) throws(FileWriteError) {
        let answer = answer(to: call, []).0
        guard case .done = answer else { throw Self.failure(answer, path) }
    }

    static func failure(_ answer: FileAnswer, _ path: String) -> FileWriteError {
        switch answer {
        case .failed(let failure): return failure.error
        case .systemError(let code):
            errno = code
            return FileWriteError.last(.cannotCreate, path)
        default: return FileWriteError(kind: .cannotCreate, path: path, reason: "it is not allowed here")
        }
    }
}
