package import MediaContainers
package import MediaMetadata

/// The table of `docs/share-safe.md`, made of the lists that the code goes by.
package enum ShareSafeTable {
    /// One row: a place in files, what stays there and what goes.
    package struct Row: Sendable {
        package var place: String
        package var stays: String
        package var goes: String
    }

    /// All places, in the order of the document.
    package static let rows: [Row] = items + structure + samples

    private static func list(_ values: some Sequence<String>) -> String {
        values.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func list(_ numbers: some Sequence<Int>) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    private static let items = [
        Row(
            place: "Items of metadata, by their friendly names",
            stays: list(ShareSafeRules.keptFields) + "; `description` of stores; names that begin with "
                + list(ShareSafeRules.keptNames),
            goes:
                "all others: places, makes and models, programs, comments, accounts, owners, serial numbers, ratings, "
                + "identifiers of recordings, dates of recording, private frames (PRIV, GEOB, UFID, OWNE, …)"),
        Row(
            place: "Values of items that stay", stays: "their text",
            goes: "the whole item if it holds a position or an e-mail address; of "
                + list(ShareSafeRules.datesOfWorks) + " all but the year; descriptions of pictures"),
        Row(
            place: "Cover art",
            stays: "JPEG: the coded picture, JFIF, Adobe, a colour profile without its texts. PNG: "
                + list(PictureFile.keptChunks),
            goes:
                "EXIF, XMP, IPTC, comments, texts, times, thumbnails, what follows the picture's end; pictures of other "
                + "formats as a whole"),
        Row(
            place: "User data of movies, beside items", stays: list(ShareSafeRules.keptUserData), goes: "all others"),
        Row(
            place: "QuickTime metadata, beside items", stays: list(ShareSafeRules.keptQuickTimeKeys), goes: "all others"
        ),
        Row(place: "Frames of ID3, beside items", stays: list(ShareSafeRules.keptFrames), goes: "all others"),
        Row(
            place: "Chapters", stays: "times and titles; their pictures as cover art",
            goes: "titles with positions or addresses, links, programs' private data"),
    ]

    private static let structure = [
        Row(
            place: "Tracks of movies", stays: "handlers " + list(ShareSafeRules.keptHandlers.map(\.description)),
            goes: "all others with their samples (`gpmd`, `camm`, `mebx`, `mett`, …); text with positions or addresses"),
        Row(
            place: "Tracks of Matroska, MPEG-TS and others", stays: "pictures, sound, subtitles",
            goes: "data, text with positions or addresses, compressed text"),
        Row(place: "Attachments", stays: "fonts, covers", goes: "all others"),
        Row(
            place: "Boxes of movies",
            stays: ShareSafeRules.keptBoxes.map { ($0.key?.description ?? "", $0.value.map(\.description)) }
                .sorted { $0.0 < $1.0 }.map { parent, boxes in
                    "in \(parent.isEmpty ? "the file" : "`\(parent)`"): \(list(boxes))"
                }.joined(separator: "; "),
            goes:
                "all others, `uuid` with XMP and makers' data above all; what free space holds; media that no track uses"
        ),
        Row(
            place: "Sample descriptions",
            stays: list(ShareSafeRules.keptDescriptions.filter { $0 != .none }.map(\.description)),
            goes: "all others; names of reels"),
        Row(
            place: "Names",
            stays: "of handlers " + list(ShareSafeRules.harmlessHandlers) + "; of encoders "
                + list(ShareSafeRules.harmlessCompressors.filter { !$0.isEmpty }) + ", `Lavc…`; of muxers `Lavf…`",
            goes: "all other names of tracks, handlers, encoders, programs, files"),
        Row(
            place: "Dates of headers", stays: "none", goes: "`mvhd`, `tkhd`, `mdhd`, `DateUTC`, `PEAK`"),
        Row(
            place: "Identifiers", stays: "numbers and UIDs of tracks, which parts of the file refer to",
            goes: "`SegmentUUID` and names of other Segments, content identifiers, UMIDs"),
        Row(
            place: "Chunks of WAV, AVI and AIFF",
            stays: list(SimpleFileScrub.keptChunks) + "; lists "
                + list(SimpleFileScrub.keptLists), goes: "all others, what free space holds"),
        Row(
            place: "Blocks of FLAC", stays: "stream information, seek table, comments, cue sheet, pictures",
            goes: "`APPLICATION`, unknown blocks, what padding holds"),
        Row(place: "Tags behind sound", stays: "none", goes: "APE, Lyrics3"),
    ]

    private static let samples = [
        Row(
            place: "SEI of H.264",
            stays: "types \(list(ShareSafeRules.keptMessagesH264)); captions and HDR of T.35; the "
                + "version of x264", goes: "all others, unregistered user data above all; units of no type"),
        Row(
            place: "SEI of HEVC", stays: "types \(list(ShareSafeRules.keptMessagesHEVC)); captions and HDR of T.35",
            goes: "all others; units of reserved types"),
        Row(
            place: "Metadata of AV1", stays: "types \(list(ShareSafeRules.keptMetadataAV1)); of T.35 captions and HDR",
            goes: "all others; units of reserved types"),
        Row(
            place: "User data of MPEG-1, MPEG-2, MPEG-4", stays: "captions; the encoder's name and version",
            goes: "all others"),
        Row(
            place: "Pictures of Motion JPEG", stays: "JFIF, AVI1, Adobe, places of fields",
            goes: "EXIF, XMP, comments, all other application data"),
        Row(
            place: "Pictures of " + list(ShareSafeRules.opaqueCodecs), stays: "none: they are not copied",
            goes: "the export is refused with presets that copy them"),
        Row(
            place: "Headers of Vorbis, Theora and FLAC in other containers", stays: "what decoders need",
            goes: "comments, pictures, application data"),
        Row(
            place: "Edit lists", stays: "sound that its codec needs before the first moment shown",
            goes: "pictures and sound that an edit list hides: dropped, or the export is refused where others are "
                + "decoded from them"),
    ]

    /// The table in Markdown.
    package static var markdown: String {
        let lines = rows.map { row in
            let cells = [row.place, row.stays, row.goes].map { $0.replacing("|", with: "\\|") }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return (["| Place | Stays | Goes |", "|---|---|---|"] + lines).joined(separator: "\n")
    }
}

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
    package static let harmlessHandlers: Set<String> = [
        "videohandler", "soundhandler", "subtitlehandler", "datahandler", "timecodehandler", "core media video",
        "core media audio", "core media data handler", "core media time code", "core media closed caption",
        "core media text", "core media subtitle", "apple video media handler", "apple sound media handler",
        "apple alias data handler", "apple text media handler", "time code media handler", "timecode media handler",
        "mainconcept video media handler", "mainconcept mp4 sound media handler", "l-smash video handler",
        "l-smash audio handler", "gpac iso video handler", "gpac iso audio handler", "video media handler",
        "sound media handler", "audio", "video", "chapters", "chapter pictures", "data",
    ]

    /// Names of encoders that programs give all files alike, some of which decoders go by.
    package static let harmlessCompressors: Set<String> = [
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
    package static let opaqueCodecs: Set<String> = [
        "dvvideo", "cfhd", "vc1", "vc-1", "wvc1", "vvc", "vvc1", "vvi1", "evc", "evc1", "cavs", "avs2", "avs3",
    ]
    /// What the codes of DV begin with, but for those of Dolby Vision.
    package static let opaquePrefixes = [
        "dvc", "dv5", "dvh5", "dvh6", "dvhp", "dvhq", "dvsd", "dvhd", "dvsl", "dv25", "dv50",
    ]

    /// Messages of H.264 that stay: timing, recovery, how pictures are shown.
    package static let keptMessagesH264: Set<Int> = [
        0, 1, 2, 3, 6, 7, 13, 14, 19, 20, 21, 45, 47, 137, 144, 147, 148, 149, 150, 151, 154, 155, 156,
    ]

    /// Messages of HEVC that stay.
    package static let keptMessagesHEVC: Set<Int> = [
        0, 1, 2, 3, 6, 19, 45, 47, 128, 129, 130, 131, 132, 135, 136, 137, 141, 142, 144, 147, 148, 149, 150, 151, 154,
        155, 156, 165, 176, 177, 179,
    ]

    /// Metadata of AV1 that stay: light, what T.35 allows, scalability, timecode.
    package static let keptMetadataAV1: Set<Int> = [1, 2, 3, 4, 5]
}
