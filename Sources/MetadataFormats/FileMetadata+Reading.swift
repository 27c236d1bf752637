package import MediaIO
package import MediaMetadata

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
