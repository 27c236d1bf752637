internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's metadata as `metadata show --json` prints it.
struct JSONMetadata: Encodable {
    struct Track: Codable {
        let id: Int64
        var name: String?
        var language: String?
        var handler: String?
        /// `forced`, `hearing impaired`.
        var purpose: [String]?
        let metadata: [JSONMetadataItem]

        init(id: Int64, _ label: TrackLabel?, _ entries: [MetadataEntry]) {
            self.id = id
            metadata = entries.map { JSONMetadataItem($0, withData: true) }
            (name, language, handler) = (label?.name, label?.languageTag, label?.handlerName)
            purpose = label.flatMap { $0.roles.isEmpty ? nil : $0.roles.texts }
        }
    }

    struct Attachment: Encodable {
        let name: String
        let mimeType: String
        let description: String?
        let byteCount: UInt64
    }

    let source: String
    let container: String
    let metadata: [JSONMetadataItem]
    let commonMetadata: [JSONMetadataItem]
    let mediaItem: JSONMediaItem
    let tracks: [Track]
    /// The items of each further part of a chained Ogg file.
    let links: [[JSONMetadataItem]]?
    let chapterLists: [JSONChapterList]
    let attachments: [Attachment]
    let creationDate: String?
    let problems: [String]

    init(source: String, _ metadata: FileMetadata) {
        self.source = source
        container = metadata.container.name
        self.metadata = metadata.entries.map { JSONMetadataItem($0, withData: true) }
        commonMetadata = metadata.entries.filter { $0.commonKey != nil }.map { JSONMetadataItem($0, withData: false) }
        mediaItem = JSONMediaItem(MediaItem(entries: metadata.entries))
        tracks = Set(metadata.tracks.map(\.trackID) + metadata.labels.map(\.trackID)).sorted().map { id in
            Track(
                id: id, metadata.labels.first { $0.trackID == id },
                metadata.tracks.filter { $0.trackID == id }.flatMap(\.entries))
        }
        links =
            metadata.links.isEmpty
            ? nil : metadata.links.map { $0.map { JSONMetadataItem($0, withData: true) } }
        chapterLists = metadata.chapterLists.map { JSONChapterList($0) }
        attachments = metadata.attachments.map {
            Attachment(
                name: $0.name, mimeType: $0.mimeType, description: $0.description,
                byteCount: $0.range.upperBound - $0.range.lowerBound)
        }
        creationDate = metadata.creationDate.map { ISO8601Timestamp.text(of: $0) }
        problems = metadata.problems
    }
}

/// The parts of `metadata show --json` that `metadata set --from` writes back.
struct JSONMetadataEdit: Decodable {
    let metadata: [JSONMetadataItem]?
    let tracks: [JSONMetadata.Track]?
    let chapterLists: [JSONChapterList]?

    /// Reads an edit from a file, `-` for standard input.
    init(path: String) throws {
        let data = try InputDocument.read(path)
        do {
            self = try JSONDecoder().decode(JSONMetadataEdit.self, from: data)
        } catch let error as DecodingError {
            throw Failure(.invalidJSON, "\(path): \(error.place(in: data))")
        }
        guard metadata != nil || tracks != nil || chapterLists != nil else {
            throw Failure(.invalidJSON, "\(path): there is no metadata, tracks or chapterLists in it")
        }
    }

    /// Replaces what the edit names; what it does not name stays.
    ///
    /// Chapters in forms of another container become those that this one has, as in a copy.
    func apply(to tagged: inout MetadataFile, of asset: AVURLAsset) async throws {
        if let metadata { tagged.replaceEntries(try metadata.map { try $0.entry() }) }
        if let tracks {
            tagged.metadata.tracks = try tracks.map { track in
                FileMetadata.Track(trackID: track.id, entries: try track.metadata.map { try $0.entry() })
            }
        }
        guard let lists = try chapterLists?.map({ try $0.list() }) else { return }
        let forms = tagged.metadata.container.chapterForms
        guard lists.contains(where: { !forms.contains($0.form) }) else {
            tagged.metadata.chapterLists = lists
            return
        }
        let duration = try await asset.loadDescription().duration
        let preferred = ChapterMetadata(lists: lists, origin: .zero, duration: duration).preferredLists
        try await tagged.setChapters(preferred, of: asset, leavingOutOthers: true)
    }
}

extension DecodingError {
    /// Where in the document something is wrong, and what, in one line.
    func place(in document: Data) -> String {
        if let place = JSONSyntax.placeOfError(in: document) { return "is not JSON: see \(place)" }
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "is not valid JSON"
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return
            "is not what is expected\(path.isEmpty ? "" : " at " + path.drop { $0 == "." }): \(context.debugDescription)"
    }
}

