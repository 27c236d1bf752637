// A catalogue with assets as keys and assets of its own class; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

/// An asset that carries what the server said of it.
class RemoteAsset: AVURLAsset, @unchecked Sendable {
    let assetID: String
    var isFavourite = false
    private(set) var openedAt: Date

    init(assetID: String, url: URL, options: [String: Any]? = nil) {
        self.assetID = assetID
        openedAt = Date()
        super.init(url: url, options: options)
    }

    override var description: String { "<RemoteAsset \(assetID)>" }

    func touch() { openedAt = Date() }
}

final class CacheEntry {
    var duration: CMTime?
    var poster: CGImage?
    var trackIDs: [CMPersistentTrackID] = []
}

final class MediaCatalogue {
    static let shared = MediaCatalogue()

    private var entries: [AVAsset: CacheEntry] = [:]
    private let posters = NSCache<NSString, CacheEntry>()
    private let lock = NSLock()
    private(set) var misses = 0

    func entry(for asset: AVAsset) -> CacheEntry {
        lock.lock()
        defer { lock.unlock() }
        if let entry = entries[asset] { return entry }
        misses += 1
        let entry = CacheEntry()
        entry.duration = asset.duration
        entry.trackIDs = asset.tracks.map { $0.trackID }
        entries[asset] = entry
        return entry
    }

    func poster(for asset: RemoteAsset) -> CGImage? {
        if let cached = posters.object(forKey: asset.assetID as NSString) { return cached.poster }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = .zero
        let entry = self.entry(for: asset)
        let middle = CMTimeMultiplyByRatio(entry.duration ?? .zero, multiplier: 1, divisor: 2)
        entry.poster = try? generator.copyCGImage(at: middle, actualTime: nil)
        posters.setObject(entry, forKey: asset.assetID as NSString)
        return entry.poster
    }

    func asset(withID id: String) -> RemoteAsset? {
        entries.keys.lazy.compactMap { $0 as? RemoteAsset }.first { $0.assetID == id }
    }

    func evict(where condition: (RemoteAsset) -> Bool) {
        lock.lock()
        entries = entries.filter { asset, _ in
            guard let remote = asset as? RemoteAsset else { return true }
            return !condition(remote)
        }
        lock.unlock()
    }

    var fileNames: Set<String> {
        Set(entries.keys.compactMap { ($0 as? AVURLAsset)?.url.lastPathComponent })
    }
}
