internal import MediaCore
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What tells a version of a film from others, whatever its name: its size, its time of modification and some of its bytes.
package struct FilmIdentity: Hashable, Sendable {
    package let byteCount: UInt64
    /// Seconds and nanoseconds.
    package let modified: String
    /// Of parts of the file: archives give many films one time, and recorders make files of one size.
    package let sampleDigest: UInt64

    private static let sample = FileSample(edge: 16 << 10, block: 16 << 10, count: 6, wholeByteCount: 128 << 10)

    /// Reads 128 KiB of a regular file; `nil` for anything else, and for what cannot be read.
    package init?(path: String) {
        var status = stat()
        guard path != SourceFile.standardInput, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = RandomAccessFile(path: path)
        else { return nil }
        var bytes: [UInt8] = []
        guard Self.sample.forEachPart(of: file, { bytes += $0 }) else { return nil }
        byteCount = file.byteCount
        modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        sampleDigest = FowlerNollVo.digest64(ofWordsIn: bytes)
    }

    /// The parts as texts.
    package var texts: [String] { ["\(byteCount)", modified, "\(sampleDigest)"] }

    /// 32 hexadecimal digits.
    package var digest: String { FowlerNollVo.digest128(of: texts).zeroPadded(to: 32, radix: 16) }
}
