/// Identifiers: names that mean the same in every key space.
extension AVMetadataIdentifier {
    /// A description for people who cannot see or hear the content.
    public static let commonIdentifierAccessibilityDescription = AVMetadataIdentifier(
        rawValue: "common/accessibilityDescription")
    /// The album's title.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier(rawValue: "common/albumName")
    /// Who performs.
    public static let commonIdentifierArtist = AVMetadataIdentifier(rawValue: "common/artist")
    /// A picture that stands for the content.
    public static let commonIdentifierArtwork = AVMetadataIdentifier(rawValue: "common/artwork")
    /// A name that tells the content from all other.
    public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier(rawValue: "common/identifier")
    /// Who wrote the content.
    public static let commonIdentifierAuthor = AVMetadataIdentifier(rawValue: "common/author")
    /// Who else had a part in it.
    public static let commonIdentifierContributor = AVMetadataIdentifier(rawValue: "common/contributor")
    /// Who holds which rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier(rawValue: "common/copyrights")
    /// When the content was made.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier(rawValue: "common/creationDate")
    /// Who made the content; a composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier(rawValue: "common/creator")
    /// What the content is about.
    public static let commonIdentifierDescription = AVMetadataIdentifier(rawValue: "common/description")
    /// Which format it is in.
    public static let commonIdentifierFormat = AVMetadataIdentifier(rawValue: "common/format")
    /// Which language it is in.
    public static let commonIdentifierLanguage = AVMetadataIdentifier(rawValue: "common/language")
    /// When it was last changed.
    public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier(rawValue: "common/lastModifiedDate")
    /// Where it was made.
    public static let commonIdentifierLocation = AVMetadataIdentifier(rawValue: "common/location")
    /// Who built the camera or recorder.
    public static let commonIdentifierMake = AVMetadataIdentifier(rawValue: "common/make")
    /// Which camera or recorder made it.
    public static let commonIdentifierModel = AVMetadataIdentifier(rawValue: "common/model")
    /// Who published it.
    public static let commonIdentifierPublisher = AVMetadataIdentifier(rawValue: "common/publisher")
    /// What other content it belongs with.
    public static let commonIdentifierRelation = AVMetadataIdentifier(rawValue: "common/relation")
    /// Which program made it.
    public static let commonIdentifierSoftware = AVMetadataIdentifier(rawValue: "common/software")
    /// What it was made from.
    public static let commonIdentifierSource = AVMetadataIdentifier(rawValue: "common/source")
    /// The topic.
    public static let commonIdentifierSubject = AVMetadataIdentifier(rawValue: "common/subject")
    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier(rawValue: "common/title")
    /// The genre.
    public static let commonIdentifierType = AVMetadataIdentifier(rawValue: "common/type")
}
