package import MediaContainers
package import MediaMetadata

/// What stays of the structure of files and among coded pictures.
extension ShareSafeRules {
    // MARK: Tracks

    /// Handlers of tracks that are looked through or have nothing to say.
    package static let keptHandlers: Set<FourCC> = [
        "vide", "auxv", "pict", "soun", "tmcd", "clcp", "text", "sbtl", "subt", "subp",
    ]

    /// Handlers of tracks whose samples are coded pictures, which are looked through.
    package static let pictureHandlers: Set<FourCC> = ["vide", "auxv", "pict"]

    /// Handlers of tracks whose samples are text.
    package static let textHandlers: Set<FourCC> = ["text", "sbtl", "subt"]

    // MARK: Boxes of movies

    /// The boxes that stay, by what holds them; whatever else is there becomes free space.
    package static let keptBoxes: [FourCC?: Set<FourCC>] = [
        nil: [
            "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "pdin", "free", "skip", "wide", "meta",
            "udta",
        ],
        "moov": ["mvhd", "trak", "mvex", "iods", "udta", "meta", "free", "skip", "wide", "ctab"],
        "mvex": ["mehd", "trex", "leva", "trep"],
        "trak": [
            "tkhd", "edts", "tref", "mdia", "udta", "meta", "tapt", "load", "matt", "clip", "imap", "trgr", "txas",
            "free", "skip", "wide",
        ],
        "tapt": ["clef", "prof", "enof"],
        "edts": ["elst", "free"],
        "mdia": ["mdhd", "hdlr", "elng", "minf", "free"],
        "minf": ["vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd", "hdlr", "dinf", "stbl", "free"],
        "gmhd": ["gmin", "text", "tmcd", "free"],
        "tmcd": ["tcmi"],
        "dinf": ["dref"],
        "stbl": [
            "stsd", "stts", "ctts", "cslg", "stss", "stps", "stsc", "stsz", "stz2", "stco", "co64", "stsh", "padb",
            "stdp", "sdtp", "sbgp", "csgp", "sgpd", "subs", "saiz", "saio", "sdvp", "free",
        ],
        "moof": ["mfhd", "traf", "free"],
        "traf": [
            "tfhd", "tfdt", "trun", "sbgp", "csgp", "sgpd", "subs", "saiz", "saio", "sdtp", "free",
        ],
        "mfra": ["tfra", "mfro"],
        "meta": ["hdlr", "keys", "mhdr", "ilst", "ctry", "lang", "free"],
        "udta": ["meta", "free"],
    ]

    /// What sample descriptions hold of how samples are coded and shown.
    package static let keptDescriptions: Set<FourCC> = [
        "avcC", "hvcC", "lhvC", "vvcC", "vvnC", "evcC", "av1C", "vpcC", "esds", "glbl", "colr", "pasp", "clap", "fiel",
        "gama", "mdcv", "clli", "SmDm", "CoLL", "amve", "ccst", "auxi", "alph", "btrt", "st3d", "sv3d", "vexu", "hfov",
        "dvcC", "dvvC", "dvwC", "d263", "damr", "jp2h", "stsl", "wave", "frma", "enda", "chan", "chnl", "srat", "samr",
        "pcmC", "alac", "dfLa", "dOps", "dac3", "dec3", "dac4", "ddts", "dmlp", "dmaC", "mhaC", "SA3D", "ftab", "vttC",
        "vlab", "SMI ", "QDCA", "QDCP", "QDMC", "ACLR", "APRG", "ARES", "AORD", "ADHR", "AALP", "dvc1", "mjqt", "mjht",
        "jpgC", "vttc", "mime", "txtC", "bitr", "cios", "tims", "sinf", "strf", "\0\0\0\0",
    ]

    /// Names of handlers that programs give all files alike.
    static let harmlessHandlers: Set<String> = [
        "videohandler", "soundhandler", "subtitlehandler", "datahandler", "timecodehandler", "core media video",
        "core media audio", "core media data handler", "core media time code", "core media closed caption",
        "core media text", "core media subtitle", "apple video media handler", "apple sound media handler",
        "apple alias data handler", "apple text media handler", "time code media handler", "timecode media handler",
        "mainconcept video media handler", "mainconcept mp4 sound media handler", "l-smash video handler",
        "l-smash audio handler", "gpac iso video handler", "gpac iso audio handler", "video media handler",
        "sound media handler", "audio", "video", "chapters", "chapter pictures", "data",
    ]

    /// Names of encoders that programs give all files alike, some of which decoders go by.
    static let harmlessCompressors: Set<String> = [
        "", "h.264", "hevc", "avc coding", "hevc coding", "av1 coding", "aom coding", "vpc coding",
        "planar y'cbcr 8:2:0", "sorenson h263", "sorenson video 3", "animation", "none", "photo - jpeg",
        "apple prores 422", "apple prores 422 (hq)", "apple prores 422 (lt)", "apple prores 422 (proxy)",
        "apple prores 4444", "apple prores 4444 (xq)", "dv/dvcpro - ntsc", "dv/dvcpro - pal",
    ]

    /// Whether a box stays in another one, given by its type; none for the file itself.
    package static func keepsBox(_ type: FourCC, in parent: FourCC?) -> Bool {
        keptBoxes[parent]?.contains(type) ?? true
    }

    /// Whether a box holds boxes that are to be looked through.
    package static func holdsBoxes(_ type: FourCC) -> Bool { keptBoxes[type] != nil }

    /// Whether a handler's name tells nothing.
    package static func isHarmlessHandler(_ name: String) -> Bool {
        name.isEmpty || harmlessHandlers.contains(name.lowercased())
    }

    /// Whether an encoder's name tells nothing.
    package static func isHarmlessCompressor(_ name: String) -> Bool {
        let name = name.lowercased()
        return harmlessCompressors.contains(name) || name.hasPrefix("lavc") && !name.contains("@")
    }

    // MARK: Messages among pictures

    /// Codings whose samples cannot be looked through, so that they are not copied.
    static let opaqueCodecs: Set<String> = [
        "dvvideo", "cfhd", "vc1", "vc-1", "wvc1", "vvc", "vvc1", "vvi1", "evc", "evc1", "cavs", "avs2", "avs3",
    ]
    /// What the codes of DV begin with, but for those of Dolby Vision.
    static let opaquePrefixes = [
        "dvc", "dv5", "dvh5", "dvh6", "dvhp", "dvhq", "dvsd", "dvhd", "dvsl", "dv25", "dv50",
    ]

    /// Messages of H.264 that stay: timing, recovery, how pictures are shown.
    static let keptMessagesH264: Set<Int> = [
        0, 1, 2, 3, 6, 7, 13, 14, 19, 20, 21, 45, 47, 137, 144, 147, 148, 149, 150, 151, 154, 155, 156,
    ]

    /// Messages of HEVC that stay.
    static let keptMessagesHEVC: Set<Int> = [
        0, 1, 2, 3, 6, 19, 45, 47, 128, 129, 130, 131, 132, 135, 136, 137, 141, 142, 144, 147, 148, 149, 150, 151, 154,
        155, 156, 165, 176, 177, 179,
    ]

    /// Metadata of AV1 that stay: light, what T.35 allows, scalability, timecode.
    static let keptMetadataAV1: Set<Int> = [1, 2, 3, 4, 5]
}
