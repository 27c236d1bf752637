package import FFmpegKit
internal import Foundation
internal import MediaLoading

/// The error for a failure of FFmpeg, in the shape that callers know.
package func publicError(for error: FFmpegError) -> any Error {
    switch error.kind {
    case .noSuchInput:
        return CocoaError(.fileReadNoSuchFile, userInfo: [NSLocalizedDescriptionKey: error.reason])
    case .networkNotAllowed:
        return CocoaError(.fileReadUnsupportedScheme, userInfo: [NSLocalizedDescriptionKey: error.reason])
    case .damaged:
        let isUnrecognized = error.operation == .open
        return AVError(isUnrecognized ? .fileFormatNotRecognized : .fileFailedToParse, reason: error.reason)
    case .unsupported: return AVError(.decoderNotFound, reason: error.reason)
    case .cancelled: return CancellationError()
    case .limit: return MediaLimitError(reason: error.reason)
    case .inputOutput: return AVError(.failedToLoadMediaData, reason: error.reason)
    case .other: return AVError(.unknown, reason: error.reason)
    }
}
