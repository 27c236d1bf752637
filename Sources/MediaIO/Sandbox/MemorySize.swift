internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
