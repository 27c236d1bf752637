package import MediaFile

extension FileMetadata {
    /// The formats that are read, those first whose signs are surest.
    package static let formats: [any MetadataFormat.Type] = [
        FLACFormat.self, OggFormat.self, MatroskaFormat.self, RIFFFormat.self, AIFFFormat.self,
        ISOBaseMediaFormat.self, ID3Format.self,
    ]

    /// The format of a file, `nil` if it is none of ours.
    package static func format(of file: RandomAccessFile) -> (any MetadataFormat.Type)? {
        let head = file.read(at: 0, count: 64)
        return formats.first { $0.recognizes(head, file) }
    }

    /// All metadata of a file, `nil` if it is of none of the formats.
    package init?(reading file: RandomAccessFile) throws(MetadataError) {
        guard let format = Self.format(of: file) else { return nil }
        self = try format.read(file)
    }
}
