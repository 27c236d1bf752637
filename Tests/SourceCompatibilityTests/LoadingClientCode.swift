// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

// MARK: Preparing a player by keys

/// What a player has to know before it begins, loaded by keys as AVFoundation's guides did it.
final class PlayerPreparation: @unchecked Sendable {
    enum Failure: Error, Equatable {
        case key(String, String)
        case notPlayable
        case protected
        case cancelled(String)
    }

    struct Facts: Equatable {
        var duration: Double
        var trackIDs: [CMPersistentTrackID]
        var title: String?
        var formats: [String]
        var languages: [String]
        var created: String?
        var isExportable: Bool
        var transform: CGAffineTransform
    }

    static let requestedKeys = [
        "playable", "hasProtectedContent", "tracks", "duration", "commonMetadata", "metadata",
        "availableMetadataFormats", "availableChapterLocales", "creationDate", "lyrics", "preferredTransform",
        "exportable", "composable", "readable", "providesPreciseDurationAndTiming",
    ]

    private let asset: AVURLAsset

    init(url: URL) {
        let options = [AVURLAssetPreferPreciseDurationAndTimingKey: NSNumber(value: true)]
        asset = AVURLAsset(url: url, options: options)
    }

    func prepare(completion: @escaping @Sendable (Result<Facts, Failure>) -> Void) {
        asset.loadValuesAsynchronously(forKeys: Self.requestedKeys) { [weak self] in
            guard let self = self else { return }
            DispatchQueue.global().async {
                completion(self.prepareToPlay(self.asset, withKeys: Self.requestedKeys))
            }
        }
    }

    private func prepareToPlay(_ asset: AVURLAsset, withKeys keys: [String]) -> Result<Facts, Failure> {
        for key in keys {
            var error: NSError? = nil
            switch asset.statusOfValue(forKey: key, error: &error) {
            case .failed:
                return .failure(.key(key, error?.domain ?? "?"))
            case .cancelled:
                return .failure(.cancelled(key))
            case .loaded:
                continue
            case .unknown, .loading:
                return .failure(.key(key, "not loaded"))
            @unknown default:
                break
            }
        }
        if asset.hasProtectedContent { return .failure(.protected) }
        if !asset.isPlayable { return .failure(.notPlayable) }
        let titles = AVMetadataItem.metadataItems(
            from: asset.commonMetadata, withKey: AVMetadataKey.commonKeyTitle, keySpace: AVMetadataKeySpace.common)
        return .success(
            Facts(
                duration: CMTimeGetSeconds(asset.duration), trackIDs: asset.tracks.map { $0.trackID },
                title: titles.first?.stringValue,
                formats: asset.availableMetadataFormats.map { $0.rawValue },
                languages: asset.availableChapterLocales.map { $0.identifier },
                created: asset.creationDate?.stringValue ?? asset.creationDate?.dateValue.map { "\($0)" },
                isExportable: asset.isExportable && asset.isComposable && asset.isReadable,
                transform: asset.preferredTransform))
    }
}

// MARK: Keys of tracks and items

/// Loads keys of tracks and metadata items, and tells which of them are there.
enum KeyStatusReport {
    static let trackKeys = [
        "formatDescriptions", "enabled", "playable", "decodable", "selfContained", "totalSampleDataLength", "timeRange",
        "naturalTimeScale", "estimatedDataRate", "languageCode", "extendedLanguageTag", "naturalSize",
        "preferredTransform", "preferredVolume", "nominalFrameRate", "minFrameDuration", "requiresFrameReordering",
        "segments", "commonMetadata", "metadata", "availableMetadataFormats", "availableTrackAssociationTypes",
        "hasAudioSampleDependencies",
    ]
    static let itemKeys = ["value", "stringValue", "numberValue", "dateValue", "dataValue", "extraAttributes"]

