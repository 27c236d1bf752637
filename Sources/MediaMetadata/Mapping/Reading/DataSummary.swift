/// What a value that is data says of itself, for people.
package enum DataSummary {
    /// Such as `600x600 JPEG 84 kB`; `data, 12 bytes` for what is no picture.
    package static func text(of bytes: [UInt8]) -> String {
        guard let type = MetadataDataType.mimeType(ofPicture: bytes) else { return "data, \(bytes.count) bytes" }
        let size = PictureGeometry(ofPicture: bytes).map { "\($0.width)x\($0.height) " } ?? ""
        let kind = type.dropFirst("image/".count).uppercased()
        let length = bytes.count < 1000 ? "\(bytes.count) bytes" : "\((bytes.count + 500) / 1000) kB"
        return "\(size)\(kind) \(length)"
    }
}
