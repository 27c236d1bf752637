internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataDocument {
    /// ExifTool's names for MP4 of what people call otherwise; the rest are the same words without hyphens.
    private static let exifToolNames = [
        "disc": "DiskNumber", "track": "TrackNumber", "date": "ContentCreateDate", "synopsis": "LongDescription",
        "show": "TVShow", "season": "TVSeason", "episode": "TVEpisode", "episode-id": "TVEpisodeID",
        "network": "TVNetworkName", "bpm": "BeatsPerMinute", "keywords": "Keyword", "location": "GPSCoordinates",
        "gapless": "PlayGap", "sort-title": "SortName", "isrc": "ISRC",
    ]

    /// JSON as `exiftool -json` prints it, which `exiftool -json=FILE` can write to another file.
    func exifTool() throws -> String {
        var tags: [String: TagValue] = ["SourceFile": .text(source)]
        for item in items {
            let name = Self.exifToolNames[item.name] ?? Self.capitalized(item.name)
            let values = item.values.map { ["track", "disc"].contains(item.name) ? Self.pair($0) : $0 }
            let key = tags[name] == nil ? name : name + "-" + (item.languageTag ?? item.keySpace ?? "other")
            tags[key] = values.count == 1 ? .text(values[0]) : .list(values)
        }
        return "[\(try JSONLine.text(tags))]\n"
    }

    private enum TagValue: Encodable {
        case text(String)
        case list([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text):
                // Whole numbers are numbers there.
                if let number = Int64(text), String(number) == text {
                    try container.encode(number)
                } else {
                    try container.encode(text)
                }
            case .list(let texts): try container.encode(texts)
            }
        }
    }

    private static func capitalized(_ name: String) -> String {
        // Of an identifier, what stands behind the key space.
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let words = last.split { !$0.isLetter && !$0.isNumber || !$0.isASCII }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// `3/12` as ExifTool has it.
    private static func pair(_ text: String) -> String {
        let parts = text.split(separator: "/")
        return parts.count == 2 ? "\(parts[0]) of \(parts[1])" : text
    }
}
