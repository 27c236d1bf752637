#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a name that was given for a result stands for.
package enum OutputTarget: Hashable, Sendable {
    /// A file that is there or not, by a name that is no link.
    case file(String)
    /// What takes bytes as they come: a FIFO or a device.
    case stream(String)
    /// An empty file that somebody has made to be filled, and may hold open: another one by its name would never be seen.
    case empty(String)
    /// What is open already, such as standard output.
    case descriptor(Int32)

    /// Follows symbolic links to what they lead to, there or not.
    ///
    /// - Throws: `FileWriteError` for what no bytes can be written to.
    init(_ path: String) throws(FileWriteError) {
        guard path != "-" else {
            self = .descriptor(STDOUT_FILENO)
            return
        }
        var current = path
        for _ in 0..<40 {
            if let descriptor = Self.descriptor(namedBy: current) {
                self = .descriptor(descriptor)
                return
            }
            var status = stat()
            guard lstat(current, &status) == 0 else {
                self = .file(current)
                return
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                self = try Self.target(current, status, path)
                return
            }
            guard Self.mayFollow(status, in: current.parentFolder) else {
                throw FileWriteError(
                    kind: .cannotCreate, path: path,
                    reason: "it is another user's link, in a folder that everybody may write to")
            }
            guard let next = Self.destination(ofLink: current) else { throw FileWriteError.last(.cannotCreate, path) }
            current = next.hasPrefix("/") ? next : "\(current.parentFolder)/\(next)"
        }
        errno = ELOOP
        throw FileWriteError.last(.cannotCreate, path)
    }

    /// Whether a link leads where it was meant to: what anybody could put into a shared folder is not followed, as the
    /// kernel has it too where it is set so (`fs.protected_symlinks`).
    private static func mayFollow(_ link: stat, in folder: String) -> Bool {
        var parent = stat()
        guard stat(folder, &parent) == 0 else { return true }
        let shared = S_ISVTX | S_IWOTH
        return parent.st_mode & shared != shared || link.st_uid == geteuid() || link.st_uid == parent.st_uid
    }

    /// What is there, by its own name and by the one that was given.
    private static func target(_ path: String, _ status: stat, _ name: String) throws(FileWriteError) -> OutputTarget {
        func refusal(_ reason: String) -> FileWriteError {
            FileWriteError(kind: .cannotCreate, path: name, reason: reason)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw refusal("it is a folder")
        case S_IFBLK: throw refusal("it is a block device, whose contents would be lost")
        case S_IFSOCK: throw refusal("it is a socket, which no file can be written to")
        case S_IFIFO, S_IFCHR: return .stream(path)
        default: return .file(path)
        }
    }

    /// What is open under a name such as `/dev/stdout`, `/dev/fd/1` or `/proc/self/fd/1`.
    private static func descriptor(namedBy path: String) -> Int32? {
        guard let number = Int32(path.lastComponent), number >= 0, let folder = realpath(path.parentFolder, nil) else {
            return nil
        }
        defer { free(folder) }
        return String(cString: folder) == "/proc/\(getpid())/fd" ? number : nil
    }

    /// What tells whether two results would get one name.
    var name: FileName {
        switch self {
        case .file(let path), .stream(let path), .empty(let path): FileName(path)
        case .descriptor(let descriptor): FileName(descriptor: descriptor)
        }
    }

    /// What is there now.
    var identity: FileIdentity? {
        switch self {
        case .file(let path), .empty(let path): FileIdentity(linkAt: path)
        case .stream(let path): FileIdentity(path: path)
        case .descriptor(let descriptor): FileIdentity(descriptor: descriptor)
        }
    }

    /// The same, but to be filled and not replaced where it is an empty file.
    var fillingEmptyFile: OutputTarget {
        var status = stat()
        guard case .file(let path) = self, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size == 0
        else { return self }
        return .empty(path)
    }

    private static func destination(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

/// Where a result goes, after ``RunFiles`` has found that nothing speaks against it.
///
/// Files are written to places only, and only ``RunFiles`` makes them: so nothing
/// can be written without the question whether it would harm one of the run's files.
public struct OutputPlace: Sendable {
    /// The name as it was given.
    public let path: String
    /// Whether an existing file may be replaced.
    let replaces: Bool
    /// What the name stands for.
    let target: OutputTarget
    /// The run; `nil` within a file or folder that has been asked for as a whole.
    let run: RunFiles?
    /// What the broker calls it; `nil` for a process that has none.
    var number: Int?
    /// Whether the same result is there, so that what is in the way is looked for only when this one gets its name.
    var passesOverMade = false

    /// - Note: For ``RunFiles``.
    init(path: String, replaces: Bool, target: OutputTarget, run: RunFiles, number: Int? = nil) {
        (self.path, self.replaces, self.target, self.run, self.number) = (path, replaces, target, run, number)
    }

    /// A new file inside a folder that nobody else knows of.
    init(inNewFolder path: String) {
        (self.path, replaces, target, run) = (path, false, .file(path), nil)
    }

    /// A file whose new version is to take its place: what in-place edits are for.
    init(changing path: String) {
        (self.path, replaces, target, run) = (path, true, .file(path), nil)
    }

    /// Bytes that what is written to it may have.
    var sizeLimit: UInt64 { run?.largestResult ?? .max }

    /// Whether it takes bytes as they come.
    var isOfStream: Bool { if case .file = target { false } else { true } }

    /// Whether the bytes go to standard output, by whatever name.
    public var isStandardOutput: Bool { target == .descriptor(1) }

    /// Whether a name stands for standard output: `-`, `/dev/stdout`, `/dev/fd/1` and the like.
    public static func isStandardOutput(_ path: String) -> Bool {
        (try? OutputTarget(path)) == .descriptor(1)
    }

    /// Whether a name stands for what takes bytes as they come: a FIFO, a device, standard output.
    public static func isStream(_ path: String) -> Bool {
        switch try? OutputTarget(path) {
        case .stream, .descriptor: true
        case .file, .empty, nil: false
        }
    }
}
