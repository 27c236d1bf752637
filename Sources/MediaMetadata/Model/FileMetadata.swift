package import Foundation
package import MediaIO

/// All metadata of one file.
package struct FileMetadata: Hashable, Sendable {
    /// A track's own metadata.
    package struct Track: Hashable, Sendable {
        /// The container's number for the track.
        package var trackID: Int64
        package var entries: [MetadataEntry]

        package init(trackID: Int64, entries: [MetadataEntry]) { (self.trackID, self.entries) = (trackID, entries) }
    }

    /// A file within the file, of Matroska.
    package struct Attachment: Hashable, Sendable {
        package var name: String
        package var mimeType: String
        package var description: String?
        package var uid: UInt64
        /// The attachment's bytes, where they lie in the file.
        package var range: Range<UInt64>

        /// Whether it is a picture that players do not take for the cover.
        package var isOtherPicture: Bool { mimeType.lowercased().hasPrefix("image/") && !isCover }

        /// Whether it is a picture that players take for the cover, so that an entry holds it too.
        package var isCover: Bool { mimeType.lowercased().hasPrefix("image/") && Self.isCoverName(name) }

        /// Whether a file name is one of those for cover art: `cover.jpg`, `small_cover_land.png`.
        package static func isCoverName(_ name: String) -> Bool {
            let name = name.lowercased()
            return name.hasPrefix("cover") || name.hasPrefix("small_cover")
        }

        package init(name: String, mimeType: String, description: String?, uid: UInt64, range: Range<UInt64>) {
            self.name = name
            self.mimeType = mimeType
            self.description = description
            self.uid = uid
            self.range = range
        }
    }

    /// A file to be put into the file.
    package struct NewAttachment: Hashable, Sendable {
        package var name: String
        package var mimeType: String
        package var description: String?
        package var bytes: [UInt8]
        /// A larger attachment is not taken along, as it would be held in memory.
        private static let maximumSize = 64 << 20

        /// What another file holds; `nil` if that cannot be read or is too large.
        package init?(_ old: Attachment, of file: RandomAccessFile) {
            guard let bytes = file.read(old.range, limit: Self.maximumSize) else { return nil }
            (name, mimeType, description, self.bytes) = (old.name, old.mimeType, old.description, bytes)
        }

        /// The entry that it would be if it were the cover, for those who choose among entries.
        package var coverEntry: MetadataEntry {
            MetadataEntry(
                .matroska, .text(MatroskaElementName.coverKey), .data(bytes),
                dataType: MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw)
        }
    }

    /// Fails if there are more chapters than a file may have.
    package func checkChapters(_ limits: MediaLimits) throws(MetadataError) {
        func count(_ chapters: [Chapter]) -> Int { chapters.reduce(chapters.count) { $0 + count($1.children) } }
        guard chapterLists.reduce(0, { $0 + count($1.chapters) }) <= limits.chapters else {
            throw MetadataError(
                .limit, "the file has more chapters than the limit of \(limits.chapters)", limit: .chapters)
        }
    }

    package var container: Container
    /// The asset's entries in file order.
    package var entries: [MetadataEntry]
    /// Tracks with entries of their own, in file order.
    package var tracks: [Track]
    /// What the headers of tracks say, of all tracks that have such headers; what `tracks` holds is not among it.
    package var labels: [TrackLabel] = []
    /// The entries of each part after the first, of a file that is several ones in a row: chained Ogg.
    package var links: [[MetadataEntry]] = []
    package var chapterLists: [ChapterList]
    package var attachments: [Attachment]
    /// What is to be added to `attachments` when the file is written.
    package var newAttachments: [NewAttachment] = []
    /// When the file was made, by its header.
    package var creationDate: Date?
    /// What could not be read, one line each.
    package var problems: [String]

    package init(
        container: Container, entries: [MetadataEntry] = [], tracks: [Track] = [], chapterLists: [ChapterList] = [],
        attachments: [Attachment] = [], creationDate: Date? = nil, problems: [String] = []
    ) {
        self.container = container
        self.entries = entries
        self.tracks = tracks
        self.chapterLists = chapterLists
        self.attachments = attachments
        self.creationDate = creationDate
        self.problems = problems
    }
}
