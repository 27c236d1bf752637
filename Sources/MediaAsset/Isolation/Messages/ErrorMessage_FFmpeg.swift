internal import FFmpegKit
internal import Foundation
package import MediaCore
package import MediaIO
internal import MediaMetadata

/// An error that goes from one process to another, with what it comes of.
///
/// What a program can tell errors apart by is the same on both sides: type, code, domain, limit, what is under it.
package indirect enum ErrorMessage: MessageValue {
    case avFoundation(code: Int, reason: String?, time: CMTime?, underlying: ErrorMessage?)
    case ffmpeg(kind: Int, code: Int32, operation: String, reason: String, limit: String?)
    case limit(reason: String, limit: String?)
    case metadata(kind: Int, reason: String, limit: String?)
    case cancelled
    /// Any other, among them Foundation's own.
    case other(domain: String, code: Int, text: String, underlying: ErrorMessage?)

    /// No error lies deeper under others.
    private static let deepest = 8

    // MARK: There and back

    package init(_ error: any Error) { self.init(error, depth: 0) }

    private init(_ error: any Error, depth: Int) {
        func under(_ error: (any Error)?) -> ErrorMessage? {
            depth < Self.deepest ? error.map { ErrorMessage($0, depth: depth + 1) } : nil
        }
        switch error {
        case is CancellationError: self = .cancelled
        case let error as AVError:
            let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
            self = .avFoundation(
                code: error.code.rawValue, reason: reason, time: error.time, underlying: under(error.underlying))
        case let error as FFmpegError:
            let kind = Self.kinds.firstIndex(of: error.kind) ?? 0
            self = .ffmpeg(
                kind: kind, code: error.code, operation: error.operation.rawValue, reason: error.reason,
                limit: error.limit?.rawValue)
        case let error as MediaLimitError: self = .limit(reason: error.reason, limit: error.limit?.rawValue)
        case let error as MetadataError:
            let kind = Self.metadataKinds.firstIndex(of: error.kind) ?? 0
            self = .metadata(kind: kind, reason: error.reason, limit: error.limit?.rawValue)
        default:
            let error = error as NSError
            self = .other(
                domain: error.domain, code: error.code, text: error.localizedDescription,
                underlying: under(error.userInfo[NSUnderlyingErrorKey] as? any Error))
        }
    }

    private static let kinds: [FFmpegError.Kind] = [
        .other, .noSuchInput, .damaged, .unsupported, .networkNotAllowed, .cancelled, .limit, .inputOutput,
    ]
    private static let metadataKinds: [MetadataError.Kind] = [.damaged, .unsupported, .limit]

    /// The error; its texts are in one line that can be printed, whoever wrote them.
    package var error: any Error {
        switch self {
        case .avFoundation(let code, let reason, let time, let underlying):
            let information: [String: Any] = time.map { [AVErrorTimeKey: NSValue(time: $0)] } ?? [:]
            return AVError(
                AVError.Code(rawValue: code) ?? .unknown, reason: reason.map(Self.line) ?? "",
                underlying: underlying?.error, information: information)
        case .ffmpeg(let kind, let code, let operation, let reason, let limit):
            return FFmpegError(
                kind: Self.kinds.indices.contains(kind) ? Self.kinds[kind] : .other, code: code,
                operation: FFmpegError.Operation(rawValue: operation) ?? .read, reason: reason,
                limit: limit.flatMap(MediaLimits.Name.init))
        case .limit(let reason, let limit):
            return MediaLimitError(reason: Self.line(reason), limit: limit.flatMap(MediaLimits.Name.init))
        case .metadata(let kind, let reason, let limit):
            let kinds = Self.metadataKinds
            return MetadataError(
                kinds.indices.contains(kind) ? kinds[kind] : .damaged, Self.line(reason),
                limit: limit.flatMap(MediaLimits.Name.init))
        case .cancelled: return CancellationError()
        case .other(let domain, let code, let text, let underlying):
            var information: [String: Any] = [NSLocalizedDescriptionKey: Self.line(text)]
            information[NSUnderlyingErrorKey] = underlying.map { $0.error as NSError }
            return NSError(domain: Self.line(domain), code: code, userInfo: information).bridgedOriginal
        }
    }

    private static func line(_ text: String) -> String { text.printable(limit: 1000) }
}

