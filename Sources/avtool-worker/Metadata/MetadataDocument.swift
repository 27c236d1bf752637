internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's metadata in the form of another program.
struct MetadataDocument {
    let source: String
    let metadata: FileMetadata
    /// What is said in this form, with the names that people use.
    private(set) var items: [PlainMetadata.Item]
    /// How many items are data, which no text holds.
    private let dataCount: Int

    init(source: String, _ metadata: FileMetadata) {
        (self.source, self.metadata) = (source, metadata)
        items = Self.items(metadata.entries)
        dataCount = metadata.entries.count(where: \.isPlainData)
    }

    /// The items that are text or numbers.
    static func items(_ entries: [MetadataEntry]) -> [PlainMetadata.Item] {
        PlainMetadata(entries.filter { !$0.isPlainData }).items
    }

    /// What the text leaves out, a line for each kind.
    ///
    /// - Parameter missing: The names that the form has no place for.
    func notes(missing: [String] = []) -> [String] {
        var notes: [String] = []
        if dataCount > 0 {
            notes.append(
                "\(dataCount == 1 ? "an item that is" : "\(dataCount) items that are") data, such as a cover, left out")
        }
        if !missing.isEmpty {
            notes.append("left out, as this form has no place for it: \(missing.joined(separator: ", "))")
        }
        return notes
    }
}

extension MetadataEntry {
    /// Whether its value is data that mean nothing to people: not a pair of numbers.
    fileprivate var isPlainData: Bool { if case .data = value { numberPair == nil } else { false } }
}

extension MetadataDocument {
    /// A row for each value; those of tracks have the track's number.
    ///
    /// - Parameter hasHeading: Whether the names of the columns come first.
    func csv(hasHeading: Bool) -> String {
        var rows = hasHeading ? [["source", "track", "name", "language", "value"]] : []
        let name = source.withVisiblePathBytes
        // Here data are told by what they are, as in text.
        rows += PlainMetadata(metadata.entries).items.flatMap { cells(of: $0, name, track: "") }
        for id in Set(metadata.tracks.map(\.trackID) + metadata.labels.map(\.trackID)).sorted() {
            if let label = metadata.labels.first(where: { $0.trackID == id }) {
                let facts = [("name", label.name), ("language", label.languageTag), ("handler", label.handlerName)]
                rows += facts.compactMap { fact, value in value.map { [name, String(id), fact, "", $0] } }
            }
            let entries = metadata.tracks.filter { $0.trackID == id }.flatMap(\.entries).filter { !$0.isTrackName }
            rows += PlainMetadata(entries).items.flatMap { cells(of: $0, name, track: String(id)) }
        }
        return CSVText.rows(rows)
    }

    private func cells(of item: PlainMetadata.Item, _ name: String, track: String) -> [[String]] {
        item.values.map { [name, track, item.name, item.languageTag ?? "", $0] }
    }
}

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

extension MetadataDocument {
    /// FFmpeg's names of what people call otherwise.
    ///
    /// Source: FFmpeg's documentation and libavformat/avformat.h, "Public Metadata API".
    private static let ffmpegNames = [
        "album-artist": "album_artist", "encoded-by": "encoded_by", "episode": "episode_sort",
        "season": "season_number",
        "sort-title": "sort_name", "gapless": "gapless_playback", "creation-date": "creation_time",
        "episode-id": "episode_id", "media-type": "media_type", "hd-video": "hd_video", "sort-artist": "sort_artist",
        "sort-album": "sort_album", "sort-album-artist": "sort_album_artist", "sort-composer": "sort_composer",
        "sort-show": "sort_show",
    ]