    /// The keys that failed, each with its error's code.
    static func failures<Object: AVAsynchronousKeyValueLoading>(
        of object: Object, keys: [String], completion: @escaping @Sendable ([String: Int]) -> Void
    ) {
        object.loadValuesAsynchronously(forKeys: keys) {
            var failures: [String: Int] = [:]
            for key in keys {
                var error: NSError?
                guard object.statusOfValue(forKey: key, error: &error) != .loaded else { continue }
                failures[key] = error?.code ?? 0
            }
            completion(failures)
        }
    }

    /// The same with a pointer that is handed on, as code has it that came from Objective-C.
    static func isLoaded(_ asset: AVAsset, key: String, error: NSErrorPointer = nil) -> Bool {
        let status = asset.statusOfValue(forKey: key, error: error)
        return status == AVKeyValueStatus.loaded
    }
}

// MARK: Completion handlers

/// What a table of tracks shows, gathered with completion handlers.
final class TrackTable: @unchecked Sendable {
    struct Row: Equatable {
        var id: Int32
        var type: String
        var detail: String
    }

    private let asset: AVAsset
    private let queue = DispatchQueue(label: "table")
    private var rows: [Row] = []
    private var problems: [String] = []

    init(asset: AVAsset) { self.asset = asset }

    func load(completion: @escaping @Sendable ([Row], [String]) -> Void) {
        let group = DispatchGroup()
        for type in [AVMediaType.video, .audio, .subtitle, .timecode] {
            group.enter()
            asset.loadTracks(withMediaType: type) { [weak self] tracks, error in
                defer { group.leave() }
                guard let self else { return }
                guard let tracks else {
                    let text = error.map { ($0 as NSError).domain } ?? "?"
                    self.queue.sync { self.problems.append("\(type.rawValue): \(text)") }
                    return
                }
                let new = tracks.map { Row(id: $0.trackID, type: type.rawValue, detail: Self.detail(of: $0)) }
                self.queue.sync { self.rows += new }
            }
        }
        group.enter()
        asset.loadMetadata(for: .iTunesMetadata) { [weak self] items, _ in
            let row = Row(id: 0, type: "itsk", detail: "\(items?.count ?? -1) items")
            self?.queue.sync { self?.rows.append(row) }
            group.leave()
        }
        group.notify(queue: .global()) { [self] in
            queue.sync { completion(rows.sorted { $0.id < $1.id }, problems.sorted()) }
        }
    }

    private static func detail(of track: AVAssetTrack) -> String {
        if track.mediaType == .video {
            let size = track.naturalSize
            return "\(Int(size.width))x\(Int(size.height)) @ \(track.nominalFrameRate)"
        }
        return track.extendedLanguageTag ?? track.languageCode ?? "und"
    }
}

// MARK: Assets as keys

/// An asset that knows where it is in a library, as players with downloads have them.
final class LibraryAsset: AVURLAsset, @unchecked Sendable {
    let identifier: UUID

    init(identifier: UUID, url: URL) {
        self.identifier = identifier
        super.init(url: url, options: nil)
    }
}

/// Remembers durations by asset and selections by track.
final class AssetCache {
    private(set) var durations: [AVAsset: CMTime] = [:]
    private(set) var selected: Set<AVAssetTrack> = []
    private(set) var loads = 0

    func duration(of asset: AVAsset) async throws -> CMTime {
        if let known = durations[asset] { return known }
        loads += 1
        let duration = try await asset.load(.duration)
        durations[asset] = duration
        return duration
    }

    func toggle(_ track: AVAssetTrack) {
        if selected.contains(track) { selected.remove(track) } else { selected.insert(track) }
    }

    func fileName(of asset: AVAsset) -> String? { (asset as? AVURLAsset)?.url.lastPathComponent }

    func identifiers() -> [UUID] { durations.keys.compactMap { ($0 as? LibraryAsset)?.identifier } }

    func generators(for assets: [AVAsset]) -> [NSObject: String] {
        var names: [NSObject: String] = [:]
        for asset in assets {
            names[AVAssetImageGenerator(asset: asset)] = fileName(of: asset)
            if let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) {
                names[session] = session.presetName
            }
        }
        return names
    }
}
