internal import AVToolCommands
internal import Foundation
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Which files are worked on by one copy of the worker.
///
/// Each has its own, so that no file's fault or malice reaches another; small ones are taken together, because making
/// a copy costs as much as reading some of them.
struct WorkGroups {
    /// Bytes of a film that is small: what is read of it takes no longer than to make some copies.
    private static let maximumByteCount = Int64(4 << 20)
    /// How many small ones go together: fewer are over sooner than another copy is made, and of more, one that crashes
    /// would take too many with it.
    private static let counts = 2...128
    /// Bytes of memory that each of several copies should have: to read, to encode, and where nobody asked for fewer
    /// copies than that.
    private static let usualMemory = (reading: Int64(1 << 30), encoding: Int64(4 << 30), least: Int64(256 << 20))

    /// How many copies are busy at a time.
    ///
    /// As many as there are cores, which they share; of small films twice as many, because a copy waits now and then for
    /// a file to be opened. Encoders keep all cores busy by themselves, but for what comes before and after them. What is
    /// said of files comes in their order all the same.
    let atATime: Int

    private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - memory: Bytes that all copies may have together; 0 if that is not known.
    ///   - kept: Files that need no work, which stand alone.
    init(of plan: WorkPlan, memory: Int64, without kept: Set<Int> = []) {
        let files = plan.files
        let small = files.map(Self.isSmall)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let most = plan.jobs ?? (plan.mayTakePasses ? 2 : small.contains(false) ? cores : 2 * cores)
        let usual = plan.mayTakePasses ? Self.usualMemory.encoding : Self.usualMemory.reading
        let wanted = plan.memory ?? (plan.jobs == nil ? usual : Self.usualMemory.least)
        let fitting = memory > 0 ? Int(min(Int64(most), memory / max(1, wanted))) : min(most, 2)
        atATime = max(1, fitting)
        let share = (files.count - kept.count + atATime - 1) / atATime
        let maximumCount = min(max(share, Self.counts.lowerBound), Self.counts.upperBound)
        var start = 0
        for (index, isSmall) in small.enumerated() {
            let isAlone = !isSmall || kept.contains(index)
            if isAlone, start < index {
                ranges.append(start..<index)
                start = index
            }
            if isAlone || index + 1 - start == maximumCount {
                ranges.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < files.count { ranges.append(start..<files.count) }
    }

    private static func isSmall(_ file: String) -> Bool {
        var status = stat()
        guard stat(file, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) <= maximumByteCount
    }
}