    /// A metadata file that `ffmpeg -i … -map_metadata` takes.
    ///
    /// - Parameters:
    ///   - tracks: The numbers of the file's tracks in their order: FFmpeg counts sections.
    ///   - chapters: What the chapters look like in such a file, which begins with a line that says that it is one.
    func ffmetadata(tracks: [Int64], chapters: String?) -> String {
        var text = ";FFMETADATA1\n" + Self.lines(items)
        let sections = tracks.map { lines(ofTrack: $0) }
        let last = sections.lastIndex { !$0.isEmpty } ?? -1
        for section in sections[...last] { text += "[STREAM]\n" + section }
        return text + (chapters.map { String($0.drop { $0 != "\n" }.dropFirst()) } ?? "")
    }

    private func lines(ofTrack id: Int64) -> String {
        let label = metadata.labels.first { $0.trackID == id }
        let facts = [
            ("language", label?.languageTag.map { LanguageCodes.iso639(of: $0) }), ("title", label?.name),
            ("handler_name", label?.handlerName),
        ]
        let entries = metadata.tracks.filter { $0.trackID == id }.flatMap(\.entries).filter { !$0.isTrackName }
        return facts.map { name, value in value.map { Self.line(name, $0) } ?? "" }.joined()
            + Self.lines(Self.items(entries))
    }

    private static func lines(_ items: [PlainMetadata.Item]) -> String {
        var known: Set<String> = []
        return items.map { item in
            let name = ffmpegNames[item.name] ?? item.name
            // FFmpeg has one value for each name, with the language behind it where there are several.
            let key = known.insert(name).inserted ? name : name + "-" + (item.languageTag ?? item.keySpace ?? "other")
            return line(key, item.values.joined(separator: ";"))
        }.joined()
    }

    private static func line(_ key: String, _ value: String) -> String {
        "\(FFMetadataText.escaped(key))=\(FFMetadataText.escaped(value))\n"
    }
}

extension MetadataDocument {
    /// How XMP holds a value.
    private enum Form {
        case simple
        /// One for each language.
        case languages
        case ordered
        case unordered
    }

    private struct Term {
        let property: String
        let form: Form
    }

    /// Source: XMP specification, part 1 (Dublin Core, XMP basic) and part 2 (dynamic media, EXIF, TIFF).
    private static let terms: [String: Term] = [
        "title": Term(property: "dc:title", form: .languages),
        "description": Term(property: "dc:description", form: .languages),
        "copyright": Term(property: "dc:rights", form: .languages),
        "author": Term(property: "dc:creator", form: .ordered),
        "publisher": Term(property: "dc:publisher", form: .unordered),
        "keywords": Term(property: "dc:subject", form: .unordered),
        "language": Term(property: "dc:language", form: .unordered),
        "source": Term(property: "dc:source", form: .simple),
        "artist": Term(property: "xmpDM:artist", form: .simple),
        "album": Term(property: "xmpDM:album", form: .simple),
        "composer": Term(property: "xmpDM:composer", form: .simple),
        "director": Term(property: "xmpDM:director", form: .simple),
        "engineer": Term(property: "xmpDM:engineer", form: .simple),
        "genre": Term(property: "xmpDM:genre", form: .simple),
        "comment": Term(property: "xmpDM:logComment", form: .simple),
        "lyrics": Term(property: "xmpDM:lyrics", form: .simple),
        "bpm": Term(property: "xmpDM:tempo", form: .simple),
        "key": Term(property: "xmpDM:key", form: .simple),
        "date": Term(property: "xmpDM:releaseDate", form: .simple),
        "disc": Term(property: "xmpDM:discNumber", form: .simple),
        "track": Term(property: "xmpDM:trackNumber", form: .simple),
        "creation-date": Term(property: "xmp:CreateDate", form: .simple),
        "software": Term(property: "xmp:CreatorTool", form: .simple),
        "make": Term(property: "tiff:Make", form: .simple),
        "model": Term(property: "tiff:Model", form: .simple),
    ]

