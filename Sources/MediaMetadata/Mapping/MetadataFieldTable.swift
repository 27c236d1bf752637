/// The table of corresponding keys: a row for each meaning.
///
/// Names of Vorbis comments and free-form metadata are those of MusicBrainz Picard and Mp3tag, those of Matroska tags
/// its specification's or, where it has none, those that FFmpeg uses.
enum MetadataFieldTable {
    static let rows: [MetadataFieldRow] = names + people + numbers + words + programs + identifiers + addresses

    private typealias Row = MetadataFieldRow

    private static let names: [Row] = [
        Row(
            "title", "TITLE", iTunes: "@nam", mdta: "title,displayname", udta: "@nam", uiso: "titl", id3: "TIT2",
            riff: "INAM", info: "title"),
        Row("subtitle", "SUBTITLE", iTunes: "@st3", id3: "TIT3"),
        Row(
            "album", "ALBUM", iTunes: "@alb", mdta: "album", udta: "@alb", uiso: "albm", id3: "TALB", riff: "IPRD",
            info: "album"),
        Row("disc-subtitle", "DISCSUBTITLE,SETSUBTITLE", id3: "TSST", riff: "PRT1"),
        Row("grouping", "GROUPING,CONTENTGROUP", iTunes: "@grp,grup", id3: "TIT1,GRP1"),
        Row("work", "WORK", iTunes: "@wrk"),
        Row("movement", "MOVEMENTNAME", iTunes: "@mvn", id3: "MVNM"),
        Row("original-album", "ORIGINALALBUM", id3: "TOAL"),
        Row("original-filename", "ORIGINALFILENAME", id3: "TOFN"),
        Row("sort-title", "TITLESORT,SORTNAME,SORTTITLE", iTunes: "sonm", id3: "TSOT"),
        Row("sort-artist", "ARTISTSORT,SORTARTIST", iTunes: "soar", id3: "TSOP"),
        Row("sort-album", "ALBUMSORT,SORTALBUM", iTunes: "soal", id3: "TSOA"),
        Row("sort-album-artist", "ALBUMARTISTSORT,SORTALBUMARTIST", iTunes: "soaa", id3: "TSO2"),
        Row("sort-composer", "COMPOSERSORT,SORTCOMPOSER", iTunes: "soco", id3: "TSOC"),
        Row("sort-show", "SHOWSORT,SORTSHOW", iTunes: "sosn"),
        Row("show", "SHOW,TVSHOW", iTunes: "tvsh"),
        Row("episode-id", "EPISODE_ID,TVEPISODEID", iTunes: "tven"),
        Row("network", "NETWORK,TVNETWORK", iTunes: "tvnn"),
        Row("track-name", "TRACKNAME", udta: "tnam"),
    ]

    private static let people: [Row] = [
        Row(
            "artist", "ARTIST", iTunes: "@ART", mdta: "artist", udta: "@ART", uiso: "perf", id3: "TPE1",
            matroska: "ARTIST,LEAD_PERFORMER", riff: "IART", info: "artist,author"),
        Row("album-artist", "ALBUMARTIST", iTunes: "aART", id3: "TPE2", matroska: "ALBUM_ARTIST"),
        Row(
            "composer", "COMPOSER", iTunes: "@wrt", mdta: "composer", udta: "@com", id3: "TCOM", riff: "IMUS",
            info: "composer"),
        Row("author", "AUTHOR", iTunes: "@aut", mdta: "author", udta: "@aut", uiso: "auth"),
        Row("lyricist", "LYRICIST", id3: "TEXT", info: "lyricist"),
        Row("writer", "WRITER", udta: "@wrt", matroska: "WRITTEN_BY", riff: "IWRI"),
        Row("conductor", "CONDUCTOR", iTunes: "@con", id3: "TPE3"),
        Row("performer", "PERFORMER,PERFORMERS", iTunes: "@prf", mdta: "performer", udta: "@prf", riff: "ISTR"),
        Row("soloist", "SOLOIST", iTunes: "@sol"),
        Row("narrator", "NARRATOR", iTunes: "@nrt"),
        Row("arranger", "ARRANGER", iTunes: "@arg", mdta: "arranger", udta: "@arg", id3: "TIPL:arranger"),
        Row("producer", "PRODUCER", iTunes: "@prd", mdta: "producer", udta: "@prd", id3: "TIPL:producer", riff: "IPRO"),
        Row("executive-producer", "EXECUTIVEPRODUCER", iTunes: "@xpd", matroska: "EXECUTIVE_PRODUCER"),
        Row("engineer", "ENGINEER", iTunes: "@sne", id3: "TIPL:engineer", matroska: "SOUND_ENGINEER", riff: "IENG"),
        Row("mixer", "MIXER", id3: "TIPL:mix", matroska: "MIXED_BY"),
        Row("dj-mixer", "DJMIXER", id3: "TIPL:DJ-mix"),
        Row("remixer", "REMIXER", id3: "TPE4", matroska: "REMIXED_BY"),
        Row("director", "DIRECTOR", iTunes: "@dir", mdta: "director", udta: "@dir"),
        Row("art-director", "ARTDIRECTOR", iTunes: "@ard", matroska: "ART_DIRECTOR"),
        Row("original-artist", "ORIGINALARTIST", iTunes: "@ope", mdta: "originalartist", udta: "@ope", id3: "TOPE"),
        Row("original-lyricist", "ORIGINALLYRICIST", id3: "TOLY"),
        Row(
            "publisher", "PUBLISHER,LABEL,ORGANIZATION", iTunes: "@pub", mdta: "publisher", udta: "@pub", id3: "TPUB",
            riff: "IPUB"),
        Row("record-company", "RECORDCOMPANY", iTunes: "@mak"),
        Row(
            "encoded-by", "ENCODEDBY", iTunes: "@enc", mdta: "encodedby", udta: "@enc", id3: "TENC",
            matroska: "ENCODED_BY", riff: "ITCH"),
        Row("file-owner", "FILEOWNER", id3: "TOWN"),
        Row("owner", "ITUNESOWNER", iTunes: "ownr"),
    ]

