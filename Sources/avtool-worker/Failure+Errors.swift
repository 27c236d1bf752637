internal import AVToolCommands
internal import CProcessHooks
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras
internal import Synchronization

extension Failure {
    init(_ error: any Error) {
        switch error {
        case let error as StillFailure: self.init(error.error)
        case is CancellationError: self.init(.cancelled, "interrupted")
        case let error as MediaLimitError: self.init(limit: error.limit, error.reason)
        case let error as FileWriteError: self.init(error)
        case let error as PieceError: self.init(.invalidPiece, "\(error.path): \(error.reason)")
        case let error as CocoaError where error.code == .fileReadNoSuchFile:
            self.init(.noSuchInput, error.userInfo[NSLocalizedDescriptionKey] as? String ?? "no such file")
        case let error as CocoaError where error.code == .fileReadUnknown:
            self.init(.unreadableInput, error.userInfo[NSLocalizedDescriptionKey] as? String ?? "unreadable")
        case let error as CocoaError where error.code == .fileReadUnsupportedScheme:
            let reason = error.userInfo[NSLocalizedDescriptionKey] as? String ?? "an address"
            self.init(.networkNotAllowed, "\(reason); --allow-network allows it")
        case let error as AVError:
            if error.code == .outOfMemory {
                self.init(.outOfMemory, Self.outOfMemory)
            } else if let cause = error.telling {
                self.init(cause)
            } else {
                let isOpening = error.underlying is CocoaError
                self.init(isOpening ? .noSuchInput : FailureName(error.code), error.reason)
            }
        case let error as MetadataError: self.init(error)
        case let error as ExportPresetError: self.init(error)
        case let error as StoryboardSettingsError: self.init(.invalidSettings, error.reason)
        case let error as WaveformSettingsError: self.init(.invalidSettings, error.reason)
        case let error as ImageEncodingError: self.init(.encodingFailed, error.reason)
        default: self.init(ofText: error)
        }
    }

    /// Why work failed, or is not to be believed: `nil` if memory was there whenever some was asked for.
    static var ofMemory: Failure? { avt_allocation_has_failed() != 0 ? Failure(.outOfMemory, outOfMemory) : nil }

    /// The same, or that memory ran out, which has libraries fail in many words.
    var orOfMemory: Failure {
        if let failure = Self.ofMemory { return failure }
        let isShort = name.mayOutlastFile && avt_memory_is_short() != 0
        return isShort ? Failure(.outOfMemory, Self.outOfMemory) : self
    }

    private static let outOfMemory =
        "the file takes more memory than there is for it; --limit \(WorkLimit.memory.rawValue)=BYTES raises it"

    /// Why the worker did not do its work.
    init(_ reason: WorkFailure) {
        switch reason {
        case .crashed:
            self.init(.decoderCrashed, "the file makes a media library crash; nothing of it is taken for good")
        case .outOfMemory: self.init(.outOfMemory, Self.outOfMemory)
        case .stuck:
            self.init(
                .deadlineReached,
                "nothing came of the file for too long; --limit \(WorkLimit.stallTime.rawValue)=TIME raises it")
        case .excessive: self.init(.limitReached, "more is said of the file than there is to say of any")
        case .vanished: self.init(.internalError, "the worker ended without a word")
        case .ended: self.init(.workerEnded, "another program ended the worker that read it")
        }
    }

    /// A limit that was hit, with the option that raises it, if one does.
    private init(limit: MediaLimits.Name?, _ reason: String) {
        let name: FailureName = limit?.unit == .milliseconds ? .deadlineReached : .limitReached
        self.init(name, reason + (limit.map(Self.hint) ?? ""))
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
        case .limit: self.init(limit: error.limit, error.reason)
        }
    }
}

extension AVError {
    /// What the error comes of, where that tells more than the code.
    fileprivate var telling: (any Error)? {
        switch underlying {
        case let cause as FileWriteError where cause.kind != .exists && cause.kind != .diskFull: cause
        case let cause as PieceError: cause
        case let cause as MediaLimitError: cause
        case let cause as MetadataNameError: cause
        case let cause as ExportPresetError: cause
        case let cause as ImageEncodingError: cause
        case let cause as CocoaError where cause.code == .fileReadUnsupportedScheme: cause
        default: nil
        }
    }
}

