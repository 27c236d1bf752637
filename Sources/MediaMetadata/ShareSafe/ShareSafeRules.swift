/// What stays in a file that is to be shared; all else goes.
///
/// The lists are those of `docs/share-safe.md`, which is made of them.
package enum ShareSafeRules {
    // MARK: Items of metadata

    /// The meanings of items that say something of a work rather than of a recording.
    static let keptFields: Set<String> = Set(worksAndPeople + numbersAndDates + wordsAndIdentifiers)

    static let worksAndPeople = [
        "title", "subtitle", "album", "disc-subtitle", "grouping", "work", "movement", "original-album", "sort-title",
        "sort-artist", "sort-album", "sort-album-artist", "sort-composer", "sort-show", "show", "episode-id", "network",
        "artist", "album-artist", "composer", "author", "lyricist", "writer", "conductor", "performer", "soloist",
        "narrator", "arranger", "producer", "executive-producer", "engineer", "mixer", "dj-mixer", "remixer",
        "director",
        "art-director", "original-artist", "original-lyricist", "publisher",
    ]

    static let numbersAndDates = [
        "track", "disc", "movement-number", "season", "episode", "bpm", "date", "release-date", "original-date",
        "compilation", "gapless", "podcast", "show-movement", "hd-video", "media-type", "advisory",
    ]

    static let wordsAndIdentifiers = [
        "artwork", "genre", "podcast-description", "synopsis", "lyrics", "category", "copyright", "phonogram-rights",
        "terms-of-use", "produced-notice", "credits", "acknowledgement", "thanks", "liner-notes", "disclaimer", "mood",
        "key", "language", "media", "accessibility-description", "equalizer", "isrc", "barcode", "catalog-number",
        "asin", "podcast-id", "store-artist", "store-song", "store-album", "store-genre", "store-country",
        "store-composer", "store-xid", "musicbrainz-artist", "musicbrainz-album", "musicbrainz-album-artist",
        "musicbrainz-release-group", "musicbrainz-release-track", "musicbrainz-recording", "musicbrainz-work",
        "musicbrainz-disc", "release-type", "release-status", "release-country", "podcast-url", "license",
    ]

    /// Of the dates of works the year stays.
    static let datesOfWorks: Set<String> = ["date", "release-date", "original-date"]

    /// Names that somebody made up and that players need.
    static let keptNames = ["REPLAYGAIN_", "R128_", "PERFORMER:", "ITUNSMPB", "ITUNNORM"]

    static func isKeptName(_ name: String) -> Bool {
        let name = name.uppercased()
        return keptNames.contains { $0.hasSuffix("_") || $0.hasSuffix(":") ? name.hasPrefix($0) : name == $0 }
    }

    /// Boxes of user data that playback or rights need, beside those of works.
    static let keptUserData: Set<String> = [
        "chpl", "tagc", "kind", "ludt", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "clsf", "rtng", "albm", "yrrc", "cprt",
    ]

    /// Codes of store metadata that players need.
    static let keptStoreCodes: Set<String> = ["pgap", "cpil", "stik", "rtng", "hdvd", "tmpo"]

    /// Keys of QuickTime metadata that players need; those that end in a point stand for all that begin so.
    static let keptQuickTimeKeys = [
        "com.apple.quicktime.player.", "com.apple.quicktime.full-frame-rate-playback-intent",
        "com.android.capture.fps",
    ]

    /// Frames of ID3 that players need, beside those of works.
    static let keptFrames: Set<String> = [
        "TLEN", "TDLY", "TFLT", "RVA2", "RVAD", "RVRB", "EQU2", "EQUA", "ETCO", "SYTC", "MLLT", "RBUF", "SYLT",
    ]

    /// What items have beside key and value and nobody needs.
    static let removedExtras: [AVMetadataExtraAttributeKey] = [
        .otherBoxes, .notes, .fileDescription, .baseURI, .valueURI,
    ]

    /// Whether an item of user data stays, as far as its key tells.
    package static func keepsUserData(_ key: MetadataKey) -> Bool {
        if keptUserData.contains(key.text) { return true }
        guard
            let meaning = EntryMeaning(
                MetadataEntry(.quickTimeUserData, key, .text("")), MatroskaLevels([MetadataEntry]()))?.meaning,
            case .field(let field) = meaning
        else { return false }
        return keptFields.contains(field.rawValue)
    }
}

/// Something that a file says of people, places, devices or moments, and that is left out of what is shared.
///
/// Beyond AVFoundation.
public struct PrivateDetail: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable {
        /// An item of metadata.
        case metadata
        /// A whole track that cannot be looked through, or that says where it was made.
        case track
        /// A file within the file.
        case attachment
        /// What a picture file holds beside its picture.
        case artwork
        /// A box, an element or a chunk that is not known to be harmless.
        case structure
        /// A message among coded pictures.
        case message
        /// A name of a track, a device or a program.
        case name
        /// A date of a header.
        case date
        /// What tells one recording from all others.
        case identifier
        /// Bytes that no reader looks at.
        case space
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// Where it lies in the file, in the words of its format.
    public var place: String
    /// What it is, for people.
    public var reason: String
    /// How many there are, from 1 on.
    public var count: Int

