public import Foundation
public import MediaCore
public import MediaIO

/// All metadata of one file.
package struct FileMetadata: Hashable, Sendable {
    /// A track's own metadata.
    package struct Track: Hashable, Sendable {
        /// The container's number for the track.
        package var trackID: Int64
        package var entries: [MetadataEntry]

        package init(trackID: Int64, entries: [MetadataEntry]) { (self.trackID, self.entries) = (trackID, entries) }
    }

    /// A file within the file, of Matroska.
    package struct Attachment: Hashable, Sendable {
        package var name: String
        package var mimeType: String
        package var description: String?
        package var uid: UInt64
        /// The attachment's bytes, where they lie in the file.
        package var range: Range<UInt64>

        /// Whether it is a picture that players do not take for the cover.
        package var isOtherPicture: Bool { mimeType.lowercased().hasPrefix("image/") && !isCover }

        /// Whether it is a picture that players take for the cover, so that an entry holds it too.
        package var isCover: Bool { mimeType.lowercased().hasPrefix("image/") && Self.isCoverName(name) }

        /// Whether a file name is one of those for cover art: `cover.jpg`, `small_cover_land.png`.
        package static func isCoverName(_ name: String) -> Bool {
            let name = name.lowercased()
            return name.hasPrefix("cover") || name.hasPrefix("small_cover")
        }

        package init(name: String, mimeType: String, description: String?, uid: UInt64, range: Range<UInt64>) {
            self.name = name
            self.mimeType = mimeType
            self.description = description
            self.uid = uid
            self.range = range
        }
    }

    /// A file to be put into the file.
    package struct NewAttachment: Hashable, Sendable {
        package var name: String
        package var mimeType: String
        package var description: String?
        package var bytes: [UInt8]
        /// A larger attachment is not taken along, as it would be held in memory.
        private static let maximumSize = 64 << 20

        /// What another file holds; `nil` if that cannot be read or is too large.
        package init?(_ old: Attachment, of file: RandomAccessFile) {
            guard let bytes = file.read(old.range, limit: Self.maximumSize) else { return nil }
            (name, mimeType, description, self.bytes) = (old.name, old.mimeType, old.description, bytes)
        }

        /// The entry that it would be if it were the cover, for those who choose among entries.
        package var coverEntry: MetadataEntry {
            MetadataEntry(
                .matroska, .text(MatroskaElementName.coverKey), .data(bytes),
                dataType: MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw)
        }
    }

    /// Fails if there are more chapters than a file may have.
    package func checkChapters(_ limits: MediaLimits) throws(MetadataError) {
        func count(_ chapters: [Chapter]) -> Int { chapters.reduce(chapters.count) { $0 + count($1.children) } }
        guard chapterLists.reduce(0, { $0 + count($1.chapters) }) <= limits.chapters else {
            throw MetadataError(
                .limit, "the file has more chapters than the limit of \(limits.chapters)", limit: .chapters)
        }
    }

    package var container: Container
    /// The asset's entries in file order.
    package var entries: [MetadataEntry]
    /// Tracks with entries of their own, in file order.
    package var tracks: [Track]
    /// What the headers of tracks say, of all tracks that have such headers; what `tracks` holds is not among it.
    package var labels: [TrackLabel] = []
    /// The entries of each part after the first, of a file that is several ones in a row: chained Ogg.
    package var links: [[MetadataEntry]] = []
    package var chapterLists: [ChapterList]
    package var attachments: [Attachment]
    /// What is to be added to `attachments` when the file is written.
    package var newAttachments: [NewAttachment] = []
    /// When the file was made, by its header.
    package var creationDate: Date?
    /// What could not be read, one line each.
    package var problems: [String]

    package init(
        container: Container, entries: [MetadataEntry] = [], tracks: [Track] = [], chapterLists: [ChapterList] = [],
        attachments: [Attachment] = [], creationDate: Date? = nil, problems: [String] = []
    ) {
        self.container = container
        self.entries = entries
        self.tracks = tracks
        self.chapterLists = chapterLists
        self.attachments = attachments
        self.creationDate = creationDate
        self.problems = problems
    }
}

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
        let keySpaces: [AVMetadataKeySpace]
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

extension FileMetadata {
    /// Fails if the file has no such track, or its format holds nothing about single tracks.
    package func checkTrack(_ track: Int64) throws(MetadataError) {
        let numbers = Set(labels.map(\.trackID) + tracks.map(\.trackID)).sorted()
        if numbers.contains(track) { return }
        guard !numbers.isEmpty else {
            throw MetadataError(.unsupported, "this kind of file holds no metadata of single tracks")
        }
        throw MetadataError(
            .unsupported, "there is no track \(track): there are " + numbers.map(String.init).joined(separator: ", "))
    }
}

