import Testing

@testable import MediaMetadata

@Suite struct `Genres of numbers` {
    @Test(arguments: [
        (0, "Blues"), (17, "Rock"), (79, "Hard Rock"), (80, "Folk"), (125, "Dance Hall"), (147, "Synthpop"),
        (191, "Psybient"),
    ])
    func `Numbered genres are those of ID3`(_ number: Int, _ name: String) {
        #expect(Genres.name(of: number) == name)
        #expect(Genres.number(of: name.uppercased()) == number)
        #expect(Genres.name(ofITunes: number + 1) == name)
    }

    @Test func `ID3 has 192 numbered genres`() {
        #expect(Genres.names.count == 192)
        #expect(Genres.name(of: 192) == nil)
        #expect(Genres.name(of: 255) == nil)
        #expect(Genres.name(of: -1) == nil)
        #expect(Genres.name(ofITunes: 0) == nil)
        #expect(Genres.number(of: "Zydeco") == nil)
        #expect(Genres.number(of: "Psychadelic") == 67)
    }

    @Test func `Numbered genres of the iTunes Store have names and groups`() {
        #expect(StoreGenres.name(of: 18) == "Hip-Hop/Rap")
        #expect(StoreGenres.name(of: 50_000_048) == "Speakers & Storytellers")
        #expect(StoreGenres.group(of: 4413) == "Movies")
        #expect(StoreGenres.name(of: 33) == "Movies")
        #expect(StoreGenres.name(of: 1) == nil)
        #expect(StoreGenres.number(of: "comedy") == 3)
        #expect(StoreGenres.number(of: "Comedy", group: "Movies") == 4404)
    }

    @Test(arguments: [
        ("Rock", ["Rock"]), ("(17)", ["Rock"]), ("(17)(6)Refined", ["Rock", "Grunge", "Refined"]),
        ("(17)Rock", ["Rock"]), ("(4)Eurodisco", ["Disco", "Eurodisco"]), ("(RX)", ["Remix"]),
        ("(CR)(17)", ["Cover", "Rock"]), ("((Foo)", ["(Foo)"]), ("(17)((Foo)", ["Rock", "(Foo)"]), ("17", ["Rock"]),
        ("(999)", ["(999)"]), ("(", ["("]), ("", []), ("255", ["255"]), ("R&B", ["R&B"]),
    ])
    func `Genres of ID3 are read from text`(_ text: String, _ names: [String]) {
        #expect(GenreText.names(in: text, allowsBareNumbers: true) == names)
    }

    @Test func `Numbers are kept as names where they stand for no genre`() {
        #expect(GenreText.names(in: "17", allowsBareNumbers: false) == ["17"])
    }
}

@Suite struct `Values as text` {
    @Test(
        arguments: [
            ("8", 8, nil, "8"), ("08", 8, nil, "8"), ("8/10", 8, 10, "8/10"), ("08/10", 8, 10, "8/10"),
            ("/10", nil, 10, "0/10"),
            ("3 of 12", 3, 12, "3/12"), ("3/0", 3, nil, "3"),
        ] as [(String, Int?, Int?, String)])
    func `Pairs of number and total are parsed`(_ text: String, _ number: Int?, _ total: Int?, _ written: String) {
        let pair = NumberPair(text)
        #expect(pair?.number == number)
        #expect(pair?.total == total)
        #expect(pair?.text == written)
    }

