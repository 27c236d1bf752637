#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Which file something is, whatever names it has: hard links, symbolic links and
/// bind mounts of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

    /// The file that a path leads to.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// What a path names itself: the link, where it is a symbolic one.
    init?(linkAt path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// What is open.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// A name in a folder, however the folder is written.
struct FileName: Hashable, Sendable {
    private let folder: FileIdentity?
    /// Bytes, since text is equal to other bytes for the same characters.
    private let name: [UInt8]

    init(_ path: String) {
        folder = FileIdentity(path: path.parentFolder)
        // Of a folder that is not there only the text is known.
        name = Array((folder == nil ? path : path.lastComponent).utf8)
    }

    /// Something without a name.
    init(descriptor: Int32) { (folder, name) = (nil, Array("/dev/fd/\(descriptor)".utf8)) }
}
