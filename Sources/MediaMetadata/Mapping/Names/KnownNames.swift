/// The names by which people set metadata, and what files can have of each.
package struct KnownName: Hashable, Sendable {
    /// `album-artist`.
    package let name: String
    /// What a value looks like: `text`, `3/12`.
    package let form: String
    /// The kinds of files that have a place for it.
    package let containers: [FileMetadata.Container]

    /// All names, those that most people know first.
    package static let all: [KnownName] = {
        let order = PlainMetadata.usualOrder
        let rows = MetadataFieldTable.rows.enumerated().sorted { left, right in
            let (first, second) = (order[left.element.field] ?? .max, order[right.element.field] ?? .max)
            return (first, left.offset) < (second, right.offset)
        }
        return rows.map { KnownName($0.element) }
            + [KnownName(name: "header-date", form: date, containers: [.isoBaseMedia, .quickTime, .matroska])]
    }()

    /// What names of tracks are, besides those of the whole file.
    package static let ofTracks: [KnownName] = [
        KnownName(name: "name", form: "text", containers: [.isoBaseMedia, .quickTime, .matroska]),
        KnownName(name: "language", form: "de, pt-BR", containers: [.isoBaseMedia, .quickTime, .matroska]),
        KnownName(name: "handler", form: "text", containers: [.isoBaseMedia, .quickTime]),
    ]

    private static let containers: [FileMetadata.Container] = [
        .isoBaseMedia, .quickTime, .id3, .flac, .ogg, .matroska, .riff, .aiff,
    ]
    private static let date = "2004, 2004-05-06, 2004-05-06T07:08:09Z"

    private init(name: String, form: String, containers: [FileMetadata.Container]) {
        (self.name, self.form, self.containers) = (name, form, containers)
    }

    private init(_ row: MetadataFieldRow) {
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
        containers = Self.containers.filter { container in
            if case .picture = row.kind { return ![.riff, .aiff].contains(container) }
            let assignment = MetadataAssignment(.field(row.field), sample)
            guard let edit = try? MetadataAssignment.apply([assignment], to: [], in: container) else { return false }
            return edit.losses.isEmpty && !edit.entries.isEmpty
        }
    }
}

extension FileMetadata.Container {
    /// What people call the kind of file.
    package var shortName: String {
        switch self {
        case .isoBaseMedia: "mp4"
        case .quickTime: "mov"
        case .id3: "mp3"
        case .riff: "wav"
        case .matroska: "mkv"
        case .flac, .ogg, .aiff, .other: rawValue
        }
    }
}
