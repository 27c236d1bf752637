public import Foundation
public import MediaCore

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

/// Why a name or a value that somebody typed means nothing.
public struct MetadataNameError: BridgedError, LocalizedError, Hashable {
    /// The cause and what to write instead, in one line.
    public let reason: String

    package init(_ reason: String) { self.reason = reason }

    /// The cause.
    public var errorDescription: String? { reason }
}

/// The names by which people set metadata, and what files can have of each.
package struct KnownName: Hashable, Sendable {
    /// `album-artist`.
    package let name: String
    /// What a value looks like: `text`, `3/12`.
    package let form: String
    /// The kinds of files that have a place for it.
    package let containers: [FileMetadata.Container]

    /// All names, those that most people know first.
    ///
    /// - Parameter containers: The kinds of files to tell of.
    package static func all(in containers: [FileMetadata.Container]) -> [KnownName] {
        let order = PlainMetadata.usualOrder
        let rows = MetadataFieldTable.rows.enumerated().sorted { left, right in
            let (first, second) = (order[left.element.field] ?? .max, order[right.element.field] ?? .max)
            return (first, left.offset) < (second, right.offset)
        }
        return rows.map { KnownName($0.element, in: containers) }
            + [
                KnownName(
                    name: "header-date", form: date,
                    containers: containers.filter { $0.headers.contains(.creationDate) })
            ]
    }

    /// What names of tracks are, besides those of the whole file.
    package static func ofTracks(in containers: [FileMetadata.Container]) -> [KnownName] {
        let labelled = containers.filter { $0.headers.contains(.trackLabels) }
        return [
            KnownName(name: "name", form: "text", containers: labelled),
            KnownName(name: "language", form: "de, pt-BR", containers: labelled),
            KnownName(name: "handler", form: "text", containers: containers.filter { $0.headers.contains(.handlers) }),
        ]
    }

    private static let date = "2004, 2004-05-06, 2004-05-06T07:08:09Z"

    private init(name: String, form: String, containers: [FileMetadata.Container]) {
        (self.name, self.form, self.containers) = (name, form, containers)
    }

    private init(_ row: MetadataFieldRow, in all: [FileMetadata.Container]) {
        let sample: String
        switch row.kind {
        case .text, .genre: (form, sample) = ("text", "a")
        case .integer: (form, sample) = ("number", "1")
        case .flag: (form, sample) = ("yes, no", "yes")
        case .pair: (form, sample) = ("3, 3/12", "3/12")
        case .date: (form, sample) = (Self.date, "2004")
        case .picture: (form, sample) = ("picture, by 'metadata artwork'", "")
        case .location: (form, sample) = ("48.8577,2.2950", "48.8577,2.2950")
        case .mediaType: (form, sample) = (CodedNames.mediaTypes.all.joined(separator: ", "), "movie")
        case .advisory: (form, sample) = (CodedNames.advisories.all.joined(separator: ", "), "clean")
        }
        name = row.field.rawValue
        containers = all.filter { container in
            if case .picture = row.kind {
                let placement = MetadataPlacement([], in: container)
                return container.homes(for: []).contains { placement.writer($0).hasKey(for: row.field) }
            }
            let assignment = MetadataAssignment(.field(row.field), sample)
            guard let edit = try? MetadataAssignment.apply([assignment], to: [], in: container) else { return false }
            return edit.losses.isEmpty && !edit.entries.isEmpty
        }
    }
}

/// How many letters must be changed, added or left out to make one text of another.
package enum EditDistance {
    /// - Returns: More than `limit` if the distance is that.
    static func between(_ left: String, _ right: String, limit: Int) -> Int {
        let left = Array(left.utf8.prefix(64))
        let right = Array(right.utf8.prefix(64))
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }

    /// The names that somebody may have meant, the likeliest first: those that hold the text, or that differ from it
    /// in few letters.
    package static func nearest(to text: String, among names: [String]) -> [String] {
        let wanted = text.lowercased()
        let limit = wanted.count < 4 ? 1 : wanted.count < 9 ? 2 : 3
        let ranked = names.compactMap { name -> (distance: Int, name: String)? in
            let isPart = wanted.count >= 2 && name.lowercased().contains(wanted)
            let distance = isPart ? 1 : between(wanted, name.lowercased(), limit: limit)
            return distance <= limit ? (distance, name) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
    }
}
