internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// A track as far as metadata needs it.
struct MatroskaTrack {
    /// Its position among the tracks that are read, counted from 1, as all commands number them.
    let number: Int64
    let uid: UInt64
    let name: String?
    /// BCP 47.
    let languageTag: String?
    let roles: TrackLabel.Roles
    /// The `TrackEntry`.
    let node: EBMLNode

    /// The kinds of tracks that are read: pictures, sound, subtitles, metadata.
    private static let types: Set<UInt64> = [1, 2, 17, 33]
    /// What Matroska has a flag for.
    private static let flags: [(role: TrackLabel.Roles, id: UInt32)] = [
        (.forced, MatroskaID.flagForced), (.hearingImpaired, MatroskaID.flagHearingImpaired),
        (.visualImpaired, MatroskaID.flagVisualImpaired), (.original, MatroskaID.flagOriginal),
        (.commentary, MatroskaID.flagCommentary),
    ]

    /// `nil` for what is no track or of no kind that is read.
    init?(_ node: EBMLNode, number: Int64, _ allowance: inout EBMLAllowance) {
        let fields = node.children(&allowance)
        guard fields.first(MatroskaID.trackNumber)?.unsigned != nil else { return nil }
        if let type = fields.first(MatroskaID.trackType)?.unsigned, !Self.types.contains(type) { return nil }
        (self.number, self.node) = (number, node)
        uid = fields.first(MatroskaID.trackUID)?.unsigned ?? 0
        name = fields.first(MatroskaID.trackName)?.text
        if let tag = fields.first(MatroskaID.languageBCP47)?.text, !tag.isEmpty {
            languageTag = tag == "und" ? nil : tag
        } else {
            // Without a word it is English.
            languageTag = LanguageCodes.tag(ofISO639: fields.first(MatroskaID.language)?.text ?? "eng")
        }
        var roles: TrackLabel.Roles = []
        for (role, id) in Self.flags where (fields.first(id)?.unsigned ?? 0) != 0 { roles.insert(role) }
        self.roles = roles
    }

    /// What its headers say.
    var label: TrackLabel {
        TrackLabel(trackID: number, languageTag: languageTag, name: name, roles: roles)
    }

    /// The `TrackEntry` that says something else; `nil` if nothing changes.
    ///
    /// The name comes with the entries.
    func relabelled(_ label: TrackLabel, name newName: String?) -> [UInt8]? {
        guard name != newName || label.languageTag != languageTag || label.roles != roles else { return nil }
        let fields = node.children
        var children = fields.filter { $0.id != MatroskaID.crc32 && $0.id != MatroskaID.trackName }
            .map { (id: $0.id, bytes: Array($0.bytes)) }
        func set(_ id: UInt32, _ bytes: [UInt8]?) {
            let index = children.firstIndex { $0.id == id }
            children.removeAll { $0.id == id }
            if let bytes { children.insert((id, bytes), at: min(index ?? children.endIndex, children.endIndex)) }
        }
        if label.languageTag != languageTag {
            let code = LanguageCodes.iso639(of: label.languageTag, isBibliographic: true)
            set(MatroskaID.language, EBMLWriter.text(MatroskaID.language, code))
            set(
                MatroskaID.languageBCP47,
                label.languageTag.map { EBMLWriter.text(MatroskaID.languageBCP47, $0) })
        }
        for (role, id) in Self.flags where label.roles.contains(role) != roles.contains(role) {
            set(id, EBMLWriter.unsigned(id, label.roles.contains(role) ? 1 : 0))
        }
        if let newName { children.append((MatroskaID.trackName, EBMLWriter.text(MatroskaID.trackName, newName))) }
        let content = EBMLWriter.content(children.map(\.bytes), withChecksum: fields.haveChecksum)
        return EBMLWriter.element(MatroskaID.trackEntry, content)
    }
}

/// Limits that keep damaged and hostile files from costing much.
enum MatroskaLimit {
    /// Bytes of one element that is written anew; `MediaLimits.metadataSize` has how many are read.
    static let bytes = 64 << 20
    /// Elements within those, all together; keys are counted with them by their length.
    static let nodes = 1 << 18
    /// Levels of simple tags, and of chapters, that are written; `MediaLimits.nesting` has how many are read.
    static let depth = Int(MediaLimits.Name.nesting.range.upperBound)
    /// Elements of the top level before the first Cluster, or in one walk behind the Clusters.
    static let elements = 4096
    /// Clusters that are stepped over in search of what no index names.
    static let clusters = 1 << 16
    /// Clusters, and blocks in those of unknown size, that are stepped over when everything has to move.
    static let blocks = 1 << 22
}
