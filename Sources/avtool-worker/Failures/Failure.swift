internal import ArgumentParser
internal import Foundation
internal import MediaIsolation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// An error as the tool reports it: one line, and the exit code it leads to.
struct Failure: Error, Codable {
    /// Exit codes by the convention of sysexits.h.
    enum Code: Int32 {
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
    let name: FailureName
    let message: String

    var code: Code { name.exitCode }

    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as StillFailure: self.init(error.error)
        case is CancellationError: self.init(.cancelled, "interrupted")
        case let error as MediaLimitError: self.init(.limitReached, error.reason)
        case let error as FileWriteError: self.init(error)
        case let error as CocoaError where error.code == .fileReadNoSuchFile:
            self.init(.noSuchInput, error.userInfo[NSLocalizedDescriptionKey] as? String ?? "no such file")
        case let error as CocoaError where error.code == .fileReadUnknown:
            self.init(.unreadableInput, error.userInfo[NSLocalizedDescriptionKey] as? String ?? "unreadable")
        case let error as CocoaError where error.code == .fileReadUnsupportedScheme:
            let reason = error.userInfo[NSLocalizedDescriptionKey] as? String ?? "an address"
            self.init(.networkNotAllowed, "\(reason); --allow-network allows it")
        case let error as AVError:
            if let cause = error.telling {
                self.init(cause)
            } else {
                let isOpening = error.underlying is CocoaError
                self.init(isOpening ? .noSuchInput : FailureName(error.code), error.reason)
            }
        case let error as MetadataError: self.init(error)
        case let error as MetadataNameError: self.init(.invalidName, error.reason)
        case let error as ExportPresetError: self.init(error)
        case let error as TimeExpressionError: self.init(.invalidTime, error.description)
        case let error as StoryboardSettingsError: self.init(.invalidSettings, error.reason)
        case let error as ImageEncodingError: self.init(.encodingFailed, error.reason)
        default: self.init(.internalError, String(describing: error))
        }
    }

    /// Why the worker did not do its work.
    init(_ reason: WorkFailure) {
        switch reason {
        case .crashed:
            self.init(.decoderCrashed, "the file makes a media library crash; nothing of it is taken for good")
        case .outOfMemory: self.init(.outOfMemory, "reading the file takes more memory than there is")
        case .stuck: self.init(.limitReached, "nothing came of the file for too long")
        case .vanished: self.init(.internalError, "the worker ended without a word")
        }
    }

    init(_ name: FailureName, _ message: String) {
        self.name = name
        self.message = message.oneLine
    }

    private init(_ error: FileWriteError) {
        let name: FailureName =
            switch error.kind {
            case .exists: .outputExists
            case .isInput: .outputIsInput
            case .isTaken: .nameTaken
            case .isTerminal: .outputIsTerminal
            case .outputClosed: .outputClosed
            case .cannotCreate: .cannotCreate
            case .diskFull: .diskFull
            case .writeFailed: .writeFailed
            case .cancelled: .cancelled
            }
        let hint = error.kind == .exists ? "; --force replaces it" : ""
        self.init(name, name == .cancelled ? "interrupted" : "\(error.path): \(error.reason)\(hint)")
    }

    private init(_ error: ExportPresetError) {
        let name: FailureName =
            switch error.kind {
            case .unknownName: .unknownPreset
            case .unavailable: .presetNotAvailable
            case .noSuchFile: .noSuchInput
            case .unreadable: .unreadableInput
            case .invalid: .invalidPreset
            case .impossible: .impossiblePreset
            case .invalidOverride: .invalidOption
            }
        self.init(name, error.localizedDescription)
    }

    private init(_ error: MetadataError) {
        switch error.kind {
        case .damaged: self.init(.fileFailedToParse, error.reason)
        case .unsupported: self.init(.metadataNotSupported, error.reason)
        case .limit: self.init(.limitReached, error.reason)
        }
    }
}

extension AVError {
    /// What the error comes of, where that tells more than the code.
    fileprivate var telling: (any Error)? {
        switch underlying {
        case let cause as FileWriteError where cause.kind != .exists && cause.kind != .diskFull: cause
        case let cause as MediaLimitError: cause
        case let cause as MetadataNameError: cause
        case let cause as ExportPresetError: cause
        case let cause as ImageEncodingError: cause
        case let cause as CocoaError where cause.code == .fileReadUnsupportedScheme: cause
        default: nil
        }
    }
}
