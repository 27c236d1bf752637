/// Keys: ID3 frames.
extension AVMetadataKey {
    /// The album's title as it is sorted.
    public static let id3MetadataKeyAlbumSortOrder = AVMetadataKey(rawValue: "TSOA")
    /// The album's title.
    public static let id3MetadataKeyAlbumTitle = AVMetadataKey(rawValue: "TALB")
    /// A picture.
    public static let id3MetadataKeyAttachedPicture = AVMetadataKey(rawValue: "APIC")
    /// How audio is encrypted.
    public static let id3MetadataKeyAudioEncryption = AVMetadataKey(rawValue: "AENC")
    /// Where to seek to.
    public static let id3MetadataKeyAudioSeekPointIndex = AVMetadataKey(rawValue: "ASPI")
    /// The band; the artist of the whole album.
    public static let id3MetadataKeyBand = AVMetadataKey(rawValue: "TPE2")
    /// Beats per minute.
    public static let id3MetadataKeyBeatsPerMinute = AVMetadataKey(rawValue: "TBPM")
    /// A comment.
    public static let id3MetadataKeyComments = AVMetadataKey(rawValue: "COMM")
    /// An offer.
    public static let id3MetadataKeyCommercial = AVMetadataKey(rawValue: "COMR")
    /// The address of an offer.
    public static let id3MetadataKeyCommercialInformation = AVMetadataKey(rawValue: "WCOM")
    /// The spelling that AVFoundation began with.
    public static let id3MetadataKeyCommerical = AVMetadataKey(rawValue: "COMR")
    /// Who composed the music.
    public static let id3MetadataKeyComposer = AVMetadataKey(rawValue: "TCOM")
    /// Who conducts.
    public static let id3MetadataKeyConductor = AVMetadataKey(rawValue: "TPE3")
    /// What groups the track with others.
    public static let id3MetadataKeyContentGroupDescription = AVMetadataKey(rawValue: "TIT1")
    /// The genre.
    public static let id3MetadataKeyContentType = AVMetadataKey(rawValue: "TCON")
    /// Who holds which rights.
    public static let id3MetadataKeyCopyright = AVMetadataKey(rawValue: "TCOP")
    /// The address of what the rights are.
    public static let id3MetadataKeyCopyrightInformation = AVMetadataKey(rawValue: "WCOP")
    /// Day and month of the recording.
    public static let id3MetadataKeyDate = AVMetadataKey(rawValue: "TDAT")
    /// Who encoded the file.
    public static let id3MetadataKeyEncodedBy = AVMetadataKey(rawValue: "TENC")
    /// Which program encoded the file, and how.
    public static let id3MetadataKeyEncodedWith = AVMetadataKey(rawValue: "TSSE")
    /// When it was encoded.
    public static let id3MetadataKeyEncodingTime = AVMetadataKey(rawValue: "TDEN")
    /// A method of encryption.
    public static let id3MetadataKeyEncryption = AVMetadataKey(rawValue: "ENCR")
    /// The equaliser's settings, of version 2.3.
    public static let id3MetadataKeyEqualization = AVMetadataKey(rawValue: "EQUA")
    /// The equaliser's settings, of version 2.4.
    public static let id3MetadataKeyEqualization2 = AVMetadataKey(rawValue: "EQU2")
    /// When what happens.
    public static let id3MetadataKeyEventTimingCodes = AVMetadataKey(rawValue: "ETCO")
    /// Who owns the file.
    public static let id3MetadataKeyFileOwner = AVMetadataKey(rawValue: "TOWN")
    /// The audio's type.
    public static let id3MetadataKeyFileType = AVMetadataKey(rawValue: "TFLT")
    /// A file within the tag.
    public static let id3MetadataKeyGeneralEncapsulatedObject = AVMetadataKey(rawValue: "GEOB")
    /// A group of frames.
    public static let id3MetadataKeyGroupIdentifier = AVMetadataKey(rawValue: "GRID")
    /// The musical key that it begins in.
    public static let id3MetadataKeyInitialKey = AVMetadataKey(rawValue: "TKEY")
    /// The recording's number, ISRC.
    public static let id3MetadataKeyInternationalStandardRecordingCode = AVMetadataKey(rawValue: "TSRC")
    /// The Internet radio station.
    public static let id3MetadataKeyInternetRadioStationName = AVMetadataKey(rawValue: "TRSN")
    /// Who owns the Internet radio station.
    public static let id3MetadataKeyInternetRadioStationOwner = AVMetadataKey(rawValue: "TRSO")
    /// Who did what, of version 2.3.
    public static let id3MetadataKeyInvolvedPeopleList_v23 = AVMetadataKey(rawValue: "IPLS")
    /// Who did what, of version 2.4.
    public static let id3MetadataKeyInvolvedPeopleList_v24 = AVMetadataKey(rawValue: "TIPL")
    /// The language of lyrics or speech.
    public static let id3MetadataKeyLanguage = AVMetadataKey(rawValue: "TLAN")
    /// Who performs.
    public static let id3MetadataKeyLeadPerformer = AVMetadataKey(rawValue: "TPE1")
    /// The length in milliseconds.
    public static let id3MetadataKeyLength = AVMetadataKey(rawValue: "TLEN")
    /// A frame that lies elsewhere.
    public static let id3MetadataKeyLink = AVMetadataKey(rawValue: "LINK")
    /// Who wrote the words.
    public static let id3MetadataKeyLyricist = AVMetadataKey(rawValue: "TEXT")
    /// Where in the file which time is.
    public static let id3MetadataKeyMPEGLocationLookupTable = AVMetadataKey(rawValue: "MLLT")
    /// The medium that it was taken from.
    public static let id3MetadataKeyMediaType = AVMetadataKey(rawValue: "TMED")
    /// Who remixed or changed it.
    public static let id3MetadataKeyModifiedBy = AVMetadataKey(rawValue: "TPE4")
    /// The mood.
    public static let id3MetadataKeyMood = AVMetadataKey(rawValue: "TMOO")
    /// The compact disc's table of contents.
    public static let id3MetadataKeyMusicCDIdentifier = AVMetadataKey(rawValue: "MCDI")
    /// Who plays what.
    public static let id3MetadataKeyMusicianCreditsList = AVMetadataKey(rawValue: "TMCL")
    /// The artist's address.
    public static let id3MetadataKeyOfficialArtistWebpage = AVMetadataKey(rawValue: "WOAR")
    /// The audio file's address.
    public static let id3MetadataKeyOfficialAudioFileWebpage = AVMetadataKey(rawValue: "WOAF")
    /// The address of what it was made from.
    public static let id3MetadataKeyOfficialAudioSourceWebpage = AVMetadataKey(rawValue: "WOAS")
    /// The Internet radio station's address.
    public static let id3MetadataKeyOfficialInternetRadioStationHomepage = AVMetadataKey(rawValue: "WORS")
    /// The publisher's address.
    public static let id3MetadataKeyOfficialPublisherWebpage = AVMetadataKey(rawValue: "WPUB")
    /// The title of the first recording's album.
    public static let id3MetadataKeyOriginalAlbumTitle = AVMetadataKey(rawValue: "TOAL")
    /// Who performed it first.
    public static let id3MetadataKeyOriginalArtist = AVMetadataKey(rawValue: "TOPE")
    /// The name of the file.
    public static let id3MetadataKeyOriginalFilename = AVMetadataKey(rawValue: "TOFN")
    /// Who wrote the first words.
    public static let id3MetadataKeyOriginalLyricist = AVMetadataKey(rawValue: "TOLY")
    /// When it was first released, of version 2.4.
    public static let id3MetadataKeyOriginalReleaseTime = AVMetadataKey(rawValue: "TDOR")
    /// The year of its first release, of version 2.3.
    public static let id3MetadataKeyOriginalReleaseYear = AVMetadataKey(rawValue: "TORY")
    /// Who bought it, when and for how much.
    public static let id3MetadataKeyOwnership = AVMetadataKey(rawValue: "OWNE")
    /// The disc's number, and of how many.
    public static let id3MetadataKeyPartOfASet = AVMetadataKey(rawValue: "TPOS")
    /// The address to pay at.
    public static let id3MetadataKeyPayment = AVMetadataKey(rawValue: "WPAY")
    /// The artist's name as it is sorted.
    public static let id3MetadataKeyPerformerSortOrder = AVMetadataKey(rawValue: "TSOP")
    /// How often it was played.
    public static let id3MetadataKeyPlayCounter = AVMetadataKey(rawValue: "PCNT")
    /// How many milliseconds of silence precede it.
    public static let id3MetadataKeyPlaylistDelay = AVMetadataKey(rawValue: "TDLY")
    /// A user's rating and how often it was played.
    public static let id3MetadataKeyPopularimeter = AVMetadataKey(rawValue: "POPM")
    /// The time that a stream was entered at.
    public static let id3MetadataKeyPositionSynchronization = AVMetadataKey(rawValue: "POSS")
    /// A program's own data.
    public static let id3MetadataKeyPrivate = AVMetadataKey(rawValue: "PRIV")
    /// Who produced it, and when.
    public static let id3MetadataKeyProducedNotice = AVMetadataKey(rawValue: "TPRO")
    /// Who published it.
    public static let id3MetadataKeyPublisher = AVMetadataKey(rawValue: "TPUB")
    /// How many bytes to buffer.
    public static let id3MetadataKeyRecommendedBufferSize = AVMetadataKey(rawValue: "RBUF")
    /// When it was recorded, in words.
    public static let id3MetadataKeyRecordingDates = AVMetadataKey(rawValue: "TRDA")
    /// When it was recorded, of version 2.4.
    public static let id3MetadataKeyRecordingTime = AVMetadataKey(rawValue: "TDRC")
    /// How to change the volume, of version 2.3.
    public static let id3MetadataKeyRelativeVolumeAdjustment = AVMetadataKey(rawValue: "RVAD")
    /// How to change the volume, of version 2.4.
    public static let id3MetadataKeyRelativeVolumeAdjustment2 = AVMetadataKey(rawValue: "RVA2")
    /// When it was released.
    public static let id3MetadataKeyReleaseTime = AVMetadataKey(rawValue: "TDRL")
    /// How to add reverb.
    public static let id3MetadataKeyReverb = AVMetadataKey(rawValue: "RVRB")
    /// Where the next tag is.
    public static let id3MetadataKeySeek = AVMetadataKey(rawValue: "SEEK")
    /// The disc's title.
    public static let id3MetadataKeySetSubtitle = AVMetadataKey(rawValue: "TSST")
    /// A signature.
    public static let id3MetadataKeySignature = AVMetadataKey(rawValue: "SIGN")
    /// The file's size in bytes, without the tag.
    public static let id3MetadataKeySize = AVMetadataKey(rawValue: "TSIZ")
    /// The subtitle.
    public static let id3MetadataKeySubTitle = AVMetadataKey(rawValue: "TIT3")
    /// Lyrics with times.
    public static let id3MetadataKeySynchronizedLyric = AVMetadataKey(rawValue: "SYLT")
    /// Tempo with times.
    public static let id3MetadataKeySynchronizedTempoCodes = AVMetadataKey(rawValue: "SYTC")
    /// When the tag was made.
    public static let id3MetadataKeyTaggingTime = AVMetadataKey(rawValue: "TDTG")
    /// Terms of use.
    public static let id3MetadataKeyTermsOfUse = AVMetadataKey(rawValue: "USER")
    /// Hour and minute of the recording.
    public static let id3MetadataKeyTime = AVMetadataKey(rawValue: "TIME")
    /// The title.
    public static let id3MetadataKeyTitleDescription = AVMetadataKey(rawValue: "TIT2")
    /// The title as it is sorted.
    public static let id3MetadataKeyTitleSortOrder = AVMetadataKey(rawValue: "TSOT")
    /// The track's number, and of how many.
    public static let id3MetadataKeyTrackNumber = AVMetadataKey(rawValue: "TRCK")
    /// A name that tells the recording from all other.
    public static let id3MetadataKeyUniqueFileIdentifier = AVMetadataKey(rawValue: "UFID")
    /// The lyrics.
    public static let id3MetadataKeyUnsynchronizedLyric = AVMetadataKey(rawValue: "USLT")
    /// Text by a name of the user's own.
    public static let id3MetadataKeyUserText = AVMetadataKey(rawValue: "TXXX")
    /// An address by a name of the user's own.
    public static let id3MetadataKeyUserURL = AVMetadataKey(rawValue: "WXXX")
    /// The year of the recording, of version 2.3.
    public static let id3MetadataKeyYear = AVMetadataKey(rawValue: "TYER")
}
