internal import FFmpegKit
internal import ISOBaseMedia
internal import MediaAsset
internal import MediaFile
internal import MediaLoading
internal import MediaMetadata

/// The error of an export in the shape that callers know.
func exportError(for error: any Error) -> any Error {
    switch error {
    case let error as FFmpegError:
        switch (error.operation, error.kind) {
        case (.encode, .unsupported): AVError(.encoderNotFound, reason: error.reason)
        case (.encode, .other), (.encode, .damaged): AVError(.encodeFailed, reason: error.reason)
        case (.write, .unsupported): AVError(.operationNotSupportedForAsset, reason: error.reason)
        case (.write, .other), (.write, .damaged), (.filter, .other): AVError(.exportFailed, reason: error.reason)
        default: publicError(for: error)
        }
    case let error as MovieError:
        switch error.kind {
        case .damaged: AVError(.fileFailedToParse, reason: error.reason)
        case .unsupported: AVError(.operationNotSupportedForAsset, reason: error.reason)
        case .limit: MediaLimitError(reason: error.reason)
        case .emptyRange: AVError(.invalidSourceMedia, reason: error.reason)
        }
    case let error as MetadataError: publicError(for: error)
    case let error as FileWriteError:
        switch error.kind {
        case .exists: AVError(.fileAlreadyExists, reason: "\(error.path): \(error.reason)")
        case .cancelled: CancellationError()
        case .diskFull: AVError(.diskFull, reason: "\(error.path): \(error.reason)")
        case .isInput, .isTaken, .isTerminal, .cannotCreate, .writeFailed, .outputClosed: error
        }
    default: error
    }
}
