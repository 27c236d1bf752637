public import Foundation
internal import MediaFile

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

    private static let edge: UInt64 = 256 << 10
    private static let block = 32 << 10
    private static let blockCount: UInt64 = 16

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

    /// Calls `body` with what the digest is of, in order.
    static func forEachPart(of file: RandomAccessFile, _ body: ([UInt8]) -> Void) {
        let byteCount = file.byteCount
        body(Array("\(byteCount)\n".utf8))
        guard byteCount > 1 << 20 else { return body(file.read(at: 0, count: Int(byteCount))) }
        body(file.read(at: 0, count: Int(edge)))
        let rest = byteCount - 2 * edge
        for index in 0..<blockCount {
            // The same as the product divided, which may be more than a number holds.
            let start = rest / blockCount * index + rest % blockCount * index / blockCount
            body(file.read(at: edge + start, count: block))
        }
        body(file.read(at: byteCount - edge, count: Int(edge)))
    }
}
