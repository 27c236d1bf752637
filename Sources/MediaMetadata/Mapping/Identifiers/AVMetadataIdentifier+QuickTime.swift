/// Identifiers: QuickTime metadata.
extension AVMetadataIdentifier {
    /// A description for people who cannot see or hear the content.
    public static let quickTimeMetadataAccessibilityDescription = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.accessibility.description")
    /// The album's title.
    public static let quickTimeMetadataAlbum = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.album")
    /// Who arranged the music.
    public static let quickTimeMetadataArranger = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.arranger")
    /// Who performs.
    public static let quickTimeMetadataArtist = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.artist")
    /// A picture that stands for the content.
    public static let quickTimeMetadataArtwork = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.artwork")
    /// Who wrote the content.
    public static let quickTimeMetadataAuthor = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.author")
    /// Whether a Live Photo was taken without being asked for.
    public static let quickTimeMetadataAutoLivePhoto = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.live-photo.auto")
    /// How many microseconds the sensor takes to read a frame.
    public static let quickTimeMetadataCameraFrameReadoutTime = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.camera.framereadouttimeinmicroseconds")
    /// Which of the device's cameras was used.
    public static let quickTimeMetadataCameraIdentifier = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.camera.identifier")
    /// The user's collection that it belongs to.
    public static let quickTimeMetadataCollectionUser = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.collection.user")
    /// A comment.
    public static let quickTimeMetadataComment = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.comment")
    /// Who composed the music.
    public static let quickTimeMetadataComposer = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.composer")
    /// What ties a Live Photo's movie to its still.
    public static let quickTimeMetadataContentIdentifier = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.content.identifier")
    /// Who holds which rights.
    public static let quickTimeMetadataCopyright = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.copyright")
    /// When it was recorded, with the time zone.
    public static let quickTimeMetadataCreationDate = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.creationdate")
    /// Credits.
    public static let quickTimeMetadataCredits = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.credits")
    /// What the content is about.
    public static let quickTimeMetadataDescription = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.description")
    /// A cat found in the picture (timed).
    public static let quickTimeMetadataDetectedCatBody = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.detected-cat-body")
    /// A dog found in the picture (timed).
    public static let quickTimeMetadataDetectedDogBody = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.detected-dog-body")
    /// A face found in the picture (timed).
    public static let quickTimeMetadataDetectedFace = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.detected-face")
    /// A person found in the picture (timed).
    public static let quickTimeMetadataDetectedHumanBody = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.detected-human-body")
    /// What draws the eye in the picture (timed).
    public static let quickTimeMetadataDetectedSalientObject = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.detected-salient-object")
    /// The direction that the camera looked in.
    public static let quickTimeMetadataDirectionFacing = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.direction.facing")
    /// The direction that the camera moved in.
    public static let quickTimeMetadataDirectionMotion = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.direction.motion")
    /// Who directed.
    public static let quickTimeMetadataDirector = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.director")
    /// The title to show.
    public static let quickTimeMetadataDisplayName = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.displayname")
    /// Who encoded the file.
    public static let quickTimeMetadataEncodedBy = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.encodedby")
    /// The genre.
    public static let quickTimeMetadataGenre = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.genre")
    /// Information on the content.
    public static let quickTimeMetadataInformation = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.information")
    /// Whether it is a montage.
    public static let quickTimeMetadataIsMontage = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.is-montage")
    /// Keywords.
    public static let quickTimeMetadataKeywords = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.keywords")
    /// How lively a Live Photo is.
    public static let quickTimeMetadataLivePhotoVitalityScore = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.live-photo.vitality-score")
    /// How the liveliness was rated.
    public static let quickTimeMetadataLivePhotoVitalityScoringVersion = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.live-photo.vitality-scoring-version")
    /// The heavenly body of the place.
    public static let quickTimeMetadataLocationBody = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.body")
    /// The date that the place belongs to.
    public static let quickTimeMetadataLocationDate = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.date")
    /// How exact the place is, in metres.
    public static let quickTimeMetadataLocationHorizontalAccuracyInMeters = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.accuracy.horizontal")
    /// Latitude, longitude and altitude.
    public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.ISO6709")
    /// The place's name.
    public static let quickTimeMetadataLocationName = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.name")
    /// A note on the place.
    public static let quickTimeMetadataLocationNote = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.note")
    /// Whether the place is where it was shot, or what it shows.
    public static let quickTimeMetadataLocationRole = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.location.role")
    /// Who built the camera.
    public static let quickTimeMetadataMake = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.make")
    /// Which camera was used.
    public static let quickTimeMetadataModel = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.model")
    /// Who performed it first.
    public static let quickTimeMetadataOriginalArtist = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.originalartist")
    /// A performer.
    public static let quickTimeMetadataPerformer = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.performer")
    /// Who holds the rights to the recording.
    public static let quickTimeMetadataPhonogramRights = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.phonogramrights")
    /// How to turn the picture for display (timed).
    public static let quickTimeMetadataPreferredAffineTransform = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.preferred-affine-transform")
    /// Who produced.
    public static let quickTimeMetadataProducer = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.producer")
    /// Who published it.
    public static let quickTimeMetadataPublisher = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.publisher")
    /// The user's rating.
    public static let quickTimeMetadataRatingUser = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.rating.user")
    /// Which program or system made it.
    public static let quickTimeMetadataSoftware = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.software")
    /// How good the wider view around the picture is.
    public static let quickTimeMetadataSpatialOverCaptureQualityScore = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.spatial-overcapture.quality-score")
    /// How the wider view was rated.
    public static let quickTimeMetadataSpatialOverCaptureQualityScoringVersion = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.spatial-overcapture.quality-scoring-version")
    /// The title.
    public static let quickTimeMetadataTitle = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.title")
    /// Which side of the picture is up (timed).
    public static let quickTimeMetadataVideoOrientation = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.video-orientation")
    /// The year.
    public static let quickTimeMetadataYear = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.year")
    /// A document of production data in iXML.
    public static let quickTimeMetadataiXML = AVMetadataIdentifier(rawValue: "mdta/info.ixml.xml")
    /// Which lens was used.
    public static let quickTimeMetadataCameraLensModel = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.camera.lens_model")
    /// The focal length in millimetres, as for a 35 mm frame.
    public static let quickTimeMetadataCameraFocalLength35mmEquivalent = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.camera.focal_length.35mm_equivalent")
    /// Whether to play every frame at full speed.
    public static let quickTimeMetadataFullFrameRatePlaybackIntent = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.full-frame-rate-playback-intent")
    /// The sensitivity by ISO.
    public static let quickTimeMetadataCameraISOSensitivity = AVMetadataIdentifier(
        rawValue: "mdta/org.smpte.rdd18.camera.isosensitivity")
    /// The aperture as a fraction of the focal length.
    public static let quickTimeMetadataCameraLensIrisFNumber = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.camera.lens_irisfnumber")
    /// The shutter's angle, in degrees.
    public static let quickTimeMetadataCameraShutterSpeedAngle = AVMetadataIdentifier(
        rawValue: "mdta/org.smpte.rdd18.camera.shutterspeed_angle")
    /// The shutter's time.
    public static let quickTimeMetadataCameraShutterSpeedTime = AVMetadataIdentifier(
        rawValue: "mdta/org.smpte.rdd18.camera.shutterspeed_time")
    /// The white balance.
    public static let quickTimeMetadataCameraWhiteBalance = AVMetadataIdentifier(
        rawValue: "mdta/org.smpte.rdd18.camera.whitebalance")
    /// Whether it was shot for a change of focus afterwards.
    public static let quickTimeMetadataCinematicVideoIntent = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.quicktime.cinematic-video-intent")
    /// ProRes RAW's colour matrices by temperature.
    public static let quickTimeMetadataWhiteBalanceByCCTColorMatrices = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.proresraw.whitebalance.bycct.colormatrices")
    /// ProRes RAW's white balance by temperature.
    public static let quickTimeMetadataWhiteBalanceByCCTWhiteBalanceFactors = AVMetadataIdentifier(
        rawValue: "mdta/com.apple.proresraw.whitebalance.bycct.whitebalancefactors")
}

