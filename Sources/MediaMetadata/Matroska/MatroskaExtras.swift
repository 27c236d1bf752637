extension AVMetadataExtraAttributeKey {
    /// What an entry of Matroska is about, as a number: 70 a collection, 60 a
    /// season, 50 a film or album, 30 a track or chapter, and so on.
    ///
    /// Absent for 50.
    package static let targetTypeValue = AVMetadataExtraAttributeKey(rawValue: "targetTypeValue")
    /// What an entry of Matroska is about, as a word: `ALBUM`.
    package static let targetType = AVMetadataExtraAttributeKey(rawValue: "targetType")
    /// The UIDs of the tracks that an entry of Matroska is about: decimal numbers with spaces between.
    ///
    /// Absent for the entries of a track, which are about that one.
    package static let targetTrackUID = AVMetadataExtraAttributeKey(rawValue: "targetTrackUID")
    /// The UIDs of the editions that an entry of Matroska is about.
    package static let targetEditionUID = AVMetadataExtraAttributeKey(rawValue: "targetEditionUID")
    /// The UIDs of the chapters that an entry of Matroska is about.
    package static let targetChapterUID = AVMetadataExtraAttributeKey(rawValue: "targetChapterUID")
    /// The UIDs of the attachments that an entry of Matroska is about.
    package static let targetAttachmentUID = AVMetadataExtraAttributeKey(rawValue: "targetAttachmentUID")
    /// Whether the entry is in the original language, Matroska's `TagDefault`; absent for yes.
    package static let isDefaultLanguage = AVMetadataExtraAttributeKey(rawValue: "isDefaultLanguage")
    /// Zero for an entry of Matroska without any value; its text is then empty.
    package static let hasValue = AVMetadataExtraAttributeKey(rawValue: "hasValue")
    /// How many names the key of a Matroska entry holds, where its slashes do not tell.
    package static let nestingDepth = AVMetadataExtraAttributeKey(rawValue: "nestingDepth")
    /// The element that holds an entry of Matroska, if that is no tag: one of `MatroskaElementName`'s.
    package static let element = AVMetadataExtraAttributeKey(rawValue: "element")
    /// What the file says about an attached picture.
    package static let fileDescription = AVMetadataExtraAttributeKey(rawValue: "fileDescription")
}

/// The elements other than tags that hold entries.
package enum MatroskaElementName {
    /// The title of the Segment, which players show.
    package static let title = "Info/Title"
    /// A track's name, which players show.
    package static let trackName = "TrackEntry/Name"
    /// An attached picture.
    package static let attachedFile = "AttachedFile"
    /// The key of entries for attached pictures.
    package static let coverKey = "COVER"
}

/// Limits that keep damaged and hostile files from costing much.
enum MatroskaLimit {
    /// Bytes of one element that is read as a whole, of all such together, and of all pictures together.
    static let bytes = 64 << 20
    /// Elements within those, all together; keys are counted with them by their length.
    static let nodes = 1 << 18
    /// Levels of simple tags, and of chapters.
    static let depth = 16
    /// Elements of the top level before the first Cluster, or in one walk behind the Clusters.
    static let elements = 4096
    /// Clusters that are stepped over in search of what no index names.
    static let clusters = 1 << 16
    /// Clusters, and blocks in those of unknown size, that are stepped over when everything has to move.
    static let blocks = 1 << 22
}
