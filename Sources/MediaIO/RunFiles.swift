package import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The files of one run: those that it reads, which nothing is ever written over,
/// and those that it makes, which do not replace each other.
///
/// A file is known by device and inode, so that hard links, symbolic links and
/// bind mounts do not hide it. What a playlist names is read as the playlist is.
/// Any thread may ask. Beyond AVFoundation.
///
/// ```swift
/// let files = RunFiles(reading: ["movie.mp4"])
/// try AtomicFile.write(data, to: files.output("movie.png", replaces: true))
/// ```
public final class RunFiles: Sendable {
    fileprivate struct State {
        /// What is read, and the links that name it.
        var inputs: Set<FileIdentity> = []
        /// The names of what is read, for files that are replaced while the run goes on.
        var inputNames: Set<FileName> = []
        /// What the playlists among the inputs name; `nil` until something that is there would be replaced.
        var named: PlaylistFiles?
        /// The names that results have been given.
        var names: Set<FileName> = []
        /// The results.
        var results: Set<FileIdentity> = []
        /// Folders that were made, the outermost first.
        var folders: [String] = []
    }

    private let paths: [String]
    /// Whether playlists are played, so that what they name is read too.
    private let playsPlaylists: Bool
    /// Bytes that a result may have, or a file of a folder that is one.
    let largestResult: UInt64
    /// Who makes results and gives them their names, and opens what is read.
    package let access: FileAccess
    private let state = Mutex(State())

    /// Makes the files of a run.
    ///
    /// - Parameter paths: All files that the run reads; names of nothing are passed over.
    public convenience init(reading paths: [String] = []) { self.init(reading: paths, playsPlaylists: true) }

    /// - Parameters:
    ///   - playsPlaylists: Whether what playlists name is read too: not where they are refused.
    ///   - largestResult: Bytes that a result may have; a writer may have a limit of its own.
    ///   - access: Who makes results and gives them their names.
    package init(
        reading paths: [String], playsPlaylists: Bool, largestResult: UInt64 = .max, access: FileAccess = .direct
    ) {
        (self.paths, self.playsPlaylists, self.access) = (paths, playsPlaylists, access)
        self.largestResult = largestResult
        state.withLock { state in
            for path in paths { state.addInput(path) }
        }
    }

    deinit { removeEmptyFolders() }

    // MARK: Places

    /// Gives a result its name, if nothing speaks against that.
    ///
    /// A symbolic link is followed: the file that it leads to is made or replaced.
    /// What is no regular file is written into.
    ///
    /// - Parameters:
    ///   - path: The name; `-` for standard output.
    ///   - replaces: Whether an existing file may be replaced.
    ///   - makesFolder: Whether the folder is made if there is none; it goes again if it stays empty.
    /// - Throws: ``FileWriteError`` of the kind `isInput`, `isTaken` by another result of this run, `exists` for a file
    ///   that may not be replaced, `isTerminal`, `cannotCreate` or `writeFailed`.
    /// - Complexity: A few system calls; playlists among the inputs are read when a file would be replaced.
    public func output(
        _ path: String, replaces: Bool, makesFolder: Bool = false
    ) throws(FileWriteError) -> OutputPlace {
        if let broker = access.broker {
            return try broker.place(path, replaces: replaces, makesFolder: makesFolder, isFolder: false, in: self)
        }
        if makesFolder { try makeFolder(path.parentFolder) }
        let target = try OutputTarget(path)
        let place = OutputPlace(path: path, replaces: replaces, target: target, run: self)
        try check(place)
        let isNew = state.withLock { $0.names.insert(target.name).inserted }
        guard isNew else { throw .taken(path) }
        return place
    }

    /// Gives a folder of results its name.
    ///
    /// What is there already is looked at when the folder is made.
    ///
    /// - Throws: ``FileWriteError`` of the kind `isTaken` if another result of this run has the name, or `cannotCreate`
    ///   if its folder cannot be made.
    public func folder(
        _ path: String, replaces: Bool, makesFolder: Bool = false
    ) throws(FileWriteError) -> OutputPlace {
        if let broker = access.broker {
            return try broker.place(path, replaces: replaces, makesFolder: makesFolder, isFolder: true, in: self)
        }
        if makesFolder { try makeFolder(path.parentFolder) }
        let target = OutputTarget.file(path)
        let isNew = state.withLock { $0.names.insert(target.name).inserted }
        guard isNew else { throw .taken(path) }
        return OutputPlace(path: path, replaces: replaces, target: target, run: self)
    }

    /// Takes back the name of a result that was not made.
    func withdraw(_ place: OutputPlace) { state.withLock { _ = $0.names.remove(place.target.name) } }

    /// Finds out whether a result could have a name now, and does not give it.
    ///
    /// - Throws: ``FileWriteError`` as ``output(_:replaces:makesFolder:)``.
    public func check(_ path: String, replaces: Bool) throws(FileWriteError) {
        if let broker = access.broker {
            return try broker.done(.check(path: path, replaces: replaces), for: path)
        }
        let target = try OutputTarget(path)
        try check(OutputPlace(path: path, replaces: replaces, target: target, run: self))
        let isTaken = state.withLock { $0.names.contains(target.name) }
        guard !isTaken else { throw .taken(path) }
    }

    /// Finds out whether a name is that of an input.
    ///
    /// - Throws: ``FileWriteError`` of the kind `isInput` if it is.
    public func checkIsNoInput(_ path: String) throws(FileWriteError) { try checkAreNoInputs([path]) }

