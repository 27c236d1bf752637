/// Identifiers: ID3 frames.
extension AVMetadataIdentifier {
    /// The album's title as it is sorted.
    public static let id3MetadataAlbumSortOrder = AVMetadataIdentifier(rawValue: "id3/TSOA")
    /// The album's title.
    public static let id3MetadataAlbumTitle = AVMetadataIdentifier(rawValue: "id3/TALB")
    /// A picture.
    public static let id3MetadataAttachedPicture = AVMetadataIdentifier(rawValue: "id3/APIC")
    /// How audio is encrypted.
    public static let id3MetadataAudioEncryption = AVMetadataIdentifier(rawValue: "id3/AENC")
    /// Where to seek to.
    public static let id3MetadataAudioSeekPointIndex = AVMetadataIdentifier(rawValue: "id3/ASPI")
    /// The band; the artist of the whole album.
    public static let id3MetadataBand = AVMetadataIdentifier(rawValue: "id3/TPE2")
    /// Beats per minute.
    public static let id3MetadataBeatsPerMinute = AVMetadataIdentifier(rawValue: "id3/TBPM")
    /// A comment.
    public static let id3MetadataComments = AVMetadataIdentifier(rawValue: "id3/COMM")
    /// An offer.
    public static let id3MetadataCommercial = AVMetadataIdentifier(rawValue: "id3/COMR")
    /// The address of an offer.
    public static let id3MetadataCommercialInformation = AVMetadataIdentifier(rawValue: "id3/WCOM")
    /// The spelling that AVFoundation began with.
    public static let id3MetadataCommerical = AVMetadataIdentifier(rawValue: "id3/COMR")
    /// Who composed the music.
    public static let id3MetadataComposer = AVMetadataIdentifier(rawValue: "id3/TCOM")
    /// Who conducts.
    public static let id3MetadataConductor = AVMetadataIdentifier(rawValue: "id3/TPE3")
    /// What groups the track with others.
    public static let id3MetadataContentGroupDescription = AVMetadataIdentifier(rawValue: "id3/TIT1")
    /// The genre.
    public static let id3MetadataContentType = AVMetadataIdentifier(rawValue: "id3/TCON")
    /// Who holds which rights.
    public static let id3MetadataCopyright = AVMetadataIdentifier(rawValue: "id3/TCOP")
    /// The address of what the rights are.
    public static let id3MetadataCopyrightInformation = AVMetadataIdentifier(rawValue: "id3/WCOP")
    /// Day and month of the recording.
    public static let id3MetadataDate = AVMetadataIdentifier(rawValue: "id3/TDAT")
    /// Who encoded the file.
    public static let id3MetadataEncodedBy = AVMetadataIdentifier(rawValue: "id3/TENC")
    /// Which program encoded the file, and how.
    public static let id3MetadataEncodedWith = AVMetadataIdentifier(rawValue: "id3/TSSE")
    /// When it was encoded.
    public static let id3MetadataEncodingTime = AVMetadataIdentifier(rawValue: "id3/TDEN")
    /// A method of encryption.
    public static let id3MetadataEncryption = AVMetadataIdentifier(rawValue: "id3/ENCR")
    /// The equaliser's settings, of version 2.3.
    public static let id3MetadataEqualization = AVMetadataIdentifier(rawValue: "id3/EQUA")
    /// The equaliser's settings, of version 2.4.
    public static let id3MetadataEqualization2 = AVMetadataIdentifier(rawValue: "id3/EQU2")
    /// When what happens.
    public static let id3MetadataEventTimingCodes = AVMetadataIdentifier(rawValue: "id3/ETCO")
    /// Who owns the file.
    public static let id3MetadataFileOwner = AVMetadataIdentifier(rawValue: "id3/TOWN")
    /// The audio's type.
    public static let id3MetadataFileType = AVMetadataIdentifier(rawValue: "id3/TFLT")
    /// A file within the tag.
    public static let id3MetadataGeneralEncapsulatedObject = AVMetadataIdentifier(rawValue: "id3/GEOB")
    /// A group of frames.
    public static let id3MetadataGroupIdentifier = AVMetadataIdentifier(rawValue: "id3/GRID")
    /// The musical key that it begins in.
    public static let id3MetadataInitialKey = AVMetadataIdentifier(rawValue: "id3/TKEY")
    /// The recording's number, ISRC.
    public static let id3MetadataInternationalStandardRecordingCode = AVMetadataIdentifier(rawValue: "id3/TSRC")
    /// The Internet radio station.
    public static let id3MetadataInternetRadioStationName = AVMetadataIdentifier(rawValue: "id3/TRSN")
    /// Who owns the Internet radio station.
    public static let id3MetadataInternetRadioStationOwner = AVMetadataIdentifier(rawValue: "id3/TRSO")
    /// Who did what, of version 2.3.
    public static let id3MetadataInvolvedPeopleList_v23 = AVMetadataIdentifier(rawValue: "id3/IPLS")
    /// Who did what, of version 2.4.
    public static let id3MetadataInvolvedPeopleList_v24 = AVMetadataIdentifier(rawValue: "id3/TIPL")
    /// The language of lyrics or speech.
    public static let id3MetadataLanguage = AVMetadataIdentifier(rawValue: "id3/TLAN")
    /// Who performs.
    public static let id3MetadataLeadPerformer = AVMetadataIdentifier(rawValue: "id3/TPE1")
    /// The length in milliseconds.
    public static let id3MetadataLength = AVMetadataIdentifier(rawValue: "id3/TLEN")
    /// A frame that lies elsewhere.
    public static let id3MetadataLink = AVMetadataIdentifier(rawValue: "id3/LINK")
    /// Who wrote the words.
    public static let id3MetadataLyricist = AVMetadataIdentifier(rawValue: "id3/TEXT")
    /// Where in the file which time is.
    public static let id3MetadataMPEGLocationLookupTable = AVMetadataIdentifier(rawValue: "id3/MLLT")
    /// The medium that it was taken from.
    public static let id3MetadataMediaType = AVMetadataIdentifier(rawValue: "id3/TMED")
    /// Who remixed or changed it.
    public static let id3MetadataModifiedBy = AVMetadataIdentifier(rawValue: "id3/TPE4")
    /// The mood.
    public static let id3MetadataMood = AVMetadataIdentifier(rawValue: "id3/TMOO")
    /// The compact disc's table of contents.
    public static let id3MetadataMusicCDIdentifier = AVMetadataIdentifier(rawValue: "id3/MCDI")
    /// Who plays what.
    public static let id3MetadataMusicianCreditsList = AVMetadataIdentifier(rawValue: "id3/TMCL")
    /// The artist's address.
    public static let id3MetadataOfficialArtistWebpage = AVMetadataIdentifier(rawValue: "id3/WOAR")
    /// The audio file's address.
    public static let id3MetadataOfficialAudioFileWebpage = AVMetadataIdentifier(rawValue: "id3/WOAF")
    /// The address of what it was made from.
    public static let id3MetadataOfficialAudioSourceWebpage = AVMetadataIdentifier(rawValue: "id3/WOAS")
    /// The Internet radio station's address.
    public static let id3MetadataOfficialInternetRadioStationHomepage = AVMetadataIdentifier(rawValue: "id3/WORS")
    /// The publisher's address.
    public static let id3MetadataOfficialPublisherWebpage = AVMetadataIdentifier(rawValue: "id3/WPUB")
    /// The title of the first recording's album.
    public static let id3MetadataOriginalAlbumTitle = AVMetadataIdentifier(rawValue: "id3/TOAL")
    /// Who performed it first.
    public static let id3MetadataOriginalArtist = AVMetadataIdentifier(rawValue: "id3/TOPE")
    /// The name of the file.
    public static let id3MetadataOriginalFilename = AVMetadataIdentifier(rawValue: "id3/TOFN")
    /// Who wrote the first words.
    public static let id3MetadataOriginalLyricist = AVMetadataIdentifier(rawValue: "id3/TOLY")
    /// When it was first released, of version 2.4.
    public static let id3MetadataOriginalReleaseTime = AVMetadataIdentifier(rawValue: "id3/TDOR")
    /// The year of its first release, of version 2.3.
    public static let id3MetadataOriginalReleaseYear = AVMetadataIdentifier(rawValue: "id3/TORY")
    /// Who bought it, when and for how much.
    public static let id3MetadataOwnership = AVMetadataIdentifier(rawValue: "id3/OWNE")
    /// The disc's number, and of how many.
    public static let id3MetadataPartOfASet = AVMetadataIdentifier(rawValue: "id3/TPOS")
    /// The address to pay at.
    public static let id3MetadataPayment = AVMetadataIdentifier(rawValue: "id3/WPAY")
    /// The artist's name as it is sorted.
    public static let id3MetadataPerformerSortOrder = AVMetadataIdentifier(rawValue: "id3/TSOP")
    /// How often it was played.
    public static let id3MetadataPlayCounter = AVMetadataIdentifier(rawValue: "id3/PCNT")
    /// How many milliseconds of silence precede it.
    public static let id3MetadataPlaylistDelay = AVMetadataIdentifier(rawValue: "id3/TDLY")
    /// A user's rating and how often it was played.
    public static let id3MetadataPopularimeter = AVMetadataIdentifier(rawValue: "id3/POPM")
    /// The time that a stream was entered at.
    public static let id3MetadataPositionSynchronization = AVMetadataIdentifier(rawValue: "id3/POSS")
    /// A program's own data.
    public static let id3MetadataPrivate = AVMetadataIdentifier(rawValue: "id3/PRIV")
    /// Who produced it, and when.
    public static let id3MetadataProducedNotice = AVMetadataIdentifier(rawValue: "id3/TPRO")
    /// Who published it.
    public static let id3MetadataPublisher = AVMetadataIdentifier(rawValue: "id3/TPUB")
    /// How many bytes to buffer.
    public static let id3MetadataRecommendedBufferSize = AVMetadataIdentifier(rawValue: "id3/RBUF")
    /// When it was recorded, in words.
    public static let id3MetadataRecordingDates = AVMetadataIdentifier(rawValue: "id3/TRDA")
    /// When it was recorded, of version 2.4.
    public static let id3MetadataRecordingTime = AVMetadataIdentifier(rawValue: "id3/TDRC")
    /// How to change the volume, of version 2.3.
    public static let id3MetadataRelativeVolumeAdjustment = AVMetadataIdentifier(rawValue: "id3/RVAD")
    /// How to change the volume, of version 2.4.
    public static let id3MetadataRelativeVolumeAdjustment2 = AVMetadataIdentifier(rawValue: "id3/RVA2")
    /// When it was released.
    public static let id3MetadataReleaseTime = AVMetadataIdentifier(rawValue: "id3/TDRL")
    /// How to add reverb.
    public static let id3MetadataReverb = AVMetadataIdentifier(rawValue: "id3/RVRB")
    /// Where the next tag is.
    public static let id3MetadataSeek = AVMetadataIdentifier(rawValue: "id3/SEEK")
    /// The disc's title.
    public static let id3MetadataSetSubtitle = AVMetadataIdentifier(rawValue: "id3/TSST")
    /// A signature.
    public static let id3MetadataSignature = AVMetadataIdentifier(rawValue: "id3/SIGN")
    /// The file's size in bytes, without the tag.
    public static let id3MetadataSize = AVMetadataIdentifier(rawValue: "id3/TSIZ")
    /// The subtitle.
    public static let id3MetadataSubTitle = AVMetadataIdentifier(rawValue: "id3/TIT3")
    /// Lyrics with times.
    public static let id3MetadataSynchronizedLyric = AVMetadataIdentifier(rawValue: "id3/SYLT")
    /// Tempo with times.
    public static let id3MetadataSynchronizedTempoCodes = AVMetadataIdentifier(rawValue: "id3/SYTC")
    /// When the tag was made.
    public static let id3MetadataTaggingTime = AVMetadataIdentifier(rawValue: "id3/TDTG")
    /// Terms of use.
    public static let id3MetadataTermsOfUse = AVMetadataIdentifier(rawValue: "id3/USER")
    /// Hour and minute of the recording.
    public static let id3MetadataTime = AVMetadataIdentifier(rawValue: "id3/TIME")
    /// The title.
    public static let id3MetadataTitleDescription = AVMetadataIdentifier(rawValue: "id3/TIT2")
    /// The title as it is sorted.
    public static let id3MetadataTitleSortOrder = AVMetadataIdentifier(rawValue: "id3/TSOT")
    /// The track's number, and of how many.
    public static let id3MetadataTrackNumber = AVMetadataIdentifier(rawValue: "id3/TRCK")
    /// A name that tells the recording from all other.
    public static let id3MetadataUniqueFileIdentifier = AVMetadataIdentifier(rawValue: "id3/UFID")
    /// The lyrics.
    public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier(rawValue: "id3/USLT")
    /// Text by a name of the user's own.
    public static let id3MetadataUserText = AVMetadataIdentifier(rawValue: "id3/TXXX")
    /// An address by a name of the user's own.
    public static let id3MetadataUserURL = AVMetadataIdentifier(rawValue: "id3/WXXX")
    /// The year of the recording, of version 2.3.
    public static let id3MetadataYear = AVMetadataIdentifier(rawValue: "id3/TYER")
}
