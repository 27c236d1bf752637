internal import Foundation
internal import MediaCore
package import MediaMetadata
internal import MetadataFormats

/// Names for people.
package enum MediaNames {
    /// The name of a track's codec.
    package static func codec(of track: TrackDescription) -> String { track.codecType.name }

    /// A container's name by what the file itself says besides its demuxer.
    ///
    /// - Parameter kind: What the file's own metadata reader takes it for.
    package static func container(
        of asset: AssetDescription, kind: FileMetadata.Container, fileName: String
    ) -> String {
        let container = asset.containerType
        return switch kind {
        case .quickTime: "QuickTime"
        case .isoBaseMedia: "MP4"
        default: container == .matroskaOrWebM && fileName.lowercased().hasSuffix(".webm") ? "WebM" : container.name
        }
    }

    /// The order of an interlaced picture's fields in words, `nil` for progressive.
    package static func fieldOrder(of video: VideoDescription) -> String? {
        guard let order = video.fields, order.isInterlaced else { return nil }
        return order.isTopFirst ? "top field first" : "bottom field first"
    }

    /// A language in English by its code, the code itself if it is not known;
    /// `nil` for no language.
    package static func language(_ code: String?) -> String? {
        guard let code, !code.isEmpty, code.count <= 35 else { return nil }
        let isPlain = code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isPlain else { return nil }
        let tag = code.count == 3 ? LanguageCodes.tag(ofISO639: code) : code
        guard let tag, tag != "und" else { return nil }
        return Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
    }
}
