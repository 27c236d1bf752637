package import MediaFile

extension FileMetadata {
    /// The formats that are read, those first whose signs are surest.
    package static let formats: [any MetadataFormat.Type] = [
        FLACFormat.self, OggFormat.self, MatroskaFormat.self, RIFFFormat.self, AIFFFormat.self,
        ISOBaseMediaFormat.self, ID3Format.self,
    ]

    /// Reads a file; `nil` if it is of none of the formats.
    package static func format(reading file: RandomAccessFile) throws(MetadataError) -> (any MetadataFormat)? {
        let head = file.read(at: 0, count: 64)
        return try formats.first { $0.recognizes(head, file) }?.init(reading: file)
    }
}
