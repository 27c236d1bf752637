internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What gives a pending file its name.
protocol PendingName: AnyObject {
    /// Where the file lies meanwhile, if that is known.
    var folder: String? { get }

    /// Gives the file its name, or writes it into what takes bytes as they come.
    func give(
        to file: PendingFile, isSynced: Bool, _ progress: () throws(FileWriteError) -> Void
    ) throws(FileWriteError)
}

/// A name that another process gives.
final class BrokeredName: PendingName {
    private let broker: any FileBroker
    private let number: Int
    private var isGiven = false

    init(_ broker: any FileBroker, _ number: Int) { (self.broker, self.number) = (broker, number) }

    deinit { if !isGiven { _ = broker.answer(to: .discard(number), []) } }

    var folder: String? { nil }

    func give(
        to file: PendingFile, isSynced: Bool, _ progress: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        try progress()
        try broker.done(.complete(number, isSynced: isSynced), for: file.path)
        isGiven = true
    }
}

/// A name that this process gives.
final class LocalName: PendingName {
    private let place: OutputPlace
    /// The file's name where links have been followed; `nil` for what goes into a stream.
    private let destination: String?
    private let location: String
    private let temporary: String?

    var folder: String? { location }
    private var path: String { place.path }

    private init(_ place: OutputPlace, destination: String?, location: String, temporary: String?) {
        (self.place, self.destination, self.location, self.temporary) = (place, destination, location, temporary)
    }

    deinit { if let temporary { unlink(temporary) } }

    /// Makes an empty file.
    static func make(
        _ place: OutputPlace, _ temporaryFolder: String?, isUnnamed: Bool
    ) throws(FileWriteError) -> (LocalName, descriptor: Int32) {
        var destination: String?
        let folder: String
        if case .file(let path) = place.target {
            var status = stat()
            if !place.replaces, !place.passesOverMade, lstat(path, &status) == 0 {
                throw FileWriteError.alreadyThere(place.path)
            }
            let own = path.parentFolder
            folder = temporaryFolder.flatMap { areOnOneFileSystem($0, own) ? $0 : nil } ?? own
            destination = path
        } else {
            folder = temporaryFolder ?? FileManager.default.temporaryDirectory.path
        }
        let unnamed = isUnnamed ? open(folder, unnamedFile | O_RDWR | O_CLOEXEC, 0o666) : -1
        guard unnamed < 0 else {
            return (LocalName(place, destination: destination, location: folder, temporary: nil), unnamed)
        }
        let name = temporaryName(in: folder)
        let named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard named >= 0 else { throw FileWriteError.last(.cannotCreate, place.path) }
        // So that no other run takes it for what is left of one that is gone.
        _ = avt_lock_file(named)
        return (LocalName(place, destination: destination, location: folder, temporary: name), named)
    }

    func give(
        to file: PendingFile, isSynced: Bool, _ progress: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        guard let destination else { return try stream(file, progress) }
        if isSynced { try file.sync() }
        try progress()
        let identity = FileIdentity(descriptor: file.descriptor)
        if let identity { place.run?.add(identity) }
        do {
            try takeName(destination, file)
        } catch {
            if let identity { place.run?.remove(identity) }
            // A folder can be on the same file system and still under another mount.
            guard error.isOfOtherMount, location != destination.parentFolder else { throw error.failure }
            let copy = try PendingFile(for: place)
            let old = try file.contents()
            try copy.write(FileRewrite(segments: [.source(0..<old.byteCount)]), of: old)
            return try copy.complete(isSynced: isSynced)
        }
        if isSynced { PendingFile.syncFolder(destination.parentFolder) }
    }

    /// Writes what the file holds into what takes bytes as they come.
    private func stream(
        _ file: PendingFile, _ progress: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        let stream = try OutputFile(streamingTo: place, waiting: progress)
        let contents = try file.contents()
        do {
            for part in FileRewrite.Segment.source(0..<contents.byteCount).parts(of: 1 << 20) {
                try stream.write([part], from: contents)
                try progress()
            }
        } catch {
            // As it was.
            if case .empty = place.target { try? stream.truncate(to: 0) }
            throw error
        }
    }

    private struct NamingError: Error {
        var failure: FileWriteError
        var isOfOtherMount = false

