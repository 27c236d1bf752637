// Metadata code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// What a music player shows of a song.
struct SongInfo: Equatable {
    var title: String?
    var artist: String?
    var album: String?
    var artwork: Data?
    var composer: String?
    var creationDate: Date?
    var track: (number: Int, count: Int)?

    static func == (a: SongInfo, b: SongInfo) -> Bool { a.title == b.title && a.artist == b.artist }
}

struct SongInspector {
    func info(of url: URL) async throws -> SongInfo {
        let asset = AVURLAsset(url: url)
        var info = SongInfo()
        let (common, all) = try await asset.load(.commonMetadata, .metadata)
        for item in common {
            guard let key = item.commonKey else { continue }
            switch key {
            case .commonKeyTitle: info.title = try await item.load(.stringValue)
            case .commonKeyArtist: info.artist = try await item.load(.stringValue)
            case .commonKeyAlbumName: info.album = try await item.load(.stringValue)
            case .commonKeyArtwork: info.artwork = try await item.load(.dataValue)
            default: break
            }
        }
        let composers = AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .iTunesMetadataComposer)
        info.composer = try await composers.first?.load(.stringValue)
        info.creationDate = try await asset.load(.creationDate)?.load(.dateValue)
        if let pair = AVMetadataItem.metadataItems(
            from: all, withKey: AVMetadataKey.iTunesMetadataKeyTrackNumber, keySpace: .iTunes
        ).first?.dataValue, pair.count >= 6 {
            info.track = (Int(pair[2]) << 8 | Int(pair[3]), Int(pair[4]) << 8 | Int(pair[5]))
        }
        return info
    }

    func comments(of asset: AVAsset) async throws -> [String: String] {
        var result: [String: String] = [:]
        for format in try await asset.load(.availableMetadataFormats) where format == .id3Metadata {
            for item in try await asset.loadMetadata(for: format) where item.identifier == .id3MetadataComments {
                let info = try await item.load(.extraAttributes)?[.info] as? String
                result[info ?? ""] = try await item.load(.stringValue)
            }
        }
        return result
    }

    func chapters(of asset: AVAsset) async throws -> [(title: String, start: CMTime)] {
        var groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en", "de"])
        if groups.isEmpty, let locale = try await asset.load(.availableChapterLocales).first {
            groups = try await asset.loadChapterMetadataGroups(
                withTitleLocale: locale, containingItemsWithCommonKeys: [.commonKeyArtwork])
        }
        var result: [(title: String, start: CMTime)] = []
        for group in groups {
            let titles = AVMetadataItem.metadataItems(from: group.items, filteredByIdentifier: .commonIdentifierTitle)
            result.append((try await titles.first?.load(.stringValue) ?? "", group.timeRange.start))
        }
        return result
    }

    /// In the style of the years before `load(_:)`.
    func legacyTitle(of asset: AVAsset) -> String? {
        AVMetadataItem.metadataItems(
            from: asset.commonMetadata, withKey: AVMetadataKey.commonKeyTitle.rawValue, keySpace: .common
        ).first?.stringValue
    }
}

/// Items as an exporter gets them.
struct ItemMaker {
    func items(title: String, artwork: Data, location: String) -> [AVMetadataItem] {
        let titleItem = AVMutableMetadataItem()
        titleItem.identifier = .commonIdentifierTitle
        titleItem.value = NSString(string: title)
        titleItem.extendedLanguageTag = "und"
        let artworkItem = AVMutableMetadataItem()
        artworkItem.keySpace = .common
        artworkItem.key = NSString(string: AVMetadataKey.commonKeyArtwork.rawValue)
        artworkItem.value = NSData(data: artwork)
        artworkItem.dataType = kCMMetadataBaseDataType_JPEG as String
        let locationItem = AVMutableMetadataItem()
        locationItem.identifier = .quickTimeMetadataLocationISO6709
        locationItem.value = NSString(string: location)
        let shared = AVMetadataItem.metadataItems(from: [titleItem, locationItem], filteredBy: .forSharing())
        return shared + [artworkItem.copy() as? AVMetadataItem].compactMap { $0 }
    }
}
