internal import FFmpegKit
package import MediaEngine

/// The error of writing samples in the shape that callers know.
func writerError(for error: any Error) -> any Error { writingError(for: error) }
