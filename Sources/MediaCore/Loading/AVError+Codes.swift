extension AVError {
    /// The operation could not be completed.
    public static var unknown: Code { .unknown }
    /// There is not enough memory for the operation.
    public static var outOfMemory: Code { .outOfMemory }
    /// The capture session is not running.
    public static var sessionNotRunning: Code { .sessionNotRunning }
    /// The device is in use by another capture session.
    public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
    /// Nothing was captured.
    public static var noDataCaptured: Code { .noDataCaptured }
    /// The capture session was changed while it recorded.
    public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
    /// There is no room on the disk.
    public static var diskFull: Code { .diskFull }
    /// The device was disconnected.
    public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
    /// The format of the captured media changed.
    public static var mediaChanged: Code { .mediaChanged }
    /// The limit on the duration was reached.
    public static var maximumDurationReached: Code { .maximumDurationReached }
    /// The file would be larger than it may be.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// The captured media have a gap.
    public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
    /// The file has as many samples as its format can hold.
    public static var maximumNumberOfSamplesForFileFormatReached: Code { .maximumNumberOfSamplesForFileFormatReached }
    /// The device is not connected.
    public static var deviceNotConnected: Code { .deviceNotConnected }
    /// The device is in use by another application.
    public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
    /// The device is being set up by another process.
    public static var deviceLockedForConfigurationByAnotherProcess: Code {
        .deviceLockedForConfigurationByAnotherProcess
    }
    /// The capture session was interrupted.
    public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
    /// The media services were reset.
    public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
    /// The export failed.
    public static var exportFailed: Code { .exportFailed }
    /// A picture or a sound could not be decoded.
    public static var decodeFailed: Code { .decodeFailed }
    /// The source cannot be used.
    public static var invalidSourceMedia: Code { .invalidSourceMedia }
    /// There is a file of that name already.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// The segments of a composition's track do not follow on each other.
    public static var compositionTrackSegmentsNotContiguous: Code { .compositionTrackSegmentsNotContiguous }
    /// A segment of a composition's track has a duration that cannot be.
    public static var invalidCompositionTrackSegmentDuration: Code { .invalidCompositionTrackSegmentDuration }
    /// A segment of a composition's track begins outside of its source.
    public static var invalidCompositionTrackSegmentSourceStartTime: Code {
        .invalidCompositionTrackSegmentSourceStartTime
    }
    /// A segment of a composition's track lasts longer than its source.
    public static var invalidCompositionTrackSegmentSourceDuration: Code {
        .invalidCompositionTrackSegmentSourceDuration
    }
    /// The file is of no format that is supported.
    public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
    /// The file is damaged.
    public static var fileFailedToParse: Code { .fileFailedToParse }
    /// There are too many requests for still pictures at once.
    public static var maximumStillImageCaptureRequestsExceeded: Code { .maximumStillImageCaptureRequestsExceeded }
    /// The content is protected.
    public static var contentIsProtected: Code { .contentIsProtected }
    /// There is no picture at that time.
    public static var noImageAtTime: Code { .noImageAtTime }
    /// There is no decoder for this kind of media.
    public static var decoderNotFound: Code { .decoderNotFound }
    /// There is no encoder for this kind of media.
    public static var encoderNotFound: Code { .encoderNotFound }
    /// The user is not authorized to use the content.
    public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
    /// The application is not authorized to use the content.
    public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
    /// The device cannot be used in the background.
    public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
    /// The operation is not supported for this asset.
    public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
    /// The decoder is in use by others.
    public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
    /// The encoder is in use by others.
    public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
    /// The video composition contradicts itself or its asset.
    public static var invalidVideoComposition: Code { .invalidVideoComposition }
    /// The file refers to another one, which is not allowed.
    public static var referenceForbiddenByReferencePolicy: Code { .referenceForbiddenByReferencePolicy }
    /// The name's extension is not one of the file type.
    public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
    /// The screen could not be captured.
    public static var screenCaptureFailed: Code { .screenCaptureFailed }
    /// The display was switched off.
    public static var displayWasDisabled: Code { .displayWasDisabled }
    /// The torch cannot be that bright for now.
    public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
    /// The operation was interrupted.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// The asset cannot be used on this device.
    public static var incompatibleAsset: Code { .incompatibleAsset }
    /// The media cannot be read.
    public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
    /// The server does not deliver media as it should.
    public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
    /// The application is not authorized to use the device.
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
    /// The data could not be understood.
    public static var failedToParse: Code { .failedToParse }
    /// The file type cannot refer to samples in other files.
    public static var fileTypeDoesNotSupportSampleReferences: Code { .fileTypeDoesNotSupportSampleReferences }
    /// The media cannot be decoded.
    public static var undecodableMediaData: Code { .undecodableMediaData }
    /// The sender needs the internet to play there.
    public static var airPlayControllerRequiresInternet: Code { .airPlayControllerRequiresInternet }
    /// The receiver needs the internet to play.
    public static var airPlayReceiverRequiresInternet: Code { .airPlayReceiverRequiresInternet }
    /// The video compositor failed.
    public static var videoCompositorFailed: Code { .videoCompositorFailed }
    /// A recording is under way.
    public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
    /// The request for a content key could not be made.
    public static var createContentKeyRequestFailed: Code { .createContentKeyRequestFailed }
    /// The settings of the output are not supported.
    public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
    /// The operation is not allowed.
    public static var operationNotAllowed: Code { .operationNotAllowed }
    /// The content is not available.
    public static var contentIsUnavailable: Code { .contentIsUnavailable }
    /// The format is not supported.
    public static var formatUnsupported: Code { .formatUnsupported }
    /// The depth data are malformed.
    public static var malformedDepth: Code { .malformedDepth }
    /// The content was not updated.
    public static var contentNotUpdated: Code { .contentNotUpdated }
    /// The content can no longer be played.
    public static var noLongerPlayable: Code { .noLongerPlayable }
    /// No variant of the media suits the external display.
    public static var noCompatibleAlternatesForExternalDisplay: Code { .noCompatibleAlternatesForExternalDisplay }
    /// The asset has no track of the kind that is needed.
    public static var noSourceTrack: Code { .noSourceTrack }
    /// The asset cannot be played on another device.
    public static var externalPlaybackNotSupportedForAsset: Code { .externalPlaybackNotSupportedForAsset }
    /// The preset cannot do what is asked for.
    public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
    /// The capture session asks for more than the hardware can do.
    public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
    /// The device's format is not supported.
    public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
    /// Something is missing or does not go together.
    public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
    /// A segment began with a sample that is no sync sample.
    public static var segmentStartedWithNonSyncSample: Code { .segmentStartedWithNonSyncSample }
    /// Rosetta is not installed.
    public static var rosettaNotInstalled: Code { .rosettaNotInstalled }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The request for a content key was cancelled.
    public static var contentKeyRequestCancelled: Code { .contentKeyRequestCancelled }
    /// The sample cursor points at no sample.
    public static var invalidSampleCursor: Code { .invalidSampleCursor }
    /// The samples could not be read.
    public static var failedToLoadSampleData: Code { .failedToLoadSampleData }
    /// The receiver is not available for now.
    public static var airPlayReceiverTemporarilyUnavailable: Code { .airPlayReceiverTemporarilyUnavailable }
    /// A picture or a sound could not be encoded.
    public static var encodeFailed: Code { .encodeFailed }
    /// The sandbox does not allow it.
    public static var sandboxExtensionDenied: Code { .sandboxExtensionDenied }
    /// The brightness could not be mapped to another range.
    public static var toneMappingFailed: Code { .toneMappingFailed }
    /// The media extension that is needed is disabled.
    public static var mediaExtensionDisabled: Code { .mediaExtensionDisabled }
    /// Media extensions are in conflict.
    public static var mediaExtensionConflict: Code { .mediaExtensionConflict }
}

