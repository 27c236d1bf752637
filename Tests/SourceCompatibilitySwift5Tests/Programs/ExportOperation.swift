// Exports as operations of a queue; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

class AsyncOperation: Operation, @unchecked Sendable {
    private let stateLock = NSLock()
    private var running = false
    private var done = false

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { stateLock.withLock { running } }
    override var isFinished: Bool { stateLock.withLock { done } }

    override func start() {
        guard !isCancelled else { return finish() }
        willChangeValue(forKey: "isExecuting")
        stateLock.withLock { running = true }
        didChangeValue(forKey: "isExecuting")
        main()
    }

    func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        stateLock.withLock { (running, done) = (false, true) }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}

final class ExportOperation: AsyncOperation, @unchecked Sendable {
    let session: AVAssetExportSession
    private(set) var result: Result<URL, Error>?

    init?(asset: AVAsset, preset: String, outputURL: URL, range: CMTimeRange? = nil) {
        guard let session = AVAssetExportSession(asset: asset, presetName: preset) else { return nil }
        guard let type = session.supportedFileTypes.first(where: { $0 == .mp4 || $0 == .mov || $0 == .m4a }) else {
            return nil
        }
        session.outputFileType = type
        session.outputURL = outputURL
        if let range = range { session.timeRange = range }
        self.session = session
        super.init()
    }

    override func main() {
        session.exportAsynchronously { [weak self] in
            guard let self = self else { return }
            switch self.session.status {
            case .completed: self.result = .success(self.session.outputURL!)
            default: self.result = .failure(self.session.error ?? CocoaError(.userCancelled))
            }
            self.finish()
        }
    }

    override func cancel() {
        session.cancelExport()
        super.cancel()
    }
}

/// Cuts a film into pieces, one operation each.
func split(_ asset: AVAsset, every seconds: Double, into folder: URL, queue: OperationQueue) -> [ExportOperation] {
    let length = CMTime(seconds: seconds, preferredTimescale: 600)
    var operations: [ExportOperation] = []
    var start = CMTime.zero
    while start < asset.duration {
        let range = CMTimeRange(start: start, duration: length).intersection(
            CMTimeRange(start: .zero, duration: asset.duration))
        let url = folder.appendingPathComponent("piece-\(operations.count).mp4")
        if let operation = ExportOperation(
            asset: asset, preset: AVAssetExportPresetLowQuality, outputURL: url, range: range)
        {
            operations.append(operation)
        }
        start = start + length
    }
    queue.addOperations(operations, waitUntilFinished: false)
    return operations
}
