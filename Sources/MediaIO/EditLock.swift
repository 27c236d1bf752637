internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The right to change a file, which one process at a time has.
///
/// A lock on the file itself (`flock`), so that there is no lock file and nothing is left of a process that is killed.
/// It goes with the object. Programs that do not know of it are found out by the file's version, which is compared
/// before each step of a change.
package final class EditLock {
    /// Where the locked file is, all links resolved.
    let path: String
    private let descriptor: Int32
    private let broker: (any FileBroker)?
    /// What the broker knows the file as.
    private let name: String

    /// Waits until no other process changes a file.
    ///
    /// - Parameters:
    ///   - access: Who holds it for this process.
    ///   - patience: How long to wait.
    ///   - goOn: Called while it waits; what it throws ends that.
    /// - Throws: ``FileWriteError``: of the kind `busy` if the file is still being changed then.
    package init(
        changing name: String, access: FileAccess = .direct, patience: Duration = .seconds(10),
        goOn: () throws(FileWriteError) -> Void = {}
    ) throws(FileWriteError) {
        let broker = access.broker
        (self.name, self.broker) = (name, broker)
        if let broker {
            (path, descriptor) = (name, -1)
            try broker.done(.lock(path: name), for: name)
            return
        }
        let end = ContinuousClock.now + patience
        while true {
            // A link's own name must go on naming the file that the link leads to.
            _ = try OutputTarget(name)
            let path = realPath(name) ?? name
            let descriptor = try Self.open(path, for: name)
            do {
                try Self.lock(descriptor, name, until: end, goOn)
            } catch {
                close(descriptor)
                throw error
            }
            // Whoever had it before may have put another file in this one's place.
            if FileIdentity(path: path) == FileIdentity(descriptor: descriptor) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    deinit {
        if let broker {
            _ = broker.answer(to: .unlock(path: name), [])
        } else {
            // Others that the open file was given to do not keep the lock.
            avt_unlock_file(descriptor)
            close(descriptor)
        }
    }

    /// The locked file to read; `nil` where it had to be opened to write.
    var contents: RandomAccessFile? {
        fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY ? RandomAccessFile(source: descriptor) : nil
    }

    private static func open(_ path: String, for name: String) throws(FileWriteError) -> Int32 {
        let flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = MediaIO.open(path, O_RDONLY | flags)
        // Of a file on another computer only who may write it can lock it.
        if descriptor >= 0, avt_is_remote(descriptor) != 0 {
            close(descriptor)
            descriptor = MediaIO.open(path, O_RDWR | flags)
        }
        guard descriptor >= 0 else { throw FileWriteError.last(.cannotCreate, name) }
        return descriptor
    }

    private static func lock(
        _ descriptor: Int32, _ name: String, until end: ContinuousClock.Instant,
        _ goOn: () throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        while avt_lock_file(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard ContinuousClock.now < end else {
                    throw FileWriteError(
                        kind: .busy, path: name, reason: "it is being changed by another process; nothing was changed")
                }
                if Task.isCancelled { throw FileWriteError(kind: .cancelled, path: name, reason: "cancelled") }
                try goOn()
                WorkPulse.beat()
                usleep(5000)
            default:
                let reason = String(cString: strerror(errno))
                throw FileWriteError(
                    kind: .writeFailed, path: name,
                    reason: "its file system cannot lock it for a change (\(reason)); write a changed copy instead")
            }
        }
    }

    /// Fails unless the file is still what it was when a version of it was read.
    func check(_ version: FileVersion?) throws(FileWriteError) {
        guard FileVersion(path: path) == version else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "another program changed it meanwhile")
        }
    }
}

/// Keeps a file that is read from being changed in place: whoever changes it makes a new one then, which takes its name.
///
/// A lock of the open file, on a byte behind the end of any file; where there are none, reading goes on without.
enum ReadLock {
    private static let position = Int64.max - 1
    /// How long to wait for a change in place, in hundredths of a second.
    private static let patience = 1000

    /// Waits for the end of a change in place, and lets none begin while the file is open.
    static func take(_ descriptor: Int32) {
        // There nothing is changed in place, and asking another computer takes its time.
        guard avt_is_remote(descriptor) == 0 else { return }
        for _ in 0..<patience {
            guard avt_lock_byte(descriptor, 0, position) != 0, [EAGAIN, EACCES, EINTR].contains(errno) else { return }
            WorkPulse.beat()
            usleep(10_000)
        }
    }

    /// Lets the file be changed in place, though it is open.
    static func release(_ descriptor: Int32) { _ = avt_lock_byte(descriptor, 2, position) }

    /// Whether nobody reads the file, nor will while this descriptor is open.
    static func excludesReaders(_ descriptor: Int32) -> Bool {
        guard avt_is_remote(descriptor) == 0 else { return false }
        while avt_lock_byte(descriptor, 1, position) != 0 {
            guard errno == EINTR else { return ![EAGAIN, EACCES].contains(errno) }
        }
        return true
    }
}