    /// Finds out whether one of some names is that of an input.
    ///
    /// - Throws: ``FileWriteError`` of the kind `isInput` for the first that is.
    package func checkAreNoInputs(_ paths: [String]) throws(FileWriteError) {
        if let broker = access.broker {
            // A message has its limits.
            for start in stride(from: 0, to: paths.count, by: 4096) {
                let part = Array(paths[start..<min(start + 4096, paths.count)])
                try broker.done(.checkAreNoInputs(paths: part), for: part[0])
            }
            return
        }
        for path in paths {
            guard let target = try? OutputTarget(path), let identity = target.identity else { continue }
            guard !isInput(identity, target.name) else { throw .input(path) }
        }
    }

    /// Writes data under a name, if nothing speaks against that.
    ///
    /// - Throws: ``FileWriteError`` as ``output(_:replaces:makesFolder:)``, and if writing fails; there is no new file
    ///   then, and an old one stays.
    package func write(
        _ data: Data, to path: String, replaces: Bool, makesFolder: Bool
    ) throws(FileWriteError) {
        guard let broker = access.broker else {
            return try AtomicFile.write(data, to: output(path, replaces: replaces, makesFolder: makesFolder))
        }
        let call = FileCall.create(path: path, replaces: replaces, makesFolder: makesFolder)
        let (number, descriptor) = try broker.made(call, for: path)
        let file = PendingFile(
            BrokeredName(broker, number), descriptor: descriptor ?? -1, path: path, sizeLimit: largestResult)
        try file.fill { output throws(FileWriteError) in try output.write(data) }
        try file.complete(isSynced: false)
    }

    /// Finds out whether a place could be written to now.
    func check(_ place: OutputPlace) throws(FileWriteError) {
        if case .descriptor(let descriptor) = place.target {
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
                let reason = "it is not open for writing"
                throw FileWriteError(kind: .writeFailed, path: place.path.ofOutput, reason: reason)
            }
            guard isatty(descriptor) == 0 else { throw .terminal(place.path) }
        }
        guard let identity = place.target.identity else { return }
        try check(identity, at: place)
        if case .file = place.target, !place.replaces { throw .alreadyThere(place.path) }
    }

    private func check(_ identity: FileIdentity, at place: OutputPlace) throws(FileWriteError) {
        if isInput(identity, place.target.name) { throw .input(place.path) }
        let isResult = state.withLock { $0.results.contains(identity) }
        if isResult { throw .taken(place.path) }
    }

    private func isInput(_ identity: FileIdentity, _ name: FileName) -> Bool {
        state.withLock { state in
            if state.inputs.contains(identity) || state.inputNames.contains(name) { return true }
            // What a stranger's playlist names is not even looked at without need; one that is still written to gets
            // new names.
            if state.named?.isCurrent != true { state.addNamed(by: playsPlaylists ? paths : []) }
            let isWhole = state.named?.isWhole ?? false
            return state.inputs.contains(identity) || state.inputNames.contains(name) || !isWhole
        }
    }

    /// Finds out whether what is under a name at this very moment may be replaced.
    func checkIsReplaceable(_ path: String, at place: OutputPlace) throws(FileWriteError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        try check(FileIdentity(status), at: place)
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw FileWriteError(kind: .cannotCreate, path: place.path, reason: "it is no regular file any more")
        }
    }

    /// Says which file of a folder is an input, in one line; `nil` if none is.
    func objection(to names: [String], in folder: String) -> String? {
        let input = names.first { name in
            let path = "\(folder)/\(name)"
            return FileIdentity(linkAt: path).map { isInput($0, FileName(path)) } ?? false
        }
        return input.map { "the folder holds an input of this run, which would be lost: \($0)" }
    }

    // MARK: Results

    /// Remembers a file that is about to get its name.
    func add(_ result: FileIdentity) { state.withLock { _ = $0.results.insert(result) } }

    /// Forgets a file that got no name.
    func remove(_ result: FileIdentity) { state.withLock { _ = $0.results.remove(result) } }

    // MARK: Folders

    private func makeFolder(_ path: String) throws(FileWriteError) {
        var missing: [String] = []
        var next = path
        while FileIdentity(path: next) == nil, missing.last != next {
            missing.append(next)
            next = next.parentFolder
        }
        for folder in missing.reversed() {
            if mkdir(folder, 0o777) == 0 {
                state.withLock { $0.folders.append(folder) }
            } else if errno != EEXIST {
                throw FileWriteError.last(.cannotCreate, path)
            }
        }
    }

    /// Removes the folders that were made for results and have stayed empty, as the end of the run does.
    public func removeEmptyFolders() {
        let folders = state.withLock { state in
            defer { state.folders = [] }
            return state.folders
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}

extension FileBroker {
    fileprivate func place(
        _ path: String, replaces: Bool, makesFolder: Bool, isFolder: Bool, in run: RunFiles
    ) throws(FileWriteError) -> OutputPlace {
        let call = FileCall.place(path: path, replaces: replaces, makesFolder: makesFolder, isFolder: isFolder)
        let answer = answer(to: call, []).0
        guard case .place(let number, let target) = answer else { throw Self.failure(answer, path) }
        return OutputPlace(path: path, replaces: replaces, target: target, run: run, number: number)
    }
}

extension RunFiles.State {
    /// Takes in a file that is read, if there is one.
    fileprivate mutating func addInput(_ path: String) {
        guard let identity = FileIdentity(path: path) else { return }
        inputs.insert(identity)
        if let link = FileIdentity(linkAt: path) { inputs.insert(link) }
        inputNames.insert(FileName(path))
        if case .file(let own) = try? OutputTarget(path) { inputNames.insert(FileName(own)) }
    }

    /// Takes in what playlists name, be it there already or not.
    fileprivate mutating func addNamed(by paths: [String]) {
        let named = PlaylistFiles(namedBy: paths)
        self.named = named
        for path in named.paths {
            addInput(path)
            inputNames.insert(FileName(path))
        }
    }
}
