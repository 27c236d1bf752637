/// The chapters of an asset as one part of the file lists them.
///
/// A file may list its chapters several times: in several languages, in several
/// editions, in the forms that different players read. Beyond AVFoundation.
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
    /// The number of the track that holds it, for a QuickTime track; else `nil`.
    public var trackID: Int32?
    /// The file's own name for it: a Matroska edition's UID; `nil` where it has none.
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