        /// For the operating system's last error.
        static func last(_ path: String) -> NamingError {
            let isOfOtherMount = errno == EXDEV
            return NamingError(failure: FileWriteError.last(.cannotCreate, path), isOfOtherMount: isOfOtherMount)
        }
    }

    private func takeName(_ name: String, _ file: PendingFile) throws(NamingError) {
        let source = temporary ?? file.currentPath
        if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return }
        if errno == EEXIST {
            guard place.replaces else { throw NamingError(failure: .alreadyThere(path)) }
            return try replace(name, with: source, file)
        }
        // Some file systems have no links, but names that can be changed.
        guard let temporary, [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw .last(path) }
        if place.replaces { try checkIsReplaceable(name) }
        if place.replaces ? rename(temporary, name) == 0 : renameToNew(temporary, name) { return }
        if !place.replaces, [EINVAL, ENOSYS].contains(errno) { return try claim(name, for: temporary) }
        throw errno == EEXIST ? NamingError(failure: .alreadyThere(path)) : .last(path)
    }

    /// Takes a name where there are no links, and renaming cannot be asked not to replace.
    ///
    /// An empty file holds the name for the moment until it is replaced, so that nobody else's file is.
    private func claim(_ name: String, for temporary: String) throws(NamingError) {
        let claimed = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claimed >= 0 else { throw errno == EEXIST ? NamingError(failure: .alreadyThere(path)) : .last(path) }
        close(claimed)
        guard rename(temporary, name) != 0 else { return }
        let error = NamingError.last(path)
        unlink(name)
        throw error
    }

    /// A link cannot replace; a rename can, and does so in one step.
    private func replace(_ name: String, with source: String, _ file: PendingFile) throws(NamingError) {
        file.takeOverOwner(of: name)
        if temporary != nil {
            try checkIsReplaceable(name)
            guard rename(source, name) == 0 else { throw .last(path) }
            return
        }
        _ = avt_lock_file(file.descriptor)
        let second = Self.temporaryName(in: name.parentFolder)
        try checkIsReplaceable(name)
        guard Self.link(source, as: second, inPlaceOf: name) else { throw .last(path) }
    }

    /// Gives a file a second name, and with that the name of another one.
    ///
    /// Nothing is done between the two, not even memory asked for: a process that ended there would leave the second name.
    private static func link(_ source: String, as second: String, inPlaceOf name: String) -> Bool {
        source.withPathBytes { source in
            second.withPathBytes { second in
                name.withPathBytes { name in
                    guard linkat(AT_FDCWD, source, AT_FDCWD, second, AT_SYMLINK_FOLLOW) == 0 else { return false }
                    if renameat(AT_FDCWD, second, AT_FDCWD, name) == 0 { return true }
                    let code = errno
                    unlinkat(AT_FDCWD, second, 0)
                    errno = code
                    return false
                }
            }
        }
    }

    /// What is under the name may be another file than when the work began.
    private func checkIsReplaceable(_ name: String) throws(NamingError) {
        do throws(FileWriteError) {
            try place.run?.checkIsReplaceable(name, at: place)
        } catch {
            throw NamingError(failure: error)
        }
    }

    // MARK: Folders

    private static func areOnOneFileSystem(_ first: String, _ second: String) -> Bool {
        var (left, right) = (stat(), stat())
        return stat(first, &left) == 0 && stat(second, &right) == 0 && left.st_dev == right.st_dev
    }

    /// Removes files that runs left in a folder which were killed before they could give them their names.
    ///
    /// They are known by their names, and that no process has them locked; only those of this user go.
    static func clearLeftovers(in folder: String) {
        for name in FileManager.default.names(in: folder) ?? [] where isTemporary(name) {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
                status.st_uid == geteuid(), status.st_mtim.tv_sec < time(nil) - leftoverAge,
                avt_lock_file(descriptor) == 0, FileIdentity(linkAt: path) == FileIdentity(descriptor: descriptor)
            else { continue }
            unlink(path)
        }
    }

    /// Seconds after which nobody is just about to lock a file that was made.
    private static let leftoverAge = 60

    private static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".avtool-") && name.hasSuffix(".tmp") }

    private static func temporaryName(in folder: String) -> String {
        folder + "/.avtool-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).tmp"
    }
}

/// `O_TMPFILE`, a macro that the importer cannot read: `__O_TMPFILE | O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY
