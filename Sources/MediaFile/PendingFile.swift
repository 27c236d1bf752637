internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A new file that is made in several steps and gets its name when it is complete.
///
/// Until then it has no name at all, so that nothing is left of it whatever
/// happens to the process; where the file system has no unnamed files, it has a
/// temporary name and goes with the object. One thread at a time may change it.
package final class PendingFile {
    /// The name it will have, as it was given.
    package let path: String
    private let place: OutputPlace
    /// The file's name where links have been followed; `nil` for what goes into a stream.
    private let destination: String?
    private let folder: String
    private let temporary: String?
    private let output: OutputFile
    /// Bytes up to the last one written.
    package private(set) var byteCount: UInt64 = 0
    /// Up to where the disk was told to begin.
    private var writebackEnd: UInt64 = 0

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - place: Where it goes. What goes into a stream is written there when it is complete.
    ///   - temporaryFolder: Where it lies until it has its name, if that is on
    ///     the file system of its place; else it lies beside that.
    /// - Throws: `FileWriteError` if there is such a file already, or if none can be made.
    package convenience init(for place: OutputPlace, temporaryFolder: String? = nil) throws(FileWriteError) {
        try self.init(for: place, temporaryFolder: temporaryFolder, isUnnamed: true)
    }

    /// - Parameter isUnnamed: Whether it may be a file without a name.
    init(for place: OutputPlace, temporaryFolder: String?, isUnnamed: Bool) throws(FileWriteError) {
        (self.place, path) = (place, place.path)
        if case .file(let destination) = place.target {
            var status = stat()
            if !place.replaces, lstat(destination, &status) == 0 { throw FileWriteError.alreadyThere(path) }
            let own = destination.parentFolder
            folder = temporaryFolder.flatMap { Self.areOnOneFileSystem($0, own) ? $0 : nil } ?? own
            self.destination = destination
        } else {
            folder = temporaryFolder ?? FileManager.default.temporaryDirectory.path
            destination = nil
        }
        let unnamed = isUnnamed ? open(folder, unnamedFile | O_RDWR | O_CLOEXEC, 0o666) : -1
        guard unnamed < 0 else {
            temporary = nil
            output = OutputFile(descriptor: unnamed, path: path)
            return
        }
        let name = Self.temporaryName(in: folder)
        let named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard named >= 0 else { throw FileWriteError.last(.cannotCreate, path) }
        temporary = name
        output = OutputFile(descriptor: named, path: path)
    }

    deinit { if let temporary { unlink(temporary) } }

    // MARK: Contents

    /// What it holds now; what is written later shows in it too, but for its length.
    package func contents() throws(FileWriteError) -> RandomAccessFile { try output.contents() }

    /// A path by which this process can open the file as it is now, though it has no name yet.
    package var currentPath: String { output.descriptorPath }

    /// Writes bytes at a position: anywhere, also beyond the end.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileWriteError) {
        try output.write(bytes, at: position)
        byteCount = max(byteCount, position + UInt64(bytes.count))
        if byteCount >= writebackEnd + Self.partByteCount {
            output.startWriteback(of: writebackEnd..<byteCount)
            writebackEnd = byteCount
        }
    }

    /// Writes the new version of a file, for a file that is still empty.
    ///
    /// - Parameters:
    ///   - startsWriteback: Whether the disk gets each part at once, for a file that is to be synced.
    ///   - progress: Gets the number of bytes written so far; what it throws ends the writing.
    package func write(
        _ rewrite: FileRewrite, of file: RandomAccessFile, startsWriteback: Bool = false,
        progress: (UInt64) throws(FileWriteError) -> Void = { _ in }
    ) throws(FileWriteError) {
        var written: UInt64 = 0
        for segment in rewrite.segments {
            for part in segment.parts(of: Self.partByteCount) {
                try output.write([part], from: file)
                if startsWriteback { output.startWriteback(of: written..<(written + part.byteCount)) }
                written += part.byteCount
                try progress(written)
            }
        }
        byteCount = max(byteCount, written)
    }

    /// Bytes that are copied between two looks at whether to go on.
    private static let partByteCount: UInt64 = 16 << 20

    /// Puts the new version of a file in place of all that comes from a position on.
    package func replaceEnd(
        from position: UInt64, with rewrite: FileRewrite, of file: RandomAccessFile
    ) throws(FileWriteError) {
        try output.truncate(to: position)
        try output.seek(to: position)
        try output.write(rewrite.segments, from: file)
        byteCount = position + rewrite.byteCount
    }

    /// Lets a closure write from the beginning, for a file that is still empty.
    func fill(_ body: (borrowing OutputFile) throws(FileWriteError) -> Void) throws(FileWriteError) {
        try body(output)
        byteCount = try contents().byteCount
    }

    /// The file with the changes that make a new version of it.
    ///
    /// Where all that stays of the old version stays in its place, this file
    /// itself is changed; else there is a new one.
    ///
    /// - Parameters:
    ///   - rewrite: A new version of what ``contents()`` gives.
    ///   - progress: Gets the number of bytes written so far; what it throws ends the writing.
    /// - Returns: This file or the new one. This one is of no more use then.
    package func applying(
        _ rewrite: FileRewrite, progress: (UInt64) throws(FileWriteError) -> Void = { _ in }
    ) throws(FileWriteError) -> PendingFile {
        let old = try contents()
        guard let changes = rewrite.changesInPlace(of: old) else {
            let copy = try PendingFile(for: place, temporaryFolder: folder)
            try copy.write(rewrite, of: old, progress: progress)
            return copy
        }
        for change in changes { try output.write(change.bytes, at: change.position) }
        if rewrite.byteCount != old.byteCount { try output.truncate(to: rewrite.byteCount) }
        byteCount = rewrite.byteCount
        try progress(byteCount)
        return self
    }

    /// Sets permissions, owner and extended attributes to those of another file, as far as allowed.
    func takeOverAttributes(of model: String) { output.takeOverAttributes(of: model) }

    // MARK: Completion

    /// Gives the file its name; nothing may be done with it afterwards.
    ///
    /// - Parameters:
    ///   - isSynced: Whether its bytes are on the disk before it gets the name.
    ///   - progress: Called while the bytes go into a stream, and while nobody
    ///     reads from it; what it throws ends that.
    package func complete(
        isSynced: Bool, progress: () throws(FileWriteError) -> Void = {}
    ) throws(FileWriteError) {
        guard let destination else { return try stream(progress) }
        if isSynced { try output.sync() }
        let identity = FileIdentity(descriptor: output.descriptor)
        if let identity { place.run?.add(identity) }
        do {
            try takeName(destination)
        } catch {
            if let identity { place.run?.remove(identity) }
            // A folder can be on the same file system and still under another mount.
            guard error.isOfOtherMount, folder != destination.parentFolder else { throw error.failure }
            let copy = try PendingFile(for: place)
            let old = try contents()
            try copy.write(FileRewrite(segments: [.source(0..<old.byteCount)]), of: old)
            return try copy.complete(isSynced: isSynced)
        }
        if isSynced { Self.syncFolder(destination.parentFolder) }
    }

    /// Writes what the file holds into what takes bytes as they come.
    private func stream(_ progress: () throws(FileWriteError) -> Void) throws(FileWriteError) {
        let stream = try OutputFile(streamingTo: place, waiting: progress)
        let file = try contents()
        for part in FileRewrite.Segment.source(0..<file.byteCount).parts(of: 1 << 20) {
            try stream.write([part], from: file)
            try progress()
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

    private func takeName(_ name: String) throws(NamingError) {
        let source = temporary ?? output.descriptorPath
        if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return }
        if errno == EEXIST {
            guard place.replaces else { throw NamingError(failure: .alreadyThere(path)) }
            return try replace(name, with: source)
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
    private func replace(_ name: String, with source: String) throws(NamingError) {
        if temporary != nil {
            try checkIsReplaceable(name)
            guard rename(source, name) == 0 else { throw .last(path) }
            return
        }
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

    static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func temporaryName(in folder: String) -> String {
        folder + "/.avtool-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).tmp"
    }
}

/// `O_TMPFILE`, a macro that the importer cannot read: `__O_TMPFILE | O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY
