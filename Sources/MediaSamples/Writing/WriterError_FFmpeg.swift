internal import FFmpegKit
internal import MediaExport

/// The error of writing samples in the shape that callers know.
func writerError(for error: any Error) -> any Error { exportError(for: error) }
