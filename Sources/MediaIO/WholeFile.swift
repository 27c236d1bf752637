#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Files that are read as a whole, be they regular ones, pipes or standard input.
package enum WholeFile {
    /// Why a file cannot be had.
    package enum Failure: Error {
        /// The operating system's error.
        case system(Int32)
        case tooLarge
    }

    /// All bytes of a file; waits for those of a pipe.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - limit: How many bytes it may have.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let isInput = path == "-"
        // Without O_NONBLOCK, whoever opens a pipe for this process would wait for its writer.
        let descriptor = open(isInput ? "/dev/stdin" : path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var whole: [UInt8] = []
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 1000) > 0 else { continue }
            var got = 0
            let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(0, got)
            }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got >= 0 else { throw .system(errno) }
            guard got > 0 else { return whole }
            whole += part
            guard whole.count <= limit else { throw .tooLarge }
        }
    }
}
