public import MediaCore

/// A name for what belongs to an item beside its value.
public struct AVMetadataExtraAttributeKey: BridgedToNSString, Hashable, Sendable {
    /// The attribute's name.
    public let rawValue: String
    /// An attribute of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Where the value can be found, for a value that is an address.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "URL")
    /// What a relative address refers to.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseURL")
    /// A description: that of an ID3 comment, of a picture.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
    /// What a picture shows: `Cover (front)`.
    ///
    /// AVFoundation has no constant for it.
    public static let pictureType = AVMetadataExtraAttributeKey(rawValue: "pictureType")
    /// The value's type as the file states it: a number, or a MIME type.
    ///
    /// AVFoundation has no constant for it.
    public static let dataType = AVMetadataExtraAttributeKey(rawValue: "dataType")
    /// Whose types `dataType` is one of.
    ///
    /// AVFoundation has no constant for it.
    public static let dataTypeNamespace = AVMetadataExtraAttributeKey(rawValue: "dataTypeNamespace")
}

/// What entries of single formats have beside key and value.
extension AVMetadataExtraAttributeKey {
    // MARK: MP4 and QuickTime

    /// Whose name a free-form iTunes key is, in reverse domain order.
    static let mean = AVMetadataExtraAttributeKey(rawValue: "mean")
    /// The name in a free-form iTunes key, or the one that an item has beside its key.
    static let name = AVMetadataExtraAttributeKey(rawValue: "name")
    /// The country and language of an item's value as the file states them.
    static let locale = AVMetadataExtraAttributeKey(rawValue: "locale")
    /// What an item has beside values and names: whole boxes.
    static let otherBoxes = AVMetadataExtraAttributeKey(rawValue: "boxes")
    /// How the value lies in its box, where that is not what the key leads to expect:
    /// see `BoxLayout`.
    static let layout = AVMetadataExtraAttributeKey(rawValue: "layout")
    /// The number of a track on its album, in 3GPP's `albm`.
    static let trackNumber = AVMetadataExtraAttributeKey(rawValue: "trackNumber")
    /// Who rates or classifies, in 3GPP's `rtng` and `clsf`.
    static let entity = AVMetadataExtraAttributeKey(rawValue: "entity")
    /// By which rules: four characters in `rtng`, a number in `clsf`.
    static let criteria = AVMetadataExtraAttributeKey(rawValue: "criteria")
    /// What happened at a place: 0 shooting, 1 real place, 2 fictional place.
    static let role = AVMetadataExtraAttributeKey(rawValue: "role")
    /// The body in the sky that a place is on.
    static let astronomicalBody = AVMetadataExtraAttributeKey(rawValue: "astronomicalBody")
    /// Notes on a place.
    static let notes = AVMetadataExtraAttributeKey(rawValue: "notes")

    // MARK: AIFF

    /// The chunk of an AIFF comment that is not in `ANNO`: `COMT`.
    package static let chunk = AVMetadataExtraAttributeKey(rawValue: "chunk")
    /// When an AIFF comment was made: seconds since the beginning of 1904.
    package static let timeStamp = AVMetadataExtraAttributeKey(rawValue: "timeStamp")
    /// The marker that an AIFF comment is about.
    package static let marker = AVMetadataExtraAttributeKey(rawValue: "marker")

    // MARK: Vorbis comments

    /// A picture's width in pixels, as FLAC states it.
    static let pictureWidth = AVMetadataExtraAttributeKey(rawValue: "width")
    /// A picture's height in pixels, as FLAC states it.
    static let pictureHeight = AVMetadataExtraAttributeKey(rawValue: "height")
    /// A picture's bits per pixel, as FLAC states them.
    static let pictureDepth = AVMetadataExtraAttributeKey(rawValue: "depth")
    /// The number of colours in a picture's palette, as FLAC states it.
    static let pictureColors = AVMetadataExtraAttributeKey(rawValue: "colors")

    // MARK: ID3

    /// The tag that an entry is from, if it is not ID3v2: `ID3v1`.
    package static let tag = AVMetadataExtraAttributeKey(rawValue: "tag")
    /// Why the value is a frame's bytes as they are stored: `compressed`,
    /// `encrypted`, or `raw` for content that does not follow the specification.
    package static let frameEncoding = AVMetadataExtraAttributeKey(rawValue: "frameEncoding")
    /// The version and the flags without which a compressed or encrypted frame means nothing.
    package static let frameFlags = AVMetadataExtraAttributeKey(rawValue: "frameFlags")
    /// The number of the group that a frame belongs to.
    package static let frameGroup = AVMetadataExtraAttributeKey(rawValue: "frameGroup")
    /// The three letters for a language as they are stored, where they are not those that its tag would give.
    package static let languageCode = AVMetadataExtraAttributeKey(rawValue: "languageCode")

    // MARK: Matroska

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
