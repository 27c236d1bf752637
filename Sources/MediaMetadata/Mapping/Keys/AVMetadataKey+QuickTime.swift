/// Keys: QuickTime metadata.
extension AVMetadataKey {
    /// A description for people who cannot see or hear the content.
    public static let quickTimeMetadataKeyAccessibilityDescription = AVMetadataKey(
        rawValue: "com.apple.quicktime.accessibility.description")
    /// The album's title.
    public static let quickTimeMetadataKeyAlbum = AVMetadataKey(rawValue: "com.apple.quicktime.album")
    /// Who arranged the music.
    public static let quickTimeMetadataKeyArranger = AVMetadataKey(rawValue: "com.apple.quicktime.arranger")
    /// Who performs.
    public static let quickTimeMetadataKeyArtist = AVMetadataKey(rawValue: "com.apple.quicktime.artist")
    /// A picture that stands for the content.
    public static let quickTimeMetadataKeyArtwork = AVMetadataKey(rawValue: "com.apple.quicktime.artwork")
    /// Who wrote the content.
    public static let quickTimeMetadataKeyAuthor = AVMetadataKey(rawValue: "com.apple.quicktime.author")
    /// Whether a Live Photo was taken without being asked for.
    public static let quickTimeMetadataKeyAutoLivePhoto = AVMetadataKey(rawValue: "com.apple.quicktime.live-photo.auto")
    /// How many microseconds the sensor takes to read a frame.
    public static let quickTimeMetadataKeyCameraFrameReadoutTime = AVMetadataKey(
        rawValue: "com.apple.quicktime.camera.framereadouttimeinmicroseconds")
    /// Which of the device's cameras was used.
    public static let quickTimeMetadataKeyCameraIdentifier = AVMetadataKey(
        rawValue: "com.apple.quicktime.camera.identifier")
    /// The user's collection that it belongs to.
    public static let quickTimeMetadataKeyCollectionUser = AVMetadataKey(
        rawValue: "com.apple.quicktime.collection.user")
    /// A comment.
    public static let quickTimeMetadataKeyComment = AVMetadataKey(rawValue: "com.apple.quicktime.comment")
    /// Who composed the music.
    public static let quickTimeMetadataKeyComposer = AVMetadataKey(rawValue: "com.apple.quicktime.composer")
    /// What ties a Live Photo's movie to its still.
    public static let quickTimeMetadataKeyContentIdentifier = AVMetadataKey(
        rawValue: "com.apple.quicktime.content.identifier")
    /// Who holds which rights.
    public static let quickTimeMetadataKeyCopyright = AVMetadataKey(rawValue: "com.apple.quicktime.copyright")
    /// When it was recorded, with the time zone.
    public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(rawValue: "com.apple.quicktime.creationdate")
    /// Credits.
    public static let quickTimeMetadataKeyCredits = AVMetadataKey(rawValue: "com.apple.quicktime.credits")
    /// What the content is about.
    public static let quickTimeMetadataKeyDescription = AVMetadataKey(rawValue: "com.apple.quicktime.description")
    /// The direction that the camera looked in.
    public static let quickTimeMetadataKeyDirectionFacing = AVMetadataKey(
        rawValue: "com.apple.quicktime.direction.facing")
    /// The direction that the camera moved in.
    public static let quickTimeMetadataKeyDirectionMotion = AVMetadataKey(
        rawValue: "com.apple.quicktime.direction.motion")
    /// Who directed.
    public static let quickTimeMetadataKeyDirector = AVMetadataKey(rawValue: "com.apple.quicktime.director")
    /// The title to show.
    public static let quickTimeMetadataKeyDisplayName = AVMetadataKey(rawValue: "com.apple.quicktime.displayname")
    /// Who encoded the file.
    public static let quickTimeMetadataKeyEncodedBy = AVMetadataKey(rawValue: "com.apple.quicktime.encodedby")
    /// The genre.
    public static let quickTimeMetadataKeyGenre = AVMetadataKey(rawValue: "com.apple.quicktime.genre")
    /// Information on the content.
    public static let quickTimeMetadataKeyInformation = AVMetadataKey(rawValue: "com.apple.quicktime.information")
    /// Whether it is a montage.
    public static let quickTimeMetadataKeyIsMontage = AVMetadataKey(rawValue: "com.apple.quicktime.is-montage")
    /// Keywords.
    public static let quickTimeMetadataKeyKeywords = AVMetadataKey(rawValue: "com.apple.quicktime.keywords")
    /// How lively a Live Photo is.
    public static let quickTimeMetadataKeyLivePhotoVitalityScore = AVMetadataKey(
        rawValue: "com.apple.quicktime.live-photo.vitality-score")
    /// How the liveliness was rated.
    public static let quickTimeMetadataKeyLivePhotoVitalityScoringVersion = AVMetadataKey(
        rawValue: "com.apple.quicktime.live-photo.vitality-scoring-version")
    /// The heavenly body of the place.
    public static let quickTimeMetadataKeyLocationBody = AVMetadataKey(rawValue: "com.apple.quicktime.location.body")
    /// The date that the place belongs to.
    public static let quickTimeMetadataKeyLocationDate = AVMetadataKey(rawValue: "com.apple.quicktime.location.date")
    /// How exact the place is, in metres.
    public static let quickTimeMetadataKeyLocationHorizontalAccuracyInMeters = AVMetadataKey(
        rawValue: "com.apple.quicktime.location.accuracy.horizontal")
    /// Latitude, longitude and altitude.
    public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(
        rawValue: "com.apple.quicktime.location.ISO6709")
    /// The place's name.
    public static let quickTimeMetadataKeyLocationName = AVMetadataKey(rawValue: "com.apple.quicktime.location.name")
    /// A note on the place.
    public static let quickTimeMetadataKeyLocationNote = AVMetadataKey(rawValue: "com.apple.quicktime.location.note")
    /// Whether the place is where it was shot, or what it shows.
    public static let quickTimeMetadataKeyLocationRole = AVMetadataKey(rawValue: "com.apple.quicktime.location.role")
    /// Who built the camera.
    public static let quickTimeMetadataKeyMake = AVMetadataKey(rawValue: "com.apple.quicktime.make")
    /// Which camera was used.
    public static let quickTimeMetadataKeyModel = AVMetadataKey(rawValue: "com.apple.quicktime.model")
    /// Who performed it first.
    public static let quickTimeMetadataKeyOriginalArtist = AVMetadataKey(rawValue: "com.apple.quicktime.originalartist")
    /// A performer.
    public static let quickTimeMetadataKeyPerformer = AVMetadataKey(rawValue: "com.apple.quicktime.performer")
    /// Who holds the rights to the recording.
    public static let quickTimeMetadataKeyPhonogramRights = AVMetadataKey(
        rawValue: "com.apple.quicktime.phonogramrights")
    /// Who produced.
    public static let quickTimeMetadataKeyProducer = AVMetadataKey(rawValue: "com.apple.quicktime.producer")
    /// Who published it.
    public static let quickTimeMetadataKeyPublisher = AVMetadataKey(rawValue: "com.apple.quicktime.publisher")
    /// The user's rating.
    public static let quickTimeMetadataKeyRatingUser = AVMetadataKey(rawValue: "com.apple.quicktime.rating.user")
    /// Which program or system made it.
    public static let quickTimeMetadataKeySoftware = AVMetadataKey(rawValue: "com.apple.quicktime.software")
    /// How good the wider view around the picture is.
    public static let quickTimeMetadataKeySpatialOverCaptureQualityScore = AVMetadataKey(
        rawValue: "com.apple.quicktime.spatial-overcapture.quality-score")
    /// How the wider view was rated.
    public static let quickTimeMetadataKeySpatialOverCaptureQualityScoringVersion = AVMetadataKey(
        rawValue: "com.apple.quicktime.spatial-overcapture.quality-scoring-version")
    /// The title.
    public static let quickTimeMetadataKeyTitle = AVMetadataKey(rawValue: "com.apple.quicktime.title")
    /// The year.
    public static let quickTimeMetadataKeyYear = AVMetadataKey(rawValue: "com.apple.quicktime.year")
    /// A document of production data in iXML.
    public static let quickTimeMetadataKeyiXML = AVMetadataKey(rawValue: "info.ixml.xml")
    /// Which lens was used.
    public static let quickTimeMetadataKeyCameraLensModel = AVMetadataKey(
        rawValue: "com.apple.quicktime.camera.lens_model")
    /// The focal length in millimetres, as for a 35 mm frame.
    public static let quickTimeMetadataKeyCameraFocalLength35mmEquivalent = AVMetadataKey(
        rawValue: "com.apple.quicktime.camera.focal_length.35mm_equivalent")
    /// Whether to play every frame at full speed.
    public static let quickTimeMetadataKeyFullFrameRatePlaybackIntent = AVMetadataKey(
        rawValue: "com.apple.quicktime.full-frame-rate-playback-intent")
    /// The sensitivity by ISO.
    public static let quickTimeMetadataKeyCameraISOSensitivity = AVMetadataKey(
        rawValue: "org.smpte.rdd18.camera.isosensitivity")
    /// The aperture as a fraction of the focal length.
    public static let quickTimeMetadataKeyCameraLensIrisFNumber = AVMetadataKey(
        rawValue: "com.apple.quicktime.camera.lens_irisfnumber")
    /// The shutter's angle, in degrees.
    public static let quickTimeMetadataKeyCameraShutterSpeedAngle = AVMetadataKey(
        rawValue: "org.smpte.rdd18.camera.shutterspeed_angle")
    /// The shutter's time.
    public static let quickTimeMetadataKeyCameraShutterSpeedTime = AVMetadataKey(
        rawValue: "org.smpte.rdd18.camera.shutterspeed_time")
    /// The white balance.
    public static let quickTimeMetadataKeyCameraWhiteBalance = AVMetadataKey(
        rawValue: "org.smpte.rdd18.camera.whitebalance")
    /// Whether it was shot for a change of focus afterwards.
    public static let quickTimeMetadataKeyCinematicVideoIntent = AVMetadataKey(
        rawValue: "com.apple.quicktime.cinematic-video-intent")
    /// ProRes RAW's colour matrices by temperature.
    public static let quickTimeMetadataKeyWhiteBalanceByCCTColorMatrices = AVMetadataKey(
        rawValue: "com.apple.proresraw.whitebalance.bycct.colormatrices")
    /// ProRes RAW's white balance by temperature.
    public static let quickTimeMetadataKeyWhiteBalanceByCCTWhiteBalanceFactors = AVMetadataKey(
        rawValue: "com.apple.proresraw.whitebalance.bycct.whitebalancefactors")
}

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
