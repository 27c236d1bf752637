public import Foundation
internal import MediaIO

/// What tells a file's contents from others' without reading all of them.
///
/// A SHA-256 of the number of bytes, in decimal digits and with a line feed after them, and of the file itself if it has up to
/// 1 MiB; else of its first and last 256 KiB and of 16 blocks of 32 KiB between them, which begin at
/// `262144 + i * (byteCount - 524288) / 16`, rounded down, for `i` from 0 to 15. Media files differ there: samples are compressed, and headers list
/// their sizes. Who would have two files look alike can. Beyond AVFoundation.
public struct FileFingerprint: Sendable, Hashable {
    /// How many bytes the file has.
    public let byteCount: UInt64
    /// 64 hexadecimal digits.
    public let digest: String

    static let sample = FileSample(edge: 256 << 10, block: 32 << 10, count: 16, wholeByteCount: 1 << 20)

    /// Reads the parts of a file.
    ///
    /// - Returns: `nil` if it cannot be read, or is no file.
    /// - Complexity: Reads 1 MiB at most.
    public init?(of url: URL) {
        guard url.isFileURL, let file = RandomAccessFile(path: url.path), let digest = Self.digest(of: file) else {
            return nil
        }
        (byteCount, self.digest) = (file.byteCount, digest)
    }
}
