/// All that is read of a picture file without decoding it.
package enum PictureFiles {
    package static func read(_ bytes: [UInt8]) {
        guard let format = PictureFormat(Array(bytes.prefix(16))) else { return }
        switch format {
        case .gif: _ = AnimationFacts.gif(bytes)
        case .png: _ = AnimationFacts.png(FileChunks.png(bytes))
        default: break
        }
        _ = FileChunks.resolution(format, bytes)
        guard let metadata = FileChunks.exif(format, bytes).flatMap({ MetadataDirectory($0) }) else { return }
        _ = (metadata.resolution, metadata.thumbnail?.count, metadata.picture.count, metadata.position.count)
    }
}
