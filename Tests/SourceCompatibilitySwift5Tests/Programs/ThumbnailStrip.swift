// The strip of pictures under a trimming bar; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

protocol ThumbnailStripDelegate: AnyObject {
    func strip(_ strip: ThumbnailStrip, didGenerate image: CGImage, at index: Int)
    func stripDidFinish(_ strip: ThumbnailStrip, failures: [Error])
}

class ThumbnailStrip {
    weak var delegate: ThumbnailStripDelegate?

    private let asset: AVAsset
    private var generator: AVAssetImageGenerator?
    private let queue = DispatchQueue(label: "strip", qos: .userInitiated)
    private(set) var images: [CGImage?] = []
    private var failures: [Error] = []
    private(set) var actualTimes: [CMTime] = []

    init(asset: AVAsset) {
        self.asset = asset
    }

    deinit {
        generator?.cancelAllCGImageGeneration()
    }

    /// As many pictures as fit side by side.
    func thumbnailCount(forWidth width: CGFloat, height: CGFloat) -> Int {
        guard let track = asset.tracks(withMediaType: .video).first else { return 0 }
        let natural = track.naturalSize.applying(track.preferredTransform)
        let ratio = abs(natural.width / natural.height)
        return Int(ceil(width / (height * ratio)))
    }

    func generate(count: Int, height: CGFloat) {
        generator?.cancelAllCGImageGeneration()
        images = Array(repeating: nil, count: count)
        actualTimes = Array(repeating: .invalid, count: count)

        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 0, height: height)
        generator.requestedTimeToleranceBefore = CMTime.zero
        generator.requestedTimeToleranceAfter = CMTime.zero
        self.generator = generator

        let step = CMTimeGetSeconds(asset.duration) / Double(count)
        let times = (0..<count).map { index in
            NSValue(time: CMTimeMakeWithSeconds(Double(index) * step, preferredTimescale: 600))
        }
        let group = DispatchGroup()
        failures = []
        for _ in times { group.enter() }
        generator.generateCGImagesAsynchronously(forTimes: times) {
            [weak self] requested, image, actual, result, error in
            guard let self = self else { return group.leave() }
            self.queue.async {
                defer { group.leave() }
                switch result {
                case .succeeded:
                    guard let image = image, let index = times.firstIndex(of: NSValue(time: requested)) else { return }
                    self.images[index] = image
                    self.actualTimes[index] = actual
                    self.delegate?.strip(self, didGenerate: image, at: index)
                case .failed:
                    if let error = error { self.failures.append(error) }
                case .cancelled:
                    break
                @unknown default:
                    break
                }
            }
        }
        group.notify(queue: queue) { [weak self] in
            guard let self = self else { return }
            self.generator = nil
            self.delegate?.stripDidFinish(self, failures: self.failures)
        }
    }
}
