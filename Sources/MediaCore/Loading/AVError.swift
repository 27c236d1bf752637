public import Foundation

/// The domain of the errors that media files and media operations cause.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// What went wrong with a media file or an operation on it.
///
/// A view of an `NSError` of `AVFoundationErrorDomain`, as in AVFoundation: caught as `AVError`, as one of its codes
/// (`catch AVError.fileFailedToParse`) or as `NSError`. `localizedDescription` is a sentence in one line of printable
/// text, which names the cause where it is known. What the error comes of is under `NSUnderlyingErrorKey`.
public struct AVError: BridgedError, _BridgedStoredNSError {
    /// The error that this is a view of.
    public let _nsError: NSError

    /// Takes an error of `AVFoundationErrorDomain`; one of another domain has a code that says nothing.
    public init(_nsError error: NSError) { _nsError = error }

    /// Makes an error.
    ///
    /// - Parameter userInfo: What is known besides; without a text under `NSLocalizedDescriptionKey`, the code
    ///   gives one.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        let text = [NSLocalizedDescriptionKey: code.sentence + "." as Any]
        _nsError = NSError(
            domain: AVFoundationErrorDomain, code: code.rawValue,
            userInfo: userInfo.merging(text) { given, _ in given })
    }

    /// Makes an error that says why.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameter reason: The cause, in one line without a full stop.
    public init(_ code: Code, reason: String) { self.init(code, reason: reason, information: [:]) }

    /// Makes an error that says why, and what else is known.
    package init(
        _ code: Code, reason: String, underlying: (any Error)? = nil, information: [String: Any] = [:]
    ) {
        var information = information
        if !reason.isEmpty {
            information[NSLocalizedFailureReasonErrorKey] = reason
            information[NSLocalizedDescriptionKey] = "\(code.sentence): \(reason)."
        }
        if let underlying { information[NSUnderlyingErrorKey] = underlying as NSError }
        self.init(code, userInfo: information)
    }

    /// The same error with more that is known.
    package func with(_ information: [String: Any]) -> AVError {
        AVError(code, userInfo: userInfo.merging(information) { known, _ in known })
    }

    /// The kind of failure; `unknown` for a number that is none of the codes.
    public var code: Code { Code(rawValue: errorCode) ?? .unknown }
    /// What is known besides: texts for people, the underlying error, and what the keys that begin with `AVError` name.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The cause, in one line without a full stop; where none is known, what the code says.
    ///
    /// Beyond AVFoundation, where it is `NSLocalizedFailureReasonErrorKey` of `userInfo`.
    public var reason: String { userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? code.sentence }
    /// What the error comes of, as it was thrown; `nil` if nothing is under it.
    ///
    /// A `MediaLimitError` where a limit was hit, a `CocoaError` where a file cannot be opened, a `FileWriteError` where
    /// one cannot be written.
    ///
    /// Beyond AVFoundation, where it is `NSUnderlyingErrorKey` of `userInfo`.
    public var underlying: (any Error)? { (userInfo[NSUnderlyingErrorKey] as? NSError)?.bridgedOriginal }
    /// A sentence for people: what failed, and why.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code.sentence)."
    }

    /// `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// `AVFoundationErrorDomain`.
    public static var _nsErrorDomain: String { AVFoundationErrorDomain }
    /// The code's number.
    public var errorCode: Int { _nsError.code }
    /// As `userInfo`.
    public var errorUserInfo: [String: Any] {
        userInfo.merging([NSLocalizedDescriptionKey: localizedDescription]) { given, _ in given }
    }
}

// `NSError` compares and hashes its information, which fails for some values on Linux.
extension AVError {
    /// Whether two errors have one code and say the same.
    public static func == (one: AVError, other: AVError) -> Bool {
        one._nsError === other._nsError
            || one._nsError.domain == other._nsError.domain && one.errorCode == other.errorCode
                && one.localizedDescription == other.localizedDescription
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }
}

// Foundation's operator for `catch AVError.fileFailedToParse`: one of ours would not be found by clients, which
// import single names.
extension AVError.Code: _ErrorCodeProtocol {
    /// The error that a code is of.
    public typealias _ErrorType = AVError
}

