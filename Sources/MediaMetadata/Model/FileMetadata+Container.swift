extension FileMetadata {
    /// A kind of file, by what it can hold: facts that its format states.
    ///
    /// Kinds are told apart by their names alone.
    package struct Container: Sendable {
        /// What headers say beside entries.
        package struct Headers: OptionSet, Sendable {
            package let rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Names and languages of tracks.
            package static let trackLabels = Headers(rawValue: 1)
            /// What the program part is called that plays a track.
            package static let handlers = Headers(rawValue: 2)
            /// When the file was made.
            package static let creationDate = Headers(rawValue: 4)
        }

        /// What a file is made of, which decides how one is looked through for what is not to be shared.
        package enum Structure: Hashable, Sendable {
            /// Boxes within boxes.
            case boxes
            /// Elements of EBML.
            case elements
            /// Chunks, blocks or pages, with tags around them.
            case blocks
            case unknown
        }

        /// The name in JSON: `isoBaseMedia`.
        package let name: String
        /// What people call it: `mp4`.
        package let shortName: String
        /// The uniform type identifiers of its files.
        package let typeIdentifiers: Set<String>
        /// The key spaces that files hold.
        package let keySpaces: [AVMetadataKeySpace]
        /// The key spaces for new entries, the usual one first.
        private let homes: [AVMetadataKeySpace]
        /// The first of these that a file has comes before the usual ones.
        private let homesIfPresent: [AVMetadataKeySpace]
        /// Key spaces in which players look for a field before all others.
        let homesOfFields: [MetadataField: AVMetadataKeySpace]
        /// The only fields that audio file properties can hold, by their long names; `nil` if they can hold any.
        let propertyFields: Set<MetadataField>?
        /// The forms of chapters that files get, the main one first; none for files without chapters.
        package let chapterForms: [ChapterList.Form]
        package let headers: Headers
        /// What there are words for among what a track can be for.
        package let roles: TrackLabel.Roles
        package let structure: Structure

        /// A kind of file.
        ///
        /// - Parameter homes: All key spaces if nothing is said.
        package init(
            _ name: String, shortName: String? = nil, typeIdentifiers: Set<String> = [],
            keySpaces: [AVMetadataKeySpace], homes: [AVMetadataKeySpace]? = nil,
            homesIfPresent: [AVMetadataKeySpace] = [], homesOfFields: [MetadataField: AVMetadataKeySpace] = [:],
            propertyFields: Set<MetadataField>? = nil, chapterForms: [ChapterList.Form], headers: Headers = [],
            roles: TrackLabel.Roles = [], structure: Structure
        ) {
            self.name = name
            self.shortName = shortName ?? name
            self.typeIdentifiers = typeIdentifiers
            self.keySpaces = keySpaces
            self.homes = homes ?? keySpaces
            self.homesIfPresent = homesIfPresent
            self.homesOfFields = homesOfFields
            self.propertyFields = propertyFields
            self.chapterForms = chapterForms
            self.headers = headers
            self.roles = roles
            self.structure = structure
        }

        /// Anything else: what FFmpeg tells is all that is known.
        package static let other = Container("other", keySpaces: [], chapterForms: [], structure: .unknown)

        /// The key spaces for new entries, the best one first.
        ///
        /// - Parameter entries: Those of the file.
        func homes(for entries: [MetadataEntry]) -> [AVMetadataKeySpace] {
            let present = Set(entries.map(\.keySpace.folded))
            guard let first = homesIfPresent.first(where: present.contains) else { return homes }
            return [first] + homes.filter { $0 != first }
        }
    }
}

extension FileMetadata.Container: Hashable, CustomStringConvertible {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    package var description: String { name }
}
