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
