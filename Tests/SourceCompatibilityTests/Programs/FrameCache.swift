// An actor with a generator and its pictures; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

actor FrameCache {
    struct Frame: Sendable {
        let image: CGImage
        let time: CMTime
    }

    private let generator: AVAssetImageGenerator
    private let limit: Int
    private var frames: [CMTime: Frame] = [:]
    private var order: [CMTime] = []
    private(set) var hits = 0

    init(asset: AVAsset, limit: Int, size: CGSize = CGSize(width: 160, height: 160)) {
        generator = AVAssetImageGenerator(asset: asset)
        generator.maximumSize = size
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        self.limit = limit
    }

    func frame(at time: CMTime) async throws -> Frame {
        if let known = frames[time] {
            hits += 1
            return known
        }
        let (image, actualTime) = try await generator.image(at: time)
        let frame = Frame(image: image, time: actualTime)
        keep(frame, for: time)
        return frame
    }

    /// Fills the cache ahead; gives the times that have no picture.
    func preload(_ times: [CMTime]) async -> [CMTime] {
        var failed: [CMTime] = []
        for await result in generator.images(for: times) {
            switch result {
            case .success(let requestedTime, let image, let actualTime):
                keep(Frame(image: image, time: actualTime), for: requestedTime)
            case .failure(let requestedTime, _):
                failed.append(requestedTime)
            @unknown default:
                break
            }
        }
        return failed
    }

    private func keep(_ frame: Frame, for time: CMTime) {
        frames[time] = frame
        order.append(time)
        if order.count > limit { frames[order.removeFirst()] = nil }
    }

    var count: Int { frames.count }
}
