public import MediaTime

/// A named part of an asset.
public struct Chapter: Hashable, Sendable {
    /// A chapter's name in one language.
    public struct Title: Hashable, Sendable {
        /// The name.
        public var text: String
        /// BCP 47, `nil` if the file names no language.
        public var languageTag: String?

        /// Makes a title.
        public init(_ text: String, languageTag: String? = nil) {
            self.text = text
            self.languageTag = languageTag
        }
    }

    /// Where it begins on the asset's timeline.
    public var start: CMTime
    /// Where it ends; invalid if the file does not say, which means at the next
    /// chapter's start or at the asset's end.
    public var end: CMTime
    /// Its names, in file order; empty if it has none.
    public var titles: [Title]
    /// A picture for it: the bytes of a JPEG or PNG file.
    public var artwork: [UInt8]?
    /// An address that belongs to it.
    public var link: String?
    /// The file's own name for it, where it has one: an ID3 element ID, a Matroska UID.
    public var identifier: String?
    /// Whether players should leave it out of their lists.
    public var isHidden: Bool
    /// Whether players should play it.
    public var isEnabled: Bool
    /// The chapters within it.
    public var children: [Chapter]

    /// Makes a chapter.
    public init(
        start: CMTime, end: CMTime = .invalid, titles: [Title] = [], artwork: [UInt8]? = nil, link: String? = nil,
        identifier: String? = nil, isHidden: Bool = false, isEnabled: Bool = true, children: [Chapter] = []
    ) {
        self.start = start
        self.end = end
        self.titles = titles
        self.artwork = artwork
        self.link = link
        self.identifier = identifier
        self.isHidden = isHidden
        self.isEnabled = isEnabled
        self.children = children
    }

    /// Its first name, empty if it has none.
    public var title: String { titles.first?.text ?? "" }
}

/// The chapters of an asset as one part of the file lists them.
///
/// A file may list its chapters several times: in several languages, in several
/// editions, in the forms that different players read.
public struct ChapterList: Hashable, Sendable {
    /// How a file stores chapters.
    public enum Form: String, Hashable, Sendable {
        /// A text track that other tracks refer to.
        case quickTimeTrack
        /// The `chpl` box that Nero's programs brought.
        case nero
        /// ID3 `CHAP` frames.
        case id3
        /// A Matroska edition.
        case matroska
        /// Vorbis comments `CHAPTER001` and so on.
        case vorbisComment
        /// The block `CUESHEET` of a FLAC file: the tracks of a CD.
        case cueSheet
        /// Any other form, as FFmpeg tells it.
        case other
    }

    /// How the file stores it.
    public var form: Form
    /// The language of all titles, BCP 47; `nil` if they say for themselves or not at all.
    public var languageTag: String?
    /// The chapters in file order.
    public var chapters: [Chapter]
    /// Whether players should use this list unless told otherwise.
    public var isDefault: Bool
    /// Whether players should not show it.
    public var isHidden: Bool
    /// Whether chapters are to be played in this order, whatever their times.
    public var isOrdered: Bool
    /// The track that holds it, for a QuickTime track.
    public var trackID: Int32?
    /// The file's own name for it, where it has one: a Matroska edition's UID.
    public var identifier: String?

    /// Makes a list.
    public init(
        form: Form, languageTag: String? = nil, chapters: [Chapter], isDefault: Bool = false, isHidden: Bool = false,
        isOrdered: Bool = false, trackID: Int32? = nil, identifier: String? = nil
    ) {
        self.form = form
        self.languageTag = languageTag
        self.chapters = chapters
        self.isDefault = isDefault
        self.isHidden = isHidden
        self.isOrdered = isOrdered
        self.trackID = trackID
        self.identifier = identifier
    }
}
