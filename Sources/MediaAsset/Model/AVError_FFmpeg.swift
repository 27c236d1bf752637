package import FFmpegKit
internal import Foundation
internal import MediaCore
internal import MediaIO

/// The error for a failure of FFmpeg, in the shape that callers know, with what it comes of.
package func publicError(for error: FFmpegError) -> any Error {
    switch error.kind {
    case .noSuchInput:
        AVError(.failedToLoadMediaData, reason: error.reason, underlying: error.asReadError)
    case .networkNotAllowed:
        AVError(
            .operationNotAllowed, reason: error.reason,
            underlying: CocoaError(.fileReadUnsupportedScheme, userInfo: [NSLocalizedDescriptionKey: error.reason]))
    case .damaged:
        AVError(
            error.isOfUnknownFormat ? .fileFormatNotRecognized : .fileFailedToParse, reason: error.reason,
            underlying: error)
    case .unsupported:
        AVError(
            error.operation == .open ? .fileFormatNotRecognized : .decoderNotFound, reason: error.reason,
            underlying: error)
    case .cancelled: CancellationError()
    case .limit:
        AVError(
            error.isOutOfMemory ? .outOfMemory : .operationNotSupportedForAsset,
            MediaLimitError(reason: error.reason, limit: error.limit))
    case .inputOutput: AVError(.failedToLoadMediaData, reason: error.reason, underlying: error)
    case .other: AVError(.unknown, reason: error.reason, underlying: error)
    }
}

extension FFmpegError {
    /// What Foundation says of a file that cannot be opened.
    fileprivate var asReadError: CocoaError {
        let code: CocoaError.Code =
            switch systemError {
            case .EACCES: .fileReadNoPermission
            case .EISDIR: .fileReadUnknown
            default: .fileReadNoSuchFile
            }
        var information: [String: Any] = [NSLocalizedDescriptionKey: reason]
        information[NSUnderlyingErrorKey] = systemError.map {
            NSError(domain: NSPOSIXErrorDomain, code: Int($0.rawValue))
        }
        return CocoaError(code, userInfo: information)
    }

    fileprivate var isOutOfMemory: Bool { systemError == .ENOMEM }
    /// The operating system's error, if the code is one: FFmpeg negates them.
    private var systemError: POSIXErrorCode? { POSIXErrorCode(rawValue: -code) }
}

extension MediaFormats {
    /// Why a format cannot be allowed (`AVURLAssetAllowedFormatsKey`), in one line; `nil` if it can.
    ///
    /// - Parameter name: The demuxer's name, as FFmpeg spells it.
    public static func objection(toAllowing name: String) -> String? { FormatAllowance.objection(toAllowing: name) }
}

extension MediaFormats {
    /// The versions of FFmpeg's libraries, such as `libavcodec 59.37.100`.
    package static var libraryVersions: [String] { LibraryVersions.texts }
}

extension MediaLibraryLog {
    /// Stops FFmpeg's own messages from reaching standard error, for the whole process.
    ///
    /// What matters of them is in the errors that are thrown.
    public static func silence() { FFmpegLog.silence() }
}
