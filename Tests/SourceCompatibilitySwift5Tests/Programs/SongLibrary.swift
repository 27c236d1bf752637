// A music library that reads its songs' tags; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

final class Song: NSObject {
    let url: URL
    private(set) var title: String
    private(set) var artist: String?
    private(set) var albumName: String?
    private(set) var artwork: Data?
    private(set) var duration: TimeInterval

    init(url: URL) {
        self.url = url
        let asset = AVURLAsset(url: url)
        title = url.deletingPathExtension().lastPathComponent
        duration = CMTimeGetSeconds(asset.duration)
        super.init()
        for item in asset.commonMetadata {
            guard let key = item.commonKey?.rawValue, item.value != nil else { continue }
            switch key {
            case "title": title = item.stringValue ?? title
            case "artist": artist = item.stringValue
            case "albumName": albumName = item.stringValue
            case "artwork": artwork = item.dataValue
            default: continue
            }
        }
        if artwork == nil {
            let items = AVMetadataItem.metadataItems(
                from: asset.metadata, withKey: AVMetadataKey.commonKeyArtwork, keySpace: AVMetadataKeySpace.common)
            artwork = items.first?.dataValue
        }
    }

    override var description: String { "\(title) – \(artist ?? "Unknown Artist")" }

    override func isEqual(_ object: Any?) -> Bool { (object as? Song)?.url == url }

    override var hash: Int { url.hashValue }
}

class SongLibrary {
    enum Order { case title, artist, longestFirst }

    private(set) var songs: [Song] = []

    static let supportedExtensions = ["mp3", "m4a", "flac", "wav", "aiff"]

    func scan(folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        let urls = files.filter { SongLibrary.supportedExtensions.contains($0.pathExtension.lowercased()) }
        songs = urls.filter { AVURLAsset(url: $0).isPlayable }.map(Song.init(url:))
    }

    func sorted(by order: Order) -> [Song] {
        songs.sorted { a, b in
            switch order {
            case .title:
                if a.title != b.title { return a.title.localizedCaseInsensitiveCompare(b.title) == .orderedAscending }
                return a.url.lastPathComponent < b.url.lastPathComponent
            case .artist: return (a.artist ?? "", a.url.path) < (b.artist ?? "", b.url.path)
            case .longestFirst: return (a.duration, b.url.path) > (b.duration, a.url.path)
            }
        }
    }

    var totalPlayingTime: String {
        let seconds = Int(songs.reduce(0) { $0 + $1.duration })
        return String(format: "%d:%02d", seconds / 60, seconds % 60)
    }
}
