import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `A media item` {
    struct Reading: Sendable, CustomTestStringConvertible {
        let entries: [MetadataEntry]
        let testDescription: String
        let check: @Sendable (MediaItem) -> Bool

        init(_ description: String, _ entries: [MetadataEntry], _ check: @escaping @Sendable (MediaItem) -> Bool) {
            (testDescription, self.entries, self.check) = (description, entries, check)
        }
    }

    /// What media players show where the field itself is missing.
    static let standIns: [Reading] = [
        Reading("producer", [.iTunes("@prd", .text("P"))]) { $0.artist == "P" },
        Reading("producer and artist", [.iTunes("@prd", .text("P")), .iTunes("@ART", .text("A"))]) { $0.artist == "A" },
        Reading("director", [.iTunes("@dir", .text("D"))]) { $0.composer == "D" },
        Reading("director and composer", [.userData("@dir", "D"), .userData("@com", "C")]) { $0.composer == "C" },
        Reading("creation date", [.vorbis("CREATIONDATE", "2011-05-06")]) { $0.year == 2011 },
        Reading("both dates", [.vorbis("CREATIONDATE", "2011"), .vorbis("DATE", "1999")]) { $0.year == 1999 },
        Reading("ldes", [.iTunes("ldes", .text("long"))]) { $0.comments == "long" },
        Reading("desc", [.iTunes("desc", .text("short"))]) { $0.comments == "short" },
        Reading("ldes and desc", [.iTunes("desc", .text("short")), .iTunes("ldes", .text("long"))]) {
            $0.comments == "long"
        },
        Reading("comment and ldes", [.iTunes("ldes", .text("long")), .iTunes("@cmt", .text("note"))]) {
            $0.comments == "note"
        },
        Reading("keywords", [.iTunes("keyw", .text("a,b"))]) { $0.grouping == "a,b" },
        Reading("grouping", [.iTunes("keyw", .text("a,b")), .iTunes("@grp", .text("G"))]) { $0.grouping == "G" },
    ]

    @Test(arguments: standIns)
    func `A media item shows what stands in for a field`(_ reading: Reading) {
        #expect(reading.check(MediaItem(entries: reading.entries)))
    }

    @Test func `A media item writes a field that had a stand-in, and leaves the stand-in alone`() {
        let entries: [MetadataEntry] = [.iTunes("@prd", .text("P")), .iTunes("keyw", .text("k"))]
        var item = MediaItem(entries: entries)
        #expect(item.applied(to: entries, in: .isoBaseMedia).entries == entries)
        item.artist = "A"
        let changed = item.applied(to: entries, in: .isoBaseMedia).entries
        #expect(Set(changed.map(\.value)) == [.text("P"), .text("k"), .text("A")])
    }

    static let numbers: [Reading] = [
        Reading("trkn", [.iTunes("trkn", .data([0, 0, 0, 3, 0, 12, 0, 0]))]) {
            $0.trackNumber == 3 && $0.trackCount == 12
        },
        Reading("disk of one number", [.iTunes("disk", .data([0, 0, 0, 1, 0, 0]))]) {
            $0.discNumber == 1 && $0.discCount == nil
        },
        Reading("TRCK 08/10", [.id3("TRCK", "08/10"), .id3("TPOS", "1")]) {
            $0.trackNumber == 8 && $0.trackCount == 10 && $0.discNumber == 1 && $0.discCount == nil
        },
        Reading("TRK of version 2.2", [.id3("TRK", "3/11")]) { $0.trackNumber == 3 && $0.trackCount == 11 },
        Reading("TRACKTOTAL", [.vorbis("TRACKNUMBER", "02"), .vorbis("TRACKTOTAL", "9")]) {
            $0.trackNumber == 2 && $0.trackCount == 9
        },
        Reading("TOTALTRACKS and 3/12", [.vorbis("tracknumber", "3/12"), .vorbis("TOTALDISCS", "2")]) {
            $0.trackNumber == 3 && $0.trackCount == 12 && $0.discNumber == nil && $0.discCount == 2
        },
        Reading("udta ©trk", [.userData("@trk", "7/8")]) { $0.trackNumber == 7 && $0.trackCount == 8 },
        Reading("PART_NUMBER without a level", [.matroska("PART_NUMBER", "4")]) { $0.trackNumber == 4 },
        Reading(
            "PART_NUMBER of track and album",
            [
                .matroska("PART_NUMBER", "4", level: 30), .matroska("TOTAL_PARTS", "9", level: 30),
                .matroska("PART_NUMBER", "1", level: 50), .matroska("TOTAL_PARTS", "2", level: 50),
            ]
        ) { $0.trackNumber == 4 && $0.trackCount == 9 && $0.discNumber == 1 && $0.discCount == 2 },
        Reading(
            "TOTAL_PARTS of the album counts tracks",
            [.matroska("PART_NUMBER", "4", level: 30), .matroska("TOTAL_PARTS", "9", level: 50)]
        ) { $0.trackNumber == 4 && $0.trackCount == 9 && $0.discCount == nil },
        Reading(
            "an episode is no track",
            [.matroska("PART_NUMBER", "4", level: 50), .matroska("PART_NUMBER", "1", level: 60)]
        ) { $0.trackNumber == nil && $0.discNumber == nil },
        Reading("tmpo", [.iTunes("tmpo", .integer(120))]) { $0.bpm == 120 },
        Reading("TBPM with a fraction", [.id3("TBPM", "127.98")]) { $0.bpm == 128 },
        Reading("BPM that is none", [.vorbis("BPM", "fast")]) { $0.bpm == nil },
        Reading("year of a date", [.iTunes("@day", "2004-05-06T07:00:00Z")]) { $0.year == 2004 },
        Reading("TYER and TDAT", [.id3("TYER", "2004"), .id3("TDAT", "0605")]) { $0.year == 2004 },
        Reading("TDRC", [.id3("TDRC", "1999-12")]) { $0.year == 1999 },
        Reading("DATE", [.vorbis("DATE", "1969")]) { $0.year == 1969 },
        Reading("DATE_RELEASED", [.matroska("DATE_RELEASED", "1969-07-20")]) { $0.year == 1969 },
        Reading("yrrc", [MetadataEntry(.isoUserData, .code(0x7972_7263), .integer(2007))]) { $0.year == 2007 },
    ]

    static let texts: [Reading] = [
        Reading("gnre", [.iTunes("gnre", .data([0, 18]))]) { $0.genre == "Rock" },
        Reading("gnre beside ©gen", [.iTunes("gnre", .data([0, 18])), .iTunes("@gen", "Garage")]) {
            $0.genre == "Garage"
        },
        Reading("gnre of a number that is none", [.iTunes("gnre", .data([0, 0]))]) { $0.genre == nil },
        Reading("geID", [.iTunes("geID", .integer(4413))]) { $0.genre == "Sci-Fi & Fantasy" },
        Reading("TCON (17)", [.id3("TCON", "(17)")]) { $0.genre == "Rock" },
        Reading("TCON (17)(6)Refined", [.id3("TCON", "(17)(6)Refined")]) { $0.genre == "Rock; Grunge; Refined" },
        Reading("TCON 17 and a name", [.id3("TCON", "17"), .id3("TCON", "Foo")]) { $0.genre == "Rock; Foo" },
        Reading(
            "COMM without description", [.id3("COMM", "x", "iTunNORM"), .id3("COMM", "y", ""), .id3("COMM", "z", "c")]
        ) {
            $0.comments == "y"
        },
        Reading("COMM with description", [.id3("COMM", "x", "iTunNORM"), .id3("COMM", "z", "c")]) {
            $0.comments == "z"
        },
        Reading("COMM of iTunes alone", [.id3("COMM", "x", "iTunNORM"), .id3("COMM", "x", "iTunSMPB")]) {
            $0.comments == nil
        },
        Reading("several artists", [.vorbis("ARTIST", "A"), .vorbis("ARTIST", "B")]) { $0.artist == "A; B" },
        Reading("artists in two languages", [.userData("@ART", "Der", "de"), .userData("@ART", "The", "en")]) {
            $0.artist == "Der"
        },
        Reading("order of key spaces", [.userData("@nam", "u"), .quickTime("title", "m"), .iTunes("@nam", "i")]) {
            $0.name == "i"
        },
        Reading("empty texts", [.iTunes("@nam", ""), .quickTime("title", "m")]) { $0.name == "m" },
        Reading("album artists", [.id3("TP2", "B"), .iTunes("soaa", "x")]) { $0.albumArtist == "B" },
        Reading("names that FFmpeg writes", [MetadataEntry(.quickTimeMetadata, .text("album_artist"), .text("B"))]) {
            $0.albumArtist == "B"
        },
        Reading("Vorbis names of any spelling", [.vorbis("Album Artist", "B"), .vorbis("contentgroup", "g")]) {
            $0.albumArtist == "B" && $0.grouping == "g"
        },
        Reading(
            "Matroska's album at level 50",
            [
                .matroska("TITLE", "a", level: 50), .matroska("TITLE", "t", level: 30),
                .matroska("ARTIST", "x", level: 50),
            ]
        ) { $0.name == "t" && $0.album == "a" && $0.artist == "x" },
        Reading("Matroska's title without level", [.matroska("TITLE", "t")]) { $0.name == "t" && $0.album == nil },
        Reading("properties", [.property("INAM", "n"), .property("info-artist", "a"), .property("IPRD", "p")]) {
            $0.name == "n" && $0.artist == "a" && $0.album == "p"
        },
        Reading("common keys", [MetadataEntry(.common, .text("albumName"), .text("a")), .iTunes("@alb", "b")]) {
            $0.album == "a"
        },
    ]

    static let pictures: [Reading] = [
        Reading("covr", [Pictures.cover(Pictures.png), Pictures.cover(Pictures.jpeg)]) {
            $0.artwork == MediaItem.Artwork(data: Pictures.png) && $0.artwork?.mimeType == "image/png"
        },
        Reading(
            "the front cover among pictures",
            [
                Pictures.id3(Pictures.otherJPEG, type: "Cover (back)"), Pictures.id3(Pictures.png, type: "Other"),
                Pictures.id3(Pictures.jpeg, type: "Cover (front)"),
            ]
        ) { $0.artwork?.data == Pictures.jpeg },
        Reading("any picture rather than none", [Pictures.id3(Pictures.png, type: "Illustration")]) {
            $0.artwork?.data == Pictures.png && $0.artwork?.mimeType == "image/png"
        },
        Reading("no picture of no bytes", [Pictures.cover([])]) { $0.artwork == nil },
    ]

    @Test(arguments: numbers + texts + pictures)
    func `A media item reads numbers, texts and images`(_ reading: Reading) {
        #expect(reading.check(MediaItem(entries: reading.entries)))
    }

    @Test func `A media item of no entries is empty`() { #expect(MediaItem(entries: []) == MediaItem()) }
}

@Suite struct `Applying a media item` {
    static let source: [MetadataEntry] = [
        .userData("@nam", "old", "en"), .quickTime("title", "old"), .iTunes("@nam", "old"), .iTunes("@ART", "artist"),
        .iTunes("trkn", .data([0, 0, 0, 3, 0, 12, 0, 9])), .iTunes("gnre", .data([0, 18])),
        .iTunes("geID", .integer(21)), .iTunes("@too", "tool"),
    ]

    static func edit(
        _ entries: [MetadataEntry], _ container: FileMetadata.Container, _ change: (inout MediaItem) -> Void
    ) -> MetadataEdit {
        var item = MediaItem(entries: entries)
        change(&item)
        let edit = item.applied(to: entries, in: container)
        if edit.losses.isEmpty { #expect(MediaItem(entries: edit.entries) == item) }
        return edit
    }

    @Test(arguments: [FileMetadata.Container.isoBaseMedia, .quickTime])
    func `Applying an unchanged media item changes nothing`(_ container: FileMetadata.Container) {
        #expect(Self.edit(Self.source, container) { _ in } == MetadataEdit(entries: Self.source))
    }

    @Test func `Applying a media item changes a field in all key spaces`() {
        let edit = Self.edit(Self.source, .isoBaseMedia) { $0.name = "new" }
        #expect(
            edit.entries.prefix(3).map(\.line) == [
                "udta/%A9nam=new", "mdta/com.apple.quicktime.title=new", "itsk/%A9nam=new",
            ])
        #expect(edit.entries[0].languageTag == "en")
        #expect(edit.entries.dropFirst(3) == Self.source.dropFirst(3))
    }

    @Test func `Applying a media item removes a field from all key spaces`() {
        let edit = Self.edit(Self.source, .isoBaseMedia) { $0.name = nil }
        #expect(edit.entries == Array(Self.source.dropFirst(3)))
    }

    @Test func `Applying a media item keeps the unknown bytes of a number`() {
        let edit = Self.edit(Self.source, .isoBaseMedia) { $0.trackNumber = 4 }
        #expect(edit.entries[4].value == .data([0, 0, 0, 4, 0, 12, 0, 9]))
    }

    @Test func `Applying a media item writes a genre as text`() {
        let edit = Self.edit(Self.source, .isoBaseMedia) { $0.genre = "Zydeco" }
        #expect(
            edit.entries.map(\.line).filter { $0.contains("g") && !$0.contains("@") }.contains("itsk/%A9gen=Zydeco"))
        #expect(!edit.entries.contains { ["gnre", "geID"].contains($0.key.text) })
    }

    struct Writing: Sendable, CustomTestStringConvertible {
        let container: FileMetadata.Container
        let entries: [MetadataEntry]
        let lines: [String]
        var testDescription: String { "\(container) \(entries.map(\.line))" }

        init(_ container: FileMetadata.Container, _ entries: [MetadataEntry], _ lines: [String]) {
            (self.container, self.entries, self.lines) = (container, entries, lines)
        }
    }

    static let writings: [Writing] = [
        Writing(
            .isoBaseMedia, [],
            [
                "itsk/%A9nam=n", "itsk/aART=b", "itsk/%A9gen=Rock", "itsk/%A9cmt=c", "itsk/%A9day=2004",
                "itsk/tmpo=120",
                "itsk/trkn=[0, 0, 0, 3, 0, 12, 0, 0]", "itsk/disk=[0, 0, 0, 1, 0, 0]",
            ]),
        Writing(
            .quickTime, [],
            [
                "mdta/com.apple.quicktime.title=n", "itsk/aART=b", "mdta/com.apple.quicktime.genre=Rock",
                "mdta/com.apple.quicktime.comment=c", "mdta/com.apple.quicktime.year=2004", "itsk/tmpo=120",
                "itsk/trkn=[0, 0, 0, 3, 0, 12, 0, 0]", "itsk/disk=[0, 0, 0, 1, 0, 0]",
            ]),
        Writing(
            .quickTime, [.userData("@alb", "a")],
            [
                "udta/%A9alb=a", "udta/%A9nam=n", "itsk/aART=b", "udta/%A9gen=Rock", "udta/%A9cmt=c",
                "udta/%A9day=2004",
                "itsk/tmpo=120", "udta/%A9trk=3/12", "itsk/disk=[0, 0, 0, 1, 0, 0]",
            ]),
        Writing(
            .id3, [.id3("TDRC", "1999-12")],
            [
                "id3/TDRC=2004", "id3/TIT2=n", "id3/TPE2=b", "id3/TCON=Rock", "id3/COMM[]=c", "id3/TBPM=120",
                "id3/TRCK=3/12", "id3/TPOS=1",
            ]),
        Writing(
            .id3, [.id3("TYER", "1999"), .id3("TDAT", "0605"), .id3("TRCK", "02/12")],
            [
                "id3/TYER=2004", "id3/TRCK=03/12", "id3/TIT2=n", "id3/TPE2=b", "id3/TCON=Rock", "id3/COMM[]=c",
                "id3/TBPM=120", "id3/TPOS=1",
            ]),
        Writing(
            .id3, [.id3("TT2", "o")],
            [
                "id3/%00TT2=n", "id3/%00TP2=b", "id3/%00TCO=Rock", "id3/%00COM[]=c", "id3/%00TYE=2004",
                "id3/%00TBP=120",
                "id3/%00TRK=3/12", "id3/%00TPA=1",
            ]),
        Writing(
            .flac, [.vorbis("Title", "o"), .vorbis("TRACKNUMBER", "01"), .vorbis("TOTALTRACKS", "9")],
            [
                "vorb/Title=n", "vorb/TRACKNUMBER=03", "vorb/TOTALTRACKS=12", "vorb/ALBUMARTIST=b", "vorb/GENRE=Rock",
                "vorb/COMMENT=c", "vorb/DATE=2004", "vorb/BPM=120", "vorb/DISCNUMBER=1",
            ]),
        Writing(
            .ogg, [.vorbis("TRACKNUMBER", "1/9")],
            [
                "vorb/TRACKNUMBER=3/12", "vorb/TITLE=n", "vorb/ALBUMARTIST=b", "vorb/GENRE=Rock", "vorb/COMMENT=c",
                "vorb/DATE=2004", "vorb/BPM=120", "vorb/DISCNUMBER=1",
            ]),
        Writing(
            .matroska, [],
            [
                "mkv/TITLE=n", "mkv/ALBUM_ARTIST=b", "mkv/GENRE=Rock", "mkv/COMMENT=c", "mkv/DATE_RELEASED=2004",
                "mkv/BPM=120", "mkv/PART_NUMBER=3", "mkv/TOTAL_PARTS=12", "mkv/DISCNUMBER=1",
            ]),
        Writing(
            .riff, [.property("INAM", "o"), .id3("TIT2", "o")],
            [
                "caaf/INAM=n", "id3/TIT2=n", "id3/TPE2=b", "id3/TCON=Rock", "id3/COMM[]=c", "id3/TDRC=2004",
                "id3/TBPM=120", "id3/TRCK=3/12", "id3/TPOS=1",
            ]),
    ]

    @Test(arguments: writings)
    func `Applying a media item writes the fields that each container has`(_ writing: Writing) {
        let edit = Self.edit(writing.entries, writing.container) { item in
            item.name = "n"
            item.albumArtist = "b"
            item.genre = "Rock"
            item.comments = "c"
            (item.year, item.bpm) = (2004, 120)
            (item.trackNumber, item.trackCount) = (3, 12)
            item.discNumber = 1
        }
        #expect(Set(edit.entries.map(\.line)) == Set(writing.lines))
        #expect(edit.losses.isEmpty)
    }

    @Test func `Applying a media item reports what a container cannot hold`() {
        let edit = Self.edit([], .riff) { item in
            (item.name, item.albumArtist, item.discNumber) = ("n", "b", 1)
            item.artwork = MediaItem.Artwork(data: Pictures.jpeg)
        }
        #expect(edit.entries.map(\.line) == ["caaf/INAM=n"])
        #expect(edit.losses.map(\.item) == ["album-artist", "disc", "artwork"])
        let big = Self.edit([], .isoBaseMedia) { $0.discNumber = 70_000 }
        #expect(big.entries.isEmpty && big.losses.map(\.item) == ["disc"])
    }

    @Test func `Applying a media item replaces the comment that is shown`() {
        let entries: [MetadataEntry] = [.id3("COMM", "norm", "iTunNORM"), .id3("COMM", "old", "c0")]
        let edit = Self.edit(entries, .id3) { $0.comments = "new" }
        #expect(edit.entries.map(\.line) == ["id3/COMM[iTunNORM]=norm", "id3/COMM[]=new"])
        let both = entries + [.id3("COMM", "plain", "")]
        let second = Self.edit(both, .id3) { $0.comments = "new" }
        #expect(second.entries.map(\.line) == ["id3/COMM[iTunNORM]=norm", "id3/COMM[c0]=old", "id3/COMM[]=new"])
    }

    @Test func `Applying a media item replaces the front cover and keeps other images`() {
        let back = Pictures.id3(Pictures.png, type: "Cover (back)", "b")
        let entries = [back, Pictures.id3(Pictures.jpeg, type: "Cover (front)", "f"), .id3("TIT2", "t")]
        let edit = Self.edit(entries, .id3) { $0.artwork = MediaItem.Artwork(data: Pictures.otherJPEG) }
        #expect(edit.entries == [back, Pictures.id3(Pictures.otherJPEG, type: "Cover (front)"), .id3("TIT2", "t")])
        #expect(Self.edit(entries, .id3) { $0.artwork = nil }.entries == [.id3("TIT2", "t")])
    }

    @Test func `Applying a media item replaces the first of iTunes' covers`() {
        let entries = [Pictures.cover(Pictures.jpeg), Pictures.cover(Pictures.otherJPEG)]
        let edit = Self.edit(entries, .isoBaseMedia) { $0.artwork = MediaItem.Artwork(data: Pictures.png) }
        #expect(edit.entries == [Pictures.cover(Pictures.png), Pictures.cover(Pictures.otherJPEG)])
        let refused = Self.edit([], .isoBaseMedia) { $0.artwork = MediaItem.Artwork(data: Pictures.webP) }
        #expect(refused.losses == [MetadataLoss(item: "artwork", reason: "image/webp pictures do not fit there")])
    }
}
