package import MediaIO
package import MediaMetadata

/// A file of one format: what was read of it, and new versions of it.
///
/// A file is read once: what is known of its parts from reading is what new versions are made from.
package protocol MetadataFormat: Sendable {
    /// The kinds of its files.
    static var containers: [FileMetadata.Container] { get }

    /// What of a file's beginning tells that it is of this format.
    ///
    /// - Parameter head: The first 64 bytes, fewer of a shorter file.
    static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool

    /// Reads all metadata.
    ///
    /// Damage in one part is told in the metadata's `problems` and does not keep the others from being read.
    ///
    /// - Throws: `MetadataError` if the file cannot be of this format after all.
    init(reading file: RandomAccessFile) throws(MetadataError)

    /// All metadata of the file, as it was read.
    var metadata: FileMetadata { get }

    /// A new version of the file with other metadata.
    ///
    /// Entries that are equal to those of the file keep their bytes, and what
    /// the format keeps beside entries stays.
    ///
    /// - Parameter metadata: The file's own, changed.
    /// - Returns: The rewrite, and what the format could not hold.
    func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite

    /// The entries that say a track's name and purpose, where these are entries.
    ///
    /// - Parameter container: One of `containers`.
    static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry]
}

extension MetadataFormat {
    package static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry] { [] }
}

/// A new version of a file with other metadata, and what that loses.
package struct MetadataRewrite: Sendable {
    package var rewrite: FileRewrite
    package var losses: [MetadataLoss]

    package init(rewrite: FileRewrite, losses: [MetadataLoss] = []) { (self.rewrite, self.losses) = (rewrite, losses) }
}
