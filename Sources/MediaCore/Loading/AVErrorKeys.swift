/// The key of the device that an error concerns; no error here has one.
public let AVErrorDeviceKey = "AVErrorDeviceKey"
/// The key of the flags of a gap; no error here has one.
public let AVErrorDiscontinuityFlagsKey = "AVErrorDiscontinuityFlagsKey"
/// The key of a size in bytes, an `NSNumber`; no error here has one.
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"
/// The key of the file type's identifier, a `String`; no error here has one.
public let AVErrorFileTypeKey = "AVErrorFileTypeKey"
/// The key of the four-character codes of media, `NSNumber`s in an array; no error here has one.
public let AVErrorMediaSubTypeKey = "AVErrorMediaSubTypeKey"
/// The key of a media type's text, a `String`; no error here has one.
public let AVErrorMediaTypeKey = "AVErrorMediaTypeKey"
/// The key of a process's identifier, an `NSNumber`; no error here has one.
public let AVErrorPIDKey = "AVErrorPIDKey"
/// The key of a track's identifier, an `NSNumber`; no error here has one.
public let AVErrorPersistentTrackIDKey = "AVErrorPersistentTrackIDKey"
/// The key of a sample's presentation time, an `NSValue` of a `CMTime`; no error here has one.
public let AVErrorPresentationTimeStampKey = "AVErrorPresentationTimeStampKey"
/// The key of whether a recording is whole, an `NSNumber`; no error here has one.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"
/// The key of a time on the asset's timeline, an `NSValue` of a `CMTime`.
public let AVErrorTimeKey = "AVErrorTimeKey"
