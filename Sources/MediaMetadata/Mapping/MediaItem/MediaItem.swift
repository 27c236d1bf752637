/// What media players show of a file, whatever its format calls it; `nil` where the file does not say.
///
/// Beyond AVFoundation.
public struct MediaItem: Hashable, Sendable {
    /// A picture.
    public struct Artwork: Hashable, Sendable {
        /// The bytes of an image file.
        public var data: [UInt8]
        /// What kind of image file, as a media type: `image/jpeg`.
        public var mimeType: String

        /// Makes artwork of an image file.
        ///
        /// - Parameter mimeType: What kind of image file, `nil` to find it out by the first bytes.
        public init(data: [UInt8], mimeType: String? = nil) {
            self.data = data
            self.mimeType = MetadataPicture(data: data, mimeType: mimeType).mimeType
        }
    }

    /// The title.
    public var name: String?
    /// Who performs; several artists have `; ` between them.
    ///
    /// Without one the producer.
    public var artist: String?
    /// The artist of the whole album.
    public var albumArtist: String?
    /// The album's title.
    public var album: String?
    /// What groups the item with others.
    ///
    /// Without that the keywords.
    public var grouping: String?
    /// Who composed the music; several composers have `; ` between them.
    ///
    /// Without one the director.
    public var composer: String?
    /// A comment.
    ///
    /// Without one the long description, or the short one.
    public var comments: String?
    /// The front cover, or the first picture if none is said to be that.
    public var artwork: Artwork?
    /// The genre by its name; several genres have `; ` between them.
    public var genre: String?
    /// The year of release, in the Gregorian calendar.
    ///
    /// Without one that of creation.
    public var year: Int?
    /// Beats per minute.
    public var bpm: Int?
    /// Which track of the disc, counted from 1.
    public var trackNumber: Int?
    /// How many tracks the disc has.
    public var trackCount: Int?
    /// Which disc of the album, counted from 1.
    public var discNumber: Int?
    /// How many discs the album has.
    public var discCount: Int?

    /// Makes an item without any fields.
    public init() {}
}