extension AVError.Code {
    /// What the code says, for people: a sentence without its full stop.
    var sentence: String {
        switch self {
        case .unknown: "The operation could not be completed"
        case .outOfMemory: "There is not enough memory for the operation"
        case .sessionNotRunning: "The capture session is not running"
        case .deviceAlreadyUsedByAnotherSession: "The device is in use by another capture session"
        case .noDataCaptured: "Nothing was captured"
        case .sessionConfigurationChanged: "The capture session was changed while it recorded"
        case .diskFull: "There is no room on the disk"
        case .deviceWasDisconnected: "The device was disconnected"
        case .mediaChanged: "The format of the captured media changed"
        case .maximumDurationReached: "The limit on the duration was reached"
        case .maximumFileSizeReached: "The file would be larger than it may be"
        case .mediaDiscontinuity: "The captured media have a gap"
        case .maximumNumberOfSamplesForFileFormatReached: "The file has as many samples as its format can hold"
        case .deviceNotConnected: "The device is not connected"
        case .deviceInUseByAnotherApplication: "The device is in use by another application"
        case .deviceLockedForConfigurationByAnotherProcess: "The device is being set up by another process"
        case .sessionWasInterrupted: "The capture session was interrupted"
        case .mediaServicesWereReset: "The media services were reset"
        case .exportFailed: "The export failed"
        case .decodeFailed: "A picture or a sound could not be decoded"
        case .invalidSourceMedia: "The source cannot be used"
        case .fileAlreadyExists: "There is a file of that name already"
        case .compositionTrackSegmentsNotContiguous: "The segments of a composition's track do not follow on each other"
        case .invalidCompositionTrackSegmentDuration: "A segment of a composition's track has a duration that cannot be"
        case .invalidCompositionTrackSegmentSourceStartTime:
            "A segment of a composition's track begins outside of its source"
        case .invalidCompositionTrackSegmentSourceDuration:
            "A segment of a composition's track lasts longer than its source"
        case .fileFormatNotRecognized: "The file is of no format that is supported"
        case .fileFailedToParse: "The file is damaged"
        case .maximumStillImageCaptureRequestsExceeded: "There are too many requests for still pictures at once"
        case .contentIsProtected: "The content is protected"
        case .noImageAtTime: "There is no picture at that time"
        case .decoderNotFound: "There is no decoder for this kind of media"
        case .encoderNotFound: "There is no encoder for this kind of media"
        case .contentIsNotAuthorized: "The user is not authorized to use the content"
        case .applicationIsNotAuthorized: "The application is not authorized to use the content"
        case .deviceIsNotAvailableInBackground: "The device cannot be used in the background"
        case .operationNotSupportedForAsset: "The operation is not supported for this asset"
        case .decoderTemporarilyUnavailable: "The decoder is in use by others"
        case .encoderTemporarilyUnavailable: "The encoder is in use by others"
        case .invalidVideoComposition: "The video composition contradicts itself or its asset"
        case .referenceForbiddenByReferencePolicy: "The file refers to another one, which is not allowed"
        case .invalidOutputURLPathExtension: "The name's extension is not one of the file type"
        case .screenCaptureFailed: "The screen could not be captured"
        case .displayWasDisabled: "The display was switched off"
        case .torchLevelUnavailable: "The torch cannot be that bright for now"
        case .operationInterrupted: "The operation was interrupted"
        case .incompatibleAsset: "The asset cannot be used on this device"
        case .failedToLoadMediaData: "The media cannot be read"
        case .serverIncorrectlyConfigured: "The server does not deliver media as it should"
        case .applicationIsNotAuthorizedToUseDevice: "The application is not authorized to use the device"
        case .failedToParse: "The data could not be understood"
        case .fileTypeDoesNotSupportSampleReferences: "The file type cannot refer to samples in other files"
        case .undecodableMediaData: "The media cannot be decoded"
        case .airPlayControllerRequiresInternet: "The sender needs the internet to play there"
        case .airPlayReceiverRequiresInternet: "The receiver needs the internet to play"
        case .videoCompositorFailed: "The video compositor failed"
        case .recordingAlreadyInProgress: "A recording is under way"
        case .createContentKeyRequestFailed: "The request for a content key could not be made"
        case .unsupportedOutputSettings: "The settings of the output are not supported"
        case .operationNotAllowed: "The operation is not allowed"
        case .contentIsUnavailable: "The content is not available"
        case .formatUnsupported: "The format is not supported"
        case .malformedDepth: "The depth data are malformed"
        case .contentNotUpdated: "The content was not updated"
        case .noLongerPlayable: "The content can no longer be played"
        case .noCompatibleAlternatesForExternalDisplay: "No variant of the media suits the external display"
        case .noSourceTrack: "The asset has no track of the kind that is needed"
        case .externalPlaybackNotSupportedForAsset: "The asset cannot be played on another device"
        case .operationNotSupportedForPreset: "The preset cannot do what is asked for"
        case .sessionHardwareCostOverage: "The capture session asks for more than the hardware can do"
        case .unsupportedDeviceActiveFormat: "The device's format is not supported"
        case .incorrectlyConfigured: "Something is missing or does not go together"
        case .segmentStartedWithNonSyncSample: "A segment began with a sample that is no sync sample"
        case .rosettaNotInstalled: "Rosetta is not installed"
        case .operationCancelled: "The operation was cancelled"
        case .contentKeyRequestCancelled: "The request for a content key was cancelled"
        case .invalidSampleCursor: "The sample cursor points at no sample"
        case .failedToLoadSampleData: "The samples could not be read"
        case .airPlayReceiverTemporarilyUnavailable: "The receiver is not available for now"
        case .encodeFailed: "A picture or a sound could not be encoded"
        case .sandboxExtensionDenied: "The sandbox does not allow it"
        case .toneMappingFailed: "The brightness could not be mapped to another range"
        case .mediaExtensionDisabled: "The media extension that is needed is disabled"
        case .mediaExtensionConflict: "Media extensions are in conflict"
        }
    }
}

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
