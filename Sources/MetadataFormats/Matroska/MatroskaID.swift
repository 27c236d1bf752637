internal import MediaIO
internal import MediaMetadata

/// The IDs of the elements that metadata and its place in the file need.
///
/// Source: RFC 8794, RFC 9559.
enum MatroskaID {
    static let ebml: UInt32 = 0x1A45_DFA3
    static let ebmlReadVersion: UInt32 = 0x42F7
    static let ebmlMaxIDLength: UInt32 = 0x42F2
    static let ebmlMaxSizeLength: UInt32 = 0x42F3
    static let docType: UInt32 = 0x4282
    static let void: UInt32 = 0xEC
    static let crc32: UInt32 = 0xBF

    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let seek: UInt32 = 0x4DBB
    static let seekID: UInt32 = 0x53AB
    static let seekPosition: UInt32 = 0x53AC

    static let info: UInt32 = 0x1549_A966
    static let title: UInt32 = 0x7BA9
    static let dateUTC: UInt32 = 0x4461

    static let tracks: UInt32 = 0x1654_AE6B
    static let trackEntry: UInt32 = 0xAE
    static let trackNumber: UInt32 = 0xD7
    static let trackUID: UInt32 = 0x73C5
    static let trackName: UInt32 = 0x536E
    static let trackType: UInt32 = 0x83
    static let video: UInt32 = 0xE0
    static let displayWidth: UInt32 = 0x54B0
    static let displayHeight: UInt32 = 0x54BA
    static let displayUnit: UInt32 = 0x54B2
    static let stereoMode: UInt32 = 0x53B8
    static let pixelWidth: UInt32 = 0xB0
    static let pixelHeight: UInt32 = 0xBA
    static let pixelCropBottom: UInt32 = 0x54AA
    static let pixelCropTop: UInt32 = 0x54BB
    static let pixelCropLeft: UInt32 = 0x54CC
    static let pixelCropRight: UInt32 = 0x54DD
    static let projection: UInt32 = 0x7670
    static let projectionType: UInt32 = 0x7671
    static let projectionPoseYaw: UInt32 = 0x7673
    static let projectionPosePitch: UInt32 = 0x7674
    static let projectionPoseRoll: UInt32 = 0x7675
    static let language: UInt32 = 0x22B59C
    static let languageBCP47: UInt32 = 0x22B59D
    static let flagForced: UInt32 = 0x55AA
    static let flagHearingImpaired: UInt32 = 0x55AB
    static let flagVisualImpaired: UInt32 = 0x55AC
    static let flagOriginal: UInt32 = 0x55AE
    static let flagCommentary: UInt32 = 0x55AF

    static let cluster: UInt32 = 0x1F43_B675
    static let clusterPosition: UInt32 = 0xA7
    static let simpleBlock: UInt32 = 0xA3
    static let blockGroup: UInt32 = 0xA0

    static let cues: UInt32 = 0x1C53_BB6B
    static let cuePoint: UInt32 = 0xBB
    static let cueTrackPositions: UInt32 = 0xB7
    static let cueClusterPosition: UInt32 = 0xF1
    static let cueCodecState: UInt32 = 0xEA
    static let cueReference: UInt32 = 0xDB
    static let cueRefCluster: UInt32 = 0x97
    static let cueRefCodecState: UInt32 = 0xEB

    static let attachments: UInt32 = 0x1941_A469
    static let attachedFile: UInt32 = 0x61A7
    static let fileDescription: UInt32 = 0x467E
    static let fileName: UInt32 = 0x466E
    static let fileMediaType: UInt32 = 0x4660
    static let fileData: UInt32 = 0x465C
    static let fileUID: UInt32 = 0x46AE

    static let chapters: UInt32 = 0x1043_A770
    static let editionEntry: UInt32 = 0x45B9
    static let editionUID: UInt32 = 0x45BC
    static let editionFlagHidden: UInt32 = 0x45BD
    static let editionFlagDefault: UInt32 = 0x45DB
    static let editionFlagOrdered: UInt32 = 0x45DD
    static let chapterAtom: UInt32 = 0xB6
    static let chapterUID: UInt32 = 0x73C4
    static let chapterTimeStart: UInt32 = 0x91
    static let chapterTimeEnd: UInt32 = 0x92
    static let chapterFlagHidden: UInt32 = 0x98
    static let chapterFlagEnabled: UInt32 = 0x4598
    static let chapterDisplay: UInt32 = 0x80
    static let chapterString: UInt32 = 0x85
    static let chapterLanguage: UInt32 = 0x437C
    static let chapterLanguageBCP47: UInt32 = 0x437D

    static let tags: UInt32 = 0x1254_C367
    static let tag: UInt32 = 0x7373
    static let targets: UInt32 = 0x63C0
    static let targetTypeValue: UInt32 = 0x68CA
    static let targetType: UInt32 = 0x63CA
    static let tagTrackUID: UInt32 = 0x63C5
    static let tagEditionUID: UInt32 = 0x63C9
    static let tagChapterUID: UInt32 = 0x63C4
    static let tagAttachmentUID: UInt32 = 0x63C6
    static let simpleTag: UInt32 = 0x67C8
    static let tagName: UInt32 = 0x45A3
    static let tagLanguage: UInt32 = 0x447A
    static let tagLanguageBCP47: UInt32 = 0x447B
    static let tagDefault: UInt32 = 0x4484
    static let tagString: UInt32 = 0x4487
    static let tagBinary: UInt32 = 0x4485
}

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
