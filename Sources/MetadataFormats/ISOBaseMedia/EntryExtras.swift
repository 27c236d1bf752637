internal import MediaMetadata

extension AVMetadataExtraAttributeKey {
    /// Whose name a free-form iTunes key is, in reverse domain order.
    static let mean = AVMetadataExtraAttributeKey(rawValue: "mean")
    /// The name in a free-form iTunes key, or the one that an item has beside its key.
    static let name = AVMetadataExtraAttributeKey(rawValue: "name")
    /// The country and language of an item's value as the file states them.
    static let locale = AVMetadataExtraAttributeKey(rawValue: "locale")
    /// What an item has beside values and names: whole boxes.
    static let otherBoxes = AVMetadataExtraAttributeKey(rawValue: "boxes")
    /// How the value lies in its box, where that is not what the key leads to expect:
    /// see `BoxLayout`.
    static let layout = AVMetadataExtraAttributeKey(rawValue: "layout")
    /// The number of a track on its album, in 3GPP's `albm`.
    static let trackNumber = AVMetadataExtraAttributeKey(rawValue: "trackNumber")
    /// Who rates or classifies, in 3GPP's `rtng` and `clsf`.
    static let entity = AVMetadataExtraAttributeKey(rawValue: "entity")
    /// By which rules: four characters in `rtng`, a number in `clsf`.
    static let criteria = AVMetadataExtraAttributeKey(rawValue: "criteria")
    /// What happened at a place: 0 shooting, 1 real place, 2 fictional place.
    static let role = AVMetadataExtraAttributeKey(rawValue: "role")
    /// The body in the sky that a place is on.
    static let astronomicalBody = AVMetadataExtraAttributeKey(rawValue: "astronomicalBody")
    /// Notes on a place.
    static let notes = AVMetadataExtraAttributeKey(rawValue: "notes")
}

/// How a value lies in its box, where that is not what the key leads to expect.
enum BoxLayout: String {
    /// The value is the content of the box.
    case content
    /// The content of the box is text and nothing else.
    case text

    var value: MetadataValue { .text(rawValue) }
}

/// Whose types of values a number in `dataType` is one of.
enum DataTypeNamespace {
    static let iTunes = "com.apple.itunes"
    static let quickTimeMetadata = "com.apple.quicktime.mdta"
    static let quickTimeUserData = "com.apple.quicktime.udta"
}