    @Test func `Malformed pairs of numbers are refused`() {
        for text in ["", "A", "0", "0/0", "/", "A1", "99999999999999999999"] { #expect(NumberPair(text) == nil) }
        #expect(NumberPair(bytes: []) == nil)
        #expect(NumberPair(bytes: [0, 0, 0]) == nil)
        #expect(NumberPair(bytes: [0, 0, 0, 0, 0, 0]) == nil)
    }

    @Test func `Pairs of numbers are read from bytes and written as bytes`() {
        #expect(NumberPair(bytes: [0, 0, 1, 2, 0, 12, 0, 0]) == NumberPair(number: 258, total: 12))
        #expect(NumberPair(bytes: [0, 0, 0, 3]) == NumberPair(number: 3))
        #expect(NumberPair(number: 258, total: 12).bytes(count: 8) == [0, 0, 1, 2, 0, 12, 0, 0])
        #expect(NumberPair(number: 1).bytes(count: 6) == [0, 0, 0, 1, 0, 0])
        #expect(NumberPair(number: 65_536).bytes(count: 6) == nil)
        #expect(NumberPair(number: 9, total: 12).text(like: "07/12") == "09/12")
        #expect(NumberPair(number: 9).text(like: "7") == "9")
    }

    @Test(
        arguments: [
            ("2004", 2004, nil, nil, ""), ("2004-05", 2004, 5, nil, ""), ("2004-05-06", 2004, 5, 6, ""),
            ("2004-05-06T07:08:09Z", 2004, 5, 6, ":09Z"), ("2004-05-06 07:08", 2004, 5, 6, ""),
            ("2004-13-01", 2004, nil, nil, "-13-01"), ("2004/05", 2004, nil, nil, "/05"),
        ] as [(String, Int, Int?, Int?, String)])
    func `Dates are parsed to their precision`(
        _ text: String, _ year: Int, _ month: Int?, _ day: Int?, _ rest: String
    ) {
        let date = DateText(text)
        #expect(date?.year == year)
        #expect(date?.month == month)
        #expect(date?.day == day)
        #expect(date?.rest == rest)
    }

    @Test(
        arguments: [
            ("2004", 2004), ("2004-05-06", 2004), ("06.05.2004", 2004), ("20040506", 2004), ("May 2004", 2004),
            ("04", nil),
            ("0000", nil), ("", nil), ("123456", nil),
        ] as [(String, Int?)])
    func `Years are found in dates of any form`(_ text: String, _ year: Int?) {
        #expect(DateText.year(in: text) == year)
    }

    @Test func `Dates are joined from ID3's three frames, and split`() {
        #expect(DateText(year: "2004", dayAndMonth: "0605", time: "0708")?.text == "2004-05-06T07:08")
        #expect(DateText(year: "2004", dayAndMonth: "3102", time: nil)?.text == "2004-02-31")
        #expect(DateText(year: "2004", dayAndMonth: "0513", time: "0708")?.text == "2004")
        #expect(DateText(year: "04", dayAndMonth: "0605", time: nil) == nil)
        #expect(DateText("2004-05-06T07:08")?.dayAndMonth == "0605")
        #expect(DateText("2004-05-06T07:08")?.time == "0708")
        #expect(DateText("2004-05")?.dayAndMonth == nil)
    }

    @Test(
        arguments: [
            ("48.8577, 2.295", "+48.8577+002.2950/"), ("-33.9,18.4,-12.5", "-33.9000+018.4000-012.500/"),
            ("+48.8577+002.2950/", "+48.8577+002.2950/"), ("+27.5916+086.5640+8850/", "+27.5916+086.5640+8850/"),
            ("91,0", nil), ("0,181", nil), ("Paris", nil), ("1", nil), ("+1", nil), ("+nan+1", nil), ("1,2,1e9", nil),
            ("", nil),
        ] as [(String, String?)])
    func `Places are parsed as ISO 6709`(_ text: String, _ place: String?) {
        #expect(GeographicText.iso6709(text) == place)
    }

    @Test func `Media types and advisories have names for their numbers`() {
        #expect(CodedNames.mediaTypes.number(of: "TV Show") == 10)
        #expect(CodedNames.mediaTypes.name(of: 9) == "movie")
        #expect(CodedNames.mediaTypes.name(of: 77) == "77")
        #expect(CodedNames.mediaTypes.number(of: "256") == nil)
        #expect(CodedNames.advisories.number(of: "Clean") == 2)
    }
}

@Suite struct `The table of corresponding keys` {
    @Test func `The table of corresponding keys has each field once`() {
        let fields = MetadataFieldTable.rows.map(\.field)
        let repeated = Dictionary(grouping: fields) { $0.rawValue }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(repeated == [], "in two rows of MetadataFieldTable")
    }

    @Test func `The table of corresponding keys has each key once in a key space`() {
        let keySpaces: [AVMetadataKeySpace] = [
            .iTunes, .quickTimeMetadata, .quickTimeUserData, .isoUserData, .id3, .audioFile,
        ]
        for keySpace in keySpaces {
            let keys = MetadataFieldTable.rows.flatMap { $0.keys(in: keySpace) + $0.totalKeys(in: keySpace) }
            let repeated = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            #expect(repeated == [], "in two rows of MetadataFieldTable, for \(keySpace.rawValue)")
        }
    }

    @Test func `The table of corresponding keys has each free name in one row only`() {
        for row in MetadataFieldTable.rows {
            for name in row.names + row.keys(in: .matroska) + [row.label] {
                let meaning = MetadataFieldTable.meaning(ofName: name)
                #expect(meaning.map { MetadataFieldTable.rows[$0.row].field } == row.field, "\(name)")
            }
        }
    }

    @Test func `The table of corresponding keys has codes of four characters`() {
        for row in MetadataFieldTable.rows {
            for keySpace in [AVMetadataKeySpace.iTunes, .quickTimeUserData, .isoUserData] {
                for key in row.keys(in: keySpace) {
                    #expect(MetadataKey(fourCharacters: MetadataFieldTable.name(ofKey: key)) != nil, "\(key)")
                }
            }
        }
    }
}
