internal import Foundation

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
    case checkAreNoInputs(paths: [String])

    // MARK: Results
    case newFile(place: Int, temporaryFolder: String?)
    /// A place and a new file for it in one.
    case create(path: String, replaces: Bool, makesFolder: Bool)
    case newFolder(place: Int, ReplaceableFolder)
    case newFileInFolder(folder: Int, name: String)
    /// A file of a new folder that is complete, to read.
    case openInFolder(folder: Int, name: String)
    case link(folder: Int, name: String, other: String)
    case complete(Int, isSynced: Bool)
    case discard(Int)

    /// The right to change a file that the command line allows to be changed, until it is given back or the file has
    /// its new version; the open file may come with the answer.
    case lock(path: String)
    case unlock(path: String)
    /// A new version of a file that the command line allows to be changed; its bytes go along.
    case rewrite(path: String, FileVersion, [Segment], [Change]?)

    /// A part of a new version.
    package enum Segment: Sendable {
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

/// How files are opened: by the process itself, or by a broker on its behalf.
///
/// A value that is handed to whatever opens files by name: nothing else in the package decides who does it.
package struct FileAccess: Sendable {
    /// The process opens files itself.
    package static let direct = FileAccess(broker: nil, passFolder: nil)

    /// The broker; `nil` for a process that opens files itself.
    let broker: (any FileBroker)?
    /// What names of files begin with that no file system has, but that encoders of the process can open to keep a log
    /// between two passes; `nil` where they have a folder.
    package let passFolder: String?

    private init(broker: (any FileBroker)?, passFolder: String?) {
        (self.broker, self.passFolder) = (broker, passFolder)
    }

    /// Files are opened by a broker.
    package init(through broker: any FileBroker, passFolder: String? = nil) {
        self.init(broker: broker, passFolder: passFolder)
    }

    /// Whether a broker opens files for the process.
    package var isBrokered: Bool { broker != nil }

    /// Opens a file to read.
    ///
    /// - Returns: The descriptor, which is the caller's; below zero with `errno`.
    package func open(_ path: String, _ flags: Int32) -> Int32 {
        guard let broker else { return MediaIO.open(path, flags) }
        // What this process has open itself, under the name that the kernel gives it.
        if let own = path.ownDescriptor, !broker.isInput(path) { return fcntl(own, F_DUPFD_CLOEXEC, 0) }
        return broker.open(path, flags)
    }

    /// Opens what is read as media: until it is closed, nothing of this package changes it.
    func openSource(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = open(path, flags)
        // A broker has done so, where it is not going to change the file itself.
        if descriptor >= 0, broker == nil { ReadLock.take(descriptor) }
        return descriptor
    }

    /// What `stat` says of a path.
    ///
    /// - Returns: Zero, or below zero with `errno`.
    func status(of path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
        if let broker, path.dependsOnProcess, broker.isInput(path) { return broker.status(of: path, status) }
        return stat(path, status)
    }

    /// An open file that has no name; below zero with `errno`.
    package func temporaryFile() -> Int32 {
        guard let broker else { return PipeSpool.unnamedFile() }
        switch broker.answer(to: .temporaryFile, []) {
        case (.opened, let descriptor?): return descriptor
        case (.systemError(let code), _): errno = code
        default: errno = EACCES
        }
        return -1
    }
}

extension String {
    /// The open file of this process that a path such as `/proc/self/fd/5` stands for.
    fileprivate var ownDescriptor: Int32? {
        let prefix = "/proc/self/fd/"
        return hasPrefix(prefix) ? Int32(dropFirst(prefix.count)).flatMap { $0 >= 0 ? $0 : nil } : nil
    }

    /// Whether a path leads to something else in another process.
    fileprivate var dependsOnProcess: Bool { hasPrefix("/dev/") || hasPrefix("/proc/") }
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

// What goes between a process and its broker, as bytes.

extension FileCall: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .open(let path, let flags):
            message.put(0)
            message.put(path)
            message.put(flags)
        case .status(let path):
            message.put(1)
            message.put(path)
        case .temporaryFile: message.put(2)
        case .place(let path, let replaces, let makesFolder, let isFolder):
            message.put(3)
            message.put(path)
            for flag in [replaces, makesFolder, isFolder] { message.put(flag) }
        case .check(let path, let replaces):
            message.put(4)
            message.put(path)
            message.put(replaces)
        case .checkAreNoInputs(let paths):
            message.put(5)
            message.put(paths)
        case .newFile(let place, let folder):
            message.put(6)
            message.put(place)
            message.put(folder) { $0.put($1) }
        case .newFolder(let place, let kind):
            message.put(7)
            message.put(place)
            message.put(kind.rawValue)
        case .newFileInFolder(let folder, let name):
            message.put(8)
            message.put(folder)
            message.put(name)
        case .openInFolder(let folder, let name):
            message.put(9)
            message.put(folder)
            message.put(name)
        case .link(let folder, let name, let other):
            message.put(10)
            message.put(folder)
            message.put(name)
            message.put(other)
        case .complete(let number, let isSynced):
            message.put(11)
            message.put(number)
            message.put(isSynced)
        case .discard(let number):
            message.put(12)
            message.put(number)
        case .rewrite(let path, let version, let pieces, let changes):
            message.put(13)
            message.put(path)
            message.put(version)
            message.put(list: pieces) { $0.put($1) }
            message.put(changes) { $0.put(list: $1) { $0.put($1) } }
        case .lock(let path):
            message.put(14)
            message.put(path)
        case .unlock(let path):
            message.put(15)
            message.put(path)
        case .create(let path, let replaces, let makesFolder):
            message.put(16)
            message.put(path)
            for flag in [replaces, makesFolder] { message.put(flag) }
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .open(path: try message.text(), flags: try message.integer())
        case 1: self = .status(path: try message.text())
        case 2: self = .temporaryFile
        case 3:
            self = .place(
                path: try message.text(), replaces: try message.flag(), makesFolder: try message.flag(),
                isFolder: try message.flag())
        case 4: self = .check(path: try message.text(), replaces: try message.flag())
        case 5: self = .checkAreNoInputs(paths: try message.texts())
        case 6:
            self = .newFile(
                place: try message.integer(),
                temporaryFolder: try message.optional { message throws(MessageError) in try message.text() })
        case 7:
            let place = try message.integer(Int.self)
            guard let kind = ReplaceableFolder(rawValue: try message.text()) else { throw MessageError() }
            self = .newFolder(place: place, kind)
        case 8: self = .newFileInFolder(folder: try message.integer(), name: try message.text())
        case 9: self = .openInFolder(folder: try message.integer(), name: try message.text())
        case 10:
            self = .link(folder: try message.integer(), name: try message.text(), other: try message.text())
        case 11: self = .complete(try message.integer(), isSynced: try message.flag())
        case 12: self = .discard(try message.integer())
        case 13:
            self = .rewrite(
                path: try message.text(), try message.value(),
                try message.list { message throws(MessageError) in try message.value() },
                try message.optional { message throws(MessageError) in
                    try message.list { message throws(MessageError) in try message.value() }
                })
        case 14: self = .lock(path: try message.text())
        case 15: self = .unlock(path: try message.text())
        case 16:
            self = .create(path: try message.text(), replaces: try message.flag(), makesFolder: try message.flag())
        default: throw MessageError()
        }
    }
}

