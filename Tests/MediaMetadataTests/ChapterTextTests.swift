import Foundation
import MediaCore
import MediaMetadata
import Testing

@Suite struct `Chapters as text` {
    static func parse(_ text: String) throws -> [ChapterList] {
        try #require(ChapterTextFormat.detect(text)).parse(text)
    }

    static func ns(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1_000_000_000) }

    /// What mkvextract 74 writes.
    static let xml = """
        \u{FEFF}<?xml version="1.0"?>
        <!-- <!DOCTYPE Chapters SYSTEM "matroskachapters.dtd"> -->
        <Chapters>
          <EditionEntry>
            <EditionFlagHidden>0</EditionFlagHidden>
            <EditionFlagDefault>1</EditionFlagDefault>
            <EditionUID>12345678901234567890</EditionUID>
            <ChapterAtom>
              <ChapterUID>42</ChapterUID>
              <ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>
              <ChapterTimeEnd>00:00:05.123456789</ChapterTimeEnd>
              <ChapterFlagHidden>0</ChapterFlagHidden>
              <ChapterFlagEnabled>1</ChapterFlagEnabled>
              <ChapterDisplay>
                <ChapterString>Teil &lt;1&gt; &amp; "x" --&gt; y</ChapterString>
                <ChapterLanguage>ger</ChapterLanguage>
                <ChapterCountry>ch</ChapterCountry>
                <ChapLanguageIETF>de-CH</ChapLanguageIETF>
              </ChapterDisplay>
              <ChapterDisplay>
                <ChapterString>Part 1</ChapterString>
                <ChapterLanguage>eng</ChapterLanguage>
              </ChapterDisplay>
              <ChapterAtom>
                <ChapterUID>43</ChapterUID>
                <ChapterTimeStart>00:00:01.000000000</ChapterTimeStart>
                <ChapterFlagHidden>1</ChapterFlagHidden>
                <ChapterFlagEnabled>0</ChapterFlagEnabled>
              </ChapterAtom>
            </ChapterAtom>
            <ChapterAtom>
              <ChapterTimeStart>101:00:06.5</ChapterTimeStart>
              <ChapterDisplay>
                <ChapterString>&#x7B2C;<![CDATA[<三>]]></ChapterString>
                <ChapterLanguage>und</ChapterLanguage>
              </ChapterDisplay>
            </ChapterAtom>
          </EditionEntry>
          <EditionEntry><EditionFlagOrdered>1</EditionFlagOrdered></EditionEntry>
        </Chapters>
        """

    static let matroska = [
        ChapterList(
            form: .matroska,
            chapters: [
                Chapter(
                    start: .zero, end: ns(5_123_456_789),
                    titles: [
                        .init("Teil <1> & \"x\" --> y", languageTag: "de-CH"), .init("Part 1", languageTag: "en"),
                    ], identifier: "42",
                    children: [Chapter(start: .ms(1000), identifier: "43", isHidden: true, isEnabled: false)]),
                Chapter(start: .ms(363_606_500), titles: [.init("第<三>")]),
            ], isDefault: true, identifier: "12345678901234567890"),
        ChapterList(form: .matroska, chapters: [], isOrdered: true),
    ]

    @Test func `Chapters are read from Matroska's XML`() throws {
        #expect(try Self.parse(Self.xml) == Self.matroska)
        let windows = Self.xml.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try Self.parse(windows) == Self.matroska)
    }

    @Test func `Chapters are written as Matroska's XML`() throws {
        let (text, losses) = ChapterTextFormat.matroskaXML.text(of: Self.matroska[0], assetDuration: .invalid)
        #expect(losses == [])
        #expect(try Self.parse(text) == [Self.matroska[0]])
        #expect(text.contains("<ChapterTimeEnd>00:00:05.123456789</ChapterTimeEnd>"))
        #expect(text.contains("<ChapterLanguage>ger</ChapterLanguage>"))
        #expect(text.contains("<ChapLanguageIETF>de-CH</ChapLanguageIETF>"))
    }

    @Test func `Chapters are read from FFmpeg's metadata`() throws {
        // FFmpeg 5.1 wrote it, but for the comment and the chapter without an end.
        let text = """
            ;FFMETADATA1
            title=a\\
            [CHAPTER]
            encoder=Lavf59.27.100
            ; a comment
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=2500
            title=a\\
            b\\=c\\\\\\#d
            [STREAM]
            title=no chapter
            [CHAPTER]
            TIMEBASE=1001/30000
            START=7
            title=last
            [CHAPTER]
            START=5
            END=7

            """
        #expect(
            try Self.parse(text).first?.chapters == [
                Chapter(start: .ms(0), end: .ms(2500), titles: [.init("a\nb=c\\#d")]),
                Chapter(start: CMTime(value: 7007, timescale: 30_000), titles: [.init("last")]),
                Chapter(start: Self.ns(5), end: Self.ns(7)),
            ])
    }

    @Test(arguments: [
        // FFmpeg itself writes carriage returns as they are.
        (";FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=a\r\\\n\r\\\nb\n", "a\r\n\r\nb"),
        (";FFMETADATA1\r\n[CHAPTER]\r\nSTART=0\r\ntitle=a\r\n", "a"),
        (";FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=a\\\r\n", "a\r"),
        (";FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=a\\\\\r\n", "a\\"),
    ]) func `Lines of FFmpeg's metadata end as in FFmpeg`(_ text: String, _ title: String) throws {
        let list = try #require(try Self.parse(text).first)
        #expect(list.chapters.map(\.title) == [title])
        let written = ChapterTextFormat.ffmetadata.text(of: list, assetDuration: .ms(1)).text
        #expect(try Self.parse(written).first?.chapters.map(\.title) == [title])
    }

    @Test func `Chapters are written as FFmpeg's metadata`() {
        let list = ChapterList(
            form: .nero,
            chapters: [
                Chapter(start: .ms(0), titles: [.init("a=;#\\\nb")]),
                Chapter(start: CMTime(value: 1001, timescale: 30_000), titles: [.init("c")]),
            ])
        let (text, losses) = ChapterTextFormat.ffmetadata.text(of: list, assetDuration: .ms(10_000))
        #expect(losses == [])
        #expect(
            text == """
                ;FFMETADATA1
                [CHAPTER]
                TIMEBASE=1/30000
                START=0
                END=1001
                title=a\\=\\;\\#\\\\\\
                b
                [CHAPTER]
                TIMEBASE=1/30000
                START=1001
                END=300000
                title=c

                """)
    }

    @Test func `Chapters are read from WebVTT`() throws {
        let text = """
            WEBVTT - chapters
            Kind: chapters
            Language: de

            NOTE a comment
            00:00 --> no cue

            STYLE
            ::cue { color: red }

            1
            00:00.000 --> 00:02.500 align:start
            A &amp; <b>B</b> &lt;c&gt; &#228;&unknown;
            second line

            100:00:03.000 --> 100:00:04.000

            00:05.000 --> 00:06.000
            <v Name>cut <i
            """
        let lists = try Self.parse(text)
        #expect(lists.map(\.languageTag) == ["de"])
        let hours = Int64(100 * 3600)
        #expect(
            lists.first?.chapters == [
                Chapter(
                    start: .ms(0), end: .ms(2500), titles: [.init("A & B <c> ä&unknown;\nsecond line")],
                    identifier: "1"),
                Chapter(start: .ms((hours + 3) * 1000), end: .ms((hours + 4) * 1000)),
                Chapter(start: .ms(5000), end: .ms(6000), titles: [.init("cut ")]),
            ])
        #expect(try Self.parse(text.replacingOccurrences(of: "\n", with: "\r\n")) == lists)
    }

    @Test func `Chapters are written as WebVTT`() {
        let list = ChapterList(
            form: .id3,
            chapters: [
                Chapter(start: .ms(0), titles: [.init("a --> <b>\n\nc & d")], identifier: "chp0"),
                Chapter(start: CMTime(value: 1001, timescale: 30_000), titles: [.init("e")], identifier: "NOTE x"),
                Chapter(start: .ms(9000)),
            ])
        let (text, losses) = ChapterTextFormat.webvtt.text(of: list, assetDuration: .ms(9000))
        // An empty line, a rounded time, a chapter without length.
        #expect(losses.count == 3)
        #expect(
            text == """
                WEBVTT

                chp0
                00:00:00.000 --> 00:00:00.033
                a --&gt; &lt;b&gt;
                c &amp; d

                00:00:00.033 --> 00:00:09.000
                e

                00:00:09.000 --> 00:00:09.001

                """)
    }

    @Test func `Chapters are read from lines of text`() throws {
        let text =
            "\u{FEFF}# comment\n00:00:00.000 First chapter \r\n\n1:02:03.5\tSecond\n90:00 Third\n00:00:01.123456789\n"
        #expect(
            try Self.parse(text).first?.chapters == [
                Chapter(start: .ms(0), titles: [.init("First chapter")]),
                Chapter(start: .ms(3_723_500), titles: [.init("Second")]),
                Chapter(start: .ms(5_400_000), titles: [.init("Third")]), Chapter(start: Self.ns(1_123_456_789)),
            ])
    }

    @Test func `Chapters are read from OGM's fields`() throws {
        let text = """
            CHAPTER01=00:00:00.000
            CHAPTER01NAME=First = one
            chapter02name=Second
            CHAPTER02=00:00:05,500
            CHAPTER003=00:00:09.000
            CHAPTER003NAME=
            """
        #expect(
            try Self.parse(text).first?.chapters == [
                Chapter(start: .ms(0), titles: [.init("First = one")]),
                Chapter(start: .ms(5500), titles: [.init("Second")]),
                Chapter(start: .ms(9000)),
            ])
    }

    @Test func `Chapters are written as lines of text`() {
        let list = ChapterList(
            form: .nero,
            chapters: [
                Chapter(start: .ms(0), end: .ms(500), titles: [.init("a\r\n  b ")]),
                Chapter(start: .ms(3_723_004), end: .ms(4_000_000)),
            ])
        let (text, losses) = ChapterTextFormat.text.text(of: list, assetDuration: .ms(4_000_000))
        #expect(losses.count == 2)
        #expect(text == "00:00:00.000 a    b\n01:02:03.004\n")
        #expect(
            ChapterTextFormat.ogm.text(of: list, assetDuration: .ms(4_000_000)).text == """
                CHAPTER01=00:00:00.000
                CHAPTER01NAME=a    b
                CHAPTER02=01:02:03.004
                CHAPTER02NAME=

                """)
    }

    @Test(arguments: ChapterTextFormat.allCases)
    func `Chapters written as text are the same when read again`(_ format: ChapterTextFormat) throws {
        let titles = [
            "plain", "a=b;c#d\\", "<b>&amp;</b> -->", "[CHAPTER]", "WEBVTT", "NOTE", "CHAPTER01=00:00:00.000",
            "00:00:00.000",
            "]]>", "\"'", "\u{301}mark", "\u{1F468}\u{200D}\u{1F469}", "\\\\", "=\u{338}", "a\tb", "&lt;", "{}", "%00",
            "第三",
        ]
        var list = ChapterList(form: .nero, chapters: [])
        for (index, title) in titles.enumerated() {
            let start = Int64(index) * 1000
            list.chapters.append(
                Chapter(start: .ms(start), end: .ms(start + 1000), titles: [.init(title)]))
        }
        let (text, losses) = format.text(of: list, assetDuration: .ms(Int64(titles.count) * 1000))
        #expect(losses == [])
        #expect(ChapterTextFormat.detect(text) == format)
        let read = try #require(try format.parse(text).first)
        #expect(read.chapters.map(\.title) == titles)
        #expect(read.chapters.map(\.start) == list.chapters.map(\.start))
        let hasEnds = format != .text && format != .ogm
        #expect(!hasEnds || read.chapters.map(\.end) == list.chapters.map(\.end))
    }

    @Test(arguments: ChapterTextFormat.allCases)
    func `Chapters written as text hold no more than their format can`(_ format: ChapterTextFormat)
        throws
    {
        let nasty = "a\u{0}b\u{1B}\r\n\n\nWEBVTT\u{2028}\u{FFFE}x"
        let list = ChapterList(
            form: .matroska, languageTag: "de",
            chapters: [
                Chapter(
                    start: .ms(1000), titles: [.init(nasty), .init("other", languageTag: "fr")], artwork: [1],
                    link: "a",
                    children: [Chapter(start: .ms(1500), titles: [.init("inner")])]),
                Chapter(start: .ms(2000), isHidden: true), Chapter(start: .invalid),
            ])
        let (text, losses) = format.text(of: list, assetDuration: .invalid)
        #expect(!losses.isEmpty)
        let read = try #require(try format.parse(text).first)
        let isTree = format == .matroskaXML
        #expect(read.chapters.count == 2)
        #expect(read.chapters[0].children.count == (isTree ? 1 : 0))
        #expect(read.chapters[0].title.unicodeScalars.contains("\0") == false)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let format: ChapterTextFormat
        let text: String
        let line: Int
        var testDescription: String { "\(format) \(text.debugDescription)" }

        init(_ format: ChapterTextFormat, _ line: Int, _ text: String) {
            (self.format, self.line, self.text) = (format, line, text)
        }
    }

    static let wrong: [Wrong] = [
        Wrong(.ffmetadata, 1, "title=x"), Wrong(.ffmetadata, 2, ";FFMETADATA1\nnothing"),
        Wrong(.ffmetadata, 3, ";FFMETADATA1\n[CHAPTER]\nSTART=x"), Wrong(.ffmetadata, 2, ";FFMETADATA1\n[CHAPTER]\n"),
        Wrong(.ffmetadata, 3, ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0"),
        Wrong(.ffmetadata, 4, ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=3/1\nSTART=9223372036854775807"),
        Wrong(.webvtt, 1, ""), Wrong(.webvtt, 1, "WEBVTTX"), Wrong(.webvtt, 3, "WEBVTT\n\n00:00 --> 00:10"),
        Wrong(.webvtt, 3, "WEBVTT\n\n00:02.000 --> 00:01.000"), Wrong(.webvtt, 3, "WEBVTT\n\nx\ny\nz"),
        Wrong(.webvtt, 4, "WEBVTT\n\nid\n00:61.000 --> 00:62.000"),
        Wrong(.text, 2, "00:00 A\nB"), Wrong(.text, 1, "00:60:00 A"), Wrong(.text, 1, "99999999999:00:00 A"),
        Wrong(.text, 1, "0:0:0.1234567890 A"), Wrong(.text, 1, "-1:00 A"), Wrong(.text, 1, "+1:00 A"),
        Wrong(.ogm, 1, "CHAPTER01NAME=A"), Wrong(.ogm, 2, "CHAPTER01=00:00:00\nCHAPTER01=00:00:01"),
        Wrong(.ogm, 1, "CHAPTER1234567=00:00:00"), Wrong(.ogm, 1, "CHAPTERxx=00:00:00"),
        Wrong(.matroskaXML, 1, ""), Wrong(.matroskaXML, 1, "<Tags/>"), Wrong(.matroskaXML, 2, "<Chapters>\n"),
        Wrong(.matroskaXML, 2, "<Chapters>\n&bomb;</Chapters>"), Wrong(.matroskaXML, 1, "<Chapters></Chapter>"),
        Wrong(.matroskaXML, 2, "<!DOCTYPE a\n[<!ENTITY b SYSTEM \"file:///etc/passwd\">]><Chapters/>"),
        Wrong(.matroskaXML, 1, "<Chapters/><Chapters/>"), Wrong(.matroskaXML, 1, "<Chapters a=b/>"),
        Wrong(.matroskaXML, 3, "<Chapters><EditionEntry>\n\n<ChapterAtom/></EditionEntry></Chapters>"),
        Wrong(
            .matroskaXML, 1,
            "<Chapters><EditionEntry><ChapterAtom><ChapterTimeStart>x</ChapterTimeStart></ChapterAtom></EditionEntry></Chapters>"
        ),
        Wrong(
            .matroskaXML, 1,
            "<Chapters><EditionEntry><EditionFlagHidden>yes</EditionFlagHidden></EditionEntry></Chapters>"),
    ]

    @Test(arguments: wrong) func `Malformed chapter text is refused with the line`(_ example: Wrong) {
        let error = #expect(throws: MetadataError.self) { try example.format.parse(example.text) }
        #expect(error?.reason.hasPrefix("line \(example.line):") == true, "\(error?.reason ?? "")")
    }

    @Test func `Chapters nested without end are refused`() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: MetadataError.self) { try ChapterTextFormat.matroskaXML.parse(deep) }
        let atom = "<ChapterAtom><ChapterTimeStart>00:00:00</ChapterTimeStart>"
        let atoms = String(repeating: atom, count: 20) + String(repeating: "</ChapterAtom>", count: 20)
        #expect(throws: MetadataError.self) {
            try ChapterTextFormat.matroskaXML.parse("<Chapters><EditionEntry>\(atoms)</EditionEntry></Chapters>")
        }
    }

    @Test func `Chapter text cut at any character is read or refused`() {
        for text in [
            Self.xml, "WEBVTT\n\n1\n00:00.000 --> 00:01.000\n<b>&amp;", ";FFMETADATA1\n[CHAPTER]\nSTART=1\ntitle=\\=",
        ] {
            for count in 0...text.count {
                let cut = String(text.prefix(count))
                for format in ChapterTextFormat.allCases { _ = try? format.parse(cut) }
                _ = ChapterTextFormat.detect(cut)
            }
        }
    }

    @Test(arguments: ["", "\n\n", "hello", "<html>", "{}", "CHAPTERS"])
    func `Other text is not detected as chapters`(_ text: String) {
        #expect(ChapterTextFormat.detect(text) == nil)
    }

    @Test(.timeLimit(.minutes(5))) func `Large chapter text is read in time`() throws {
        let lines = (0..<20_000).map {
            "<ChapterAtom>\n<ChapterTimeStart>00:00:00.\($0)</ChapterTimeStart>\n</ChapterAtom>\n"
        }
        let text = "<Chapters><EditionEntry>\(lines.joined())</EditionEntry></Chapters>"
        var lists: [ChapterList] = []
        let time = try ContinuousClock().measure { lists = try ChapterTextFormat.matroskaXML.parse(text) }
        #expect(lists.first?.chapters.count == 20_000)
        #expect(time < .seconds(30))
        let breaks = String(repeating: "\n", count: 2_000_000)
        #expect(throws: MetadataError.self) { try ChapterTextFormat.text.parse(breaks) }
        let many = String(repeating: "00:00 x\n", count: 70_000)
        let error = #expect(throws: MetadataError.self) { try ChapterTextFormat.text.parse(many) }
        #expect(error?.kind == .limit)
    }
}

extension CMTime {
    /// Milliseconds.
    fileprivate static func ms(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1000) }
}
