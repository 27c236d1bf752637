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
