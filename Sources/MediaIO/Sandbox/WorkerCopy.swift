internal import CLinux

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a worker does with itself.
package enum WorkerCopy {
    /// Has calls refused from now on: the worker's first act.
    ///
    /// - Returns: Whether the kernel does it.
    package static func refuseCalls(allowsNetwork: Bool) -> Bool {
        avt_refuse_calls(allowsNetwork ? 1 : 0) == 0
    }

    /// Bounds the memory of this process for good.
    ///
    /// What counts is what it may write to and shares with nobody: heap, threads' stacks and private mappings, whether
    /// they are used yet or not. Libraries and mapped files, which the address space would count, do not.
    package static func limitMemory(_ bytes: Int64) { avt_limit_memory(UInt64(max(0, bytes))) }

    /// Makes a copy of this process.
    ///
    /// - Returns: 0 in the copy, its process number in the original; below zero with `errno`.
    package static func make(_ isolation: Isolation) -> Int32 {
        let process = avt_copy_process()
        if process == 0 { refuseProcesses(isolation) }
        return process
    }

    /// Makes this process one that makes no other, as each copy is.
    package static func refuseProcesses(_ isolation: Isolation) { _ = avt_refuse_processes(isolation.rawValue) }
}
