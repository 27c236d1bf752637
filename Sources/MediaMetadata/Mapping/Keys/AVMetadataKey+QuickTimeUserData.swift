/// Keys: QuickTime user data.
extension AVMetadataKey {
    /// A description for people who cannot see or hear the content.
    public static let quickTimeUserDataKeyAccessibilityDescription = AVMetadataKey(rawValue: "@ade")
    /// The album's title.
    public static let quickTimeUserDataKeyAlbum = AVMetadataKey(rawValue: "@alb")
    /// Who arranged the music.
    public static let quickTimeUserDataKeyArranger = AVMetadataKey(rawValue: "@arg")
    /// Who performs.
    public static let quickTimeUserDataKeyArtist = AVMetadataKey(rawValue: "@ART")
    /// Who wrote the content.
    public static let quickTimeUserDataKeyAuthor = AVMetadataKey(rawValue: "@aut")
    /// A chapter's name.
    public static let quickTimeUserDataKeyChapter = AVMetadataKey(rawValue: "@chp")
    /// A comment.
    public static let quickTimeUserDataKeyComment = AVMetadataKey(rawValue: "@cmt")
    /// Who composed the music.
    public static let quickTimeUserDataKeyComposer = AVMetadataKey(rawValue: "@com")
    /// Who holds which rights.
    public static let quickTimeUserDataKeyCopyright = AVMetadataKey(rawValue: "@cpy")
    /// When it was made.
    public static let quickTimeUserDataKeyCreationDate = AVMetadataKey(rawValue: "@day")
    /// Who else had a part in it.
    public static let quickTimeUserDataKeyCredits = AVMetadataKey(rawValue: "@src")
    /// What the content is about.
    public static let quickTimeUserDataKeyDescription = AVMetadataKey(rawValue: "@des")
    /// Who directed.
    public static let quickTimeUserDataKeyDirector = AVMetadataKey(rawValue: "@dir")
    /// A disclaimer.
    public static let quickTimeUserDataKeyDisclaimer = AVMetadataKey(rawValue: "@dis")
    /// Who encoded the file.
    public static let quickTimeUserDataKeyEncodedBy = AVMetadataKey(rawValue: "@enc")
    /// The title.
    public static let quickTimeUserDataKeyFullName = AVMetadataKey(rawValue: "@nam")
    /// The genre.
    public static let quickTimeUserDataKeyGenre = AVMetadataKey(rawValue: "@gen")
    /// The computer that made it.
    public static let quickTimeUserDataKeyHostComputer = AVMetadataKey(rawValue: "@hst")
    /// Information on the content.
    public static let quickTimeUserDataKeyInformation = AVMetadataKey(rawValue: "@inf")
    /// Keywords.
    public static let quickTimeUserDataKeyKeywords = AVMetadataKey(rawValue: "@key")
    /// Latitude, longitude and altitude.
    public static let quickTimeUserDataKeyLocationISO6709 = AVMetadataKey(rawValue: "@xyz")
    /// Who built the camera or recorder.
    public static let quickTimeUserDataKeyMake = AVMetadataKey(rawValue: "@mak")
    /// Which camera or recorder made it.
    public static let quickTimeUserDataKeyModel = AVMetadataKey(rawValue: "@mod")
    /// Who performed it first.
    public static let quickTimeUserDataKeyOriginalArtist = AVMetadataKey(rawValue: "@ope")
    /// The format that it was made from.
    public static let quickTimeUserDataKeyOriginalFormat = AVMetadataKey(rawValue: "@fmt")
    /// What it was made from.
    public static let quickTimeUserDataKeyOriginalSource = AVMetadataKey(rawValue: "@src")
    /// The performers.
    public static let quickTimeUserDataKeyPerformers = AVMetadataKey(rawValue: "@prf")
    /// Who holds the rights to the recording.
    public static let quickTimeUserDataKeyPhonogramRights = AVMetadataKey(rawValue: "@phg")
    /// Who produced.
    public static let quickTimeUserDataKeyProducer = AVMetadataKey(rawValue: "@prd")
    /// The product that made it.
    public static let quickTimeUserDataKeyProduct = AVMetadataKey(rawValue: "@PRD")
    /// Who published it.
    public static let quickTimeUserDataKeyPublisher = AVMetadataKey(rawValue: "@pub")
    /// Which program made it.
    public static let quickTimeUserDataKeySoftware = AVMetadataKey(rawValue: "@swr")
    /// What is needed to play it.
    public static let quickTimeUserDataKeySpecialPlaybackRequirements = AVMetadataKey(rawValue: "@req")
    /// A characteristic of the track.
    public static let quickTimeUserDataKeyTaggedCharacteristic = AVMetadataKey(rawValue: "tagc")
    /// The track's number on its album.
    public static let quickTimeUserDataKeyTrack = AVMetadataKey(rawValue: "@trk")
    /// The track's name.
    public static let quickTimeUserDataKeyTrackName = AVMetadataKey(rawValue: "tnam")
    /// An address that belongs to it.
    public static let quickTimeUserDataKeyURLLink = AVMetadataKey(rawValue: "@url")
    /// A warning.
    public static let quickTimeUserDataKeyWarning = AVMetadataKey(rawValue: "@wrn")
    /// Who wrote it.
    public static let quickTimeUserDataKeyWriter = AVMetadataKey(rawValue: "@wrt")
}
