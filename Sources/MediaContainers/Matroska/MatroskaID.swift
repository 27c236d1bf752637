/// The IDs of the elements that metadata and its place in the file need.
///
/// Source: RFC 8794, RFC 9559.
package enum MatroskaID {
    package static let ebml: UInt32 = 0x1A45_DFA3
    package static let ebmlReadVersion: UInt32 = 0x42F7
    package static let ebmlMaxIDLength: UInt32 = 0x42F2
    package static let ebmlMaxSizeLength: UInt32 = 0x42F3
    package static let docType: UInt32 = 0x4282
    package static let void: UInt32 = 0xEC
    package static let crc32: UInt32 = 0xBF

    package static let segment: UInt32 = 0x1853_8067
    package static let seekHead: UInt32 = 0x114D_9B74
    package static let seek: UInt32 = 0x4DBB
    package static let seekID: UInt32 = 0x53AB
    package static let seekPosition: UInt32 = 0x53AC

    package static let info: UInt32 = 0x1549_A966
    package static let title: UInt32 = 0x7BA9
    package static let dateUTC: UInt32 = 0x4461

    package static let tracks: UInt32 = 0x1654_AE6B
    package static let trackEntry: UInt32 = 0xAE
    package static let trackNumber: UInt32 = 0xD7
    package static let trackUID: UInt32 = 0x73C5
    package static let trackName: UInt32 = 0x536E
    package static let trackType: UInt32 = 0x83
    package static let video: UInt32 = 0xE0
    package static let displayWidth: UInt32 = 0x54B0
    package static let displayHeight: UInt32 = 0x54BA
    package static let displayUnit: UInt32 = 0x54B2
    package static let stereoMode: UInt32 = 0x53B8
    package static let pixelWidth: UInt32 = 0xB0
    package static let pixelHeight: UInt32 = 0xBA
    package static let pixelCropBottom: UInt32 = 0x54AA
    package static let pixelCropTop: UInt32 = 0x54BB
    package static let pixelCropLeft: UInt32 = 0x54CC
    package static let pixelCropRight: UInt32 = 0x54DD
    package static let projection: UInt32 = 0x7670
    package static let projectionType: UInt32 = 0x7671
    package static let projectionPoseYaw: UInt32 = 0x7673
    package static let projectionPosePitch: UInt32 = 0x7674
    package static let projectionPoseRoll: UInt32 = 0x7675
    package static let language: UInt32 = 0x22B59C
    package static let languageBCP47: UInt32 = 0x22B59D
    package static let flagForced: UInt32 = 0x55AA
    package static let flagHearingImpaired: UInt32 = 0x55AB
    package static let flagVisualImpaired: UInt32 = 0x55AC
    package static let flagOriginal: UInt32 = 0x55AE
    package static let flagCommentary: UInt32 = 0x55AF

    package static let cluster: UInt32 = 0x1F43_B675
    package static let clusterPosition: UInt32 = 0xA7
    package static let simpleBlock: UInt32 = 0xA3
    package static let blockGroup: UInt32 = 0xA0

    package static let cues: UInt32 = 0x1C53_BB6B
    package static let cuePoint: UInt32 = 0xBB
    package static let cueTrackPositions: UInt32 = 0xB7
    package static let cueClusterPosition: UInt32 = 0xF1
    package static let cueCodecState: UInt32 = 0xEA
    package static let cueReference: UInt32 = 0xDB
    package static let cueRefCluster: UInt32 = 0x97
    package static let cueRefCodecState: UInt32 = 0xEB

    package static let attachments: UInt32 = 0x1941_A469
    package static let attachedFile: UInt32 = 0x61A7
    package static let fileDescription: UInt32 = 0x467E
    package static let fileName: UInt32 = 0x466E
    package static let fileMediaType: UInt32 = 0x4660
    package static let fileData: UInt32 = 0x465C
    package static let fileUID: UInt32 = 0x46AE

    package static let chapters: UInt32 = 0x1043_A770
    package static let editionEntry: UInt32 = 0x45B9
    package static let editionUID: UInt32 = 0x45BC
    package static let editionFlagHidden: UInt32 = 0x45BD
    package static let editionFlagDefault: UInt32 = 0x45DB
    package static let editionFlagOrdered: UInt32 = 0x45DD
    package static let chapterAtom: UInt32 = 0xB6
    package static let chapterUID: UInt32 = 0x73C4
    package static let chapterTimeStart: UInt32 = 0x91
    package static let chapterTimeEnd: UInt32 = 0x92
    package static let chapterFlagHidden: UInt32 = 0x98
    package static let chapterFlagEnabled: UInt32 = 0x4598
    package static let chapterDisplay: UInt32 = 0x80
    package static let chapterString: UInt32 = 0x85
    package static let chapterLanguage: UInt32 = 0x437C
    package static let chapterLanguageBCP47: UInt32 = 0x437D

    package static let tags: UInt32 = 0x1254_C367
    package static let tag: UInt32 = 0x7373
    package static let targets: UInt32 = 0x63C0
    package static let targetTypeValue: UInt32 = 0x68CA
    package static let targetType: UInt32 = 0x63CA
    package static let tagTrackUID: UInt32 = 0x63C5
    package static let tagEditionUID: UInt32 = 0x63C9
    package static let tagChapterUID: UInt32 = 0x63C4
    package static let tagAttachmentUID: UInt32 = 0x63C6
    package static let simpleTag: UInt32 = 0x67C8
    package static let tagName: UInt32 = 0x45A3
    package static let tagLanguage: UInt32 = 0x447A
    package static let tagLanguageBCP47: UInt32 = 0x447B
    package static let tagDefault: UInt32 = 0x4484
    package static let tagString: UInt32 = 0x4487
    package static let tagBinary: UInt32 = 0x4485
}
