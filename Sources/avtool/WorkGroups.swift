internal import Foundation
internal import MediaFile

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
    /// What is small, and how many small ones go together.
    private static let (maximumByteCount, maximumCount) = (Int64(4 << 20), 16)

    /// How many copies are busy at a time: several only where films are small, as large ones keep all cores busy by
    /// themselves. What is said of files comes in their order all the same.
    private(set) var atATime = min(2, ProcessInfo.processInfo.activeProcessorCount)

    private(set) var ranges: [Range<Int>] = []

    init(of files: [String]) {
        var start = 0
        for (index, file) in files.enumerated() {
            let isSmall = Self.isSmall(file)
            if !isSmall, start < index {
                ranges.append(start..<index)
                start = index
            }
            if !isSmall { atATime = 1 }
            if !isSmall || index + 1 - start == Self.maximumCount {
                ranges.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < files.count { ranges.append(start..<files.count) }
        // Side by side from the beginning, where there are few.
        if ranges.count == 1, let only = ranges.first, only.count > 3 {
            let middle = only.lowerBound + only.count / 2
            ranges = [only.lowerBound..<middle, middle..<only.upperBound]
        }
    }

    private static func isSmall(_ file: String) -> Bool {
        var status = stat()
        guard stat(file, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) <= maximumByteCount
    }
}