    private static let numbers: [Row] = [
        Row(
            "track", "TRACKNUMBER,TRACK", .pair, totals: "TRACKTOTAL,TOTALTRACKS", iTunes: "trkn", udta: "@trk",
            id3: "TRCK", matroska: "PART_NUMBER", matroskaTotal: "TOTAL_PARTS", riff: "IPRT,ITRK,TRCK",
            info: "track number"),
        Row("disc", "DISCNUMBER,DISC", .pair, totals: "DISCTOTAL,TOTALDISCS", iTunes: "disk", id3: "TPOS"),
        Row(
            "movement-number", "MOVEMENT,MOVEMENTNUMBER", .pair, totals: "MOVEMENTTOTAL", iTunes: "@mvi#2",
            iTunesTotal: "@mvc#2", id3: "MVIN"),
        Row("season", "SEASON_NUMBER,SEASON,TVSEASON", .integer, iTunes: "tvsn#4"),
        Row("episode", "EPISODE_SORT,EPISODE,EPISODENUMBER,TVEPISODE", .integer, iTunes: "tves#4"),
        Row("bpm", "BPM,TEMPO", .integer, iTunes: "tmpo#2", id3: "TBPM", riff: "IBPM", info: "tempo"),
        Row(
            "date", "DATE,YEAR", .date, iTunes: "@day", mdta: "year", udta: "@day", uiso: "yrrc,date",
            id3: "TDRC,TYER", matroska: "DATE_RELEASED", riff: "ICRD", info: "recorded date,year"),
        Row("release-date", "RELEASEDATE", .date, id3: "TDRL"),
        Row("original-date", "ORIGINALDATE,ORIGINALYEAR", .date, id3: "TDOR,TORY"),
        Row(
            "creation-date", "CREATIONDATE,CREATION_TIME", .date, mdta: "creationdate", matroska: "DATE_RECORDED"),
        Row("encoding-date", "ENCODINGTIME", .date, id3: "TDEN", matroska: "DATE_ENCODED"),
        Row("tagging-date", "TAGGINGTIME", .date, id3: "TDTG", matroska: "DATE_TAGGED"),
        Row("compilation", "COMPILATION", .flag, iTunes: "cpil#1", id3: "TCMP"),
        Row("gapless", "GAPLESS_PLAYBACK,ITUNESGAPLESS,GAPLESS", .flag, iTunes: "pgap#1"),
        Row("podcast", "PODCAST,ITUNESPODCAST", .flag, iTunes: "pcst#1"),
        Row("show-movement", "SHOWMOVEMENT", .flag, iTunes: "shwm#1"),
        Row("hd-video", "HD_VIDEO,ITUNESHDVIDEO", .integer, iTunes: "hdvd#1"),
        Row("media-type", "MEDIA_TYPE,ITUNESMEDIATYPE", .mediaType, iTunes: "stik#1"),
        Row("advisory", "ITUNESADVISORY", .advisory, iTunes: "rtng#1"),
        Row("rating", "RATING", iTunes: "rate", mdta: "rating.user", uiso: "urat"),
    ]