/// Identifiers: QuickTime user data.
extension AVMetadataIdentifier {
    /// A description for people who cannot see or hear the content.
    public static let quickTimeUserDataAccessibilityDescription = AVMetadataIdentifier(rawValue: "udta/%A9ade")
    /// The album's title.
    public static let quickTimeUserDataAlbum = AVMetadataIdentifier(rawValue: "udta/%A9alb")
    /// Who arranged the music.
    public static let quickTimeUserDataArranger = AVMetadataIdentifier(rawValue: "udta/%A9arg")
    /// Who performs.
    public static let quickTimeUserDataArtist = AVMetadataIdentifier(rawValue: "udta/%A9ART")
    /// Who wrote the content.
    public static let quickTimeUserDataAuthor = AVMetadataIdentifier(rawValue: "udta/%A9aut")
    /// A chapter's name.
    public static let quickTimeUserDataChapter = AVMetadataIdentifier(rawValue: "udta/%A9chp")
    /// A comment.
    public static let quickTimeUserDataComment = AVMetadataIdentifier(rawValue: "udta/%A9cmt")
    /// Who composed the music.
    public static let quickTimeUserDataComposer = AVMetadataIdentifier(rawValue: "udta/%A9com")
    /// Who holds which rights.
    public static let quickTimeUserDataCopyright = AVMetadataIdentifier(rawValue: "udta/%A9cpy")
    /// When it was made.
    public static let quickTimeUserDataCreationDate = AVMetadataIdentifier(rawValue: "udta/%A9day")
    /// Who else had a part in it.
    public static let quickTimeUserDataCredits = AVMetadataIdentifier(rawValue: "udta/%A9src")
    /// What the content is about.
    public static let quickTimeUserDataDescription = AVMetadataIdentifier(rawValue: "udta/%A9des")
    /// Who directed.
    public static let quickTimeUserDataDirector = AVMetadataIdentifier(rawValue: "udta/%A9dir")
    /// A disclaimer.
    public static let quickTimeUserDataDisclaimer = AVMetadataIdentifier(rawValue: "udta/%A9dis")
    /// Who encoded the file.
    public static let quickTimeUserDataEncodedBy = AVMetadataIdentifier(rawValue: "udta/%A9enc")
    /// The title.
    public static let quickTimeUserDataFullName = AVMetadataIdentifier(rawValue: "udta/%A9nam")
    /// The genre.
    public static let quickTimeUserDataGenre = AVMetadataIdentifier(rawValue: "udta/%A9gen")
    /// The computer that made it.
    public static let quickTimeUserDataHostComputer = AVMetadataIdentifier(rawValue: "udta/%A9hst")
    /// Information on the content.
    public static let quickTimeUserDataInformation = AVMetadataIdentifier(rawValue: "udta/%A9inf")
    /// Keywords.
    public static let quickTimeUserDataKeywords = AVMetadataIdentifier(rawValue: "udta/%A9key")
    /// Latitude, longitude and altitude.
    public static let quickTimeUserDataLocationISO6709 = AVMetadataIdentifier(rawValue: "udta/%A9xyz")
    /// Who built the camera or recorder.
    public static let quickTimeUserDataMake = AVMetadataIdentifier(rawValue: "udta/%A9mak")
    /// Which camera or recorder made it.
    public static let quickTimeUserDataModel = AVMetadataIdentifier(rawValue: "udta/%A9mod")
    /// Who performed it first.
    public static let quickTimeUserDataOriginalArtist = AVMetadataIdentifier(rawValue: "udta/%A9ope")
    /// The format that it was made from.
    public static let quickTimeUserDataOriginalFormat = AVMetadataIdentifier(rawValue: "udta/%A9fmt")
    /// What it was made from.
    public static let quickTimeUserDataOriginalSource = AVMetadataIdentifier(rawValue: "udta/%A9src")
    /// The performers.
    public static let quickTimeUserDataPerformers = AVMetadataIdentifier(rawValue: "udta/%A9prf")
    /// Who holds the rights to the recording.
    public static let quickTimeUserDataPhonogramRights = AVMetadataIdentifier(rawValue: "udta/%A9phg")
    /// Who produced.
    public static let quickTimeUserDataProducer = AVMetadataIdentifier(rawValue: "udta/%A9prd")
    /// The product that made it.
    public static let quickTimeUserDataProduct = AVMetadataIdentifier(rawValue: "udta/%A9PRD")
    /// Who published it.
    public static let quickTimeUserDataPublisher = AVMetadataIdentifier(rawValue: "udta/%A9pub")
    /// Which program made it.
    public static let quickTimeUserDataSoftware = AVMetadataIdentifier(rawValue: "udta/%A9swr")
    /// What is needed to play it.
    public static let quickTimeUserDataSpecialPlaybackRequirements = AVMetadataIdentifier(rawValue: "udta/%A9req")
    /// A characteristic of the track.
    public static let quickTimeUserDataTaggedCharacteristic = AVMetadataIdentifier(rawValue: "udta/tagc")
    /// The track's number on its album.
    public static let quickTimeUserDataTrack = AVMetadataIdentifier(rawValue: "udta/%A9trk")
    /// The track's name.
    public static let quickTimeUserDataTrackName = AVMetadataIdentifier(rawValue: "udta/tnam")
    /// An address that belongs to it.
    public static let quickTimeUserDataURLLink = AVMetadataIdentifier(rawValue: "udta/%A9url")
    /// A warning.
    public static let quickTimeUserDataWarning = AVMetadataIdentifier(rawValue: "udta/%A9wrn")
    /// Who wrote it.
    public static let quickTimeUserDataWriter = AVMetadataIdentifier(rawValue: "udta/%A9wrt")
}

