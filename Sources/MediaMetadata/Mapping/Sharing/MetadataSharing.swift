/// What of a file's metadata may be shared with people who are not to know where and by whom it was made.
///
/// It removes
/// - places: ISO 6709 positions, names of places, directions, all with GPS, latitude or longitude in their name;
/// - what tells a person, a device or a library: collections and ratings of the user, the host computer's name, serial
///   numbers, identifiers that tie a movie to a photo, addresses for contact, ID3 ratings by mail address;
/// - faces, bodies and objects that were found in pictures;
/// - what cannot be looked through: XMP, and cameras' own boxes in user data, which hold positions and serial numbers.
///
/// It keeps what belongs to playback, copyright and commerce (store accounts and purchase dates included), credits,
/// makers and models of devices, dates, and pictures with all that may be written within them.
///
/// Beyond the places, AVFoundation does not tell which items `forSharing()` removes.
package enum MetadataSharing {
    /// Whether an entry tells something about a person.
    package static func isPersonal(_ entry: MetadataEntry) -> Bool {
        let name = entry.key.text
        switch entry.keySpace {
        case .quickTimeMetadata:
            return quickTimePrefixes.contains { name.hasPrefix(MetadataKey.quickTimePrefix + $0) }
                || hasPersonalName(name)
        case .quickTimeUserData, .isoUserData: return isPersonal(code: name, entry)
        case .id3: return isPersonalFrame(entry)
        case .common: return name == AVMetadataKey.commonKeyLocation.rawValue
        case .iTunes: return personalCodes.contains(name)
        default: return hasPersonalName(name)
        }
    }

    private static let quickTimePrefixes = [
        "location.", "direction.", "collection.user", "rating.user", "content.identifier", "detected-",
        "camera.identifier",
    ]

    // MARK: User data

    private static let personalCodes: Set = ["@xyz", "loci", "@hst", "urat", "XMP_"]
    /// Boxes whose values are no text but belong to playback or copyright.
    private static let harmlessCodes: Set = [
        "chpl", "tagc", "thmb", "kind", "ludt", "hnti", "hinf", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "cprt", "clsf",
        "rtng", "albm", "yrrc", "titl", "name", "tnam",
    ]

    private static func isPersonal(code: String, _ entry: MetadataEntry) -> Bool {
        if personalCodes.contains(code) { return true }
        if case .data = entry.value { return !harmlessCodes.contains(code) && !code.hasPrefix("@") }
        return false
    }

    // MARK: ID3

    private static func isPersonalFrame(_ entry: MetadataEntry) -> Bool {
        switch ID3FrameNames.longName(of: entry.key) {
        case "POPM": return true
        case "TXXX", "COMM", "WXXX": return hasPersonalName(entry.info ?? "")
        case "PRIV":
            if case .data(let bytes) = entry.value { return bytes.starts(with: Array("XMP\0".utf8)) }
            return false
        default: return false
        }
    }

    // MARK: Names

    /// Parts of names wherever they stand.
    private static let parts = ["GPS", "LOCATION", "LATITUDE", "LONGITUDE", "ISO6709", "GEOTAG"]
    /// Words of names, which may be parts of harmless ones: a saxophone.
    private static let words: Set = [
        "PHONE", "TELEPHONE", "EMAIL", "MAIL", "CONTACT", "ADDRESS", "SERIAL", "SERIALNUMBER", "RATING", "HOSTCOMPUTER",
        "XMP", "EXIF", "PMX",
    ]

    private static func hasPersonalName(_ name: String) -> Bool {
        let name = name.uppercased()
        if parts.contains(where: name.contains) { return true }
        return name.split { !$0.isLetter && !$0.isNumber }.contains { words.contains(String($0)) }
    }
}