    private static let words: [Row] = [
        Row("artwork", "METADATA_BLOCK_PICTURE,COVERART", .picture, iTunes: "covr", mdta: "artwork", id3: "APIC"),
        Row(
            "genre", "GENRE", .genre, iTunes: "@gen,gnre", mdta: "genre", udta: "@gen", uiso: "gnre", id3: "TCON",
            riff: "IGNR", info: "genre"),
        Row(
            "comment", "COMMENT", iTunes: "@cmt", mdta: "comment", udta: "@cmt", id3: "COMM:", riff: "ICMT",
            info: "comments,comment"),
        Row("description", "DESCRIPTION", iTunes: "desc,@des", mdta: "description", udta: "@des", uiso: "dscp"),
        Row("podcast-description", "PODCASTDESC", id3: "TDES"),
        Row("synopsis", "SYNOPSIS,LONGDESCRIPTION", iTunes: "ldes"),
        Row("lyrics", "LYRICS,UNSYNCEDLYRICS,UNSYNCED LYRICS", iTunes: "@lyr", id3: "USLT:"),
        Row(
            "keywords", "KEYWORDS,PODCASTKEYWORDS", iTunes: "keyw", mdta: "keywords", udta: "@key", uiso: "kywd",
            id3: "TKWD,TXXX:KEYWORDS", riff: "IKEY"),
        Row("category", "PODCASTCATEGORY", iTunes: "catg", id3: "TCAT"),
        Row("subject", "SUBJECT", riff: "ISBJ"),
        Row("source", "SOURCE", riff: "ISRC"),
        Row(
            "copyright", "COPYRIGHT", iTunes: "cprt,@cpy", mdta: "copyright", udta: "@cpy", uiso: "cprt", id3: "TCOP",
            riff: "ICOP", info: "copyright"),
        Row("phonogram-rights", "PHONOGRAMRIGHTS", iTunes: "@phg", mdta: "phonogramrights", udta: "@phg"),
        Row("terms-of-use", "TERMSOFUSE", matroska: "TERMS_OF_USE"),
        Row("produced-notice", "PRODUCEDNOTICE", id3: "TPRO"),
        Row("credits", "CREDITS", iTunes: "@src", mdta: "credits", udta: "@src"),
        Row("acknowledgement", "ACKNOWLEDGEMENT", iTunes: "@cak"),
        Row("thanks", "THANKS", iTunes: "@thx"),
        Row("liner-notes", "LINERNOTES", iTunes: "@lnt"),
        Row("information", "INFORMATION", mdta: "information", udta: "@inf"),
        Row("warning", "WARNING", udta: "@wrn"),
        Row("disclaimer", "DISCLAIMER", udta: "@dis"),
        Row("requirements", "REQUIREMENTS", udta: "@req"),
        Row("mood", "MOOD", id3: "TMOO"),
        Row("key", "INITIALKEY,KEY", label: "initialkey", id3: "TKEY", matroska: "INITIAL_KEY", info: "key signature"),
        Row("language", "LANGUAGE", id3: "TLAN", riff: "ILNG"),
        Row("media", "MEDIA,SOURCEMEDIA", id3: "TMED", matroska: "ORIGINAL_MEDIA_TYPE", riff: "IMED"),
        Row("collection", "COLLECTION", uiso: "coll"),
        Row(
            "accessibility-description", "ACCESSIBILITYDESCRIPTION", mdta: "accessibility.description", udta: "@ade",
            uiso: "ades"),
        Row("equalizer", "EQUALIZER", iTunes: "@equ"),
    ]

    private static let programs: [Row] = [
        Row(
            "encoder", "ENCODER,ENCODEDWITH", iTunes: "@too", id3: "TSSE", riff: "ISFT",
            info: "encoding application"),
        Row("software", "SOFTWARE", mdta: "software", udta: "@swr"),
        Row("make", "MAKE", mdta: "make", udta: "@mak"),
        Row("model", "MODEL", mdta: "model", udta: "@mod"),
        Row("host-computer", "HOSTCOMPUTER", udta: "@hst"),
        Row("product", "PRODUCT", udta: "@PRD"),
        Row("original-format", "ORIGINALFORMAT", udta: "@fmt"),
        Row("location", "LOCATION", .location, iTunes: "<@xyz", mdta: "location.ISO6709", udta: "@xyz", uiso: "loci"),
    ]

