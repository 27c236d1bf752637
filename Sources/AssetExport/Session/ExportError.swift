package import MediaAsset
internal import MediaCore
package import MediaEngine

/// The error of an export in the shape that callers know: an `AVError` with what it comes of, or `CancellationError`.
package func exportError(for error: any Error) -> any Error {
    guard let error = error as? ExportPresetError else { return writingError(for: error) }
    return AVError(.incorrectlyConfigured, reason: error.reason, underlying: error)
}
