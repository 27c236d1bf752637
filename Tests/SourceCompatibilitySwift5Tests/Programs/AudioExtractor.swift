// Takes the sound out of films; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

class AudioExtractor {
    enum ExtractionError: LocalizedError {
        case noAudioTrack
        case cannotExport(AVAssetExportSession.Status, Error?)

        var errorDescription: String? {
            switch self {
            case .noAudioTrack: return "There is no sound in this video."
            case .cannotExport(let status, let error):
                return "Export ended with \(status.rawValue): \(error?.localizedDescription ?? "?")"
            }
        }
    }

    private let workQueue = DispatchQueue(label: "com.example.audio-extractor", attributes: .concurrent)

    func extractAudio(
        from videoURL: URL, into directory: URL, handler: @escaping (Result<URL, ExtractionError>) -> Void
    ) {
        workQueue.async {
            let asset = AVAsset(url: videoURL)
            guard !asset.tracks(withMediaType: AVMediaType.audio).isEmpty else {
                return handler(.failure(.noAudioTrack))
            }
            let output =
                directory
                .appendingPathComponent(videoURL.deletingPathExtension().lastPathComponent)
                .appendingPathExtension("m4a")
            guard let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A) else {
                return handler(.failure(.cannotExport(.unknown, nil)))
            }
            export.outputFileType = .m4a
            export.outputURL = output
            export.timeRange = CMTimeRangeMake(start: .zero, duration: asset.duration)
            export.metadata = asset.commonMetadata.filter { $0.commonKey != .commonKeyDescription }
            export.exportAsynchronously {
                guard case .completed = export.status else {
                    return handler(.failure(.cannotExport(export.status, export.error)))
                }
                handler(.success(output))
            }
        }
    }

    /// All of a list; one after the other, with a semaphore, as command-line tools do it.
    func extractAll(_ urls: [URL], into directory: URL) -> (done: [URL], failures: [String]) {
        let semaphore = DispatchSemaphore(value: 0)
        var done: [URL] = []
        var failures: [String] = []
        for url in urls {
            extractAudio(from: url, into: directory) { result in
                switch result {
                case .success(let url): done.append(url)
                case .failure(let error): failures.append(error.localizedDescription)
                }
                semaphore.signal()
            }
            semaphore.wait()
        }
        return (done, failures)
    }
}
