// Exports with progress for whoever asks; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct ExportService: Sendable {
    enum Event: Sendable {
        case progress(Double)
        case finished(URL, bytes: Int)
    }

    enum Failure: Error, Equatable {
        case presetUnavailable(String)
        case typeUnsupported(AVFileType)
    }

    let preset: String
    let fileType: AVFileType

    /// What happens, until the file is there; the export ends with whoever listens.
    func events(for asset: AVAsset, range: CMTimeRange? = nil, to url: URL) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let session = try await makeSession(asset)
                    if let range { session.timeRange = range }
                    let watcher = Task {
                        for await state in session.states(updateInterval: 0.05) {
                            if case .exporting(let progress) = state {
                                continuation.yield(.progress(progress.fractionCompleted))
                            }
                        }
                    }
                    try await session.export(to: url, as: fileType)
                    await watcher.value
                    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
                    continuation.yield(.finished(url, bytes: size))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { reason in
                if case .cancelled = reason { task.cancel() }
            }
        }
    }

    private func makeSession(_ asset: AVAsset) async throws -> AVAssetExportSession {
        guard let session = AVAssetExportSession(asset: asset, presetName: preset) else {
            throw Failure.presetUnavailable(preset)
        }
        guard await session.compatibleFileTypes.contains(fileType) else { throw Failure.typeUnsupported(fileType) }
        session.shouldOptimizeForNetworkUse = fileType == .mp4
        return session
    }
}
