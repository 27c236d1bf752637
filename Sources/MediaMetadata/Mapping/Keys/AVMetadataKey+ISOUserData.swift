/// Keys: user data of ISO base media files, those of 3GPP among them.
extension AVMetadataKey {
    /// A description for people who cannot see or hear the content.
    public static let isoUserDataKeyAccessibilityDescription = AVMetadataKey(rawValue: "ades")
    /// Who holds which rights.
    public static let isoUserDataKeyCopyright = AVMetadataKey(rawValue: "cprt")
    /// When it was made.
    public static let isoUserDataKeyDate = AVMetadataKey(rawValue: "date")
    /// A characteristic of the track.
    public static let isoUserDataKeyTaggedCharacteristic = AVMetadataKey(rawValue: "tagc")
    /// The album's title, and the track's number on it.
    public static let metadata3GPUserDataKeyAlbumAndTrack = AVMetadataKey(rawValue: "albm")
    /// Who wrote the content.
    public static let metadata3GPUserDataKeyAuthor = AVMetadataKey(rawValue: "auth")
    /// The collection that it belongs to.
    public static let metadata3GPUserDataKeyCollection = AVMetadataKey(rawValue: "coll")
    /// Who holds which rights.
    public static let metadata3GPUserDataKeyCopyright = AVMetadataKey(rawValue: "cprt")
    /// What the content is about.
    public static let metadata3GPUserDataKeyDescription = AVMetadataKey(rawValue: "dscp")
    /// The genre.
    public static let metadata3GPUserDataKeyGenre = AVMetadataKey(rawValue: "gnre")
    /// Keywords.
    public static let metadata3GPUserDataKeyKeywordList = AVMetadataKey(rawValue: "kywd")
    /// The place, with its name and role.
    public static let metadata3GPUserDataKeyLocation = AVMetadataKey(rawValue: "loci")
    /// What audience it is classified for.
    public static let metadata3GPUserDataKeyMediaClassification = AVMetadataKey(rawValue: "clsf")
    /// How suitable it is rated, and by whom.
    public static let metadata3GPUserDataKeyMediaRating = AVMetadataKey(rawValue: "rtng")
    /// Who performs.
    public static let metadata3GPUserDataKeyPerformer = AVMetadataKey(rawValue: "perf")
    /// The year of the recording.
    public static let metadata3GPUserDataKeyRecordingYear = AVMetadataKey(rawValue: "yrrc")
    /// A small picture.
    public static let metadata3GPUserDataKeyThumbnail = AVMetadataKey(rawValue: "thmb")
    /// The title.
    public static let metadata3GPUserDataKeyTitle = AVMetadataKey(rawValue: "titl")
    /// The user's rating.
    public static let metadata3GPUserDataKeyUserRating = AVMetadataKey(rawValue: "urat")
}
