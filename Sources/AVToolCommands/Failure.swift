internal import Foundation
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// An error as the tool reports it: one line, and the exit code it leads to.
package struct Failure: Error {
    /// Exit codes by the convention of sysexits.h.
    package enum Code: Int32 {
        /// What was asked for is not there, of commands that answer a question.
        case absent = 1
        case usage = 64
        case badInput = 65
        case noInput = 66
        case software = 70
        case cannotCreate = 73
        case inputOutput = 74
        case limit = 75
        case interrupted = 130
    }

    /// The failure's name, for `--json`.
    package let name: FailureName
    package let message: String

    package var code: Code { name.exitCode }

    package init(_ name: FailureName, _ message: String) {
        self.name = name
        self.message = message.oneLine
    }

    /// What is wrong with a text that a person wrote.
    package init(ofText error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as MetadataNameError: self.init(.invalidName, error.reason)
        case let error as TimeExpressionError: self.init(.invalidTime, error.description)
        default: self.init(.internalError, String(describing: error))
        }
    }
}

/// The name of a failure, which `--json` prints as `error.code`.
///
/// Names are a contract: one that is there stays, and `docs/failures.md` lists them all.
package enum FailureName: String, CaseIterable, Encodable {
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

/// Whether it is of any use to try again what failed, for those who schedule work; `--json` prints it as `error.retry`.
package enum Retry: String, Encodable, CaseIterable, Sendable {
    /// It fails again, whenever and wherever that is.
    case never
    /// It may work at another time.
    case later
    /// It may work where there is more memory.
    case elsewhere

    /// What an exit code tells; of 75 it cannot tell which.
    init(exitCode: Failure.Code) {
        switch exitCode {
        case .absent, .usage, .badInput, .noInput, .software, .cannotCreate: self = .never
        case .inputOutput, .limit, .interrupted: self = .later
        }
    }
}

extension FailureName {
    /// Whether it is of any use to try again.
    package var retry: Retry {
        switch self {
        case .outOfMemory: .elsewhere
        // A limit that the file reaches today it reaches tomorrow.
        case .limit, .limitReached, .maximumDurationReached, .maximumFileSizeReached: .never
        default: Retry(exitCode: exitCode)
        }
    }
}

/// One line of JSON.
package enum JSONLine {
    /// The line without its end; harmless wherever it is shown.
    package static func text(_ value: any Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Bytes of file names that are not UTF-8 are shown as \xE9, whose backslash JSON doubles.
        return String(decoding: try encoder.encode(value), as: UTF8.self).withVisiblePathBytes(mark: #"\\x"#)
            .printableJSON
    }
}

extension String {
    /// The text with control characters made visible, so that a file's words
    /// cannot break the line or steer the terminal; bytes of a file's name that
    /// are not UTF-8 as `\xE9`.
    package var oneLine: String { withVisiblePathBytes.printable() }
}
