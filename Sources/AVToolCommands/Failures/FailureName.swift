/// The name of a failure, which `--json` prints as `error.code`.
///
/// Names are a contract: one that is there stays, and `docs/failures.md` lists them all.
package enum FailureName: String, CaseIterable, Codable {
    // What was asked for
    case usage, invalidName, invalidOption, invalidSettings, unknownPreset, presetNotAvailable, impossiblePreset
    case outputIsTerminal
    // The input
    case noSuchInput, unreadableInput, networkNotAllowed
    case invalidTime, invalidJSON, invalidChapters, invalidPreset, notAPicture
    case noDuration, noFileType, noChapters, chaptersOutside, filesDiffer, metadataNotSupported, truncated,
        verificationFailed
    case decoderCrashed
    // Units of work
    case invalidPlan, otherVersion, sourceChanged, unitsMissing, resultsChanged, invalidPiece
    // The output
    case outputExists, outputIsInput, nameTaken, cannotCreate, writeFailed, outputClosed, outputFailed, fileBusy
    // The tool
    case limit, limitReached, deadlineReached, workerEnded, cancelled, encodingFailed, internalError
    // The codes of AVFoundation
    case unknown, outOfMemory, diskFull, maximumDurationReached, maximumFileSizeReached, exportFailed, decodeFailed
    case invalidSourceMedia, fileAlreadyExists, compositionTrackSegmentsNotContiguous
    case invalidCompositionTrackSegmentDuration, invalidCompositionTrackSegmentSourceStartTime
    case invalidCompositionTrackSegmentSourceDuration
    case fileFormatNotRecognized, fileFailedToParse, contentIsProtected
    case noImageAtTime, decoderNotFound, encoderNotFound, operationNotSupportedForAsset
    case invalidVideoComposition, referenceForbiddenByReferencePolicy, invalidOutputURLPathExtension,
        operationInterrupted
    case incompatibleAsset
    case failedToLoadMediaData, failedToParse, undecodableMediaData, videoCompositorFailed
    case operationNotAllowed, formatUnsupported
    case noSourceTrack, operationNotSupportedForPreset, incorrectlyConfigured, operationCancelled
    case failedToLoadSampleData, encodeFailed

    /// Whether the process that met it may be the worse for it, as libraries are that had no memory.
    package var mayOutlastFile: Bool {
        switch self {
        case .outOfMemory, .decodeFailed, .undecodableMediaData, .encodeFailed, .encodingFailed, .exportFailed,
            .internalError, .unknown:
            true
        default: false
        }
    }

    /// The exit code of a command that failed so.
    package var exitCode: Failure.Code {
        switch self {
        case .usage, .invalidName, .invalidOption, .invalidSettings, .unknownPreset, .presetNotAvailable,
            .impossiblePreset, .outputIsTerminal:
            .usage
        case .noSuchInput, .unreadableInput, .networkNotAllowed: .noInput
        case .filesDiffer: .absent
        case .outputExists, .outputIsInput, .nameTaken, .cannotCreate, .fileAlreadyExists: .cannotCreate
        case .writeFailed, .outputClosed, .outputFailed, .diskFull, .failedToLoadMediaData: .inputOutput
        case .limit, .limitReached, .deadlineReached, .outOfMemory, .maximumDurationReached, .maximumFileSizeReached,
            .fileBusy, .workerEnded:
            .limit
        case .cancelled: .interrupted
        case .encodingFailed, .internalError, .unknown, .exportFailed, .encodeFailed: .software
        default: .badInput
        }
    }
}
