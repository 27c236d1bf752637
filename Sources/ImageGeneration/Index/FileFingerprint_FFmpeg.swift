internal import FFmpegKit
internal import MediaFile

extension FileFingerprint {
    /// The digest of a file; `nil` if it cannot be read.
    static func digest(of file: RandomAccessFile) -> String? {
        guard let digest = try? ContentDigest() else { return nil }
        forEachPart(of: file, digest.add)
        return file.readFailure == nil ? digest.finish() : nil
    }
}
