@testable import MediaContainers
@testable import MediaMetadata
@testable import MetadataFormats

/// The table of `docs/share-safe.md`, made of the lists that the code goes by.
enum ShareSafeTable {
    /// One row: a place in files, what stays there and what goes.
    struct Row: Sendable {
        var place: String
        var stays: String
        var goes: String
    }

    /// All places, in the order of the document.
    static let rows: [Row] = items + structure + samples

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
    static var markdown: String {
        let lines = rows.map { row in
            let cells = [row.place, row.stays, row.goes].map { $0.replacing("|", with: "\\|") }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return (["| Place | Stays | Goes |", "|---|---|---|"] + lines).joined(separator: "\n")
    }
}
