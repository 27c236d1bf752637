import MediaCore
import MetadataFormats
import Testing

@testable import MediaMetadata

@Suite struct `Converting metadata` {
    /// One entry for each iTunes key of the table, and some of other kinds.
    static let movie: [MetadataEntry] =
        MetadataFieldTable.rows.flatMap { row -> [MetadataEntry] in
            guard let key = row.keys(in: .iTunes).first.map(MetadataFieldTable.name) else { return [] }
            switch row.kind {
            case .text: return [.iTunes(key, "text of \(row.field.rawValue)")]
            case .genre: return [.iTunes(key, "Zydeco")]
            case .date: return [.iTunes(key, "2004-05-06T07:08:09Z")]
            case .integer: return [.iTunes(key, .integer(7))]
            case .flag: return [.iTunes(key, .integer(1))]
            case .mediaType: return [.iTunes(key, .integer(10))]
            case .advisory: return [.iTunes(key, .integer(2))]
            case .picture: return [Pictures.cover(Pictures.jpeg), Pictures.cover(Pictures.png)]
            case .pair where key == "trkn": return [.iTunes(key, .data([0, 0, 0, 3, 0, 12, 0, 0]))]
            case .pair where key == "disk": return [.iTunes(key, .data([0, 0, 0, 1, 0, 2]))]
            case .pair: return [.iTunes("@mvi", .integer(2)), .iTunes("@mvc", .integer(4))]
            case .location: return []
            }
        } + [
            .userData("@xyz", "+48.8577+002.2950/"), .quickTime("make", "maker"), .quickTime("model", "camera"),
            .quickTime("software", "17.1"), .quickTime("creationdate", "2024-05-06T07:08:09+0200"),
            .quickTime("location.accuracy.horizontal", "4.5"), .freeForm("SERIES", "s"), .freeForm("iTunNORM", " 0 0"),
            .freeForm("MusicBrainz Album Id", "mb"), .freeForm("initialkey", "Am"), .freeForm("ISRC", "DE1234567890"),
            MetadataEntry(.iTunesFreeForm, .text("com.pilabor.tone.PART"), .text("p")),
            MetadataEntry(.quickTimeMetadata, .text("com.android.version"), .text("14")),
        ]

    /// What a conversion there and back again must leave as it is.
    static func lines(_ entries: [MetadataEntry]) -> [String] { entries.map(\.line).sorted() }

    @Test(arguments: [FileMetadata.Container.matroska, .flac, .ogg, .id3])
    func `Converting metadata there and back keeps all of it`(_ container: FileMetadata.Container) {
        let there = MetadataConversion.convert(Self.movie, to: container)
        #expect(there.losses.isEmpty)
        #expect(there.entries.allSatisfy { container.keySpaces.contains($0.keySpace) })
        let back = MetadataConversion.convert(there.entries, to: .isoBaseMedia)
        #expect(back.losses.isEmpty)
        var expected = Self.movie
        if container == .id3 {
            // ID3's dates are in universal time, and say so no more.
            expected = expected.map {
                $0.line == "itsk/%A9day=2004-05-06T07:08:09Z" ? .iTunes("@day", "2004-05-06T07:08:09") : $0
            }
        }
        let types = Dictionary(grouping: back.entries, by: \.identifier).mapValues(\.count)
        #expect(types == Dictionary(grouping: expected, by: \.identifier).mapValues(\.count))
        #expect(Self.lines(back.entries) == Self.lines(expected))
    }

