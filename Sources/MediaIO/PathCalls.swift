internal import CLinux
package import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

// The system's calls that take a path, for paths as ``Swift/String/init(pathBytes:)``
// makes them. They have C's names: written with a `String`, a call is one of these,
// so that no place in the package can forget the mapping.

/// Opens a file.
package func open(_ path: String, _ flags: Int32) -> Int32 {
    guard let broker = FileAccess.broker else { return path.withPathBytes { openat(AT_FDCWD, $0, flags) } }
    // What this process has open itself, under the name that the kernel gives it.
    if let own = path.ownDescriptor, !broker.isInput(path) { return fcntl(own, F_DUPFD_CLOEXEC, 0) }
    return broker.open(path, flags)
}

/// Opens what is read as media: until it is closed it is changed by nobody of this package.
package func openSource(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = open(path, flags)
    // A broker has done so, where it is not going to change the file itself.
    if descriptor >= 0, FileAccess.broker == nil { ReadLock.take(descriptor) }
    return descriptor
}

/// Opens or makes a file.
package func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    path.withPathBytes { openat(AT_FDCWD, $0, flags, mode) }
}

/// Looks at what a path leads to.
package func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    if let broker = FileAccess.broker, path.dependsOnProcess, broker.isInput(path) {
        return broker.status(of: path, status)
    }
    return path.withPathBytes { fstatat(AT_FDCWD, $0, status, 0) }
}

/// Looks at what a path names, without following a link.
package func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    path.withPathBytes { fstatat(AT_FDCWD, $0, status, AT_SYMLINK_NOFOLLOW) }
}

/// How many names a file has; 0 if there is none.
package func linkCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
}

/// Whether a file may be used in a way.
package func access(_ path: String, _ mode: Int32) -> Int32 {
    path.withPathBytes { faccessat(AT_FDCWD, $0, mode, 0) }
}

/// Removes a file's name.
@discardableResult
package func unlink(_ path: String) -> Int32 { path.withPathBytes { unlinkat(AT_FDCWD, $0, 0) } }

/// Removes an empty folder.
@discardableResult
package func rmdir(_ path: String) -> Int32 { path.withPathBytes { unlinkat(AT_FDCWD, $0, AT_REMOVEDIR) } }

/// Makes a folder.
@discardableResult
package func mkdir(_ path: String, _ mode: UInt32) -> Int32 {
    path.withPathBytes { mkdirat(AT_FDCWD, $0, mode) }
}

/// Gives a file another name, in place of what has that name.
@discardableResult
package func rename(_ old: String, _ new: String) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { renameat(AT_FDCWD, old, AT_FDCWD, $0) } }
}

/// Gives a file a second name.
@discardableResult
package func linkat(_ folder: Int32, _ old: String, _ newFolder: Int32, _ new: String, _ flags: Int32) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { linkat(folder, old, newFolder, $0, flags) } }
}

/// Gives a file another name that nothing has.
@discardableResult
func avt_rename_to_new(_ old: String, _ new: String) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { avt_rename_to_new(old, $0) } }
}

/// Exchanges two names.
func avt_exchange(_ one: String, _ other: String) -> Int32 {
    one.withPathBytes { one in other.withPathBytes { avt_exchange(one, $0) } }
}

/// Copies extended attributes.
func avt_copy_extended_attributes(_ model: String, _ target: Int32) {
    model.withPathBytes { avt_copy_extended_attributes($0, target) }
}

/// The path of the file that a path leads to, all links resolved; `nil` if there is none.
package func realPath(_ path: String) -> String? {
    guard let resolved = path.withPathBytes({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return String(pathBytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
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

extension FileManager {
    /// Whether a path, which need not be UTF-8, leads to something.
    package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes a folder, and those that it is to lie in.
    ///
    /// - Returns: Whether it is there now; `errno` says why not.
    func makeFolders(_ path: String) -> Bool {
        if mkdir(path, 0o777) == 0 { return true }
        if errno == ENOENT, path.parentFolder != path, makeFolders(path.parentFolder) { return mkdir(path, 0o777) == 0 }
        var status = stat()
        return errno == EEXIST && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder, `nil` if it cannot be read.
    package func names(in folder: String) -> [String]? {
        guard let stream = folder.withPathBytes({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // The end and a failure look alike but for this.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(String(pathBytes: name)) }
        }
        return errno == 0 ? names : nil
    }
}
