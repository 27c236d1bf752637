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

/// Keys: iTunes metadata.
extension AVMetadataKey {
    /// The kind of account that the purchase was made with.
    public static let iTunesMetadataKeyAccountKind = AVMetadataKey(rawValue: "akID")
    /// Acknowledgements.
    public static let iTunesMetadataKeyAcknowledgement = AVMetadataKey(rawValue: "@cak")
    /// The album's title.
    public static let iTunesMetadataKeyAlbum = AVMetadataKey(rawValue: "@alb")
    /// The artist of the whole album.
    public static let iTunesMetadataKeyAlbumArtist = AVMetadataKey(rawValue: "aART")
    /// The account that the purchase was made with.
    public static let iTunesMetadataKeyAppleID = AVMetadataKey(rawValue: "apID")
    /// Who arranged the music.
    public static let iTunesMetadataKeyArranger = AVMetadataKey(rawValue: "@arg")
    /// The art director.
    public static let iTunesMetadataKeyArtDirector = AVMetadataKey(rawValue: "@ard")
    /// Who performs.
    public static let iTunesMetadataKeyArtist = AVMetadataKey(rawValue: "@ART")
    /// The store's number for the artist.
    public static let iTunesMetadataKeyArtistID = AVMetadataKey(rawValue: "atID")
    /// Who wrote the content.
    public static let iTunesMetadataKeyAuthor = AVMetadataKey(rawValue: "@aut")
    /// Beats per minute.
    public static let iTunesMetadataKeyBeatsPerMin = AVMetadataKey(rawValue: "tmpo")
    /// Who composed the music.
    public static let iTunesMetadataKeyComposer = AVMetadataKey(rawValue: "@wrt")
    /// Who conducts.
    public static let iTunesMetadataKeyConductor = AVMetadataKey(rawValue: "@con")
    /// Whether the content is explicit, or was cleaned.
    public static let iTunesMetadataKeyContentRating = AVMetadataKey(rawValue: "rtng")
    /// Who holds which rights.
    public static let iTunesMetadataKeyCopyright = AVMetadataKey(rawValue: "cprt")
    /// The cover picture.
    public static let iTunesMetadataKeyCoverArt = AVMetadataKey(rawValue: "covr")
    /// Credits.
    public static let iTunesMetadataKeyCredits = AVMetadataKey(rawValue: "@src")
    /// What the content is about.
    public static let iTunesMetadataKeyDescription = AVMetadataKey(rawValue: "@des")
    /// Who directed.
    public static let iTunesMetadataKeyDirector = AVMetadataKey(rawValue: "@dir")
    /// Whether the album is a compilation of several artists.
    public static let iTunesMetadataKeyDiscCompilation = AVMetadataKey(rawValue: "cpil")
    /// The disc's number, and of how many.
    public static let iTunesMetadataKeyDiscNumber = AVMetadataKey(rawValue: "disk")
    /// The equaliser's settings.
    public static let iTunesMetadataKeyEQ = AVMetadataKey(rawValue: "@equ")
    /// Who encoded the file.
    public static let iTunesMetadataKeyEncodedBy = AVMetadataKey(rawValue: "@enc")
    /// Which program encoded the file.
    public static let iTunesMetadataKeyEncodingTool = AVMetadataKey(rawValue: "@too")
    /// The executive producer.
    public static let iTunesMetadataKeyExecProducer = AVMetadataKey(rawValue: "@xpd")
    /// The store's number for the genre.
    public static let iTunesMetadataKeyGenreID = AVMetadataKey(rawValue: "geID")
    /// What groups the track with others.
    public static let iTunesMetadataKeyGrouping = AVMetadataKey(rawValue: "grup")
    /// Liner notes.
    public static let iTunesMetadataKeyLinerNotes = AVMetadataKey(rawValue: "@lnt")
    /// The lyrics.
    public static let iTunesMetadataKeyLyrics = AVMetadataKey(rawValue: "@lyr")
    /// The address of more on the content.
    public static let iTunesMetadataKeyOnlineExtras = AVMetadataKey(rawValue: "@url")
    /// Who performed it first.
    public static let iTunesMetadataKeyOriginalArtist = AVMetadataKey(rawValue: "@ope")
    /// A performer.
    public static let iTunesMetadataKeyPerformer = AVMetadataKey(rawValue: "@prf")
    /// Who holds the rights to the recording.
    public static let iTunesMetadataKeyPhonogramRights = AVMetadataKey(rawValue: "@phg")
    /// The store's number for the album.
    public static let iTunesMetadataKeyPlaylistID = AVMetadataKey(rawValue: "plID")
    /// The genre's number in ID3's list, plus one.
    public static let iTunesMetadataKeyPredefinedGenre = AVMetadataKey(rawValue: "gnre")
    /// Who produced.
    public static let iTunesMetadataKeyProducer = AVMetadataKey(rawValue: "@prd")
    /// Who published it.
    public static let iTunesMetadataKeyPublisher = AVMetadataKey(rawValue: "@pub")
    /// The record company.
    public static let iTunesMetadataKeyRecordCompany = AVMetadataKey(rawValue: "@mak")
    /// When it was released.
    public static let iTunesMetadataKeyReleaseDate = AVMetadataKey(rawValue: "@day")
    /// Who sings or plays solo.
    public static let iTunesMetadataKeySoloist = AVMetadataKey(rawValue: "@sol")
    /// The store's number for the song.
    public static let iTunesMetadataKeySongID = AVMetadataKey(rawValue: "cnID")
    /// The title.
    public static let iTunesMetadataKeySongName = AVMetadataKey(rawValue: "@nam")
    /// The sound engineer.
    public static let iTunesMetadataKeySoundEngineer = AVMetadataKey(rawValue: "@sne")
    /// Thanks.
    public static let iTunesMetadataKeyThanks = AVMetadataKey(rawValue: "@thx")
    /// The track's number, and of how many.
    public static let iTunesMetadataKeyTrackNumber = AVMetadataKey(rawValue: "trkn")
    /// The subtitle.
    public static let iTunesMetadataKeyTrackSubTitle = AVMetadataKey(rawValue: "@st3")
    /// A comment.
    public static let iTunesMetadataKeyUserComment = AVMetadataKey(rawValue: "@cmt")
    /// The genre in words.
    public static let iTunesMetadataKeyUserGenre = AVMetadataKey(rawValue: "@gen")
}

/// Keys: Internet radio.
extension AVMetadataKey {
    /// What is being played.
    public static let icyMetadataKeyStreamTitle = AVMetadataKey(rawValue: "StreamTitle")
    /// The station's address.
    public static let icyMetadataKeyStreamURL = AVMetadataKey(rawValue: "StreamUrl")
}
