package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// Matroska and WebM.
    package static let matroska = FileMetadata.Container(
        "matroska", shortName: "mkv",
        typeIdentifiers: ["org.matroska.mkv", "org.matroska.mka", "org.webmproject.webm"], keySpaces: [.matroska],
        chapterForms: [.matroska], headers: [.trackLabels, .creationDate],
        roles: .all.subtracting(.dub), structure: .elements)
}

/// Metadata of Matroska and WebM files.
///
/// Each simple tag is an entry whose key is its name; one within another has
/// both names as its key, a slash between. What a tag is about, beyond the whole
/// file, is told by extras; tags about one track are that track's entries. The
/// Segment's title and the tracks' names are entries of the key `TITLE`, attached
/// cover art entries of the key `COVER`; the extra `element` tells them from tags.
///
/// Source: RFC 9559.
package struct MatroskaFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.matroska]
    private let content: MatroskaContent
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        head.bigEndian32(at: 0) == MatroskaID.ebml && MatroskaSegment.docType(of: file) != nil
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        content = MatroskaContent(try MatroskaSegment(file))
        metadata = content.metadata
    }

    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        var editor = MatroskaEditor(content)
        let changes = try editor.changes(for: metadata)
        let rewrite = try MatroskaPlan.rewrite(editor.content.segment, changes: changes)
        return MetadataRewrite(rewrite: rewrite, losses: editor.losses)
    }

    package static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry] {
        label.name.map { [MatroskaTitle.entry($0, element: MatroskaElementName.trackName)] } ?? []
    }
}
