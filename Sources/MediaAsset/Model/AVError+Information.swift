internal import Foundation
public import MediaCore

extension AVError {
    /// The time on the asset's timeline that the error concerns, `nil` if none is known.
    ///
    /// Of a picture that cannot be had it is the time that was asked for.
    public var time: CMTime? { time(AVErrorTimeKey) }
    /// A sample's presentation time; `nil`, since no error here has one, unless it was put in.
    public var presentationTimeStamp: CMTime? { time(AVErrorPresentationTimeStampKey) }
    /// A size in bytes; `nil`, since no error here has one, unless it was put in.
    public var fileSize: Int64? { (userInfo[AVErrorFileSizeKey] as? NSNumber)?.int64Value }
    /// The identifier of a process; `nil`, since no error here has one, unless it was put in.
    public var processID: Int? { (userInfo[AVErrorPIDKey] as? NSNumber)?.intValue }
    /// The kind of media; `nil`, since no error here has one, unless it was put in.
    public var mediaType: AVMediaType? {
        let value = userInfo[AVErrorMediaTypeKey]
        return value as? AVMediaType ?? (value as? String).map(AVMediaType.init(rawValue:))
    }
    /// The four-character codes of the media; `nil`, since no error here has any, unless they were put in.
    public var mediaSubtypes: [Int]? { (userInfo[AVErrorMediaSubTypeKey] as? [NSNumber])?.map(\.intValue) }
    /// The identifier of a track; `nil`, since no error here has one, unless it was put in.
    public var persistentTrackID: CMPersistentTrackID? {
        (userInfo[AVErrorPersistentTrackIDKey] as? NSNumber)?.int32Value
    }
    /// Whether a recording is whole; `nil`, since no error here is of a recording, unless it was put in.
    public var recordingSuccessfullyFinished: Bool? {
        (userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? NSNumber)?.boolValue
    }

    private func time(_ key: String) -> CMTime? {
        userInfo[key] as? CMTime ?? (userInfo[key] as? NSValue)?.timeValue
    }
}

extension AVError {
    /// The kind of file; `nil`, since no error here has one, unless it was put in.
    public var fileType: AVFileType? {
        let value = userInfo[AVErrorFileTypeKey]
        return value as? AVFileType ?? (value as? String).map(AVFileType.init(rawValue:))
    }
}

/// The log of the libraries underneath.
///
/// Beyond AVFoundation.
public enum MediaLibraryLog {}