    @Test func `Converting metadata between kinds of movies changes nothing`() {
        for container in [FileMetadata.Container.isoBaseMedia, .quickTime] {
            #expect(MetadataConversion.convert(Self.movie, to: container) == MetadataEdit(entries: Self.movie))
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let source: [MetadataEntry]
        let container: FileMetadata.Container
        let lines: [String]
        let losses: [String]
        var testDescription: String { "\(source.map(\.line)) to \(container)" }

        init(
            _ source: [MetadataEntry], _ container: FileMetadata.Container, _ lines: [String], losses: [String] = []
        ) {
            (self.source, self.container, self.lines, self.losses) = (source, container, lines, losses)
        }
    }

    static let cases: [Case] = [
        // A camera's text, and the same place as `loci` has it, rounded to fractions of 16 bits.
        Case(
            [.iso("loci", "+34.07539-118.2543+012.0/"), .iso("@xyz", "+34.0754-118.2543/")], .matroska,
            ["mkv/LOCATION=+34.0754-118.2543+012.0/"]),
        Case(
            [.quickTime("location.ISO6709", "+34.0754-118.2543+012.345/"), .userData("@xyz", "+34.0754-118.2543/")],
            .matroska, ["mkv/LOCATION=+34.0754-118.2543+012.345/"]),
        Case(
            [.iso("loci", "+34.07539-118.2543/"), .iso("@xyz", "+48.8577+002.2950/")], .flac,
            ["vorb/LOCATION=+48.8577+002.2950/", "vorb/LOCATION=+34.07539-118.2543/"]),
        Case(
            [.vorbis("TRACKNUMBER", "3"), .vorbis("TRACKTOTAL", "12")], .isoBaseMedia,
            ["itsk/trkn=[0, 0, 0, 3, 0, 12, 0, 0]"]),
        Case([.vorbis("TRACKNUMBER", "3/12")], .id3, ["id3/TRCK=3/12"]),
        Case(
            [.id3("TYER", "2004"), .id3("TDAT", "0605"), .id3("TIME", "0708")], .flac, ["vorb/DATE=2004-05-06T07:08"]),
        Case([.id3("TCON", "(17)(6)Refined")], .ogg, ["vorb/GENRE=Rock", "vorb/GENRE=Grunge", "vorb/GENRE=Refined"]),
        Case([.vorbis("GENRE", "(in brackets)")], .id3, ["id3/TCON=((in brackets)"]),
        Case([.iTunes("gnre", .data([0, 18]))], .matroska, ["mkv/GENRE=Rock"]),
        Case([.id3("TXXX", "0.5 dB", "replaygain_track_gain")], .flac, ["vorb/replaygain_track_gain=0.5 dB"]),
        Case(
            [.id3("TXXX", "v", "MOOD"), .id3("TXXX", "a", "Acoustid Id")], .isoBaseMedia,
            ["itlk/com.apple.iTunes.MOOD=v", "itlk/com.apple.iTunes.Acoustid%20Id=a"]),
        Case(
            [MetadataEntry(.id3, .text("UFID"), .data(Array("http://musicbrainz.org\0abc".utf8)))], .flac,
            ["vorb/MUSICBRAINZ_TRACKID=abc"]),
        Case(
            [.vorbis("MUSICBRAINZ_TRACKID", "abc")], .id3,
            ["id3/UFID=\(Array("http://musicbrainz.org\0abc".utf8))"]),
        Case(
            [.id3("TIPL", "producer"), .id3("TIPL", "P"), .id3("TIPL", "caterer"), .id3("TIPL", "C")], .flac,
            ["vorb/PRODUCER=P", "vorb/CATERER=C"]),
        Case([.id3("TMCL", "guitar"), .id3("TMCL", "G")], .matroska, ["mkv/PERFORMER%3Aguitar=G"]),
        Case(
            [.vorbis("PRODUCER", "P"), .vorbis("PERFORMER:guitar", "G")], .id3,
            ["id3/TIPL=producer", "id3/TIPL=P", "id3/TMCL=guitar", "id3/TMCL=G"]),
        Case([.id3("COMM", "t", "c0"), .id3("COMM", "u", "")], .flac, ["vorb/COMMENT%3Ac0=t", "vorb/COMMENT=u"]),
        Case([.vorbis("COMMENT:c0", "t")], .id3, ["id3/COMM[c0]=t"]),
        Case([.matroska("DATE_RELEASED", "2004-05-06")], .quickTime, ["itsk/%A9day=2004-05-06"]),
        Case([.matroska("DATE_RELEASED", "2004")], .quickTime, ["mdta/com.apple.quicktime.year=2004"]),
        Case([.matroska("com.example.thing", "x")], .quickTime, ["mdta/com.example.thing=x"]),
        Case([.matroska("com.example.thing", "x")], .isoBaseMedia, ["itlk/com.example.thing=x"]),
        Case([.vorbis("LOCATION", "Paris")], .isoBaseMedia, [], losses: ["vorb/LOCATION"]),
        Case(
            [.vorbis("COMPILATION", "1"), .vorbis("BPM", "127.98")], .isoBaseMedia,
            ["itsk/cpil=1", "itsk/tmpo=128"], losses: ["vorb/BPM"]),
        Case(
            [.userData("@nam", "Titel", "de"), .userData("@nam", "Title", "en")], .flac, ["vorb/TITLE=Titel"],
            losses: ["udta/%A9nam"]),
        Case(
            [.userData("@nam", "Titel", "de"), .userData("@nam", "Title", "en")], .matroska,
            ["mkv/TITLE=Titel; Title"]),
        Case([.iTunes("@nam", "a"), .userData("@nam", "b")], .flac, ["vorb/TITLE=a"], losses: ["udta/%A9nam"]),
        Case([.iTunes("@nam", "same"), .quickTime("title", "same")], .flac, ["vorb/TITLE=same"]),
        Case([.iso("titl", "t"), .iso("perf", "p")], .id3, ["id3/TIT2=t", "id3/TPE1=p"]),
        Case([MetadataEntry(.common, .text("title"), .text("t"))], .isoBaseMedia, ["itsk/%A9nam=t"]),
        Case([MetadataEntry(.icy, .text("StreamTitle"), .text("t"))], .id3, ["id3/TIT2=t"]),
        Case(
            [.id3("TLEN", "1000"), MetadataEntry(.id3, .text("PRIV"), .data([1]))], .flac, [],
            losses: ["id3/TLEN", "id3/PRIV"]),
        Case([.vorbis("FOO=", "x"), .matroska("NÄME", "y")], .flac, ["vorb/FOO%3D=x"], losses: ["mkv/N%C3%84ME"]),
        Case([.vorbis("TITLE", "t"), .vorbis("FOO", "x")], .riff, ["caaf/INAM=t"], losses: ["vorb/FOO"]),
        Case([.property("INAM", "t"), .property("ICMT", "c")], .isoBaseMedia, ["itsk/%A9nam=t", "itsk/%A9cmt=c"]),
        Case(
            [.matroska("TITLE", "Chapter", level: 30).about("targetChapterUID")], .flac, [], losses: ["mkv/TITLE"]),
        Case([.property("IDIT", "Mon Mar 10 15:04:43 2003")], .matroska, ["mkv/DATE_RECORDED=2003-03-10T15:04:43"]),
        Case([.property("IDIT", "10/3/2003")], .matroska, ["mkv/DATE_RECORDED=10/3/2003"]),
        Case(
            [.property("bext-originator", "o"), .property("ICMS", "c")], .flac,
            ["vorb/bext-originator=o", "vorb/ICMS=c"]),
        Case(
            [.vorbis("bext-originator", "o"), .vorbis("ICMS", "c")], .riff, ["caaf/bext-originator=o", "caaf/ICMS=c"]),
        Case([.property("_PMX", "<x/>")], .flac, [], losses: ["caaf/_PMX"]),
        Case(
            [.vorbis("TITLE", "t"), .vorbis("ARTIST", "a"), .vorbis("COMMENT", "c"), .vorbis("ALBUM", "b")], .aiff,
            ["caaf/info-title=t", "caaf/info-artist=a", "caaf/info-comments=c"], losses: ["vorb/ALBUM"]),
        Case(
            [.property("info-author", "a"), .property("info-comment", "c")], .isoBaseMedia,
            ["itsk/%A9ART=a", "itsk/%A9cmt=c"]),
        Case([.iTunes("@xyz", "+1+1/")], .matroska, ["mkv/LOCATION=+1+1/"]),
        Case([.matroska("LOCATION", "+1+1/")], .isoBaseMedia, ["udta/%A9xyz=+1+1/"]),
        Case(
            [.matroska("DATE_RECORDED", "2004-05-06"), .matroska("DATE_RECORDED", "2004")], .isoBaseMedia,
            ["mdta/com.apple.quicktime.creationdate=2004-05-06"], losses: ["mkv/DATE_RECORDED"]),
        Case([.id3("TCON", "")], .flac, []),
        Case([.iTunes("\u{A9}xxx", "unknown")], .flac, [], losses: ["itsk/%A9xxx"]),
    ]

    @Test(arguments: cases) func `Converting metadata finds the key of the other format`(_ example: Case) {
        let edit = MetadataConversion.convert(example.source, to: example.container)
        #expect(edit.entries.map(\.line) == example.lines)
        #expect(edit.losses.map(\.item) == example.losses)
        #expect(edit.losses.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\n") })
    }

    @Test func `Converting metadata gives values the type of their key`() {
        let source: [MetadataEntry] = [.vorbis("COMPILATION", "1"), .vorbis("BPM", "120"), .vorbis("TITLE", "t")]
        let types = MetadataConversion.convert(source, to: .isoBaseMedia).entries.map(\.dataType)
        #expect(types == [MetadataDataType.int8, MetadataDataType.int16, MetadataDataType.utf8])
    }

    @Test func `Converting metadata keeps the kinds of images where the format has them`() {
        let source = [
            Pictures.id3(Pictures.jpeg, type: "Cover (front)"), Pictures.id3(Pictures.png, type: "Cover (back)"),
            Pictures.id3(Pictures.png, type: "Illustration", "words"),
        ]
        let flac = MetadataConversion.convert(source, to: .flac)
        #expect(flac.losses.isEmpty)
        #expect(flac.entries.map { $0.extras[.pictureType] } == source.map { $0.extras[.pictureType] })
        #expect(flac.entries.map(\.info) == ["", "", "words"])
        let movie = MetadataConversion.convert(source, to: .isoBaseMedia)
        #expect(movie.entries.map(\.dataType) == [MetadataDataType.jpeg, MetadataDataType.png, MetadataDataType.png])
        #expect(movie.losses.count == 2)
        let matroska = MetadataConversion.convert(source, to: .matroska)
        #expect(matroska.entries.map { $0.extras[.info] } == [.text(""), .text("Cover (back)"), .text("words")])
        #expect(matroska.losses.count == 1)
    }

    @Test func `Converting metadata leaves out entries that belong to a moment`() {
        var entry = MetadataEntry.id3("TIT2", "t")
        entry.time = .zero
        let edit = MetadataConversion.convert([entry], to: .flac)
        #expect(edit.entries.isEmpty)
        #expect(edit.losses == [MetadataLoss(item: "id3/TIT2", reason: "it belongs to a moment")])
    }

    /// Files without pictures lost the numbers of tracks and discs with them.
    @Test func `Only image data is compared as an image, not all bytes`() {
        #expect(MetadataComparison.isPicture(Pictures.cover(Pictures.png)))
        #expect(!MetadataComparison.isPicture(.iTunes("trkn", .data([0, 0, 0, 3, 0, 12, 0, 0]))))
        #expect(!MetadataComparison.isPicture(.iTunes("gnre", .data([0, 3]))))
    }

    @Test(.timeLimit(.minutes(5))) func `Converting metadata handles twenty thousand entries`() {
        let names = (0..<20_000).map { MetadataEntry.matroska("NAME \($0)", "x") }
        #expect(MetadataConversion.convert(names, to: .flac).entries.count == 20_000)
        let values = (0..<20_000).map { MetadataEntry.userData("@nam", "x\($0)", "l\($0)") }
        #expect(MetadataConversion.convert(values, to: .flac).entries.count == 1)
    }
}

extension MetadataEntry {
    /// The entry about a part of a Matroska file.
    fileprivate func about(_ target: String) -> MetadataEntry {
        var entry = self
        entry.extras[AVMetadataExtraAttributeKey(rawValue: target)] = .text("1")
        return entry
    }
}
