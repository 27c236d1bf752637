/// What stays in a file that is to be shared; all else goes.
///
/// The lists are those of `docs/share-safe.md`, which is made of them.
package enum ShareSafeRules {
    // MARK: Items of metadata

    /// The meanings of items that say something of a work rather than of a recording.
    package static let keptFields: Set<String> = Set(worksAndPeople + numbersAndDates + wordsAndIdentifiers)

    package static let worksAndPeople = [
        "title", "subtitle", "album", "disc-subtitle", "grouping", "work", "movement", "original-album", "sort-title",
        "sort-artist", "sort-album", "sort-album-artist", "sort-composer", "sort-show", "show", "episode-id", "network",
        "artist", "album-artist", "composer", "author", "lyricist", "writer", "conductor", "performer", "soloist",
        "narrator", "arranger", "producer", "executive-producer", "engineer", "mixer", "dj-mixer", "remixer",
        "director",
        "art-director", "original-artist", "original-lyricist", "publisher",
    ]

    package static let numbersAndDates = [
        "track", "disc", "movement-number", "season", "episode", "bpm", "date", "release-date", "original-date",
        "compilation", "gapless", "podcast", "show-movement", "hd-video", "media-type", "advisory",
    ]

    package static let wordsAndIdentifiers = [
        "artwork", "genre", "podcast-description", "synopsis", "lyrics", "category", "copyright", "phonogram-rights",
        "terms-of-use", "produced-notice", "credits", "acknowledgement", "thanks", "liner-notes", "disclaimer", "mood",
        "key", "language", "media", "accessibility-description", "equalizer", "isrc", "barcode", "catalog-number",
        "asin", "podcast-id", "store-artist", "store-song", "store-album", "store-genre", "store-country",
        "store-composer", "store-xid", "musicbrainz-artist", "musicbrainz-album", "musicbrainz-album-artist",
        "musicbrainz-release-group", "musicbrainz-release-track", "musicbrainz-recording", "musicbrainz-work",
        "musicbrainz-disc", "release-type", "release-status", "release-country", "podcast-url", "license",
    ]

    /// Of the dates of works the year stays.
    package static let datesOfWorks: Set<String> = ["date", "release-date", "original-date"]

    /// Names that somebody made up and that players need.
    package static let keptNames = ["REPLAYGAIN_", "R128_", "PERFORMER:", "ITUNSMPB", "ITUNNORM"]

    static func isKeptName(_ name: String) -> Bool {
        let name = name.uppercased()
        return keptNames.contains { $0.hasSuffix("_") || $0.hasSuffix(":") ? name.hasPrefix($0) : name == $0 }
    }

    /// Boxes of user data that playback or rights need, beside those of works.
    package static let keptUserData: Set<String> = [
        "chpl", "tagc", "kind", "ludt", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "clsf", "rtng", "albm", "yrrc", "cprt",
    ]

    /// Codes of store metadata that players need.
    package static let keptStoreCodes: Set<String> = ["pgap", "cpil", "stik", "rtng", "hdvd", "tmpo"]

    /// Keys of QuickTime metadata that players need; those that end in a point stand for all that begin so.
    package static let keptQuickTimeKeys = [
        "com.apple.quicktime.player.", "com.apple.quicktime.full-frame-rate-playback-intent",
        "com.android.capture.fps",
    ]

    /// Frames of ID3 that players need, beside those of works.
    package static let keptFrames: Set<String> = [
        "TLEN", "TDLY", "TFLT", "RVA2", "RVAD", "RVRB", "EQU2", "EQUA", "ETCO", "SYTC", "MLLT", "RBUF", "SYLT",
    ]

    /// What items have beside key and value and nobody needs.
    package static let removedExtras: [AVMetadataExtraAttributeKey] = [
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
