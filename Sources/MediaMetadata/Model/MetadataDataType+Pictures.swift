extension MetadataDataType {
    /// The namespace of entries whose `dataType` attribute is a MIME type.
    package static let mimeTypeNamespace = "org.iana.media-type"

    /// The type of a picture by its first bytes, `nil` if it is none of the known ones.
    package static func ofPicture(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return png }
        if bytes.starts(with: Array("GIF8".utf8)) { return gif }
        if bytes.starts(with: Array("BM".utf8)) { return bmp }
        return nil
    }

    /// The type of a picture by its MIME type, `nil` if there is none for it.
    package static func ofPicture(mimeType: String) -> String? {
        switch mimeType.lowercased() {
        case "image/jpeg", "image/jpg": jpeg
        case "image/png": png
        case "image/gif": gif
        case "image/bmp": bmp
        default: nil
        }
    }

    /// The MIME type of a type of picture, `nil` for other types.
    package static func mimeType(of type: String?) -> String? {
        switch type {
        case jpeg: "image/jpeg"
        case png: "image/png"
        case gif: "image/gif"
        case bmp: "image/bmp"
        default: nil
        }
    }

    /// The MIME type of a picture by its first bytes, `nil` if it is none of the known ones.
    ///
    /// There is one more of these than types: WebP.
    package static func mimeType(ofPicture bytes: [UInt8]) -> String? {
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return mimeType(of: ofPicture(bytes))
    }
}

extension MetadataEntry {
    /// Sets the type of a picture to what its bytes are, where it says that of another kind of picture.
    mutating func correctPictureType() {
        guard case .data(let bytes) = value, let type = MetadataDataType.ofPicture(bytes),
            let mimeType = MetadataDataType.mimeType(of: type)
        else { return }
        if dataType != type, MetadataDataType.mimeType(of: dataType) != nil { dataType = type }
        if case .text(let named) = extras[.dataType], named != mimeType,
            MetadataDataType.ofPicture(mimeType: named) != nil, MetadataDataType.ofPicture(mimeType: named) != type
        {
            extras[.dataType] = .text(mimeType)
        }
    }
}
