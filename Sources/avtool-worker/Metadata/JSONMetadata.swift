internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's metadata as `metadata show --json` prints it.
struct JSONMetadata: Codable {
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

    struct Attachment: Codable {
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
    func apply(to tagged: inout MetadataFile) throws {
        if let metadata { tagged.replaceEntries(try metadata.map { try $0.entry() }) }
        if let tracks {
            tagged.metadata.tracks = try tracks.map { track in
                FileMetadata.Track(trackID: track.id, entries: try track.metadata.map { try $0.entry() })
            }
        }
        if let chapterLists { tagged.metadata.chapterLists = try chapterLists.map { try $0.list() } }
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
