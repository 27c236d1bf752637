internal import MediaIO
internal import MediaMetadata

/// The elements of Matroska that stay, by what holds them.
///
/// Source: RFC 9559, 5.1.
enum MatroskaRules {
    static let segmentUID: UInt32 = 0x73A4
    static let muxingApp: UInt32 = 0x4D80
    static let writingApp: UInt32 = 0x5741
    static let block: UInt32 = 0xA1
    static let codecID: UInt32 = 0x86
    static let codecPrivate: UInt32 = 0x63A2
    static let trackType: UInt32 = 0x83
    static let contentEncodings: UInt32 = 0x6D80
    static let contentEncoding: UInt32 = 0x6240
    static let contentCompression: UInt32 = 0x5034
    static let contentCompressionAlgorithm: UInt32 = 0x4254
    static let contentCompressionSettings: UInt32 = 0x4255

    /// What the Segment holds.
    static let segment: Set<UInt32> = [
        MatroskaID.seekHead, MatroskaID.info, MatroskaID.tracks, MatroskaID.cluster, MatroskaID.cues,
        MatroskaID.attachments, MatroskaID.chapters, MatroskaID.tags, MatroskaID.void, MatroskaID.crc32,
    ]

    /// The scale of times, the duration, the title, the programs.
    static let info: Set<UInt32> = [
        0x2AD7B1, 0x4489, MatroskaID.title, muxingApp, writingApp, MatroskaID.void, MatroskaID.crc32,
    ]

    /// All that a track says of its coding and of how it is shown; not its name, nor addresses of programs.
    static let trackEntry: Set<UInt32> = [
        MatroskaID.trackNumber, MatroskaID.trackUID, trackType, 0xB9, 0x88, 0x55AA, 0x55AB, 0x55AC, 0x55AD, 0x55AE,
        0x55AF, 0x9C, 0x6DE7, 0x6DF8, 0x23E383, 0x234E7A, 0x23314F, 0x537F, 0x55EE, 0x41E4, 0x22B59C, 0x22B59D, codecID,
        codecPrivate, 0x7446, 0xAA, 0x6FAB, 0x56AA, 0x56BB, 0xE0, 0xE1, 0xE2, contentEncodings, MatroskaID.void,
        MatroskaID.crc32,
    ]

    /// What a Cluster holds, and what a group of blocks does.
    static let cluster: Set<UInt32> = [
        0xE7, 0x5854, MatroskaID.clusterPosition, 0xAB, MatroskaID.simpleBlock, MatroskaID.blockGroup, MatroskaID.void,
        MatroskaID.crc32,
    ]

    static let blockGroup: Set<UInt32> = [
        block, 0x75A1, 0x9B, 0xFA, 0xFB, 0xA4, 0x75A2, 0x8E, 0xC8, MatroskaID.void, MatroskaID.crc32,
    ]

    /// What chapters and editions hold: no Segments, no programs' private data.
    static let chapters: Set<UInt32> = [
        MatroskaID.editionEntry, MatroskaID.editionUID, MatroskaID.editionFlagHidden, MatroskaID.editionFlagDefault,
        MatroskaID.editionFlagOrdered, 0x4520, 0x4521, 0x45E4, MatroskaID.chapterAtom, MatroskaID.chapterUID,
        MatroskaID.chapterTimeStart, MatroskaID.chapterTimeEnd, MatroskaID.chapterFlagHidden,
        MatroskaID.chapterFlagEnabled, 0x4588, 0x63C3, 0x8F, 0x89, MatroskaID.chapterDisplay, MatroskaID.chapterString,
        MatroskaID.chapterLanguage, MatroskaID.chapterLanguageBCP47, 0x437E, MatroskaID.void, MatroskaID.crc32,
    ]

    /// Kinds of tracks that stay: pictures, sound, subtitles.
    static let keptTrackTypes: Set<UInt64> = [1, 2, 17]

    /// Subtitles that are pictures.
    static func arePictures(_ codec: String) -> Bool {
        ["S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB", "S_IMAGE/BMP"].contains(codec)
    }

    /// FFmpeg's name of a coding that is looked through.
    static func codec(_ id: String, _ configuration: [UInt8]) -> String {
        switch id {
        case "V_MPEG4/ISO/AVC": return "h264"
        case "V_MPEGH/ISO/HEVC": return "hevc"
        case "V_AV1": return "av1"
        case "V_MPEG1", "V_MPEG2": return "mpeg2video"
        case "V_MJPEG": return "mjpeg"
        case "V_VVC", "V_MPEGI/ISO/VVC": return "vvc"
        case "V_CAVS", "V_AVS2", "V_AVS3": return "avs2"
        case "V_MS/VFW/FOURCC":
            return configuration.count >= 20 ? String(latin1: configuration[16..<20]).uppercased() : ""
        case _ where id.hasPrefix("V_MPEG4/"): return "mpeg4"
        default: return ""
        }
    }

    /// Whether an attached file is a font, by its first bytes.
    static func isFont(_ bytes: [UInt8]) -> Bool {
        let heads: [[UInt8]] = [
            [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8),
            Array("wOF2".utf8),
        ]
        return heads.contains { bytes.starts(with: $0) }
    }
}
