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

extension FileMetadata {
    /// The formats that are read, those first whose signs are surest.
    package static let formats: [any MetadataFormat.Type] = [
        FLACFormat.self, OggFormat.self, MatroskaFormat.self, RIFFFormat.self, AIFFFormat.self,
        ISOBaseMediaFormat.self, ID3Format.self,
    ]

    /// Reads a file; `nil` if it is of none of the formats.
    package static func format(reading file: RandomAccessFile) throws(MetadataError) -> (any MetadataFormat)? {
        let head = file.read(at: 0, count: 64)
        let format = try formats.first { $0.recognizes(head, file) }?.init(reading: file)
        try format?.metadata.checkChapters(file.limits)
        return format
    }
}

extension FileMetadata.Container {
    /// All kinds that are read, those first that most people have.
    package static let all: [FileMetadata.Container] = [
        .isoBaseMedia, .quickTime, .id3, .flac, .ogg, .matroska, .riff, .aiff,
    ]

    /// What reads and writes files of the kind.
    fileprivate var format: (any MetadataFormat.Type)? {
        FileMetadata.formats.first { $0.containers.contains(self) }
    }
}

extension TrackLabel {
    /// The entries that say name and roles, where these are entries.
    package func entries(in container: FileMetadata.Container) -> [MetadataEntry] {
        container.format?.entries(for: self, in: container) ?? []
    }
}

extension FileMetadata {
    /// The length of the ID3 tag that a file's first bytes begin; `nil` if they begin none.
    package static func lengthOfTag(_ head: [UInt8]) -> UInt64? { ID3TagHeader(head)?.tagLength }
}