extension AVError {
    /// The error that this is a view of.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// A view of an error of `AVFoundationErrorDomain`, `nil` for others.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
        result = source.domain == AVFoundationErrorDomain ? AVError(_nsError: source) : nil
    }

    /// Whether an error is of `AVFoundationErrorDomain`, and the view of it.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }

    /// A view of any error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
        source.map(AVError.init(_nsError:)) ?? AVError(.unknown)
    }
}

extension AVError: LocalizedError {
    /// As `localizedDescription`.
    ///
    /// Beyond AVFoundation, whose error is no `LocalizedError`.
    public var errorDescription: String? { localizedDescription }
    /// The cause, `nil` if none is known.
    ///
    /// Beyond AVFoundation, whose error is no `LocalizedError`.
    public var failureReason: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }
}

extension AVError {
    /// The kind of failure: the codes of AVFoundation, all of them.
    ///
    /// Those of capture and playback never come from here.
    public enum Code: Int, Sendable {
        /// The operation could not be completed.
        case unknown = -11800
        /// There is not enough memory for the operation.
        case outOfMemory = -11801
        /// The capture session is not running.
        case sessionNotRunning = -11803
        /// The device is in use by another capture session.
        case deviceAlreadyUsedByAnotherSession = -11804
        /// Nothing was captured.
        case noDataCaptured = -11805
        /// The capture session was changed while it recorded.
        case sessionConfigurationChanged = -11806
        /// There is no room on the disk.
        case diskFull = -11807
        /// The device was disconnected.
        case deviceWasDisconnected = -11808
        /// The format of the captured media changed.
        case mediaChanged = -11809
        /// The limit on the duration was reached.
        case maximumDurationReached = -11810
        /// The file would be larger than it may be.
        case maximumFileSizeReached = -11811
        /// The captured media have a gap.
        case mediaDiscontinuity = -11812
        /// The file has as many samples as its format can hold.
        case maximumNumberOfSamplesForFileFormatReached = -11813
        /// The device is not connected.
        case deviceNotConnected = -11814
        /// The device is in use by another application.
        case deviceInUseByAnotherApplication = -11815
        /// The device is being set up by another process.
        case deviceLockedForConfigurationByAnotherProcess = -11817
        /// The capture session was interrupted.
        case sessionWasInterrupted = -11818
        /// The media services were reset.
        case mediaServicesWereReset = -11819
        /// The export failed.
        case exportFailed = -11820
        /// A picture or a sound could not be decoded.
        case decodeFailed = -11821
        /// The source cannot be used.
        case invalidSourceMedia = -11822
        /// There is a file of that name already.
        case fileAlreadyExists = -11823
        /// The segments of a composition's track do not follow on each other.
        case compositionTrackSegmentsNotContiguous = -11824
        /// A segment of a composition's track has a duration that cannot be.
        case invalidCompositionTrackSegmentDuration = -11825
        /// A segment of a composition's track begins outside of its source.
        case invalidCompositionTrackSegmentSourceStartTime = -11826
        /// A segment of a composition's track lasts longer than its source.
        case invalidCompositionTrackSegmentSourceDuration = -11827
        /// The file is of no format that is supported.
        case fileFormatNotRecognized = -11828
        /// The file is damaged.
        case fileFailedToParse = -11829
        /// There are too many requests for still pictures at once.
        case maximumStillImageCaptureRequestsExceeded = -11830
        /// The content is protected.
        case contentIsProtected = -11831
        /// There is no picture at that time.
        case noImageAtTime = -11832
        /// There is no decoder for this kind of media.
        case decoderNotFound = -11833
        /// There is no encoder for this kind of media.
        case encoderNotFound = -11834
        /// The user is not authorized to use the content.
        case contentIsNotAuthorized = -11835
        /// The application is not authorized to use the content.
        case applicationIsNotAuthorized = -11836
        /// The device cannot be used in the background.
        case deviceIsNotAvailableInBackground = -11837
        /// The operation is not supported for this asset.
        case operationNotSupportedForAsset = -11838
        /// The decoder is in use by others.
        case decoderTemporarilyUnavailable = -11839
        /// The encoder is in use by others.
        case encoderTemporarilyUnavailable = -11840
        /// The video composition contradicts itself or its asset.
        case invalidVideoComposition = -11841
        /// The file refers to another one, which is not allowed.
        case referenceForbiddenByReferencePolicy = -11842
        /// The name's extension is not one of the file type.
        case invalidOutputURLPathExtension = -11843
        /// The screen could not be captured.
        case screenCaptureFailed = -11844
        /// The display was switched off.
        case displayWasDisabled = -11845
        /// The torch cannot be that bright for now.
        case torchLevelUnavailable = -11846
        /// The operation was interrupted.
        case operationInterrupted = -11847
        /// The asset cannot be used on this device.
        case incompatibleAsset = -11848
        /// The media cannot be read.
        case failedToLoadMediaData = -11849
        /// The server does not deliver media as it should.
        case serverIncorrectlyConfigured = -11850
        /// The application is not authorized to use the device.
        case applicationIsNotAuthorizedToUseDevice = -11852
        /// The data could not be understood.
        case failedToParse = -11853
        /// The file type cannot refer to samples in other files.
        case fileTypeDoesNotSupportSampleReferences = -11854
        /// The media cannot be decoded.
        case undecodableMediaData = -11855
        /// The sender needs the internet to play there.
        case airPlayControllerRequiresInternet = -11856
        /// The receiver needs the internet to play.
        case airPlayReceiverRequiresInternet = -11857
        /// The video compositor failed.
        case videoCompositorFailed = -11858
        /// A recording is under way.
        case recordingAlreadyInProgress = -11859
        /// The request for a content key could not be made.
        case createContentKeyRequestFailed = -11860
        /// The settings of the output are not supported.
        case unsupportedOutputSettings = -11861
        /// The operation is not allowed.
        case operationNotAllowed = -11862
        /// The content is not available.
        case contentIsUnavailable = -11863
        /// The format is not supported.
        case formatUnsupported = -11864
        /// The depth data are malformed.
        case malformedDepth = -11865
        /// The content was not updated.
        case contentNotUpdated = -11866
        /// The content can no longer be played.
        case noLongerPlayable = -11867
        /// No variant of the media suits the external display.
        case noCompatibleAlternatesForExternalDisplay = -11868
        /// The asset has no track of the kind that is needed.
        case noSourceTrack = -11869
        /// The asset cannot be played on another device.
        case externalPlaybackNotSupportedForAsset = -11870
        /// The preset cannot do what is asked for.
        case operationNotSupportedForPreset = -11871
        /// The capture session asks for more than the hardware can do.
        case sessionHardwareCostOverage = -11872
        /// The device's format is not supported.
        case unsupportedDeviceActiveFormat = -11873
        /// Something is missing or does not go together.
        case incorrectlyConfigured = -11875
        /// A segment began with a sample that is no sync sample.
        case segmentStartedWithNonSyncSample = -11876
        /// Rosetta is not installed.
        case rosettaNotInstalled = -11877
        /// The operation was cancelled.
        case operationCancelled = -11878
        /// The request for a content key was cancelled.
        case contentKeyRequestCancelled = -11879
        /// The sample cursor points at no sample.
        case invalidSampleCursor = -11880
        /// The samples could not be read.
        case failedToLoadSampleData = -11881
        /// The receiver is not available for now.
        case airPlayReceiverTemporarilyUnavailable = -11882
        /// A picture or a sound could not be encoded.
        case encodeFailed = -11883
        /// The sandbox does not allow it.
        case sandboxExtensionDenied = -11884
        /// The brightness could not be mapped to another range.
        case toneMappingFailed = -11885
        /// The media extension that is needed is disabled.
        case mediaExtensionDisabled = -11886
        /// Media extensions are in conflict.
        case mediaExtensionConflict = -11887
    }
}

/// Where a function puts the error that it does not throw: `&error` of a variable of type `NSError?`, or `nil`.
///
/// - Note: Foundation has this name on Apple's platforms only, for a pointer that releases its object by itself.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
