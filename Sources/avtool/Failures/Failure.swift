internal import ArgumentParser
internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// An error as the tool reports it: one line, and the exit code it leads to.
struct Failure: Error {
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

    /// The name of the failure that nobody reads standard output any more.
    static let outputClosed = "outputClosed"
    /// The name of another failure to write to standard output.
    static let outputFailed = "outputFailed"

    let code: Code
    /// The failure's name, for `--json`.
    let name: String
    let message: String

    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as StillFailure: self.init(error.error)
        case is CancellationError: self.init(.interrupted, "cancelled", "interrupted")
        case let error as MediaLimitError: self.init(.limit, "limitReached", error.reason)
        case let error as FileWriteError: self.init(error)
        case let error as CocoaError where error.code == .fileReadNoSuchFile:
            self.init(.noInput, "noSuchInput", error.userInfo[NSLocalizedDescriptionKey] as? String ?? "no such file")
        case let error as CocoaError where error.code == .fileReadUnknown:
            self.init(.noInput, "unreadableInput", error.userInfo[NSLocalizedDescriptionKey] as? String ?? "unreadable")
        case let error as CocoaError where error.code == .fileReadUnsupportedScheme:
            let reason = error.userInfo[NSLocalizedDescriptionKey] as? String ?? "an address"
            self.init(.noInput, "networkNotAllowed", "\(reason); --allow-network allows it")
        case let error as AVError: self.init(error)
        case let error as MetadataError: self.init(error)
        case let error as MetadataNameError: self.init(.usage, "invalidName", error.reason)
        case let error as ExportPresetError: self.init(error)
        case let error as TimeExpressionError: self.init(.badInput, "invalidTime", error.description)
        case let error as StoryboardSettingsError: self.init(.usage, "invalidSettings", error.reason)
        case let error as ImageEncodingError: self.init(.software, "encodingFailed", error.reason)
        default: self.init(.software, "internalError", String(describing: error))
        }
    }

    init(_ code: Code, _ name: String, _ message: String) {
        self.code = code
        self.name = name
        self.message = message.oneLine
    }

    private init(_ error: FileWriteError) {
        switch error.kind {
        case .exists: self.init(.cannotCreate, "outputExists", "\(error.path): \(error.reason); --force replaces it")
        case .isInput: self.init(.cannotCreate, "outputIsInput", "\(error.path): \(error.reason)")
        case .isTaken: self.init(.cannotCreate, "nameTaken", "\(error.path): \(error.reason)")
        case .isTerminal: self.init(.usage, "outputIsTerminal", "\(error.path): \(error.reason)")
        case .outputClosed: self.init(.inputOutput, Failure.outputClosed, "\(error.path): \(error.reason)")
        case .cannotCreate: self.init(.cannotCreate, "cannotCreate", "\(error.path): \(error.reason)")
        case .diskFull: self.init(.inputOutput, "diskFull", "\(error.path): \(error.reason)")
        case .writeFailed: self.init(.inputOutput, "writeFailed", "\(error.path): \(error.reason)")
        case .cancelled: self.init(.interrupted, "cancelled", "interrupted")
        }
    }

    private init(_ error: ExportPresetError) {
        let (code, name): (Code, String) =
            switch error.kind {
            case .unknownName: (.usage, "unknownPreset")
            case .unavailable: (.usage, "presetNotAvailable")
            case .noSuchFile: (.noInput, "noSuchInput")
            case .unreadable: (.noInput, "unreadableInput")
            case .invalid: (.badInput, "invalidPreset")
            case .impossible: (.usage, "impossiblePreset")
            case .invalidOverride: (.usage, "invalidOption")
            }
        self.init(code, name, error.localizedDescription)
    }

    private init(_ error: MetadataError) {
        switch error.kind {
        case .damaged: self.init(.badInput, "fileFailedToParse", error.reason)
        case .unsupported: self.init(.badInput, "metadataNotSupported", error.reason)
        case .limit: self.init(.limit, "limitReached", error.reason)
        }
    }

    private init(_ error: AVError) {
        let code: Code =
            switch error.code {
            case .failedToLoadMediaData, .diskFull: .inputOutput
            case .fileAlreadyExists: .cannotCreate
            case .maximumFileSizeReached, .maximumDurationReached, .outOfMemory: .limit
            case .unknown, .exportFailed, .encodeFailed: .software
            default: .badInput
            }
        self.init(code, String(describing: error.code), error.reason)
    }
}

extension String {
    /// The text with control characters made visible, so that a file's words
    /// cannot break the line or steer the terminal; bytes of a file's name that
    /// are not UTF-8 as `\xE9`.
    var oneLine: String {
        var result = ""
        for scalar in withVisiblePathBytes.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Collects the failures of a command that goes on with the other files.
struct FailureLog {
    private(set) var first: Failure?

    /// Prints a failure of one file and remembers it.
    ///
    /// - Throws: A failure that no other file can escape: nobody reads the results.
    mutating func report(_ error: any Error, file: String) throws -> Failure {
        let failure = Failure(error)
        if [Failure.outputClosed, Failure.outputFailed].contains(failure.name) { throw failure }
        if first == nil { first = failure }
        // What is written to may be the file itself, which need not be named twice.
        let name = file.oneLine + ": "
        let message = failure.message.hasPrefix(name) ? String(failure.message.dropFirst(name.count)) : failure.message
        Console.error("avtool: \(name)\(message)")
        return failure
    }

    /// Remembers a failure without a line of its own.
    mutating func note(_ failure: Failure) { if first == nil { first = failure } }

    /// Ends the command with the first failure's code, if there was one.
    func exitIfNeeded() throws {
        if Interruption.isRequested { throw CommandEnded(code: .interrupted) }
        if let first { throw CommandEnded(code: first.code) }
    }
}

/// A command ended with a code; all that is to be said has been said.
struct CommandEnded: Error {
    let code: Failure.Code
}
