package import FFmpegKit
package import Foundation
package import MediaAsset
package import MediaContainers
package import MediaCore
package import MediaIO
package import MediaMetadata

/// The error of what reads and writes, in the shape that callers know: an `AVError` with what it comes of, or
/// `CancellationError`.
package func writingError(for error: any Error) -> any Error {
    switch error {
    case is AVError, is CancellationError: error
    case let error as FFmpegError: writingError(for: error)
    case let error as MovieError:
        switch error.kind {
        case .damaged: AVError(.fileFailedToParse, reason: error.reason, underlying: error)
        case .unsupported: AVError(.operationNotSupportedForAsset, reason: error.reason, underlying: error)
        case .limit: AVError(MediaLimitError(reason: error.reason, limit: error.limit))
        case .emptyRange: AVError(.invalidSourceMedia, reason: error.reason, underlying: error)
        }
    case let error as MetadataError: publicError(for: error)
    // Limits on what is read come as AVError; these are on what is made.
    case let error as MediaLimitError: AVError(.maximumFileSizeReached, error)
    case let error as FileWriteError: writingError(for: error)
    case let error as PieceError:
        AVError(.invalidSourceMedia, reason: "\(error.path): \(error.reason)", underlying: error)
    case let error as MetadataNameError: AVError(.incorrectlyConfigured, reason: error.reason, underlying: error)
    default: AVError(.exportFailed, reason: error.localizedDescription, underlying: error)
    }
}

private func writingError(for error: FFmpegError) -> any Error {
    switch (error.operation, error.kind) {
    case (.encode, .unsupported): AVError(.encoderNotFound, reason: error.reason, underlying: error)
    case (.encode, .other), (.encode, .damaged): AVError(.encodeFailed, reason: error.reason, underlying: error)
    case (.write, .unsupported): AVError(.operationNotSupportedForAsset, reason: error.reason, underlying: error)
    case (.write, .other), (.write, .damaged), (.filter, .other):
        AVError(.exportFailed, reason: error.reason, underlying: error)
    default: publicError(for: error)
    }
}

private func writingError(for error: FileWriteError) -> any Error {
    let code: AVError.Code
    switch error.kind {
    case .tooLarge:
        return AVError(
            .maximumFileSizeReached, MediaLimitError(reason: error.errorDescription ?? error.reason, limit: .outputSize)
        )
    case .cancelled: return CancellationError()
    case .exists: code = .fileAlreadyExists
    case .diskFull: code = .diskFull
    case .isInput, .isTaken, .isTerminal: code = .operationNotAllowed
    case .cannotCreate, .writeFailed, .outputClosed, .busy: code = .exportFailed
    }
    return AVError(code, reason: error.errorDescription ?? error.reason, underlying: error)
}
