// Writes tags into copies of films and songs; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

class MovieTagger {
    struct Tags {
        var title: String?
        var artist: String?
        var summary: String?
        var location: (latitude: Double, longitude: Double)?
        var creationDate: Date?
        var artworkURL: URL?
    }

    private let dateFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZ"
        return formatter
    }()

    func metadata(for tags: Tags) -> [AVMetadataItem] {
        var items: [AVMetadataItem] = []
        let texts: [(AVMetadataKey, String?)] = [
            (.commonKeyTitle, tags.title), (.commonKeyArtist, tags.artist), (.commonKeyDescription, tags.summary),
            (.commonKeyCreationDate, tags.creationDate.map(dateFormatter.string(from:))),
        ]
        for case (let key, let text?) in texts {
            let item = AVMutableMetadataItem()
            item.keySpace = AVMetadataKeySpace.common
            item.key = key as NSCopying & NSObjectProtocol
            item.value = text as NSCopying & NSObjectProtocol
            items.append(item)
        }
        if let location = tags.location {
            let item = AVMutableMetadataItem()
            item.identifier = AVMetadataIdentifier.quickTimeMetadataLocationISO6709
            item.dataType = kCMMetadataBaseDataType_UTF8 as String
            item.value = String(format: "%+08.4f%+09.4f/", location.latitude, location.longitude) as NSString
            items.append(item)
        }
        if let url = tags.artworkURL, let data = try? Data(contentsOf: url) {
            let item = AVMutableMetadataItem()
            item.identifier = .commonIdentifierArtwork
            item.dataType =
                url.pathExtension == "png"
                ? kCMMetadataBaseDataType_PNG as String : kCMMetadataBaseDataType_JPEG as String
            item.value = data as NSData
            items.append(item)
        }
        return items
    }

    func tag(_ url: URL, with tags: Tags, to output: URL, as type: AVFileType, completion: @escaping (Error?) -> Void) {
        let asset = AVURLAsset(url: url)
        let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough)
        session?.outputURL = output
        session?.outputFileType = type
        let new = metadata(for: tags)
        let replaced = Set(new.compactMap { $0.commonKey })
        session?.metadata =
            asset.metadata.filter { item in
                guard let key = item.commonKey else { return true }
                return !replaced.contains(key)
            } + new
        guard let export = session else { return completion(CocoaError(.featureUnsupported)) }
        export.exportAsynchronously {
            completion(export.status == .completed ? nil : export.error)
        }
    }
}
