internal import FFmpegKit
internal import MediaIO

extension FileFingerprint {
    /// The digest of a file; `nil` if it cannot be read.
    static func digest(of file: RandomAccessFile) -> String? {
        guard let digest = try? ContentDigest() else { return nil }
        digest.add(Array("\(file.byteCount)\n".utf8))
        return sample.forEachPart(of: file, digest.add) ? digest.finish() : nil
    }
}