    /// Makes a detail.
    public init(_ kind: Kind, _ place: String, _ reason: String, count: Int = 1) {
        (self.kind, self.place, self.reason, self.count) = (kind, place, reason, count)
    }
}

extension [PrivateDetail] {
    /// Adds a detail, or counts it if it is there already.
    package mutating func note(_ detail: PrivateDetail) {
        let same = lastIndex {
            $0.kind == detail.kind && $0.place == detail.place && $0.reason == detail.reason
        }
        if let same { self[same].count += detail.count } else { append(detail) }
    }

    /// Adds details, or counts those that are there already.
    package mutating func note(contentsOf details: some Sequence<PrivateDetail>) {
        func alike(_ detail: PrivateDetail) -> PrivateDetail {
            PrivateDetail(detail.kind, detail.place, detail.reason)
        }
        var places = Dictionary(indices.map { (alike(self[$0]), $0) }) { $1 }
        for detail in details {
            if let place = places[alike(detail)] {
                self[place].count += detail.count
            } else {
                places[alike(detail)] = count
                append(detail)
            }
        }
    }
}

/// Finds in text what tells a place or a person: positions and e-mail addresses.
package enum PrivateText {
    /// Longer texts are looked at up to here.
    private static let maximumLength = 1 << 16

    /// Whether a text holds a position or an e-mail address.
    package static func tellsPlaceOrPerson(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(maximumLength))
        return hasPosition(bytes) || hasAddress(bytes)
    }

    /// Whether coded text, of whatever form, holds a position or an e-mail address.
    package static func tellsPlaceOrPerson(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = Array(bytes.prefix(maximumLength))
        return hasPosition(bytes) || hasAddress(bytes)
    }

    // MARK: Positions

    /// Words that cameras and drones put before a position.
    private static let words = [
        "gps", "latitude", "longitude", "geotag", "$gpgga", "$gprmc", "$gngga", "$gnrmc", "$gpgll", "iso6709", "lat:",
        "lon:", "lng:", "lat=", "lon=", "long:", "lat ", "lon ",
    ].map { Array($0.utf8) }

    private static func hasPosition(_ bytes: [UInt8]) -> Bool {
        let lower = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        if words.contains(where: { hasWord($0, in: lower) }) { return true }
        return hasNumbers(bytes)
    }

    /// Whether a word stands in a text, not within another one, with a digit not far behind it.
    private static func hasWord(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count > word.count, let first = word.first else { return false }
        for start in 0..<(bytes.count - word.count) where bytes[start] == first {
            guard bytes[start..<(start + word.count)].elementsEqual(word) else { continue }
            if start > 0, isLetter(bytes[start - 1]) { continue }
            if bytes[(start + word.count)...].prefix(24).contains(where: isDigit) { return true }
        }
        return false
    }

    /// Two numbers with three places or more, one behind the other, that can be degrees; ISO 6709's among them.
    private static func hasNumbers(_ bytes: [UInt8]) -> Bool {
        var last: (end: Int, isSigned: Bool, places: Int)?
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]), index == 0 || !isDigit(bytes[index - 1]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            let whole = index - start
            var places = 0
            if index < bytes.count, bytes[index] == 0x2E {
                let point = index
                index += 1
                while index < bytes.count, isDigit(bytes[index]) { index += 1 }
                places = index - point - 1
            }
            guard places >= 2, whole <= 7 else {
                last = nil
                continue
            }
            let isSigned = start > 0 && (bytes[start - 1] == 0x2B || bytes[start - 1] == 0x2D)
            if let last {
                let between = bytes[last.end..<(start - (isSigned ? 1 : 0))]
                // ISO 6709 has sign after sign with nothing between.
                if last.isSigned, isSigned, between.isEmpty { return true }
                if last.places >= 4, places >= 4, between.count <= 12, !between.contains(0x0A) { return true }
            }
            last = (index, isSigned, places)
        }
        return false
    }

    // MARK: Addresses

    private static func hasAddress(_ bytes: [UInt8]) -> Bool {
        for index in bytes.indices where bytes[index] == 0x40 {
            guard index > 0, isName(bytes[index - 1]) else { continue }
            let host = bytes[(index + 1)...].prefix { isName($0) }
            if let point = host.lastIndex(of: 0x2E), point > index + 1, host.endIndex - point > 2 { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
    private static func isName(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte >= 0x80 || byte == 0x2E || byte == 0x2D || byte == 0x5F || byte == 0x2B
    }
}
