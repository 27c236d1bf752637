internal import Foundation
internal import MediaCore
internal import MediaImage
package import MediaMetadata

/// Covers in formats that a container has no type for, and that no player would open there.
package enum ArtworkConversion {
    /// Bytes of a cover that is decoded.
    private static let maximumBytes = 64 << 20
    /// The quality of covers that were coded with loss before, of 100.
    private static let quality = 95

    /// Gives movies PNG, or JPEG of what was coded with loss, in place of TIFF, WebP and AVIF.
    ///
    /// - Returns: What is changed, and what is no picture, which is left out.
    package static func convert(_ entries: inout [MetadataEntry], for container: FileMetadata.Container)
        -> [MetadataLoss]
    {
        guard container.structure == .boxes else { return [] }
        var losses: [MetadataLoss] = []
        entries = entries.compactMap { entry in
            guard entry.isArtwork, case .data(let bytes) = entry.value, MetadataDataType.ofPicture(bytes) == nil else {
                return entry
            }
            guard let picture = converted(bytes) else {
                losses.append(
                    MetadataLoss(
                        item: entry.identifier.rawValue, reason: "it is no picture that players of such files know"))
                return nil
            }
            var new = entry
            new.value = .data(picture.bytes)
            new.dataType = picture.type
            if entry.extras[.dataType] != nil {
                new.extras[.dataType] = MetadataDataType.mimeType(of: picture.type).map { .text($0) }
            }
            losses.append(change(of: entry.identifier.rawValue, to: picture.type))
            return new
        }
        return losses
    }

    /// The same of a cover that somebody gives.
    package static func converted(
        _ artwork: MediaItem.Artwork, for container: FileMetadata.Container
    ) -> (MediaItem.Artwork, [MetadataLoss]) {
        guard container.structure == .boxes, MetadataDataType.ofPicture(artwork.data) == nil,
            let picture = converted(artwork.data)
        else { return (artwork, []) }
        return (MediaItem.Artwork(data: picture.bytes), [change(of: "artwork", to: picture.type)])
    }

    private static func change(of item: String, to type: String) -> MetadataLoss {
        var change = MetadataLoss(
            item: item,
            reason: "such files have no type for its format: it becomes \(MetadataDataType.shortName(of: type))",
            isChange: true)
        change.leavesNothingOut = true
        return change
    }

    private static func converted(_ bytes: [UInt8]) -> (bytes: [UInt8], type: String)? {
        guard bytes.count <= maximumBytes,
            let source = CGImageSourceCreateWithData(NSData(data: Data(bytes)), nil),
            let image = upright(source)
        else { return nil }
        // WebP says in the name of its first chunk that it was coded with loss, and has no transparency then.
        let isLossy = bytes.dropFirst(12).starts(with: Array("VP8 ".utf8))
        if isLossy, let data = try? image.jpegData(quality: quality) { return (Array(data), MetadataDataType.jpeg) }
        return (try? image.pngData()).map { (Array($0), MetadataDataType.png) }
    }

    /// The picture as it is shown, since what says how to turn it is not written again.
    private static func upright(_ source: CGImageSource) -> CGImage? {
        let options: [NSString: NSNumber] = [
            NSString(string: kCGImageSourceCreateThumbnailFromImageAlways as String): NSNumber(value: true),
            NSString(string: kCGImageSourceCreateThumbnailWithTransform as String): NSNumber(value: true),
            NSString(string: kCGImageSourceThumbnailMaxPixelSize as String): NSNumber(value: Int32.max),
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, NSDictionary(dictionary: options))
    }
}