extension TrackLabel {
    /// What a name stands for in a track's headers; `nil` if it is another thing, or not said.
    package func values(of name: MetadataName) -> String? {
        switch name {
        case .field(.title), .field(.trackName): self.name
        case .field(.language): languageTag
        case .field(.handler): handlerName
        default: nil
        }
    }
}

/// What a track's headers say of it for those who choose among tracks: name, language, purpose.
package struct TrackLabel: Hashable, Sendable {
    /// What a track is for, beyond its kind.
    package struct Roles: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Subtitles for what is in another language than the sound, shown even to those who want none.
        package static let forced = Roles(rawValue: 1)
        /// For people who hear badly.
        package static let hearingImpaired = Roles(rawValue: 2)
        /// For people who see badly: sound that describes the pictures.
        package static let visualImpaired = Roles(rawValue: 4)
        package static let commentary = Roles(rawValue: 8)
        /// In the language that it was made in.
        package static let original = Roles(rawValue: 16)
        package static let dub = Roles(rawValue: 32)

        package static let all = Roles(names.map(\.role))

        /// Each role with its name for people.
        package static let names: [(role: Roles, name: String)] = [
            (.forced, "forced"), (.hearingImpaired, "hearing impaired"), (.visualImpaired, "visual impaired"),
            (.commentary, "commentary"), (.original, "original"), (.dub, "dub"),
        ]

        /// The names of those that it has.
        package var texts: [String] { Self.names.filter { contains($0.role) }.map(\.name) }
    }

    /// The number that `info` shows.
    package var trackID: Int64
    /// BCP 47; `nil` for none.
    package var languageTag: String?
    /// What players call the track.
    package var name: String?
    /// What MP4 and QuickTime files call the program part that plays it; few players show it.
    package var handlerName: String?
    package var roles: Roles
    /// Whether the track was made for this file by somebody else, so that all of it is written in the file's own way.
    package var isForeign = false
    /// Whether players show the track only to those who choose it, where the file would have it shown to everybody.
    package var isOptional = false

    package init(
        trackID: Int64, languageTag: String? = nil, name: String? = nil, handlerName: String? = nil, roles: Roles = []
    ) {
        self.trackID = trackID
        self.languageTag = languageTag
        self.name = name
        self.handlerName = handlerName
        self.roles = roles
    }
}

/// Why metadata could not be read or written; beyond AVFoundation.
public struct MetadataError: BridgedError, LocalizedError, Hashable {
    /// The kind of failure.
    public enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file is of a format, or has a feature, that cannot be written to.
        case unsupported
        /// There is more than is allowed to be read.
        case limit
    }

    /// The kind of failure.
    public let kind: Kind
    /// The cause, in one line.
    public let reason: String
    /// Which limit was hit; `nil` if none was, or one that cannot be set.
    public let limit: MediaLimits.Name?

    /// Makes an error.
    public init(_ kind: Kind, _ reason: String, limit: MediaLimits.Name? = nil) {
        (self.kind, self.reason, self.limit) = (kind, reason, limit)
    }

    /// The cause.
    public var errorDescription: String? { reason }
}

/// Something that a format cannot hold; beyond AVFoundation.
public struct MetadataLoss: Hashable, Sendable {
    /// What kind of thing is lost.
    public enum Kind: Hashable, Sendable {
        /// An item of metadata, or a file within the file.
        case item
        /// Chapters, or a part of what they say.
        case chapters
    }

    /// What kind of thing is lost.
    public var kind: Kind
    /// What is lost, in words: an identifier, or `chapters`.
    public var item: String
    /// Why, in one line.
    public var reason: String
    /// Whether it is there in another form: rounded, flattened.
    public var isChange: Bool
    /// Whether nothing of it is left out, so that what was asked for by name is done.
    package var leavesNothingOut = false

    /// Makes the loss of an item.
    public init(item: String, reason: String, isChange: Bool = false) {
        self.init(kind: .item, item: item, reason: reason, isChange: isChange)
    }

    /// A loss of chapters.
    ///
    /// - Parameter name: Which ones.
    public static func chapters(
        _ name: String = "chapters", reason: String, isChange: Bool = false
    ) -> MetadataLoss {
        MetadataLoss(kind: .chapters, item: name, reason: reason, isChange: isChange)
    }

    private init(kind: Kind, item: String, reason: String, isChange: Bool) {
        (self.kind, self.item, self.reason, self.isChange) = (kind, item, reason, isChange)
    }
}
