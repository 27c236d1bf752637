internal import Foundation
internal import MediaContainers
internal import MediaIO
package import MediaMetadata
internal import MetadataFormats

extension MetadataFile {
    /// Leaves out of the file all that tells about people, places, devices and moments.
    ///
    /// Beyond items it overwrites tracks, boxes, messages among coded pictures, names and dates that are not known to be
    /// harmless; coded pictures and sound stay byte for byte.
    ///
    /// - Returns: What goes.
    /// - Throws: `MetadataError` if the file cannot be looked through, or hides pictures or sound that others are not
    ///   to see.
    package mutating func makeShareable() throws -> [PrivateDetail] {
        if let hidden = HiddenMaterial.of(contents).first {
            throw MetadataError(
                .unsupported,
                "the file holds \(hidden.text) that its edit list hides; 'avtool export --share-safe' leaves them out, "
                    + "with a preset that encodes anew if they are needed")
        }
        let top = BoxReader(file: contents)
        let holdsItems = top.boxes(in: 0..<contents.byteCount).contains { box in
            box.type == "meta" && top.boxes(in: box.content.dropping(4)).contains { $0.type == "iinf" }
        }
        guard !holdsItems else {
            throw MetadataError(.unsupported, "pictures of HEIF and AVIF cannot be looked through")
        }
        let found = try FileScrub(contents)
        try found.checkIsWhole()
        let details = found.details(with: metadata)
        metadata.entries = MetadataSharing.shareable(metadata.entries)
        for index in metadata.tracks.indices {
            metadata.tracks[index].entries = MetadataSharing.shareable(metadata.tracks[index].entries)
        }
        let lists = metadata.chapterLists.map(\.forSharing)
        if lists != metadata.chapterLists { metadata.chapterLists = lists }
        finishing = { rewrite, file in
            let current = RandomAccessFile(rewrite, of: file)
            let scrub = try FileScrub(current)
            return scrub.overlay.isEmpty ? rewrite : scrub.rewrite(of: current).composed(after: rewrite)
        }
        return details
    }
}
