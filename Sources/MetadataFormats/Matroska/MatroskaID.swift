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
