internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The hole that a sparse file may end in: terabytes of zeros that take no room on disk.
///
/// Demuxers look through all of them for a sign of their format, some with all that they have read in memory. What
/// lies there was never written, so that it is nothing of the film.
enum TrailingHole {
    /// Smaller holes are read, as the zeros that they stand for.
    private static let minimum: Int64 = 1 << 30
    /// More parts of data than this are not gone through.
    private static let maximumParts = 1 << 12

    // Linux's numbers, which Swift's view of the C library leaves out.
    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4

    /// Where the hole begins; `nil` if the file ends in none that is worth leaving out.
    static func start(inFile path: String) -> Int64? {
        let descriptor = MediaIO.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return start(in: descriptor)
    }

    /// The same of an open file, whose own position moves.
    static func start(in descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Nearly all files are known by this to have no such hole.
        guard Int64(status.st_size) - Int64(status.st_blocks) * 512 > minimum else { return nil }
        var end: off_t = 0
        for _ in 0..<maximumParts {
            let data = lseek(descriptor, end, seekData)
            guard data >= 0 else {
                // There is no more data, or a file system that does not tell.
                guard errno == ENXIO, Int64(status.st_size) - Int64(end) > minimum else { return nil }
                return Int64(end)
            }
            let hole = lseek(descriptor, data, seekHole)
            guard hole > data else { return nil }
            end = hole
        }
        return nil
    }
}
