import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Names of metadata` {
    @Test(arguments: [
        ("title", "title"), ("Album-Artist", "album-artist"), ("album_artist", "album-artist"), ("year", "date"),
        ("sort-album-artist", "sort-album-artist"), ("tv_show", "show"), ("media type", "media-type"),
        ("cover", "artwork"),
    ])
    func `Names of metadata may be those of fields`(_ text: String, _ name: String) throws {
        #expect(try MetadataName(text) == .field(MetadataField(rawValue: name)))
    }

    @Test(arguments: [
        ("itsk/%A9nam", "itsk/%A9nam"), ("itsk/©nam", "itsk/%A9nam"), ("itsk/@nam", "itsk/%A9nam"),
        ("itsk/xid ", "itsk/xid%20"), ("mdta/com.apple.quicktime.make", "mdta/com.apple.quicktime.make"),
        ("vorb/FOO BAR", "vorb/FOO%20BAR"), ("id3/TXXX[MOOD]", "id3/TXXX[MOOD]"), ("id3/%00TT2", "id3/%00TT2"),
        ("itlk/com.apple.iTunes.ISRC", "itlk/com.apple.iTunes.ISRC"), ("common/title", "common/title"),
    ])
    func `Names of metadata may be identifiers`(_ text: String, _ name: String) throws {
        #expect(try MetadataName(text).text == name)
    }

    @Test(arguments: [
        ("titel", "there is no “titel”: do you mean title?"),
        ("artst", "there is no “artst”: do you mean artist?"),
        ("sort", "there is no “sort”: do you mean sort-album or sort-album-artist or sort-artist?"),
        (
            "zzzzzz",
            "there is no “zzzzzz”: names are title, artist, album and so on, or identifiers like "
                + "mdta/com.apple.quicktime.make"
        ),
        (
            "foo/bar",
            "“foo/bar” names no key space: identifiers begin with one of itsk/, itlk/, mdta/, udta/, uiso/, id3/, "
                + "vorb/, mkv/, caaf/, common/"
        ),
        ("itsk/abc", "“itsk/abc” is no identifier: the key must be four characters, like itsk/%A9nam"),
        ("vorb/%zz", "“vorb/%zz” is no identifier: the key must be text, like vorb/TITLE"),
        ("common/foo", "“common/foo” is no common key that files have a place for"),
        (
            "",
            "there is no “”: names are title, artist, album and so on, or identifiers like mdta/com.apple.quicktime.make"
        ),
    ])
    func `Unknown names of metadata get a hint`(_ text: String, _ reason: String) {
        let error = #expect(throws: MetadataNameError.self) { try MetadataName(text) }
        #expect(error?.reason == reason)
    }

    @Test(arguments: [
        ("title=Foo = Bar", "title", "Foo = Bar"), ("title=", "title", ""), ("id3/TXXX[a=b]=c", "id3/TXXX[a=b]", "c"),
        ("id3/TIT2=a[b]=c", "id3/TIT2", "a[b]=c"), ("vorb/A=]=b", "vorb/A", "]=b"),
    ])
    func `Names of metadata stand before an equals sign`(_ text: String, _ name: String, _ value: String) throws {
        let assignment = try MetadataAssignment(text)
        #expect(assignment.name.text == name)
        #expect(assignment.value == value)
    }

    @Test func `Text without an equals sign is no assignment`() {
        let error = #expect(throws: MetadataNameError.self) { try MetadataAssignment("title") }
        #expect(error?.reason == "“title” has no equals sign: write NAME=VALUE, like title=Foo")
    }
}

@Suite struct `Setting metadata by name` {
    struct Case: Sendable, CustomTestStringConvertible {
        let assignments: [String]
        let container: FileMetadata.Container
        let entries: [MetadataEntry]
        let lines: [String]
        var testDescription: String { "\(assignments) in \(container)" }

        init(
            _ assignments: [String], _ container: FileMetadata.Container, _ entries: [MetadataEntry], _ lines: [String]
        ) {
            (self.assignments, self.container, self.entries, self.lines) = (assignments, container, entries, lines)
        }

        init(_ assignments: [String], _ container: FileMetadata.Container, _ lines: [String]) {
            self.init(assignments, container, [], lines)
        }
    }

    static let cases: [Case] = [
        Case(
            ["title=Foo", "track=3/12", "compilation=yes"], .isoBaseMedia,
            ["itsk/%A9nam=Foo", "itsk/trkn=[0, 0, 0, 3, 0, 12, 0, 0]", "itsk/cpil=1"]),
        Case(
            ["track=4"], .isoBaseMedia, [.iTunes("trkn", .data([0, 0, 0, 3, 0, 12, 0, 0]))],
            ["itsk/trkn=[0, 0, 0, 4, 0, 12, 0, 0]"]),
        Case(["track=/9"], .id3, [.id3("TRCK", "3")], ["id3/TRCK=3/9"]),
        Case(
            ["media-type=tv-show", "advisory=clean", "season=2", "show=S"], .isoBaseMedia,
            ["itsk/stik=10", "itsk/rtng=2", "itsk/tvsn=2", "itsk/tvsh=S"]),
        Case(["location=48.8577,2.295"], .isoBaseMedia, ["udta/%A9xyz=+48.8577+002.2950/"]),
        Case(["location=48.8577,2.295"], .quickTime, ["mdta/com.apple.quicktime.location.ISO6709=+48.8577+002.2950/"]),
        Case(
            ["creation-date=2024-05-06T07:08:09+0200"], .isoBaseMedia,
            ["mdta/com.apple.quicktime.creationdate=2024-05-06T07:08:09+0200"]),
        Case(["artist=A", "artist=B"], .flac, [.vorbis("Artist", "C")], ["vorb/Artist=A", "vorb/Artist=B"]),
        Case(["artist="], .flac, [.vorbis("Artist", "C"), .vorbis("TITLE", "t")], ["vorb/TITLE=t"]),
        Case(
            ["isrc=X", "sort-title=T", "lyrics=L", "url=u"], .id3,
            ["id3/TSRC=X", "id3/TSOT=T", "id3/USLT[]=L", "id3/WXXX[]=u"]),
        Case(["synopsis=S"], .id3, ["id3/TXXX[SYNOPSIS]=S"]),
        Case(
            ["producer=P"], .id3,
            [.id3("TIPL", "producer"), .id3("TIPL", "O"), .id3("TIPL", "mix"), .id3("TIPL", "M")],
            ["id3/TIPL=producer", "id3/TIPL=P", "id3/TIPL=mix", "id3/TIPL=M"]),
        Case(
            ["mixer="], .id3,
            [.id3("TIPL", "producer"), .id3("TIPL", "O"), .id3("TIPL", "mix"), .id3("TIPL", "M")],
            ["id3/TIPL=producer", "id3/TIPL=O"]),
        Case(["keywords=k"], .isoBaseMedia, [.iso("kywd", "a"), .iso("kywd", "b")], ["uiso/kywd=k", "itsk/keyw=k"]),
        Case(["itsk/©nam=Foo"], .isoBaseMedia, [.userData("@nam", "old")], ["udta/%A9nam=old", "itsk/%A9nam=Foo"]),
        Case(
            ["itsk/trkn=3/12", "itsk/cpil=no"], .isoBaseMedia, ["itsk/trkn=[0, 0, 0, 3, 0, 12, 0, 0]", "itsk/cpil=0"]),
        Case(["itlk/com.apple.iTunes.FOO=x"], .isoBaseMedia, ["itlk/com.apple.iTunes.FOO=x"]),
        Case(
            ["vorb/FOO=1", "vorb/FOO=2"], .ogg, [.vorbis("FOO", "0"), .vorbis("BAR", "b")],
            ["vorb/FOO=1", "vorb/FOO=2", "vorb/BAR=b"]),
        Case(
            ["id3/TXXX[b]=2"], .id3, [.id3("TXXX", "1", "a"), .id3("TXXX", "1", "b")],
            ["id3/TXXX[a]=1", "id3/TXXX[b]=2"]),
        Case(["id3/TDAT=0605"], .id3, [.id3("TYER", "2004")], ["id3/TYER=2004", "id3/TDAT=0605"]),
        Case(["mkv/FOO=x", "mkv/TITLE=t"], .matroska, ["mkv/FOO=x", "mkv/TITLE=t"]),
        Case(["common/title=t"], .ogg, ["vorb/TITLE=t"]),
        Case(
            ["mdta/com.example.count=5"], .quickTime,
            [MetadataEntry(.quickTimeMetadata, .text("com.example.count"), .integer(3))], ["mdta/com.example.count=5"]),
    ]

    @Test(arguments: cases) func `Setting metadata by name writes the key's usual value`(_ example: Case) throws {
        let assignments = try example.assignments.map { try MetadataAssignment($0) }
        let edit = try MetadataAssignment.apply(assignments, to: example.entries, in: example.container)
        #expect(edit.entries.map(\.line) == example.lines)
        #expect(edit.losses.isEmpty)
    }

    @Test(arguments: [
        ("track=x", "“x” is no value for track: write 3, 3/12 or /12"),
        ("track=1/2/3", "“1/2/3” is no value for track: write 3, 3/12 or /12"),
        ("year=May", "“May” is no value for date: write 2004, 2004-05-06 or 2004-05-06T07:08:09Z"),
        ("date=2004-13", "“2004-13” is no value for date: write 2004, 2004-05-06 or 2004-05-06T07:08:09Z"),
        ("track=0", "“0” is no value for track: numbers begin with 1, and an empty value removes them"),
        ("disc=1/0", "“1/0” is no value for disc: numbers begin with 1, and an empty value removes them"),
        ("date=2014-02-30", "“2014-02-30” is no value for date: the month has no such day"),
        ("date=1900-02-29", "“1900-02-29” is no value for date: the month has no such day"),
        ("bpm=fast", "“fast” is no value for bpm: write a number"),
        ("gapless=maybe", "“maybe” is no value for gapless: write yes or no"),
        ("advisory=x", "“x” is no value for advisory: write one of none, explicit, clean"),
        (
            "location=Paris",
            "“Paris” is no value for location: write latitude and longitude, like 48.8577,2.2950 or +48.8577+002.2950/"
        ),
        ("artwork=x.jpg", "artwork is a picture, which cannot be written as text"),
        (
            "vorb/FOO=x",
            "the file cannot hold vorb/FOO: its identifiers begin with itsk/, itlk/, mdta/, udta/, uiso/, uuid/, meta/"
        ),
    ])
    func `Setting metadata by name refuses values of another form`(_ text: String, _ reason: String) throws {
        let assignment = try MetadataAssignment(text)
        let error = #expect(throws: MetadataNameError.self) {
            try MetadataAssignment.apply([assignment], to: [], in: .isoBaseMedia)
        }
        #expect(error?.reason == reason)
    }

    @Test func `Setting metadata by name reports what the file has no place for`() throws {
        let edit = try MetadataAssignment.apply(
            [MetadataAssignment("title=t"), MetadataAssignment("show=s")], to: [], in: .riff)
        #expect(edit.entries.map(\.line) == ["caaf/INAM=t"])
        #expect(edit.losses.map(\.item) == ["show"])
    }
}
