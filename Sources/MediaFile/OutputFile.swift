internal import CFileShims
package import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file that is open for writing.
package struct OutputFile: ~Copyable {
    private let descriptor: Int32
    /// The name for errors; the file itself may have none yet.
    private let path: String

    /// Takes over an open descriptor.
    init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

    /// Opens an existing file to change it in place.
    init(changing path: String) throws(FileWriteError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileWriteError.last(.cannotCreate, path) }
        self.init(descriptor: descriptor, path: path)
    }

    deinit { close(descriptor) }

    /// The file as the kernel names it while it has no other name.
    var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

    /// What it holds now, if it was opened for reading too.
    func contents() throws(FileWriteError) -> RandomAccessFile {
        guard let file = RandomAccessFile(sharing: descriptor) else {
            throw FileWriteError.last(.writeFailed, path)
        }
        return file
    }

    /// Writes bytes where writing stopped last.
    package func write(_ bytes: some ContiguousBytes) throws(FileWriteError) {
        var position = 0
        let total = bytes.withUnsafeBytes(\.count)
        while position < total {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { systemWrite(descriptor, $0 + position, total - position) }
            }
            position += try advance(count ?? 0)
        }
    }

    /// Writes bytes at a position; a single page arrives whole even if the process is killed.
    func write(_ bytes: some ContiguousBytes, at position: UInt64) throws(FileWriteError) {
        var done = 0
        let total = bytes.withUnsafeBytes(\.count)
        guard let end = Int64(exactly: position), end <= Int64.max - Int64(total) else {
            throw FileWriteError(kind: .writeFailed, path: path, reason: "the position is beyond all limits")
        }
        while done < total {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map {
                    pwrite(descriptor, $0 + done, total - done, off_t(position) + off_t(done))
                }
            }
            done += try advance(count ?? 0)
        }
    }

    /// Copies a range of another file to where writing stopped last, within the
    /// kernel where that is possible.
    package func copy(_ range: Range<UInt64>, of file: RandomAccessFile) throws(FileWriteError) {
        if let (parts, base) = file.parts(of: range) {
            guard parts.byteCount == range.length else { throw shortSource }
            return try write(parts, from: base)
        }
        var position = range.lowerBound
        if let source = file.descriptor {
            while position < range.upperBound {
                try checkCancellation()
                let count = avt_copy_range(
                    source, Int64(position), descriptor, Int(min(range.upperBound - position, 64 << 20)))
                // Some file systems cannot; at the end of a file cut short it copies nothing.
                if count <= 0 { break }
                position += UInt64(count)
            }
        }
        while position < range.upperBound {
            try checkCancellation()
            let bytes = file.read(at: position, count: Int(min(range.upperBound - position, 1 << 20)))
            guard !bytes.isEmpty else { throw shortSource }
            try write(bytes)
            position += UInt64(bytes.count)
        }
    }

    /// Writes bytes and parts of a file to where writing stopped last.
    func write(_ segments: [FileRewrite.Segment], from file: RandomAccessFile) throws(FileWriteError) {
        for segment in segments {
            switch segment {
            case .bytes(let bytes): try write(bytes)
            case .source(let range): try copy(range, of: file)
            }
        }
    }

    /// Has the disk begin with some bytes, so that there is less to wait for later.
    func startWriteback(of range: Range<UInt64>) {
        avt_start_writeback(descriptor, Int64(range.lowerBound), Int64(range.length))
    }

    /// Sets where writing is to go on.
    func seek(to position: UInt64) throws(FileWriteError) {
        guard lseek(descriptor, off_t(position), SEEK_SET) >= 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Waits until the bytes are on the disk.
    func sync() throws(FileWriteError) {
        guard fdatasync(descriptor) == 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Sets the file's length.
    func truncate(to length: UInt64) throws(FileWriteError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileWriteError.last(.writeFailed, path) }
    }

    /// Sets permissions, owner and extended attributes to those of another
    /// file, as far as allowed.
    func takeOverAttributes(of model: String) {
        var status = stat()
        guard stat(model, &status) == 0 else { return }
        // The owner first: changing it clears the set-user-ID bits.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o7777)
        avt_copy_extended_attributes(model, descriptor)
    }

    private func checkCancellation() throws(FileWriteError) {
        if Task.isCancelled { throw FileWriteError(kind: .cancelled, path: path, reason: "cancelled") }
    }

    private var shortSource: FileWriteError {
        FileWriteError(kind: .writeFailed, path: path, reason: "the source became shorter meanwhile")
    }

    /// What a write did, or the error it met.
    private func advance(_ count: Int) throws(FileWriteError) -> Int {
        if count < 0, errno == EINTR { return 0 }
        guard count > 0 else { throw FileWriteError.last(.writeFailed, path) }
        return count
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Renames a file unless the new name is taken.
func renameToNew(_ old: String, _ new: String) -> Bool { avt_rename_to_new(old, new) == 0 }
