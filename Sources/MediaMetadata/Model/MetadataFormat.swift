package import MediaFile

/// A format's reader and writer of metadata.
package protocol MetadataFormat: Sendable {
    /// What of a file's beginning tells that it is of this format.
    ///
    /// - Parameter head: The first 64 bytes, fewer of a shorter file.
    static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool

    /// Reads all metadata.
    ///
    /// Damage in one part is told in `problems` and does not keep the others from being read.
    ///
    /// - Throws: `MetadataError` if the file cannot be of this format after all.
    static func read(_ file: RandomAccessFile) throws(MetadataError) -> FileMetadata

    /// A new version of the file with other metadata.
    ///
    /// Entries that are equal to those of the file keep their bytes, and what
    /// the format keeps beside entries stays.
    ///
    /// - Parameter metadata: What `read` gave, changed.
    /// - Returns: The rewrite, and what the format could not hold.
    static func rewrite(_ file: RandomAccessFile, with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite
}

/// A new version of a file with other metadata, and what that loses.
package struct MetadataRewrite: Sendable {
    package var rewrite: FileRewrite
    package var losses: [MetadataLoss]

    package init(rewrite: FileRewrite, losses: [MetadataLoss] = []) { (self.rewrite, self.losses) = (rewrite, losses) }
}