/// A piece of metadata as JSON has it, in and out.
struct JSONMetadataItem: Codable {
    let identifier: String
    let keySpace: String?
    let key: String?
    let commonKey: String?
    let locale: String?
    /// The value's type without what all types begin with: `UTF-8`.
    let type: String?
    let value: JSONMetadataValue?
    /// The value for people, where that is not the value itself.
    let display: String?
    /// Bytes of a value that is data.
    let byteCount: Int?
    let extra: [String: JSONMetadataValue]?

    /// - Parameter withData: Whether data are written out, or only their size.
    init(_ entry: MetadataEntry, withData: Bool) {
        identifier = entry.identifier.rawValue
        keySpace = entry.keySpace.rawValue
        key = entry.key.text
        commonKey = entry.commonKey?.rawValue
        locale = entry.languageTag
        type = entry.dataType.map { MetadataDataType.shortName(of: $0) }
        let data: [UInt8]? = if case .data(let bytes) = entry.value { bytes } else { nil }
        value = data == nil || withData ? JSONMetadataValue(entry.value) : nil
        display = entry.displayText
        byteCount = data?.count
        extra =
            entry.extras.isEmpty
            ? nil
            : Dictionary(
                entry.extras.map { ($0.key.rawValue, JSONMetadataValue($0.value)) },
                uniquingKeysWith: { first, _ in first })
    }

    /// The item as writers take it.
    ///
    /// - Throws: If the identifier is none, or the value is missing.
    func entry() throws -> MetadataEntry {
        let name = AVMetadataIdentifier(rawValue: identifier)
        guard let keySpace = name.keySpace, let key = name.key else {
            throw Failure(.invalidJSON, "'\(identifier)' is no metadata identifier")
        }
        guard let value else {
            throw Failure(.invalidJSON, "\(identifier) has no value")
        }
        let dataType = type.map { MetadataDataType.named($0) }
        return MetadataEntry(
            keySpace, key, value.value(ofType: dataType), dataType: dataType, languageTag: locale,
            extras: Dictionary(
                (extra ?? [:]).map { (AVMetadataExtraAttributeKey(rawValue: $0.key), $0.value.value) },
                uniquingKeysWith: { first, _ in first }))
    }
}

/// A value as JSON has it: text, a number, or data as `{"base64": …}`.
struct JSONMetadataValue: Codable {
    let value: MetadataValue

    init(_ value: MetadataValue) { self.value = value }

    /// The value; a whole number is a real one where the type says so, which JSON does not tell.
    func value(ofType type: String?) -> MetadataValue {
        guard case .integer(let number) = value, [MetadataDataType.float32, MetadataDataType.float64].contains(type)
        else { return value }
        return .real(Double(number))
    }

    private enum Key: CodingKey { case base64 }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            let text = try container.decode(String.self, forKey: .base64)
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw DecodingError.dataCorruptedError(forKey: .base64, in: container, debugDescription: "not base64")
            }
            value = .data([UInt8](data))
            return
        }
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            value = .real(number)
        } else {
            value = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .data(let bytes):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .integer(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .real(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }
}

extension MetadataEntry {
    /// What a value that is data says, for people: `3/12`, `600x600 JPEG 84 kB`.
    ///
    /// `nil` for text and numbers.
    var displayText: String? {
        guard case .data(let bytes) = value else { return nil }
        if let pair = numberPair { return pair.count > 0 ? "\(pair.number)/\(pair.count)" : "\(pair.number)" }
        return DataSummary.text(of: bytes)
    }
}

/// The normalised view of metadata as JSON has it.
struct JSONMediaItem: Encodable {
    struct Artwork: Encodable {
        let mimeType: String
        let byteCount: Int
    }

    let name: String?
    let artist: String?
    let albumArtist: String?
    let album: String?
    let grouping: String?
    let composer: String?
    let comments: String?
    let genre: String?
    let year: Int?
    let bpm: Int?
    let trackNumber: Int?
    let trackCount: Int?
    let discNumber: Int?
    let discCount: Int?
    let artwork: Artwork?

    init(_ item: MediaItem) {
        name = item.name
        artist = item.artist
        albumArtist = item.albumArtist
        album = item.album
        grouping = item.grouping
        composer = item.composer
        comments = item.comments
        genre = item.genre
        year = item.year
        bpm = item.bpm
        trackNumber = item.trackNumber
        trackCount = item.trackCount
        discNumber = item.discNumber
        discCount = item.discCount
        artwork = item.artwork.map { Artwork(mimeType: $0.mimeType, byteCount: $0.data.count) }
    }
}
