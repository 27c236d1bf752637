internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Memory that goes from one process to another, and that neither can change any more.
package final class SealedMemory: Sendable {
    /// Goes along with a message; this object's own.
    package let descriptor: Int32
    package let byteCount: Int

    /// Makes memory of the bytes of all parts, one after the other.
    package init(_ parts: [[UInt8]]) throws(ChannelError) {
        descriptor = avt_shared_memory()
        byteCount = parts.reduce(0) { $0 + $1.count }
        guard descriptor >= 0 else { throw Self.failure() }
        for part in parts {
            guard Self.write(part, to: descriptor) else { throw Self.failure() }
        }
        guard avt_seal_memory(descriptor) == 0 else { throw Self.failure() }
    }

    /// Memory that came from another process, which may be anybody's by now.
    ///
    /// - Parameters:
    ///   - descriptor: This object's own from now on.
    ///   - maximum: The most bytes that are taken.
    init(received descriptor: Int32, maximum: Int) throws(ChannelError) {
        self.descriptor = descriptor
        var status = stat()
        // What is sealed is memory, and no pipe that would have its reader wait; and it stays as long as it is.
        guard avt_memory_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0, status.st_size >= 0 else {
            byteCount = 0
            throw ChannelError(reason: "what came is no sealed memory")
        }
        guard status.st_size <= maximum else {
            byteCount = 0
            throw ChannelError(reason: "more came than was asked for")
        }
        byteCount = Int(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A part of the bytes.
    ///
    /// - Throws: `ChannelError` if they are not all there.
    package func read(_ range: Range<Int>) throws(ChannelError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= byteCount else {
            throw ChannelError(reason: "less came than was told")
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            filled = 0
            while filled < range.count, let base = buffer.baseAddress {
                let position = off_t(range.lowerBound + filled)
                let count = pread(descriptor, base + filled, range.count - filled, position)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                filled += count
            }
        }
        guard bytes.count == range.count else { throw ChannelError(reason: "memory that came cannot be read") }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let base = buffer.baseAddress {
                let count = Glibc.write(descriptor, base + written, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static func failure() -> ChannelError { ChannelError(reason: String(cString: strerror(errno))) }
}

/// How much memory there is for this process.
package enum MemorySize {
    /// Bytes that the machine has, or that the control groups of this process allow; 0 if nobody tells.
    package static func available() -> Int64 {
        let pages = Int64(sysconf(Int32(_SC_PHYS_PAGES)))
        let machine =
            pages > 0 ? pages.multipliedReportingOverflow(by: Int64(sysconf(Int32(_SC_PAGESIZE)))).partialValue : 0
        let groups = text("/proc/self/cgroup").split(separator: "\n").compactMap { limit(ofGroup: String($0)) }
        return groups.reduce(machine) { $0 > 0 ? min($0, $1) : $1 }
    }

    /// The least that a group or one of those that it is in allows.
    ///
    /// - Parameter line: A line of `/proc/self/cgroup`: number, controllers, path; no controllers in version 2.
    private static func limit(ofGroup line: String) -> Int64? {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        let isNew = parts[1].isEmpty
        guard isNew || parts[1].split(separator: ",").contains("memory") else { return nil }
        let root = isNew ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
        var names = parts[2].split(separator: "/").map(String.init)
        var least: Int64?
        while true {
            let folder = ([root] + names).joined(separator: "/")
            // In a container the path is that of the machine, which is not there; its own group is the root then.
            let told = text("\(folder)/\(isNew ? "memory.max" : "memory.limit_in_bytes")")
            if let bytes = Int64(told.trimmingCharacters(in: .whitespacesAndNewlines)), bytes > 0 {
                least = min(least ?? bytes, bytes)
            }
            guard names.popLast() != nil else { return least }
        }
    }

    private static func text(_ path: String) -> String {
        (try? WholeFile.read(path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
