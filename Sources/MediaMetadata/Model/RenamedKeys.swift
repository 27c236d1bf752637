// The global names that keys, key spaces and formats had before they were members. AVFoundation keeps them for Objective-C.

/// The old name of `AVMetadataKey.commonKeyTitle`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyTitle")
public let AVMetadataCommonKeyTitle = AVMetadataKey.commonKeyTitle

/// The old name of `AVMetadataKey.commonKeyCreator`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyCreator")
public let AVMetadataCommonKeyCreator = AVMetadataKey.commonKeyCreator

/// The old name of `AVMetadataKey.commonKeySubject`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeySubject")
public let AVMetadataCommonKeySubject = AVMetadataKey.commonKeySubject

/// The old name of `AVMetadataKey.commonKeyDescription`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyDescription")
public let AVMetadataCommonKeyDescription = AVMetadataKey.commonKeyDescription

/// The old name of `AVMetadataKey.commonKeyPublisher`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyPublisher")
public let AVMetadataCommonKeyPublisher = AVMetadataKey.commonKeyPublisher

/// The old name of `AVMetadataKey.commonKeyContributor`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyContributor")
public let AVMetadataCommonKeyContributor = AVMetadataKey.commonKeyContributor

/// The old name of `AVMetadataKey.commonKeyCreationDate`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyCreationDate")
public let AVMetadataCommonKeyCreationDate = AVMetadataKey.commonKeyCreationDate

/// The old name of `AVMetadataKey.commonKeyLastModifiedDate`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyLastModifiedDate")
public let AVMetadataCommonKeyLastModifiedDate = AVMetadataKey.commonKeyLastModifiedDate

/// The old name of `AVMetadataKey.commonKeyType`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyType")
public let AVMetadataCommonKeyType = AVMetadataKey.commonKeyType

/// The old name of `AVMetadataKey.commonKeyFormat`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyFormat")
public let AVMetadataCommonKeyFormat = AVMetadataKey.commonKeyFormat

/// The old name of `AVMetadataKey.commonKeyIdentifier`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyIdentifier")
public let AVMetadataCommonKeyIdentifier = AVMetadataKey.commonKeyIdentifier

/// The old name of `AVMetadataKey.commonKeySource`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeySource")
public let AVMetadataCommonKeySource = AVMetadataKey.commonKeySource

/// The old name of `AVMetadataKey.commonKeyLanguage`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyLanguage")
public let AVMetadataCommonKeyLanguage = AVMetadataKey.commonKeyLanguage

/// The old name of `AVMetadataKey.commonKeyRelation`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyRelation")
public let AVMetadataCommonKeyRelation = AVMetadataKey.commonKeyRelation

/// The old name of `AVMetadataKey.commonKeyLocation`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyLocation")
public let AVMetadataCommonKeyLocation = AVMetadataKey.commonKeyLocation

/// The old name of `AVMetadataKey.commonKeyCopyrights`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyCopyrights")
public let AVMetadataCommonKeyCopyrights = AVMetadataKey.commonKeyCopyrights

/// The old name of `AVMetadataKey.commonKeyAlbumName`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyAlbumName")
public let AVMetadataCommonKeyAlbumName = AVMetadataKey.commonKeyAlbumName

/// The old name of `AVMetadataKey.commonKeyAuthor`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyAuthor")
public let AVMetadataCommonKeyAuthor = AVMetadataKey.commonKeyAuthor

/// The old name of `AVMetadataKey.commonKeyArtist`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyArtist")
public let AVMetadataCommonKeyArtist = AVMetadataKey.commonKeyArtist

/// The old name of `AVMetadataKey.commonKeyArtwork`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyArtwork")
public let AVMetadataCommonKeyArtwork = AVMetadataKey.commonKeyArtwork

/// The old name of `AVMetadataKey.commonKeyMake`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyMake")
public let AVMetadataCommonKeyMake = AVMetadataKey.commonKeyMake

/// The old name of `AVMetadataKey.commonKeyModel`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeyModel")
public let AVMetadataCommonKeyModel = AVMetadataKey.commonKeyModel

/// The old name of `AVMetadataKey.commonKeySoftware`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKey.commonKeySoftware")
public let AVMetadataCommonKeySoftware = AVMetadataKey.commonKeySoftware

/// The old name of `AVMetadataKeySpace.common`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.common")
public let AVMetadataKeySpaceCommon = AVMetadataKeySpace.common

/// The old name of `AVMetadataKeySpace.quickTimeUserData`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.quickTimeUserData")
public let AVMetadataKeySpaceQuickTimeUserData = AVMetadataKeySpace.quickTimeUserData

/// The old name of `AVMetadataKeySpace.isoUserData`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.isoUserData")
public let AVMetadataKeySpaceISOUserData = AVMetadataKeySpace.isoUserData

/// The old name of `AVMetadataKeySpace.quickTimeMetadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.quickTimeMetadata")
public let AVMetadataKeySpaceQuickTimeMetadata = AVMetadataKeySpace.quickTimeMetadata

/// The old name of `AVMetadataKeySpace.iTunes`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.iTunes")
public let AVMetadataKeySpaceiTunes = AVMetadataKeySpace.iTunes

/// The old name of `AVMetadataKeySpace.id3`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.id3")
public let AVMetadataKeySpaceID3 = AVMetadataKeySpace.id3

/// The old name of `AVMetadataKeySpace.icy`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataKeySpace.icy")
public let AVMetadataKeySpaceIcy = AVMetadataKeySpace.icy

/// The old name of `AVMetadataFormat.quickTimeUserData`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataFormat.quickTimeUserData")
public let AVMetadataFormatQuickTimeUserData = AVMetadataFormat.quickTimeUserData

/// The old name of `AVMetadataFormat.isoUserData`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataFormat.isoUserData")
public let AVMetadataFormatISOUserData = AVMetadataFormat.isoUserData

/// The old name of `AVMetadataFormat.quickTimeMetadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataFormat.quickTimeMetadata")
public let AVMetadataFormatQuickTimeMetadata = AVMetadataFormat.quickTimeMetadata

/// The old name of `AVMetadataFormat.iTunesMetadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataFormat.iTunesMetadata")
public let AVMetadataFormatiTunesMetadata = AVMetadataFormat.iTunesMetadata

/// The old name of `AVMetadataFormat.id3Metadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMetadataFormat.id3Metadata")
public let AVMetadataFormatID3Metadata = AVMetadataFormat.id3Metadata
