internal import CLinux
package import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A new folder of files that gets its name when it is complete.
///
/// Until then it has a hidden name beside the one it will have, and goes with
/// the object. What a killed process left is removed by the next one that makes
/// a folder of the same name: folders under way are locked, those left are not.
package final class PendingFolder {
    /// The name it will have.
    package let path: String
    /// What speaks against replacing a folder with these files, named by their
    /// paths inside, in one line; `nil` if nothing does.
    package typealias Objection = ([String]) -> String?

    /// Why a folder with these files may not be replaced; `nil` if none may be.
    private let objection: Objection?
    private var temporary: String?
    /// The folder; -1 if this process does not make it.
    let descriptor: Int32
    /// Who makes the folder, and what it is called there; `nil` where this process does.
    private var brokered: (broker: any FileBroker, number: Int)?
    private var names: [String] = []
    /// Bytes that each file may have.
    private let sizeLimit: UInt64

    /// Makes an empty folder.
    ///
    /// - Parameters:
    ///   - place: Where it goes.
    ///   - kind: What it is going to be. A folder that is there is replaced only if it is one of these too, and holds
    ///     no input of the run.
    /// - Throws: `FileWriteError` if there is such a folder that may not be
    ///   replaced, or if none can be made.
    package convenience init(for place: OutputPlace, as kind: ReplaceableFolder) throws(FileWriteError) {
        if let number = place.number, let broker = place.run?.access.broker {
            try self.init(broker, place: number, of: place, kind)
        } else {
            try self.init(for: place) { kind.objection(to: $0) }
        }
    }

    private init(
        _ broker: any FileBroker, place number: Int, of place: OutputPlace, _ kind: ReplaceableFolder
    ) throws(FileWriteError) {
        (path, sizeLimit, objection, descriptor) = (place.path, place.sizeLimit, nil, -1)
        brokered = (broker, try broker.made(.newFolder(place: number, kind), for: path).0)
    }

    /// - Parameter objection: What speaks against replacing a folder that is there, beside that it holds an input of
    ///   the run.
    package init(for place: OutputPlace, objection: @escaping Objection) throws(FileWriteError) {
        let path =
            place.path.count > 1 && place.path.hasSuffix("/") ? String(place.path.dropLast()) : place.path
        let objection: Objection? =
            place.replaces ? { names in place.run?.objection(to: names, in: path) ?? objection(names) } : nil
        (self.path, sizeLimit, self.objection) = (path, place.sizeLimit, objection)
        if !place.passesOverMade { _ = try Self.replaceable(path, objection) }
        let parent = path.parentFolder
        let prefix = Self.temporaryPrefix(for: path)
        Self.removeLeftovers(in: parent, prefix: prefix)
        while true {
            let name = "\(parent)/\(prefix)\(UInt64.random(in: 0...UInt64.max)).tmp"
            guard mkdir(name, 0o777) == 0 else { throw FileWriteError.last(.cannotCreate, path) }
            // Whoever tidies up may be faster than the lock; then another name.
            if let locked = try Self.locked(name, for: path) {
                (descriptor, temporary) = (locked, name)
                return
            }
        }
    }

    deinit {
        if let brokered { _ = brokered.broker.answer(to: .discard(brokered.number), []) }
        if let temporary { Self.removeAll(temporary) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// The names of the files in it, with their folders inside.
    package var fileNames: [String] { names }

    /// Writes a file into the folder.
    ///
    /// - Parameter name: Its path inside.
    package func write(_ data: Data, to name: String) throws(FileWriteError) {
        guard UInt64(data.count) <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, "\(path)/\(name)") }
        guard brokered == nil else {
            let file = try file(name)
            try file.fill { output throws(FileWriteError) in try output.write(data) }
            return try file.complete(isSynced: false)
        }
        try Self.write(data, to: try newPath(name))
    }

    /// A file of the folder, to be written in several steps and then completed, unsynced.
    ///
    /// - Parameter name: Its path inside.
    package func file(_ name: String) throws(FileWriteError) -> PendingFile {
        if let (broker, folder) = brokered {
            let (number, descriptor) = try broker.made(.newFileInFolder(folder: folder, name: name), for: path)
            names.append(name)
            return PendingFile(
                BrokeredName(broker, number), descriptor: descriptor ?? -1, path: "\(path)/\(name)",
                sizeLimit: sizeLimit)
        }
        return try PendingFile(for: OutputPlace(inNewFolder: newPath(name)))
    }

    /// Where a new file of the folder lies until the folder has its name.
    private func newPath(_ name: String) throws(FileWriteError) -> String {
        guard let temporary else { throw FileWriteError.alreadyThere(path) }
        let inside = "\(temporary)/\(name)"
        guard FileManager.default.makeFolders(inside.parentFolder) else {
            throw FileWriteError.last(.cannotCreate, path)
        }
        names.append(name)
        return inside
    }

    private static func write(_ data: Data, to path: String) throws(FileWriteError) {
        try AtomicFile.write(to: OutputPlace(inNewFolder: path)) { output throws(FileWriteError) in
            try output.write(data)
        }
    }

    /// What a file of the folder holds that has been written.
    package func contents(of name: String) throws(FileWriteError) -> Data {
        if let (broker, folder) = brokered {
            guard case (.opened, let descriptor?) = broker.answer(to: .openInFolder(folder: folder, name: name), []),
                let file = RandomAccessFile(owning: descriptor)
            else { throw FileWriteError(kind: .writeFailed, path: path, reason: "\(name) is gone") }
            return Data(file.read(at: 0, count: Int(clamping: file.byteCount)))
        }
        guard let temporary, let file = RandomAccessFile(path: "\(temporary)/\(name)") else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "\(name) is gone")
        }
        let bytes = file.read(at: 0, count: Int(clamping: file.byteCount))
        if let failure = file.readFailure {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "\(name): \(failure.reason)")
        }
        return Data(bytes)
    }

    /// A file of the folder that has been written, open to read.
    func opened(_ name: String) -> (FileAnswer, descriptor: Int32?) {
        guard let temporary else { return (.systemError(ENOENT), nil) }
        let file = open("\(temporary)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        return file >= 0 ? (.opened, file) : (.systemError(errno), nil)
    }

    /// Gives a file of the folder a second name, or copies it where there are no links.
    package func link(_ name: String, as other: String) throws(FileWriteError) {
        if let (broker, folder) = brokered {
            try broker.done(.link(folder: folder, name: name, other: other), for: path)
            return names.append(other)
        }
        let new = try newPath(other)
        let old = String(new.dropLast(other.count)) + name
        if linkat(AT_FDCWD, old, AT_FDCWD, new, 0) != 0 { try Self.write(contents(of: name), to: new) }
    }

    /// Gives the folder its name; nothing may be done with it afterwards.
    ///
    /// - Throws: `FileWriteError`; what was under that name is still there then.
    package func complete() throws(FileWriteError) {
        if let (broker, folder) = brokered {
            try broker.done(.complete(folder, isSynced: true), for: path)
            brokered = nil
            return
        }
        guard let temporary else { return }
        try syncFiles(in: temporary)
        // Some file systems cannot sync a folder, which says nothing of its files.
        if fsync(descriptor) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) {
            throw FileWriteError.last(.writeFailed, path)
        }
        if !Self.renameToNew(temporary, path) {
            guard errno == EEXIST || errno == ENOTEMPTY else { throw FileWriteError.last(.cannotCreate, path) }
            try replace(with: temporary)
        }
        self.temporary = nil
        PendingFile.syncFolder(path.parentFolder)
    }

    /// Waits until all files are on the disk: together, which takes about as long as for one.
    private func syncFiles(in temporary: String) throws(FileWriteError) {
        for wait in [false, true] {
            for name in names {
                let file = open("\(temporary)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                guard file >= 0 else { throw FileWriteError.last(.writeFailed, path) }
                defer { close(file) }
                guard wait else {
                    avt_start_writeback(file, 0, 0)
                    continue
                }
                guard fdatasync(file) == 0 else { throw FileWriteError.last(.writeFailed, path) }
            }
        }
    }

    private func replace(with temporary: String) throws(FileWriteError) {
        let old = try Self.replaceable(path, objection)
        if avt_exchange(temporary, path) == 0 {
            try removeReplaced(temporary, old)
            return
        }
        // Without an exchange there is a moment without the folder, but never half of one.
        // Its name must not be one that the next run would tidy away.
        let aside = replacedName
        guard rename(path, aside) == 0 else { throw FileWriteError.last(.cannotCreate, path) }
        guard Self.renameToNew(temporary, path) else {
            let error = FileWriteError.last(.cannotCreate, path)
            _ = Self.renameToNew(aside, path)
            throw error
        }
        try removeReplaced(aside, old)
    }

    /// Gives a folder a name that nothing has.
    ///
    /// File systems that cannot be asked not to replace, such as NFS, replace no folder that holds something, and
    /// no file by a folder: an empty folder is all that can be lost.
    private static func renameToNew(_ old: String, _ new: String) -> Bool {
        if avt_rename_to_new(old, new) == 0 { return true }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { return false }
        if rename(old, new) == 0 { return true }
        if errno == ENOTDIR { errno = EEXIST }
        return false
    }

    /// A name that can be seen, for the folder that is replaced.
    private var replacedName: String { "\(path).replaced-\(UInt32.random(in: 0...UInt32.max))" }

    /// Removes the folder that was replaced.
    ///
    /// - Throws: `FileWriteError` if somebody put another file into it meanwhile;
    ///   it is kept then, under a name of its own.
    private func removeReplaced(_ folder: String, _ names: [String]) throws(FileWriteError) {
        temporary = nil
        Self.remove(folder, names)
        guard access(folder, F_OK) == 0 else { return }
        let kept = replacedName
        _ = Self.renameToNew(folder, kept)
        throw FileWriteError(
            kind: .writeFailed, path: path, reason: "replaced, but the old folder had a new file in it: see \(kept)")
    }

    // MARK: What is there already

    /// The files of a folder that may be replaced; none if there is no such folder.
    private static func replaceable(
        _ path: String, _ objection: Objection?
    ) throws(FileWriteError) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return [] }
        guard let objection else {
            throw FileWriteError(kind: .exists, path: path, reason: "it exists already")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw FileWriteError(kind: .cannotCreate, path: path, reason: "it is there and no folder")
        }
        let (files, folders, isWhole) = contents(of: path)
        guard isWhole else {
            throw FileWriteError(kind: .cannotCreate, path: path, reason: "what is in it cannot be read")
        }
        if let reason = objection(files) { throw FileWriteError(kind: .cannotCreate, path: path, reason: reason) }
        return files + folders
    }

    /// Files, and after them folders, the innermost first; and whether all of them could be read.
    private static func contents(of path: String) -> (files: [String], folders: [String], isWhole: Bool) {
        var isWhole = true
        var (files, folders): ([String], [String]) = ([], [])
        func look(into folder: String) {
            let names = FileManager.default.names(in: "\(path)/\(folder)")
            if names == nil { isWhole = false }
            for name in names ?? [] {
                let inside = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard lstat("\(path)/\(inside)", &status) == 0 else {
                    // What cannot be looked at is still there, and to be removed; what is gone is not.
                    guard errno != ENOENT else { continue }
                    isWhole = false
                    files.append(inside)
                    continue
                }
                guard status.st_mode & S_IFMT == S_IFDIR else {
                    files.append(inside)
                    continue
                }
                look(into: inside)
                folders.append(inside)
            }
        }
        look(into: "")
        return (files, folders, isWhole)
    }

    // MARK: Tidying up

    /// Removes files and folders by their paths inside a folder, and the folder if nothing else is in it.
    private static func remove(_ folder: String, _ names: [String]) {
        for name in names where unlink("\(folder)/\(name)") != 0 { rmdir("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static func removeAll(_ folder: String) {
        let (files, folders, _) = contents(of: folder)
        remove(folder, files + folders)
    }

    /// Removes the hidden folders of processes that were killed.
    private static func removeLeftovers(in parent: String, prefix: String) {
        for name in FileManager.default.names(in: parent) ?? [] where name.hasPrefix(prefix) {
            let left = "\(parent)/\(name)"
            let descriptor = open(left, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                removeAll(left)
            }
            close(descriptor)
        }
    }

    /// Opens and locks a new folder; `nil` if somebody else tidied it away meanwhile.
    ///
    /// - Throws: `FileWriteError` if it cannot be opened; it is gone then.
    private static func locked(_ name: String, for path: String) throws(FileWriteError) -> Int32? {
        let descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            let error = FileWriteError.last(.cannotCreate, path)
            rmdir(name)
            throw error
        }
        // Some file systems have no locks.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            return nil
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = FileWriteError.last(.cannotCreate, path)
            close(descriptor)
            rmdir(name)
            throw error
        }
        if status.st_nlink > 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Hidden, equal for equal names, and short whatever the name is: FNV-1a of its bytes.
    private static func temporaryPrefix(for path: String) -> String {
        let name = (path as NSString).lastPathComponent
        let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return ".avtool-\(String(hash, radix: 16))-"
    }
}