    private static let namespaces = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("xmpDM", "http://ns.adobe.com/xmp/1.0/DynamicMedia/"), ("tiff", "http://ns.adobe.com/tiff/1.0/"),
        ("exif", "http://ns.adobe.com/exif/1.0/"),
    ]

    /// An XMP packet, as a file of its own has it.
    ///
    /// - Returns: The packet, and the names that XMP has no term for.
    func xmp() -> (text: String, missing: [String]) {
        var missing: [String] = []
        var lines: [String] = []
        for item in Self.merged(items) {
            if item.name == "location", let point = item.values.first?.text.flatMap({ GeographicPoint($0) }) {
                lines += Self.coordinates(point)
            } else if let term = Self.terms[item.name] {
                lines += Self.element(term, item.values.map { ($0.language, Self.value($0.text ?? "", of: item.name)) })
                // Only a number has a place there.
                if item.name == "track", item.values.contains(where: { $0.text?.contains("/") == true }) {
                    missing.append("the number of tracks")
                }
            } else {
                missing.append(item.name)
            }
        }
        let spaces = Self.namespaces.map { "    xmlns:\($0)=\"\($1)\"" }.joined(separator: "\n")
        let text = """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
            \(spaces)>
            \(lines.map { "   \($0)\n" }.joined())  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return (text, missing)
    }

    private typealias Named = (name: String, values: [(language: String?, text: String?)])

    /// The values of each name, in all languages; where places differ, those of the first.
    private static func merged(_ items: [PlainMetadata.Item]) -> [Named] {
        var merged: [Named] = []
        for item in items {
            let values = item.values.map { (language: item.languageTag, text: Optional($0)) }
            guard let index = merged.firstIndex(where: { $0.name == item.name }) else {
                merged.append((item.name, values))
                continue
            }
            if item.keySpace == nil { merged[index].values += values }
        }
        return merged
    }

    private static func value(_ text: String, of name: String) -> String {
        name == "track" ? String(text.prefix { $0 != "/" }) : text
    }

    private static func element(_ term: Term, _ values: [(language: String?, text: String)]) -> [String] {
        let name = term.property
        switch term.form {
        case .simple: return ["<\(name)>\(values.map(\.text).joined(separator: "; ").inXML)</\(name)>"]
        case .languages:
            var rows: [String] = []
            for (index, value) in values.enumerated() {
                // The first is there for whoever wants no language.
                if index == 0 { rows.append("<rdf:li xml:lang=\"x-default\">\(value.text.inXML)</rdf:li>") }
                guard let language = value.language else { continue }
                rows.append("<rdf:li xml:lang=\"\(language.inXML)\">\(value.text.inXML)</rdf:li>")
            }
            return list(name, "Alt", rows)
        case .ordered: return list(name, "Seq", values.map { "<rdf:li>\($0.text.inXML)</rdf:li>" })
        case .unordered: return list(name, "Bag", values.map { "<rdf:li>\($0.text.inXML)</rdf:li>" })
        }
    }

    private static func list(_ name: String, _ kind: String, _ rows: [String]) -> [String] {
        ["<\(name)><rdf:\(kind)>" + rows.joined() + "</rdf:\(kind)></\(name)>"]
    }

    /// Degrees and minutes, as EXIF has them in XMP.
    private static func coordinates(_ point: GeographicPoint) -> [String] {
        func text(_ value: Int32, _ signs: (String, String)) -> String {
            let minutes = Double(value.magnitude) / 65536 * 60
            let whole = (minutes / 60).rounded(.down)
            return "\(Int(whole)),\(String(format: "%.6f", minutes - whole * 60))\(value < 0 ? signs.1 : signs.0)"
        }
        return [
            "<exif:GPSLatitude>\(text(point.latitude, ("N", "S")))</exif:GPSLatitude>",
            "<exif:GPSLongitude>\(text(point.longitude, ("E", "W")))</exif:GPSLongitude>",
        ]
    }
}

extension String {
    /// The text as XML has it between tags and in quotation marks, without what XML cannot have.
    fileprivate var inXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result += scalar.markupEntity ?? String(scalar)
            }
        }
        return result
    }
}

/// Tables by RFC 4180.
enum CSVText {
    static func rows(_ rows: [[String]]) -> String {
        rows.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func field(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
