// A compressor for messages, with a timer that polls; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

enum CompressionQuality {
    case low, medium, high

    var presetName: String {
        switch self {
        case .low: return AVAssetExportPresetLowQuality
        case .medium: return AVAssetExportPreset640x480
        case .high: return AVAssetExportPresetHighestQuality
        }
    }
}

enum CompressionError: Error {
    case presetNotSupported(String)
    case fileTypeNotSupported
    case cancelled
    case unknown
}

class VideoCompressor: NSObject {
    typealias Completion = (Result<URL, Error>) -> Void

    var onProgress: ((Float) -> Void)?
    private var exportSession: AVAssetExportSession?
    private var timer: Timer?

    var isRunning: Bool { exportSession?.status == .exporting || exportSession?.status == .waiting }

    func compress(_ inputURL: URL, to outputURL: URL, quality: CompressionQuality, completion: @escaping Completion) {
        let asset = AVURLAsset(url: inputURL, options: nil)
        let preset = quality.presetName
        guard AVAssetExportSession.exportPresets(compatibleWith: asset).contains(preset),
            let session = AVAssetExportSession(asset: asset, presetName: preset)
        else {
            completion(.failure(CompressionError.presetNotSupported(preset)))
            return
        }
        guard session.supportedFileTypes.contains(.mp4) else {
            completion(.failure(CompressionError.fileTypeNotSupported))
            return
        }
        if FileManager.default.fileExists(atPath: outputURL.path) {
            try? FileManager.default.removeItem(at: outputURL)
        }
        session.outputURL = outputURL
        session.outputFileType = AVFileType.mp4
        session.shouldOptimizeForNetworkUse = true
        exportSession = session

        timer = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { [weak self] _ in
            self?.onProgress?(session.progress)
        }

        session.exportAsynchronously { [weak self] in
            self?.timer?.invalidate()
            switch session.status {
            case .completed:
                completion(.success(outputURL))
            case .failed:
                completion(.failure(session.error ?? CompressionError.unknown))
            case .cancelled:
                completion(.failure(CompressionError.cancelled))
            case .unknown, .waiting, .exporting:
                completion(.failure(CompressionError.unknown))
            @unknown default:
                completion(.failure(CompressionError.unknown))
            }
        }
    }

    func cancel() {
        exportSession?.cancelExport()
    }
}

/// The size of a file as people read it, before and after.
func savings(before: URL, after: URL) -> (bytes: Int64, percent: Int) {
    func size(_ url: URL) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
    let saved = size(before) - size(after)
    return (saved, Int(Double(saved) * 100 / Double(max(size(before), 1))))
}
