internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// The error of reading samples in the shape that callers know.
func readerError(for error: any Error) -> any Error {
    switch error {
    case let error as FFmpegError: publicError(for: error)
    case is WorkStopped: CancellationError()
    default: error
    }
}
