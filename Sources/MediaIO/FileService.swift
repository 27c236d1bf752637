internal import CLinux
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Answers the calls of one worker, which nobody trusts any more once it has read a stranger's file.
package final class FileService: Sendable {
    private enum Made {
        case place(OutputPlace)
        /// Of a place, or within a folder if that is `nil`.
        case file(PendingFile, place: Int?)
        case folder(PendingFolder)
    }

    private struct State {
        var made: [Int: Made] = [:]
        /// How many of them are files.
        var openCount = 0
        var count = 0
        /// How many there were when the file was begun that is worked on.
        var countBefore = 0
        /// Whether anything of that file is complete.
        var hasCompleted = false
        /// What the marks of that file's results say; `nil` if they get none.
        var key: String?
        /// How many of them have one, and that of the last.
        var markCount = 0
        var lastMarked: MarkedResult?
        /// Whether a mark was not kept.
        var lacksMarks = false
        /// The right to change files, by their paths.
        var locks: [String: EditLock] = [:]
        /// Open files, by the paths of inputs: what a name leads to stays the same while a file is worked on.
        var sources: [String: Int32] = [:]

        mutating func closeSources() {
            for descriptor in sources.values { close(descriptor) }
            sources = [:]
        }
    }

    private let grants: FileGrants
    private let run: RunFiles
    private let isInterrupted: @Sendable () -> Bool
    /// Whether results of another run that were made of the same stay, and count as made.
    private let resumes: Bool
    /// Owned by the one thread that serves the worker.
    private nonisolated(unsafe) var state = State()

    /// - Parameters:
    ///   - run: The files of the whole command, of which others may be served too.
    ///   - resumes: Whether results of another run that have the mark that they would get stay, and count as made.
    ///   - isInterrupted: Whether to stop writing into a stream.
    package init(
        _ grants: FileGrants, run: RunFiles, resumes: Bool = false, isInterrupted: @escaping @Sendable () -> Bool
    ) {
        (self.grants, self.run, self.resumes, self.isInterrupted) = (grants, run, resumes, isInterrupted)
    }

    /// More places and pending files than any command has at a time; what is complete is not counted any more.
    private static let maximumCount = 10_000
    /// Files that are written to at a time; each is open in this process, which serves others too.
    private static let maximumOpenCount = 256

    deinit { state.closeSources() }

    /// Does what is asked, if it is allowed.
    ///
    /// One thread at a time may ask.
    ///
    /// - Returns: The answer, and an open file for the worker, which the caller closes once it is sent.
    package func answer(_ call: FileCall, _ bytes: [UInt8]) -> (FileAnswer, descriptor: Int32?) {
        do {
            return try answered(call, bytes)
        } catch let error as FileWriteError {
            return (.failed(.init(error)), nil)
        } catch {
            return (.systemError(EACCES), nil)
        }
    }

    /// The worker begins with a file.
    ///
    /// - Parameter key: What the marks of its results are to say; `nil` if they get none.
    package func beginFile(_ key: @autoclosure () -> String? = nil) {
        (state.countBefore, state.hasCompleted) = (state.count, false)
        (state.markCount, state.lastMarked) = (0, nil)
        state.locks = [:]
        state.closeSources()
        state.key = key()
    }

    /// The worker has done all work on a file: its results are what they are to be.
    ///
    /// - Returns: Whether their marks say so.
    package func endFile() -> Bool {
        state.lastMarked?.setCount(state.markCount) != false && !state.lacksMarks
    }

    /// Says of a result what it is made of.
    ///
    /// - Parameters:
    ///   - descriptor: The result's, which has no name yet.
    ///   - path: The name that it will have.
    private func mark(_ descriptor: Int32, _ path: String) {
        guard let key = state.key else { return }
        if let marked = MarkedResult(marking: descriptor, with: key, at: path) {
            state.markCount += 1
            state.lastMarked = marked
        } else {
            state.lacksMarks = true
        }
    }

    /// Does what a file may be in the way of; once more if that turns out to be the same result, of another run.
    ///
    /// Asked for beforehand, that run could still make it just while it is found out whether there is something.
    ///
    /// - Parameter body: Is told whether the same result is there.
    private func passingOverMade<Result>(
        _ path: String, _ body: (_ isMade: Bool) throws(FileWriteError) -> Result
    ) throws(FileWriteError) -> Result {
        do {
            return try body(false)
        } catch {
            guard error.kind == .exists, made(path) != nil else { throw error }
            return try body(true)
        }
    }

    /// Begins a result that is to have a place.
    private func begin<Result>(
        at place: OutputPlace, _ make: (OutputPlace) throws(FileWriteError) -> Result
    ) throws(FileWriteError) -> Result {
        try passingOverMade(place.path) { isMade throws(FileWriteError) in
            var place = place
            place.passesOverMade = isMade
            return try make(place)
        }
    }

    /// Gives a result its name, unless an earlier run, or another at the same time, has given that to the same result:
    /// that one stays.
    private func unlessMade(
        _ path: String, _ complete: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        if adopt(path) { return }
        do {
            try complete()
        } catch {
            guard error.kind == .exists, adopt(path) else { throw error }
        }
    }

    /// Takes a result that is there for the one that was made.
    ///
    /// - Returns: Whether it was made of the same in the same way.
    private func adopt(_ path: String) -> Bool {
        guard let result = made(path) else { return false }
        state.lastMarked = result
        return true
    }

    /// The result of another run that is there, if it was made of the same in the same way.
    private func made(_ path: String) -> MarkedResult? {
        guard resumes, let key = state.key, let result = MarkedResult(at: path) else { return nil }
        return result.mark.key == key ? result : nil
    }

    /// Takes back all that was made for the file that is worked on, and the names that were given for that, unless
    /// something is complete.
    ///
    /// - Returns: Whether there is nothing left of it.
    package func withdraw() -> Bool {
        guard !state.hasCompleted else { return false }
        for number in state.made.keys where number > state.countBefore {
            if case .place(let place) = remove(number) { run.withdraw(place) }
        }
        return true
    }

    private func answered(_ call: FileCall, _ bytes: [UInt8]) throws -> (FileAnswer, descriptor: Int32?) {
        switch call {
        case .open(let path, let flags): return open(path, flags)
        case .status(let path): return (status(path), nil)
        case .temporaryFile: return opened(FileAccess.direct.temporaryFile())
        case .place(let path, let replaces, let makesFolder, let isFolder):
            let place = try place(path, replaces: replaces, makesFolder: makesFolder, isFolder: isFolder)
            return (.place(try add(.place(place)), place.target), nil)
        case .create(let path, let replaces, let makesFolder):
            let place = try place(path, replaces: replaces, makesFolder: makesFolder, isFolder: false)
            return try newFile(at: place, try add(.place(place)), temporaryFolder: nil)
        case .check(let path, let replaces):
            try checkResult(path)
            try passingOverMade(path) { isMade throws(FileWriteError) in
                try run.check(path, replaces: replaces || isMade)
            }
            return (.done, nil)
        case .checkAreNoInputs(let paths):
            for path in paths { try checkResult(path) }
            try run.checkAreNoInputs(paths)
            return (.done, nil)
        case .newFile(let number, let folder):
            guard case .place(let place) = state.made[number], folder == nil || folder == grants.temporaryFolder else {
                throw Refused()
            }
            return try newFile(at: place, number, temporaryFolder: folder)
        case .newFolder(let number, let kind):
            guard case .place(let place) = state.made[number] else { throw Refused() }
            let folder = try begin(at: place) { place throws(FileWriteError) in
                try PendingFolder(for: place, as: kind)
            }
            return (.made(try add(.folder(folder))), nil)
        case .newFileInFolder(let number, let name):
            let file = try folder(number, name).file(name)
            return (.made(try add(.file(file, place: nil))), shared(file.descriptor))
        case .openInFolder(let number, let name): return try folder(number, name).opened(name)
        case .link(let number, let name, let other):
            _ = try folder(number, name)
            try folder(number, other).link(name, as: other)
            return (.done, nil)
        case .complete(let number, let isSynced):
            try complete(number, isSynced: isSynced)
            return (.done, nil)
        case .discard(let number):
            _ = remove(number)
            return (.done, nil)
        case .lock(let path):
            guard grants.changeable.contains(path) else { throw Refused() }
            // What cannot be read is told by who reads it.
            guard access(path, R_OK) == 0 else { return (.done, nil) }
            state.locks[path] = try EditLock(changing: path) { () throws(FileWriteError) in
                guard isInterrupted() else { return }
                throw FileWriteError(kind: .cancelled, path: path, reason: "cancelled")
            }
            return (.done, state.locks[path]?.contents?.duplicate())
        case .unlock(let path):
            state.locks[path] = nil
            return (.done, nil)
        case .rewrite(let path, let version, let pieces, let changes):
            return (.rewritten(try rewrite(path, version, pieces, changes, bytes).rawValue), nil)
        }
    }

    private struct Refused: Error {}

    private func add(_ made: Made) throws -> Int {
        guard state.made.count < Self.maximumCount else { throw Refused() }
        if case .file = made {
            guard state.openCount < Self.maximumOpenCount else { throw Refused() }
            state.openCount += 1
        }
        state.count += 1
        state.made[state.count] = made
        return state.count
    }

    private func remove(_ number: Int) -> Made? {
        let made = state.made.removeValue(forKey: number)
        if case .file = made { state.openCount -= 1 }
        return made
    }

    // MARK: Reading

    private func opened(_ descriptor: Int32) -> (FileAnswer, descriptor: Int32?) {
        descriptor >= 0 ? (.opened, descriptor) : (.systemError(errno), nil)
    }

    private func shared(_ descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    private func open(_ path: String, _ flags: Int32) -> (FileAnswer, descriptor: Int32?) {
        let harmless = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let flags = flags & harmless | O_RDONLY | O_CLOEXEC | O_NOCTTY
        if grants.inputs.contains(path), !grants.changeable.contains(path) { return opened(openInput(path, flags)) }
        if isReadable(path) || grants.results.contains(where: { $0.allows(path) }) {
            return opened(MediaIO.open(path, flags))
        }
        // Of a folder that is a result, the file that says what it is.
        if path.lastComponent == ReplaceableFolder.storyboard.marker,
            grants.results.contains(where: { $0.allows(path.parentFolder) })
        {
            return opened(MediaIO.open(path, flags))
        }
        return openNested(path, flags)
    }

    /// More are not held open for the time that a file is worked on.
    private static let maximumSourceCount = 64

    /// Opens an input: the same file each time, whatever has taken its name meanwhile.
    private func openInput(_ path: String, _ flags: Int32) -> Int32 {
        if let held = state.sources[path], let again = shared(held) { return again }
        let descriptor = FileAccess.direct.openSource(path, flags)
        var status = stat()
        if descriptor >= 0, state.sources.count < Self.maximumSourceCount,
            fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let held = shared(descriptor)
        {
            state.sources[path] = held
        }
        return descriptor
    }

    /// An input that is a regular file, opened before the worker asks for it, which gets the same one then.
    ///
    /// - Returns: `nil` for what is none, for what is to be changed, and for what cannot be opened.
    package func input(_ path: String) -> RandomAccessFile? {
        guard grants.inputs.contains(path), !grants.changeable.contains(path) else { return nil }
        var status = stat()
        // Opening a pipe and closing it again would end its writer.
        guard state.sources[path] != nil || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let descriptor = openInput(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return RandomAccessFile(source: descriptor)
    }

    /// What a playlist names: a regular file below its folder, with all links resolved.
    private func openNested(_ path: String, _ flags: Int32) -> (FileAnswer, descriptor: Int32?) {
        guard !grants.nestedFolders.isEmpty else { return (.systemError(EACCES), nil) }
        // To look at it touches nothing: a pipe's writer would go on, and then end, and a device may do anything.
        let place = MediaIO.open(path, Self.placeOnly | O_CLOEXEC)
        guard place >= 0 else { return (.systemError(errno), nil) }
        defer { close(place) }
        let own = "/proc/self/fd/\(place)"
        var status = stat()
        guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let real = realPath(own),
            grants.nestedFolders.contains(where: { real.hasPrefix($0 == "/" ? "/" : $0 + "/") })
        else { return (.systemError(EACCES), nil) }
        // What was looked at is what is given, whatever its name leads to by now.
        return opened(MediaIO.open(own, flags & ~O_NOFOLLOW))
    }

    /// `O_PATH`, which the importer does not know.
    private static let placeOnly: Int32 = 0o10000000

    private func isReadable(_ path: String) -> Bool { grants.inputs.contains(path) || grants.kept.contains(path) }

    private func status(_ path: String) -> FileAnswer {
        guard isReadable(path) else { return .systemError(EACCES) }
        var status = stat()
        guard stat(path, &status) == 0 else { return .systemError(errno) }
        return .status(withUnsafeBytes(of: status) { Array($0) })
    }

    // MARK: Results

    private func checkResult(_ path: String) throws {
        guard path == "-" || grants.kept.contains(path) || grants.results.contains(where: { $0.allows(path) }) else {
            throw Refused()
        }
    }

    private func place(_ path: String, replaces: Bool, makesFolder: Bool, isFolder: Bool) throws -> OutputPlace {
        try checkResult(path)
        let found = try passingOverMade(path) { isMade throws(FileWriteError) in
            isFolder
                ? try run.folder(path, replaces: replaces, makesFolder: makesFolder)
                : try run.output(path, replaces: replaces || isMade, makesFolder: makesFolder)
        }
        let target = grants.fillsEmptyFiles ? found.target.fillingEmptyFile : found.target
        // What is there may be somebody's own file once the result is to have its name.
        return OutputPlace(path: path, replaces: replaces, target: target, run: run)
    }

    private func newFile(
        at place: OutputPlace, _ number: Int, temporaryFolder: String?
    ) throws -> (FileAnswer, descriptor: Int32?) {
        let file = try begin(at: place) { place throws(FileWriteError) in
            try PendingFile(for: place, temporaryFolder: temporaryFolder)
        }
        return (.made(try add(.file(file, place: number))), shared(file.descriptor))
    }

    /// A new folder, for a file whose name stays inside.
    private func folder(_ number: Int, _ name: String) throws -> PendingFolder {
        guard case .folder(let folder) = state.made[number], !name.utf8.contains(0) else { throw Refused() }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { throw Refused() }
        return folder
    }

    private func complete(_ number: Int, isSynced: Bool) throws {
        switch remove(number) {
        case .file(let file, let place):
            let isResult = !grants.kept.contains(file.path)
            state.hasCompleted = state.hasCompleted || isResult
            if let place {
                state.made[place] = nil
                if isResult, !file.isOfStream { mark(file.descriptor, file.path) }
            }
            try unlessMade(file.path) { () throws(FileWriteError) in
                try file.complete(isSynced: isSynced && place != nil) { () throws(FileWriteError) in
                    guard isInterrupted() else { return }
                    throw FileWriteError(kind: .cancelled, path: file.path, reason: "cancelled")
                }
            }
        case .folder(let folder):
            state.hasCompleted = true
            mark(folder.descriptor, folder.path)
            try unlessMade(folder.path, folder.complete)
        case .place, nil: throw Refused()
        }
    }

    private func rewrite(
        _ path: String, _ version: FileVersion, _ pieces: [FileCall.Segment], _ changes: [FileCall.Change]?,
        _ bytes: [UInt8]
    ) throws -> FileRewriteMethod {
        guard grants.changeable.contains(path),
            let file = state.locks[path]?.contents ?? RandomAccessFile(path: path)
        else { throw Refused() }
        guard file.version == version else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "another program changed it meanwhile")
        }
        guard let rewrite = FileRewrite(pieces, changes, bytes: bytes, of: file) else { throw Refused() }
        state.hasCompleted = true
        let method = try rewrite.apply(to: path, of: file, under: state.locks[path])
        ResultMark.remove(from: path)
        // It was the reason to lock it.
        state.locks[path] = nil
        return method
    }
}
