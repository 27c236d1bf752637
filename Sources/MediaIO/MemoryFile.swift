internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Bytes in memory that are a file for those who open files by name.
///
/// Gone with the object.
package final class MemoryFile: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` if there is not enough memory, or the system has no such files.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        descriptor = avt_memory_file()
        guard descriptor >= 0 else { return nil }
        var written = 0
        while written < bytes.count, let base = bytes.baseAddress {
            let count = write(descriptor, base + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(descriptor)
                return nil
            }
            written += count
        }
    }

    deinit { close(descriptor) }

    /// The name, for this process only.
    package var path: String { "/proc/self/fd/\(descriptor)" }
}
