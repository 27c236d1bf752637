// Trims films by copying their samples; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

enum TrimError: Error {
    case invalidTimeRange(start: Double, end: Double)
    case exportSessionUnavailable
    case exportFailed(underlying: Error?)
}

struct TrimPoint: Comparable {
    let seconds: Double

    var time: CMTime { CMTime(seconds: seconds, preferredTimescale: CMTimeScale(NSEC_PER_SEC)) }

    static func < (lhs: TrimPoint, rhs: TrimPoint) -> Bool { CMTimeCompare(lhs.time, rhs.time) < 0 }
}

class VideoTrimmer {
    typealias TrimCompletion = (URL?, TrimError?) -> Void

    private let fileManager = FileManager.default

    func trim(
        sourceURL: URL, destinationURL: URL, points: [(TrimPoint, TrimPoint)], completion: @escaping TrimCompletion
    ) {
        guard let (start, end) = points.first else { return completion(nil, nil) }
        let asset = AVURLAsset(url: sourceURL, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        let duration = asset.duration
        guard start < end, CMTimeCompare(start.time, duration) < 0 else {
            completion(nil, .invalidTimeRange(start: start.seconds, end: end.seconds))
            return
        }
        let last = CMTimeMinimum(end.time, duration)
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            completion(nil, .exportSessionUnavailable)
            return
        }
        removeFileAtURLIfExists(url: destinationURL)
        session.outputURL = destinationURL
        session.outputFileType = fileType(for: destinationURL)
        session.shouldOptimizeForNetworkUse = true
        session.timeRange = CMTimeRangeFromTimeToTime(start: start.time, end: last)
        session.exportAsynchronously(completionHandler: {
            switch session.status {
            case .completed: completion(destinationURL, nil)
            default: completion(nil, .exportFailed(underlying: session.error))
            }
        })
    }

    private func fileType(for url: URL) -> AVFileType {
        switch url.pathExtension.lowercased() {
        case "mov", "qt": return .mov
        case "m4v": return .m4v
        default: return .mp4
        }
    }

    private func removeFileAtURLIfExists(url: URL) {
        guard fileManager.fileExists(atPath: url.path) else { return }
        do {
            try fileManager.removeItem(at: url)
        } catch let error {
            print("Could not remove: \(error.localizedDescription)")
        }
    }
}