/// Identifiers: user data of ISO base media files, those of 3GPP among them.
extension AVMetadataIdentifier {
    /// A description for people who cannot see or hear the content.
    public static let isoUserDataAccessibilityDescription = AVMetadataIdentifier(rawValue: "uiso/ades")
    /// Who holds which rights.
    public static let isoUserDataCopyright = AVMetadataIdentifier(rawValue: "uiso/cprt")
    /// When it was made.
    public static let isoUserDataDate = AVMetadataIdentifier(rawValue: "uiso/date")
    /// A characteristic of the track.
    public static let isoUserDataTaggedCharacteristic = AVMetadataIdentifier(rawValue: "uiso/tagc")
    /// The album's title, and the track's number on it.
    public static let identifier3GPUserDataAlbumAndTrack = AVMetadataIdentifier(rawValue: "uiso/albm")
    /// Who wrote the content.
    public static let identifier3GPUserDataAuthor = AVMetadataIdentifier(rawValue: "uiso/auth")
    /// The collection that it belongs to.
    public static let identifier3GPUserDataCollection = AVMetadataIdentifier(rawValue: "uiso/coll")
    /// Who holds which rights.
    public static let identifier3GPUserDataCopyright = AVMetadataIdentifier(rawValue: "uiso/cprt")
    /// What the content is about.
    public static let identifier3GPUserDataDescription = AVMetadataIdentifier(rawValue: "uiso/dscp")
    /// The genre.
    public static let identifier3GPUserDataGenre = AVMetadataIdentifier(rawValue: "uiso/gnre")
    /// Keywords.
    public static let identifier3GPUserDataKeywordList = AVMetadataIdentifier(rawValue: "uiso/kywd")
    /// The place, with its name and role.
    public static let identifier3GPUserDataLocation = AVMetadataIdentifier(rawValue: "uiso/loci")
    /// What audience it is classified for.
    public static let identifier3GPUserDataMediaClassification = AVMetadataIdentifier(rawValue: "uiso/clsf")
    /// How suitable it is rated, and by whom.
    public static let identifier3GPUserDataMediaRating = AVMetadataIdentifier(rawValue: "uiso/rtng")
    /// Who performs.
    public static let identifier3GPUserDataPerformer = AVMetadataIdentifier(rawValue: "uiso/perf")
    /// The year of the recording.
    public static let identifier3GPUserDataRecordingYear = AVMetadataIdentifier(rawValue: "uiso/yrrc")
    /// A small picture.
    public static let identifier3GPUserDataThumbnail = AVMetadataIdentifier(rawValue: "uiso/thmb")
    /// The title.
    public static let identifier3GPUserDataTitle = AVMetadataIdentifier(rawValue: "uiso/titl")
    /// The user's rating.
    public static let identifier3GPUserDataUserRating = AVMetadataIdentifier(rawValue: "uiso/urat")
}
