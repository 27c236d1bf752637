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

/// Identifiers: iTunes metadata.
extension AVMetadataIdentifier {
    /// The kind of account that the purchase was made with.
    public static let iTunesMetadataAccountKind = AVMetadataIdentifier(rawValue: "itsk/akID")
    /// Acknowledgements.
    public static let iTunesMetadataAcknowledgement = AVMetadataIdentifier(rawValue: "itsk/%A9cak")
    /// The album's title.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier(rawValue: "itsk/%A9alb")
    /// The artist of the whole album.
    public static let iTunesMetadataAlbumArtist = AVMetadataIdentifier(rawValue: "itsk/aART")
    /// The account that the purchase was made with.
    public static let iTunesMetadataAppleID = AVMetadataIdentifier(rawValue: "itsk/apID")
    /// Who arranged the music.
    public static let iTunesMetadataArranger = AVMetadataIdentifier(rawValue: "itsk/%A9arg")
    /// The art director.
    public static let iTunesMetadataArtDirector = AVMetadataIdentifier(rawValue: "itsk/%A9ard")
    /// Who performs.
    public static let iTunesMetadataArtist = AVMetadataIdentifier(rawValue: "itsk/%A9ART")
    /// The store's number for the artist.
    public static let iTunesMetadataArtistID = AVMetadataIdentifier(rawValue: "itsk/atID")
    /// Who wrote the content.
    public static let iTunesMetadataAuthor = AVMetadataIdentifier(rawValue: "itsk/%A9aut")
    /// Beats per minute.
    public static let iTunesMetadataBeatsPerMin = AVMetadataIdentifier(rawValue: "itsk/tmpo")
    /// Who composed the music.
    public static let iTunesMetadataComposer = AVMetadataIdentifier(rawValue: "itsk/%A9wrt")
    /// Who conducts.
    public static let iTunesMetadataConductor = AVMetadataIdentifier(rawValue: "itsk/%A9con")
    /// Whether the content is explicit, or was cleaned.
    public static let iTunesMetadataContentRating = AVMetadataIdentifier(rawValue: "itsk/rtng")
    /// Who holds which rights.
    public static let iTunesMetadataCopyright = AVMetadataIdentifier(rawValue: "itsk/cprt")
    /// The cover picture.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier(rawValue: "itsk/covr")
    /// Credits.
    public static let iTunesMetadataCredits = AVMetadataIdentifier(rawValue: "itsk/%A9src")
    /// What the content is about.
    public static let iTunesMetadataDescription = AVMetadataIdentifier(rawValue: "itsk/%A9des")
    /// Who directed.
    public static let iTunesMetadataDirector = AVMetadataIdentifier(rawValue: "itsk/%A9dir")
    /// Whether the album is a compilation of several artists.
    public static let iTunesMetadataDiscCompilation = AVMetadataIdentifier(rawValue: "itsk/cpil")
    /// The disc's number, and of how many.
    public static let iTunesMetadataDiscNumber = AVMetadataIdentifier(rawValue: "itsk/disk")
    /// The equaliser's settings.
    public static let iTunesMetadataEQ = AVMetadataIdentifier(rawValue: "itsk/%A9equ")
    /// Who encoded the file.
    public static let iTunesMetadataEncodedBy = AVMetadataIdentifier(rawValue: "itsk/%A9enc")
    /// Which program encoded the file.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier(rawValue: "itsk/%A9too")
    /// The executive producer.
    public static let iTunesMetadataExecProducer = AVMetadataIdentifier(rawValue: "itsk/%A9xpd")
    /// The store's number for the genre.
    public static let iTunesMetadataGenreID = AVMetadataIdentifier(rawValue: "itsk/geID")
    /// What groups the track with others.
    public static let iTunesMetadataGrouping = AVMetadataIdentifier(rawValue: "itsk/grup")
    /// Liner notes.
    public static let iTunesMetadataLinerNotes = AVMetadataIdentifier(rawValue: "itsk/%A9lnt")
    /// The lyrics.
    public static let iTunesMetadataLyrics = AVMetadataIdentifier(rawValue: "itsk/%A9lyr")
    /// The address of more on the content.
    public static let iTunesMetadataOnlineExtras = AVMetadataIdentifier(rawValue: "itsk/%A9url")
    /// Who performed it first.
    public static let iTunesMetadataOriginalArtist = AVMetadataIdentifier(rawValue: "itsk/%A9ope")
    /// A performer.
    public static let iTunesMetadataPerformer = AVMetadataIdentifier(rawValue: "itsk/%A9prf")
    /// Who holds the rights to the recording.
    public static let iTunesMetadataPhonogramRights = AVMetadataIdentifier(rawValue: "itsk/%A9phg")
    /// The store's number for the album.
    public static let iTunesMetadataPlaylistID = AVMetadataIdentifier(rawValue: "itsk/plID")
    /// The genre's number in ID3's list, plus one.
    public static let iTunesMetadataPredefinedGenre = AVMetadataIdentifier(rawValue: "itsk/gnre")
    /// Who produced.
    public static let iTunesMetadataProducer = AVMetadataIdentifier(rawValue: "itsk/%A9prd")
    /// Who published it.
    public static let iTunesMetadataPublisher = AVMetadataIdentifier(rawValue: "itsk/%A9pub")
    /// The record company.
    public static let iTunesMetadataRecordCompany = AVMetadataIdentifier(rawValue: "itsk/%A9mak")
    /// When it was released.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier(rawValue: "itsk/%A9day")
    /// Who sings or plays solo.
    public static let iTunesMetadataSoloist = AVMetadataIdentifier(rawValue: "itsk/%A9sol")
    /// The store's number for the song.
    public static let iTunesMetadataSongID = AVMetadataIdentifier(rawValue: "itsk/cnID")
    /// The title.
    public static let iTunesMetadataSongName = AVMetadataIdentifier(rawValue: "itsk/%A9nam")
    /// The sound engineer.
    public static let iTunesMetadataSoundEngineer = AVMetadataIdentifier(rawValue: "itsk/%A9sne")
    /// Thanks.
    public static let iTunesMetadataThanks = AVMetadataIdentifier(rawValue: "itsk/%A9thx")
    /// The track's number, and of how many.
    public static let iTunesMetadataTrackNumber = AVMetadataIdentifier(rawValue: "itsk/trkn")
    /// The subtitle.
    public static let iTunesMetadataTrackSubTitle = AVMetadataIdentifier(rawValue: "itsk/%A9st3")
    /// A comment.
    public static let iTunesMetadataUserComment = AVMetadataIdentifier(rawValue: "itsk/%A9cmt")
    /// The genre in words.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier(rawValue: "itsk/%A9gen")
}

/// Identifiers: Internet radio.
extension AVMetadataIdentifier {
    /// What is being played.
    public static let icyMetadataStreamTitle = AVMetadataIdentifier(rawValue: "icy/StreamTitle")
    /// The station's address.
    public static let icyMetadataStreamURL = AVMetadataIdentifier(rawValue: "icy/StreamUrl")
}
