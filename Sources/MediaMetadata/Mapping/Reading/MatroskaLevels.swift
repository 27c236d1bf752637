extension AVMetadataExtraAttributeKey {
    /// What parts of a Matroska file an entry is about, other than all of it.
    static let matroskaTargets = [
        "targetTrackUID", "targetEditionUID", "targetChapterUID", "targetAttachmentUID",
    ].map(AVMetadataExtraAttributeKey.init(rawValue:))
}

/// What Matroska's general names mean in a list of entries.
///
/// A name means another thing at another level: `TITLE` is the track's at level 30 and the album's at 50. But many
/// programs write everything at 50, or say no level, which means the same; then it is the file's own title. So a name
/// at 50 is taken for the album's only if there is one at 30 too.
struct MatroskaLevels {
    private static let track: Int64 = 30
    private static let part: Int64 = 40
    private static let album: Int64 = 50
    private static let season: Int64 = 60

    private var trackNames: Set<String> = []
    /// Whether the file is an episode: something is said about the season or the series.
    private var isEpisode = false
    /// Whether a number at level 50 is the disc's.
    private var hasDiscNumber: Bool { trackNames.contains("PART_NUMBER") && albumNames.contains("PART_NUMBER") }
    private var albumNames: Set<String> = []

    init(_ entries: some Sequence<MetadataEntry>) {
        for entry in entries where entry.keySpace == .matroska && entry.extras[.element] == nil {
            let name = entry.key.text.uppercased()
            switch Self.level(of: entry) {
            case Self.track: trackNames.insert(name)
            case Self.album: albumNames.insert(name)
            case Self.season, 70: isEpisode = isEpisode || ["PART_NUMBER", "TITLE"].contains(name)
            default: break
            }
        }
    }

    private static func level(of entry: MetadataEntry) -> Int64 {
        if case .integer(let level) = entry.extras[.targetTypeValue] { level } else { album }
    }

    /// The field of an entry whose name depends on the level, `nil` if its name does not.
    func field(of entry: MetadataEntry) -> (field: String, isTotal: Bool)? {
        let level = Self.level(of: entry)
        switch entry.key.text.uppercased() {
        case "TITLE":
            if entry.extras[.element] != nil { return ("title", false) }
            if level == 70 { return ("show", false) }
            if level == Self.season { return ("album", false) }
            return (level == Self.album && trackNames.contains("TITLE") ? "album" : "title", false)
        case "ARTIST":
            return (level >= Self.album && trackNames.contains("ARTIST") ? "album-artist" : "artist", false)
        case "PART_NUMBER": return (number(at: level), false)
        case "TOTAL_PARTS": return (total(at: level), true)
        default: return nil
        }
    }

    private func number(at level: Int64) -> String {
        switch level {
        case Self.season...: "season"
        case Self.album: trackNames.contains("PART_NUMBER") ? "disc" : isEpisode ? "episode" : "track"
        case Self.part: "disc"
        default: "track"
        }
    }

    /// By the specification it is the number of parts one level below, but most programs write it beside the number
    /// of the part itself.
    private func total(at level: Int64) -> String {
        switch level {
        case Self.season...: "disc"
        case Self.album: hasDiscNumber ? "disc" : "track"
        case Self.part: "disc"
        default: "track"
        }
    }
}