extension FileCall.Segment: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .bytes(let count):
            message.put(0)
            message.put(count)
        case .source(let range):
            message.put(1)
            message.put(range.lowerBound)
            message.put(range.upperBound)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .bytes(try message.integer())
        case 1: self = .source(try Range(from: &message))
        default: throw MessageError()
        }
    }
}

extension FileCall.Change: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .prepare(let count, let position):
            message.put(0)
            message.put(count)
            message.put(position)
        case .commit(let count, let position):
            message.put(1)
            message.put(count)
            message.put(position)
        case .truncate(let length):
            message.put(2)
            message.put(length)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .prepare(try message.integer(), at: try message.integer())
        case 1: self = .commit(try message.integer(), at: try message.integer())
        case 2: self = .truncate(try message.integer())
        default: throw MessageError()
        }
    }
}

extension FileAnswer: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .done: message.put(0)
        case .opened: message.put(1)
        case .systemError(let code):
            message.put(2)
            message.put(code)
        case .status(let bytes):
            message.put(3)
            message.put(bytes)
        case .place(let number, let target):
            message.put(4)
            message.put(number)
            message.put(target)
        case .made(let number):
            message.put(5)
            message.put(number)
        case .rewritten(let name):
            message.put(6)
            message.put(name)
        case .failed(let failure):
            message.put(7)
            message.put(failure)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .done
        case 1: self = .opened
        case 2: self = .systemError(try message.integer())
        case 3: self = .status(try message.list())
        case 4: self = .place(try message.integer(), try message.value())
        case 5: self = .made(try message.integer())
        case 6: self = .rewritten(try message.text())
        case 7: self = .failed(try message.value())
        default: throw MessageError()
        }
    }
}

extension FileAnswer.Failure: MessageValue {
    package func write(to message: inout MessageWriter) {
        for text in [kindName, path, reason] { message.put(text) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        (kindName, path, reason) = (try message.text(), try message.text(), try message.text())
    }
}

extension OutputTarget: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .file(let path):
            message.put(0)
            message.put(path)
        case .stream(let path):
            message.put(1)
            message.put(path)
        case .empty(let path):
            message.put(3)
            message.put(path)
        case .descriptor(let number):
            message.put(2)
            message.put(number)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .file(try message.text())
        case 1: self = .stream(try message.text())
        case 2: self = .descriptor(try message.integer())
        case 3: self = .empty(try message.text())
        default: throw MessageError()
        }
    }
}

extension FileVersion: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(device)
        message.put(inode)
        message.put(size)
        message.put(seconds)
        message.put(nanoseconds)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        (device, inode, size) = (try message.integer(), try message.integer(), try message.integer())
        (seconds, nanoseconds) = (try message.integer(), try message.integer())
    }
}

extension FileGrants: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(list: inputs) { $0.put($1) }
        message.put(list: nestedFolders) { $0.put($1) }
        message.put(list: results) { $0.put(list: $1.literals) { $0.put($1) } }
        message.put(list: changeable) { $0.put($1) }
        message.put(temporaryFolder) { $0.put($1) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        inputs = Set(try message.list { message throws(MessageError) in try message.text() })
        nestedFolders = try message.list { message throws(MessageError) in try message.text() }
        results = try message.list { message throws(MessageError) in
            ResultRule(literals: try message.list { message throws(MessageError) in try message.text() })
        }
        changeable = Set(try message.list { message throws(MessageError) in try message.text() })
        temporaryFolder = try message.optional { message throws(MessageError) in try message.text() }
    }
}