extension ErrorMessage {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .avFoundation(let code, let reason, let time, let underlying):
            message.put(0)
            message.put(code)
            message.put(reason)
            message.put(time)
            message.put(underlying)
        case .ffmpeg(let kind, let code, let operation, let reason, let limit):
            message.put(1)
            message.put(kind)
            message.put(code)
            message.put(operation)
            message.put(reason)
            message.put(limit)
        case .limit(let reason, let limit):
            message.put(2)
            message.put(reason)
            message.put(limit)
        case .metadata(let kind, let reason, let limit):
            message.put(3)
            message.put(kind)
            message.put(reason)
            message.put(limit)
        case .cancelled: message.put(4)
        case .other(let domain, let code, let text, let underlying):
            message.put(5)
            message.put(domain)
            message.put(code)
            message.put(text)
            message.put(underlying)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) { try self.init(from: &message, depth: 0) }

    private init(from message: inout MessageReader, depth: Int) throws(MessageError) {
        guard depth <= Self.deepest else { throw MessageError() }
        func under(_ message: inout MessageReader) throws(MessageError) -> ErrorMessage? {
            try message.flag() ? try ErrorMessage(from: &message, depth: depth + 1) : nil
        }
        switch try message.integer(Int.self) {
        case 0:
            self = .avFoundation(
                code: try message.integer(), reason: try message.optionalText(), time: try message.optionalValue(),
                underlying: try under(&message))
        case 1:
            self = .ffmpeg(
                kind: try message.integer(), code: try message.integer(), operation: try message.text(),
                reason: try message.text(), limit: try message.optionalText())
        case 2: self = .limit(reason: try message.text(), limit: try message.optionalText())
        case 3:
            self = .metadata(
                kind: try message.integer(), reason: try message.text(), limit: try message.optionalText())
        case 4: self = .cancelled
        case 5:
            self = .other(
                domain: try message.text(), code: try message.integer(), text: try message.text(),
                underlying: try under(&message))
        default: throw MessageError()
        }
    }
}

// The samples of a track, between processes.

extension TrackSamples: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(timeBase.numerator)
        message.put(timeBase.denominator)
        message.put(origin)
        message.put(list: samples) { message, sample in
            message.put(sample.presentation)
            message.put(sample.decode)
            message.put(sample.duration)
            message.put(sample.byteCount)
            message.put(sample.position)
            message.put(sample.isSync)
            message.put(sample.isDroppable)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let base = TimeBase(numerator: try message.integer(), denominator: try message.integer())
        let origin = try message.value(CMTime.self)
        let samples = try message.list { message throws(MessageError) in
            Sample(
                presentation: try message.integer(), decode: try message.optionalInteger(),
                duration: try message.integer(), byteCount: try message.integer(),
                position: try message.optionalInteger(), isSync: try message.flag(),
                isDroppable: try message.flag())
        }
        self.init(samples: samples, timeBase: base, origin: origin)
    }
}

extension SyncSampleList: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(times)
        message.put(missingTimes)
        message.put(lastFrameTime)
        message.put(truncation)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            times: try message.values(), missingTimes: try message.values(),
            lastFrameTime: try message.optionalValue(), truncation: try message.optionalText())
    }
}

/// A number, as an answer.
struct CountAnswer: MessageValue {
    let count: Int64

    init(_ count: Int64) { self.count = count }

    func write(to message: inout MessageWriter) { message.put(count) }
    init(from message: inout MessageReader) throws(MessageError) { count = try message.integer() }
}
