// Loads keys before a film is opened, as sample code of the time had it; only the import differs from the code there.
import Foundation
import OpenAVFoundation

let assetKeysRequiredToPlay = ["playable", "hasProtectedContent", "duration", "tracks"]

protocol AssetKeyLoaderObserver: AnyObject {
    func loader(_ loader: AssetKeyLoader, didChange state: AssetKeyLoader.State)
}

class AssetKeyLoader {
    enum State {
        case idle, loading
        case ready(duration: TimeInterval, trackCount: Int)
        case failed(key: String, NSError?)
        case cancelled
    }

    private struct Observation { weak var observer: AssetKeyLoaderObserver? }

    private var observations: [ObjectIdentifier: Observation] = [:]
    private let callbackQueue: DispatchQueue
    private(set) var state = State.idle {
        didSet {
            for (_, observation) in observations { observation.observer?.loader(self, didChange: state) }
        }
    }

    private var asset: AVURLAsset? {
        willSet { asset?.cancelLoading() }
    }

    init(callbackQueue: DispatchQueue = .main) { self.callbackQueue = callbackQueue }

    func addObserver(_ observer: AssetKeyLoaderObserver) {
        observations[ObjectIdentifier(observer)] = Observation(observer: observer)
    }

    func open(_ url: URL) {
        let newAsset = AVURLAsset(url: url, options: nil)
        asset = newAsset
        state = .loading
        newAsset.loadValuesAsynchronously(forKeys: assetKeysRequiredToPlay) { [weak self] in
            guard let self = self else { return }
            self.callbackQueue.async {
                guard newAsset == self.asset else { return }
                self.finish(newAsset)
            }
        }
    }

    private func finish(_ asset: AVURLAsset) {
        for key in assetKeysRequiredToPlay {
            var error: NSError?
            switch asset.statusOfValue(forKey: key, error: &error) {
            case .failed:
                state = .failed(key: key, error)
                return
            case .cancelled:
                state = .cancelled
                return
            default:
                break
            }
        }
        if !asset.isPlayable || asset.hasProtectedContent {
            let userInfo = [NSLocalizedDescriptionKey: "The asset is not playable or has protected content."]
            state = .failed(key: "playable", NSError(domain: "Example", code: 1, userInfo: userInfo))
            return
        }
        state = .ready(duration: asset.duration.seconds, trackCount: asset.tracks.count)
    }
}