extension FailureName {
    /// The name that is an error code's own.
    init(_ code: AVError.Code) { self = Self(rawValue: String(describing: code)) ?? .unknown }
}

/// Collects the failures of a command that goes on with the other files.
final class FailureLog: Sendable {
    private struct State {
        var first: Failure?
        var tellsOfInterruption = false
        var mayOutlastFile = false
        /// How many files failed.
        var counts = WorkEnd.FailureCounts()
        /// Whether the file that is worked on has failed.
        var hasFileFailed = false
    }

    private let noted = Mutex(State())

    /// The first failure.
    var first: Failure? { noted.withLock { $0.first } }

    /// Whether it was said that the work was interrupted.
    var tellsOfInterruption: Bool { noted.withLock { $0.tellsOfInterruption } }

    /// How many files failed, and whether it is of use to try them again.
    var counts: WorkEnd.FailureCounts { noted.withLock { $0.counts } }

    /// Whether something of the file that is worked on has failed.
    var hasFileFailed: Bool { noted.withLock { $0.hasFileFailed } }

    /// Another file is worked on.
    func beginFile() { noted.withLock { $0.hasFileFailed = false } }

    /// Prints a failure of one file and remembers it.
    ///
    /// - Throws: A failure that no other file can escape: nobody reads the results.
    func report(_ failure: Failure, file: String) throws {
        if [.outputClosed, .outputFailed].contains(failure.name) { throw failure }
        note(failure)
        // What is written to may be the file itself, which need not be named twice.
        let name = file.oneLine + ": "
        let text = failure.message.hasPrefix(name) ? String(failure.message.dropFirst(name.count)) : failure.message
        WorkerConsole.error("avtool: \(name)\(text.oneLine)")
    }

    /// Remembers a failure without a line of its own.
    func note(_ failure: Failure) {
        noted.withLock {
            if $0.first == nil { $0.first = failure }
            if failure.name == .cancelled { $0.tellsOfInterruption = true }
            if failure.name.mayOutlastFile { $0.mayOutlastFile = true }
            guard !$0.hasFileFailed else { return }
            $0.hasFileFailed = true
            $0.counts.add(failure.name.retry)
        }
    }

    /// Whether this process may be the worse for what has failed in it.
    var mayOutlastFile: Bool { noted.withLock { $0.mayOutlastFile } }

    /// Ends the command with the first failure's code, if there was one.
    func exitIfNeeded() throws {
        let noted = noted.withLock { $0 }
        if Interruption.isRequested {
            // One that came between two files has not been said of any.
            guard noted.tellsOfInterruption else { throw Failure(.cancelled, "interrupted") }
            throw CommandEnded(code: .interrupted)
        }
        if let first = noted.first { throw CommandEnded(code: first.code) }
    }
}

/// A command ended with a code; all that is to be said has been said.
struct CommandEnded: Error {
    let code: Failure.Code
}

extension WorkEnd.FailureCounts {
    /// Counts a file whose first failure says so.
    fileprivate mutating func add(_ retry: Retry) {
        switch retry {
        case .never: never += 1
        case .later: later += 1
        case .elsewhere: elsewhere += 1
        }
    }
}

/// A failure as JSON has it.
struct JSONError: Encodable {
    let code: FailureName
    let message: String
    let retry: Retry

    init(_ failure: Failure) {
        code = failure.name
        message = failure.message
        retry = failure.name.retry
    }
}

/// A file that could not be read, or not to its end.
struct JSONFailedSource: Encodable {
    let source: String
    let error: JSONError
}

/// What is wrong with a damaged file's metadata, for people: one thing, and how much more there is.
///
/// A file can have a hundred such flaws, and whoever gives the command hundreds of files.
func problemLines(_ problems: [String]) -> [String] {
    guard problems.count > 2, let first = problems.first else { return problems }
    return [first, "and \(problems.count - 1) more problems, which 'metadata show --json' lists"]
}