/// A kind of folder that a result of the same kind may replace, if nothing else is in it.
package enum ReplaceableFolder: String, Sendable {
    case storyboard
    case stream

    /// The file that every folder of the kind has.
    var marker: String {
        switch self {
        case .storyboard: "storyboard.json"
        case .stream: "index.m3u8"
        }
    }

    /// What the files of such a folder are called, by their paths inside.
    private var patterns: [String] {
        switch self {
        case .storyboard:
            [
                "^storyboard\\.(json|vtt|bif|mpd)$", "^index\\.html$", "^images\\.m3u8$", "^hls-image-stream\\.txt$",
                "^dash-adaptation-set\\.xml$",
                "^storyboard-[0-9]+\\.(jpg|png|webp|avif)$",
                "^[^/]+\\.trickplay/[0-9]+ - [0-9]+x[0-9]+/[0-9]+\\.jpg$",
            ]
        case .stream: ["^index\\.m3u8$", "^init\\.mp4$", "^segment-[0-9]{5,}\\.m4s$"]
        }
    }

    /// Whether a file belongs into such a folder.
    func isOwn(_ name: String) -> Bool {
        patterns.contains { name.range(of: $0, options: .regularExpression) != nil }
    }

    /// What speaks against replacing a folder with these files; `nil` if it is one of the kind.
    func objection(to names: [String]) -> String? {
        if let foreign = names.first(where: { !isOwn($0) }) {
            let what = self == .storyboard ? "that is not the storyboard's" : "that is no part of a stream"
            return "the folder holds a file \(what) and would be lost: \(foreign)"
        }
        guard names.isEmpty || names.contains(marker) else {
            return "the folder holds no \(marker), so it is no \(rawValue) that could be replaced"
        }
        return nil
    }
}
