/// Keys: names that mean the same in every key space.
extension AVMetadataKey {
    /// A description for people who cannot see or hear the content.
    public static let commonKeyAccessibilityDescription = AVMetadataKey(rawValue: "accessibilityDescription")
    /// The album's title.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// Who performs.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// A picture that stands for the content.
    public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
    /// A name that tells the content from all other.
    public static let commonKeyIdentifier = AVMetadataKey(rawValue: "identifier")
    /// Who wrote the content.
    public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
    /// Who else had a part in it.
    public static let commonKeyContributor = AVMetadataKey(rawValue: "contributor")
    /// Who holds which rights.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// When the content was made.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// Who made the content; a composer.
    public static let commonKeyCreator = AVMetadataKey(rawValue: "creator")
    /// What the content is about.
    public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
    /// Which format it is in.
    public static let commonKeyFormat = AVMetadataKey(rawValue: "format")
    /// Which language it is in.
    public static let commonKeyLanguage = AVMetadataKey(rawValue: "language")
    /// When it was last changed.
    public static let commonKeyLastModifiedDate = AVMetadataKey(rawValue: "lastModifiedDate")
    /// Where it was made.
    public static let commonKeyLocation = AVMetadataKey(rawValue: "location")
    /// Who built the camera or recorder.
    public static let commonKeyMake = AVMetadataKey(rawValue: "make")
    /// Which camera or recorder made it.
    public static let commonKeyModel = AVMetadataKey(rawValue: "model")
    /// Who published it.
    public static let commonKeyPublisher = AVMetadataKey(rawValue: "publisher")
    /// What other content it belongs with.
    public static let commonKeyRelation = AVMetadataKey(rawValue: "relation")
    /// Which program made it.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
    /// What it was made from.
    public static let commonKeySource = AVMetadataKey(rawValue: "source")
    /// The topic.
    public static let commonKeySubject = AVMetadataKey(rawValue: "subject")
    /// The title.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
    /// The genre.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
}