    private static let identifiers: [Row] = [
        Row("isrc", "ISRC", id3: "TSRC"),
        Row("barcode", "BARCODE,UPC,EAN"),
        Row("catalog-number", "CATALOGNUMBER", matroska: "CATALOG_NUMBER"),
        Row("asin", "ASIN"),
        Row("podcast-id", "PODCASTID", iTunes: "egid", id3: "TGID"),
        Row("account", "ITUNESACCOUNT", iTunes: "apID"),
        Row("account-type", "ITUNESACCOUNTTYPE,ACCOUNT_TYPE", .integer, iTunes: "akID#1"),
        Row("purchase-date", "ITUNESPURCHASEDATE,PURCHASE_DATE", iTunes: "purd"),
        Row("store-artist", "ITUNESARTISTID", .integer, iTunes: "atID#4"),
        Row("store-song", "ITUNESCATALOGID", .integer, iTunes: "cnID#4"),
        Row("store-album", "ITUNESALBUMID", .integer, iTunes: "plID#8"),
        Row("store-genre", "ITUNESGENREID", .integer, iTunes: "geID#4"),
        Row("store-country", "ITUNESCOUNTRYID", .integer, iTunes: "sfID#4"),
        Row("store-composer", "ITUNESCOMPOSERID", .integer, iTunes: "cmID#4"),
        Row("store-xid", "ITUNESXID", iTunes: "xid "),
        Row("acoustid", "ACOUSTID_ID", label: "Acoustid Id"),
        Row("acoustid-fingerprint", "ACOUSTID_FINGERPRINT", label: "Acoustid Fingerprint"),
        Row("musicbrainz-artist", "MUSICBRAINZ_ARTISTID", label: "MusicBrainz Artist Id"),
        Row("musicbrainz-album", "MUSICBRAINZ_ALBUMID", label: "MusicBrainz Album Id"),
        Row("musicbrainz-album-artist", "MUSICBRAINZ_ALBUMARTISTID", label: "MusicBrainz Album Artist Id"),
        Row("musicbrainz-release-group", "MUSICBRAINZ_RELEASEGROUPID", label: "MusicBrainz Release Group Id"),
        Row("musicbrainz-release-track", "MUSICBRAINZ_RELEASETRACKID", label: "MusicBrainz Release Track Id"),
        Row(
            "musicbrainz-recording", "MUSICBRAINZ_TRACKID", label: "MusicBrainz Track Id",
            id3: "UFID:http://musicbrainz.org"),
        Row("musicbrainz-work", "MUSICBRAINZ_WORKID", label: "MusicBrainz Work Id"),
        Row("musicbrainz-disc", "MUSICBRAINZ_DISCID", label: "MusicBrainz Disc Id"),
        Row("release-type", "RELEASETYPE,MusicBrainz Album Type", label: "MusicBrainz Album Type"),
        Row("release-status", "RELEASESTATUS,MusicBrainz Album Status", label: "MusicBrainz Album Status"),
        Row(
            "release-country", "RELEASECOUNTRY,MusicBrainz Album Release Country",
            label: "MusicBrainz Album Release Country"),
    ]

    private static let addresses: [Row] = [
        Row("url", "URL", iTunes: "@url", udta: "@url", id3: "WXXX:"),
        Row("podcast-url", "PODCASTURL", iTunes: "purl", id3: "WFED"),
        Row("license", "LICENSE,COPYRIGHTURL", id3: "WCOP"),
        Row("artist-url", "WEBSITE,ARTISTWEBPAGE", id3: "WOAR"),
        Row("file-url", "FILEWEBPAGE", id3: "WOAF"),
        Row("source-url", "AUDIOSOURCEWEBPAGE", id3: "WOAS"),
        Row("station-url", "RADIOSTATIONWEBPAGE", id3: "WORS"),
        Row("station-name", "RADIOSTATION", id3: "TRSN"),
        Row("station-owner", "RADIOSTATIONOWNER", id3: "TRSO"),
        Row("payment-url", "PAYMENTWEBPAGE", id3: "WPAY"),
        Row("publisher-url", "PUBLISHERWEBPAGE", id3: "WPUB"),
        Row("commercial-url", "COMMERCIALINFORMATION", id3: "WCOM"),
    ]
}
