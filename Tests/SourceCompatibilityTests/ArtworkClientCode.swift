// How a tagging application replaces a cover and shows codes of genres and numbers; only the import differs.
import Foundation
import OpenAVFoundation

struct CoverChanger {
    enum Failure: Error {
        case noSession
        case notExported((any Error)?)
    }

    /// Puts another picture into the items of a song and saves it as a new file.
    func replaceCover(of source: URL, with picture: Data, to destination: URL) async throws {
        let asset = AVURLAsset(url: source)
        let items = try await asset.load(.metadata)
        var changed: [AVMetadataItem] = []
        var found = false
        for item in items {
            guard item.identifier == .iTunesMetadataCoverArt, let copy = item.mutableCopy() as? AVMutableMetadataItem
            else {
                changed.append(item)
                continue
            }
            copy.value = picture as NSData
            changed.append(copy)
            found = true
        }
        if !found {
            let cover = AVMutableMetadataItem()
            cover.identifier = .iTunesMetadataCoverArt
            cover.dataType = kCMMetadataBaseDataType_JPEG as String
            cover.value = picture as NSData
            changed.append(cover)
        }
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            throw Failure.noSession
        }
        session.outputURL = destination
        session.outputFileType = .m4a
        session.metadata = changed
        await session.export()
        guard session.status == .completed else { throw Failure.notExported(session.error) }
    }

    /// The keys of all items as people read them.
    func keys(of items: [AVMetadataItem]) -> [String] {
        items.compactMap { item in
            switch item.key {
            case let number as NSNumber:
                let code = UInt32(truncatingIfNeeded: number.intValue)
                let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
                return String(bytes.map { $0 == 0xA9 ? "@" : Character(UnicodeScalar($0)) })
            case let text as NSString: return text as String
            default: return nil
            }
        }
    }
}
