public import Foundation

/// Why a name or a value that somebody typed means nothing.
public struct MetadataNameError: Error, LocalizedError, Hashable, Sendable {
    /// The cause and what to write instead, in one line.
    public let reason: String

    package init(_ reason: String) { self.reason = reason }

    /// The cause.
    public var errorDescription: String? { reason }
}

/// A name by which people set metadata: that of a field, or an identifier.
package enum MetadataName: Hashable, Sendable {
    /// `title`, `album-artist`.
    case field(MetadataField)
    /// `itsk/%A9nam`, `mdta/com.apple.quicktime.make`, `id3/TXXX[MOOD]`.
    case key(AVMetadataKeySpace, MetadataKey, info: String?)

    /// Other names of fields.
    private static let aliases = [
        "name": "title", "year": "date", "tool": "encoder", "encodingtool": "encoder", "tempo": "bpm",
        "tracknumber": "track", "discnumber": "disc", "disk": "disc", "tvshow": "show", "tvseason": "season",
        "tvepisode": "episode", "tvnetwork": "network", "comments": "comment", "longdescription": "synopsis",
        "cover": "artwork", "band": "album-artist", "label": "publisher", "gaplessplayback": "gapless",
        "stik": "media-type", "contentrating": "advisory", "explicit": "advisory", "recordingdate": "creation-date",
    ]

    private static let fields: [String: MetadataField] = {
        var fields: [String: MetadataField] = [:]
        for row in MetadataFieldTable.rows { fields[MetadataFieldTable.canonical(row.field.rawValue)] = row.field }
        for name in ["handler", "handler-name"] { fields[MetadataFieldTable.canonical(name)] = .handler }
        fields[MetadataFieldTable.canonical("header-date")] = .headerDate
        for (alias, name) in aliases { fields[alias.uppercased()] = MetadataField(rawValue: name) }
        return fields
    }()

    /// Reads a name.
    ///
    /// The case of letters, hyphens, underscores and spaces do not count in names of fields. In identifiers four
    /// characters may begin with `%A9`, `©` or `@`, and names of ID3 frames may be followed by the description of the
    /// frame in square brackets.
    package init(_ text: String) throws(MetadataNameError) {
        if let slash = text.firstIndex(of: "/") {
            self = try Self.key(text[..<slash], String(text[text.index(after: slash)...]), text)
        } else if let field = Self.fields[MetadataFieldTable.canonical(text)] {
            self = .field(field)
        } else {
            throw MetadataNameError("there is no “\(text)”" + Self.suggestion(for: text))
        }
    }

    /// What messages call it.
    package var text: String {
        switch self {
        case .field(let field): field.rawValue
        case .key(let keySpace, let key, let info):
            AVMetadataIdentifier(key, keySpace: keySpace).rawValue + (info.map { "[\($0)]" } ?? "")
        }
    }

    // MARK: Identifiers

    private static let keySpaces: [AVMetadataKeySpace] = [
        .iTunes, .iTunesFreeForm, .quickTimeMetadata, .quickTimeUserData, .isoUserData, .id3, .vorbisComment, .matroska,
        .audioFile, .common,
    ]

    private static func key(
        _ prefix: Substring, _ key: String, _ text: String
    ) throws(MetadataNameError) -> MetadataName {
        guard let keySpace = keySpaces.first(where: { $0.prefix == prefix }) else {
            let known = keySpaces.map { $0.prefix + "/" }.joined(separator: ", ")
            throw MetadataNameError("“\(text)” names no key space: identifiers begin with one of \(known)")
        }
        var key = key
        var info: String?
        if keySpace == .id3, key.hasSuffix("]"), let bracket = key.firstIndex(of: "[") {
            info = String(key[key.index(after: bracket)...].dropLast())
            key = String(key[..<bracket])
        }
        let codes = keySpace.hasCodes ? key.replacing("©", with: "@") : key
        if keySpace.hasCodes, let code = MetadataKey(fourCharacters: codes) { return .key(keySpace, code, info: nil) }
        let encoded = AVMetadataIdentifier(rawValue: keySpace.prefix + "/" + key)
        guard let native = encoded.key else {
            let form = keySpace.hasCodes ? "four characters, like itsk/%A9nam" : "text, like vorb/TITLE"
            throw MetadataNameError("“\(text)” is no identifier: the key must be \(form)")
        }
        if keySpace == .common, MetadataFieldTable.field(of: AVMetadataKey(rawValue: native.text)) == nil {
            throw MetadataNameError("“\(text)” is no common key that files have a place for")
        }
        return .key(keySpace, native, info: info)
    }

    // MARK: Suggestions

    /// The nearest names, as the end of a message.
    private static func suggestion(for text: String) -> String {
        let wanted = MetadataFieldTable.canonical(text)
        let limit = wanted.count < 4 ? 1 : wanted.count < 9 ? 2 : 3
        let ranked = fields.compactMap { name, field -> (distance: Int, name: String)? in
            let isPart = wanted.count >= 3 && (name.contains(wanted) || wanted.contains(name) && name.count >= 4)
            let distance = isPart ? 1 : EditDistance.between(wanted, name, limit: limit)
            return distance <= limit ? (distance, field.rawValue) : nil
        }
        var names: [String] = []
        for (_, name) in ranked.sorted(by: { ($0.distance, $0.name) < ($1.distance, $1.name) })
        where !names.contains(name) { names.append(name) }
        guard !names.isEmpty else {
            return ": names are title, artist, album and so on, or identifiers like mdta/com.apple.quicktime.make"
        }
        return ": do you mean " + names.prefix(3).joined(separator: " or ") + "?"
    }
}
