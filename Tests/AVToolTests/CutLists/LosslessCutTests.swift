import MediaCore
import Testing
import avtool_worker

@Suite struct `LosslessCut's tables` {
    @Test func `LosslessCut's tables have open ends, quoted names and exact seconds`() throws {
        let list = try read(
            """
            ,56.9568,First segment starting at 0
            70,842.33,"A name with ""quotes"", commas
            and two lines"

            1234,,  Last segment\u{20}
            1.5e1, 2E1,"quoted" ,"{""tag"":""x""}"
            """, "film.csv")
        #expect(list.format == .losslessCutCSV)
        #expect(list.meaning == .keep)
        #expect(list.mediaFileName == nil)
        #expect(
            list.segments == [
                s(.zero, t(569_568, 10000), "First segment starting at 0", line: 1),
                s(t(70), t(84233, 100), "A name with \"quotes\", commas\nand two lines", line: 2),
                s(t(1234), nil, "Last segment", line: 5),
                s(t(15), t(20), "quoted", line: 6),
            ])
    }

    @Test func `LosslessCut's tables with a header have clock times`() throws {
        let list = try read("Start,End,Name,Tags\n00:01:54.612,00:03:09.053,A\n1:02,100:00:00,\n", "x.txt")
        #expect(list.format == .losslessCutCSV)
        #expect(
            list.segments == [s(t(114_612, 1000), t(189_053, 1000), "A", line: 2), s(t(62), t(360_000), line: 3)])
    }

    @Test func `Tables of scenes are read by the names of their columns`() throws {
        let list = try read(
            """
            source,scene,start,end,duration,first_frame,last_frame,opening,score
            "a, b.mkv",1,0,3.337,3.337,0,79,start,0.00
            "a, b.mkv",2,3.337,6.256,2.919,80,149,cut,89.22
            """, "scenes.csv")
        #expect(list.format == .losslessCutCSV)
        #expect(
            list.segments == [s(.zero, t(3337, 1000), line: 2), s(t(3337, 1000), t(6256, 1000), line: 3)])
    }

    @Test func `LosslessCut's tables may be separated by tabs`() throws {
        let list = try read("00:00:00.000\t00:00:51.200\tOne, two\n00:01:00.000\t\t\"Tab\there\"\n")
        #expect(list.format == .losslessCutTSV)
        #expect(list.segments == [s(.zero, t(512, 10), "One, two", line: 1), s(t(60), nil, "Tab\there", line: 2)])
        let numbered = try read("0\t5\t1\n5\t6\t2\n", "x.tsv")
        #expect(numbered.segments == [s(.zero, t(5), "1", line: 1), s(t(5), t(6), "2", line: 2)])
        #expect(try read("0\t5\n").segments == [s(.zero, t(5), line: 1)])
    }

    private static let flawed: [(text: String, message: String)] = [
        ("5,x,name", "line 1: \"x\" is no time such as 83.5 or 00:01:23.5"),
        ("1,2,a\n5,5,name", "line 2: the end at 5 s is not after the start at 5 s"),
        ("1,2,a\n5.5,5,name", "line 2: the end at 5 s is not after the start at 5.5 s"),
        ("-1,2,a", "line 1: \"-1\" is before zero"),
        ("1,2,a\n\n1,3600001,a", "line 3: \"3600001\" is more than 1000 hours"),
        ("1,2,a\n1,1000:00:01,a", "line 2: \"1000:00:01\" is more than 1000 hours"),
        ("1,99999999999999999999:00:01,a", "line 1: \"99999999999999999999:00:01\" is more than 1000 hours"),
        ("1,1e999999999999999999999,a", "line 1: \"1e999999999999999999999\" is more than 1000 hours"),
        ("1,NaN,a", "line 1: \"NaN\" is no time such as 83.5 or 00:01:23.5"),
        ("1,inf,a", "line 1: \"inf\" is no time such as 83.5 or 00:01:23.5"),
        ("1,-Infinity,a", "line 1: \"-Infinity\" is no time such as 83.5 or 00:01:23.5"),
        ("1,0x10,a", "line 1: \"0x10\" is no time such as 83.5 or 00:01:23.5"),
        ("1,1e,a", "line 1: \"1e\" is no time such as 83.5 or 00:01:23.5"),
        ("1,.,a", "line 1: \".\" is no time such as 83.5 or 00:01:23.5"),
        ("1,+2,a", "line 1: \"+2\" is no time such as 83.5 or 00:01:23.5"),
        ("1,00:60:00,a", "line 1: \"00:60:00\" is no time such as 83.5 or 00:01:23.5"),
        ("1,00:00:60,a", "line 1: \"00:00:60\" is no time such as 83.5 or 00:01:23.5"),
        ("1,0:0:0:1,a", "line 1: \"0:0:0:1\" is no time such as 83.5 or 00:01:23.5"),
        ("1,1::1,a", "line 1: \"1::1\" is no time such as 83.5 or 00:01:23.5"),
        ("1,1:1e1,a", "line 1: \"1:1e1\" is no time such as 83.5 or 00:01:23.5"),
        ("1,٢,a", "line 1: \"٢\" is no time such as 83.5 or 00:01:23.5"),
        ("1,2,a\n,,", "line 2: all columns are empty"),
        ("1,2,a\n5", "line 2: there is no end: commas are between start, end and name"),
        ("1,2,a\n5;6;b", "line 2: there is no end: commas are between start, end and name"),
        (
            "1,2\n5,6,a,b,c",
            "line 2: there are 5 columns instead of 4 at the most; names with commas need quotation marks"
        ),
        (
            "Start,End,Name\n5,6,a,b",
            "line 2: there are 4 columns instead of 3 at the most; names with commas need quotation marks"
        ),
        ("1,2,a\n5,6,\"a\n\n", "line 2: a quotation mark has no other one that ends the cell"),
        ("1,2,a\n5,6,\"a\nb\" c", "line 3: something follows a quotation mark that ends a cell"),
        ("1,2,a\n5,6,5\" disk", "line 2: a quotation mark stands in a cell that does not begin with one"),
        ("1,2" + String(repeating: ",", count: 80), "line 1: there are more than 64 columns"),
        ("Start,End,Name\n", "there are no segments in this LosslessCut CSV"),
    ]

    @Test(arguments: flawed)
    func `LosslessCut's tables with a malformed line are refused with its number`(_ text: String, _ message: String) {
        #expect(flaw(text, "x.csv") == message)
    }

    @Test func `LosslessCut's tables hold at most ten thousand rows`() throws {
        let rows = (0..<10_000).map { "\($0),\($0 + 1),\n" }.joined()
        #expect(try read(rows).segments.count == 10_000)
        #expect(flaw(rows + "1,2,") == "line 10001: there are more than 10000 segments")
    }
}

@Suite struct `LosslessCut's projects` {
    @Test func `LosslessCut's projects keep the segments that are selected and have an end`() throws {
        // As LosslessCut writes them.
        let list = try read(
            #"""
            {
              version: 2,
              mediaFileName: 'It\'s a film.mp4',
              cutSegments: [
                {
                  start: 0,
                  end: 5.166666666666667,
                  name: "One's",
                  tags: {
                    'a b': 'x',
                    größe: '\x41\u00fc\ud83d\ude00',
                  },
                  selected: true,
                },
                {
                  start: 7.25,
                  name: 'A marker',
                },
                {
                  start: 8,
                  end: 9,
                  name: '',
                  selected: false,
                },
                {
                  start: .5,
                  end: +1e1,
                  name: '',
                },
              ],
            }
            """#, "film-proj.llc")
        #expect(list.format == .losslessCutProject)
        #expect(list.meaning == .keep)
        #expect(list.mediaFileName == "It's a film.mp4")
        #expect(list.segments == [s(.zero, t(31, 6), "One's", line: 5), s(t(1, 2), t(10), line: 25)])
    }

    @Test func `LosslessCut's projects may be JSON with comments`() throws {
        let list = try read(
            "// a\n/* b\n*/ {\"version\":2,\"cutSegments\":[/**/{\"start\":1,\"end\":2,\"name\":\"\\u0041\"}]}\n")
        #expect(list.segments == [s(t(1), t(2), "A", line: 3)])
    }

    @Test func `LosslessCut's projects of version 1 have open ends`() throws {
        let list = try read("{version:1,cutSegments:[{end:2},{start:3,end:null,name:'b\\\n\\n\\t\\q'}]}")
        #expect(list.segments == [s(.zero, t(2), line: 1), s(t(3), nil, "b\n\tq", line: 1)])
    }

    private static let flawed: [(text: String, message: String)] = [
        ("{", "line 1: the text ends too early"),
        (
            "{\nversion: 3, cutSegments: []}",
            "line 2: this version of LosslessCut's projects is not known, only 1 and 2"
        ),
        ("{version: 2}", "line 1: cutSegments is no list of segments"),
        ("{version: 2,\ncutSegments: {}}", "line 2: cutSegments is no list of segments"),
        ("{version: 2,\ncutSegments: []}", "there are no segments in this LosslessCut project"),
        ("{cutSegments: [\n{start:1,end:2,selected:false}]}", "line 1: no segment is selected and has an end"),
        ("{cutSegments: [\n5]}", "line 2: a segment is no object"),
        ("{cutSegments: [{\nstart:'1',end:2}]}", "line 2: start is no number of seconds"),
        ("{cutSegments: [{start:1,\nend:NaN}]}", "line 2: \"NaN\" is no time such as 83.5 or 00:01:23.5"),
        ("{cutSegments: [{start:1,\nend:Infinity}]}", "line 2: \"Infinity\" is no time such as 83.5 or 00:01:23.5"),
        ("{cutSegments: [{start:1,\nend:-3}]}", "line 2: \"-3\" is before zero"),
        ("{cutSegments: [{start:1,\nend:0x5}]}", "line 2: \"0x5\" is no time such as 83.5 or 00:01:23.5"),
        ("{cutSegments: [{start:1,\nend:1e400}]}", "line 2: \"1e400\" is more than 1000 hours"),
        ("{cutSegments: [\n{start:3,end:3}]}", "line 2: the end at 3 s is not after the start at 3 s"),
        ("{cutSegments: [{start:1,end:2,\nname:5}]}", "line 2: name is no text"),
        ("{cutSegments: [{start:1,end:2,\nselected:'no'}]}", "line 2: selected is neither true nor false"),
        ("{mediaFileName: 5, cutSegments: [{start:1,end:2}]}", "line 1: mediaFileName is no text"),
        ("{\na b: 1}", "line 2: a colon is missing after a key"),
        ("{\n1: 1}", "line 2: there is no key"),
        ("{\na-b: 1}", "line 2: there is no key"),
        ("{\n, a: 1}", "line 2: there is no key"),
        ("{a: 1,\na: 2}", "line 2: a key stands twice"),
        ("{a: 1\nb: 2}", "line 2: a comma is missing"),
        ("{a: [1 2]}", "line 1: a comma is missing"),
        ("{a: [,]}", "line 1: there is no value"),
        ("{a: yes}", "line 1: there is no value"),
        ("{a: 1-2}", "line 1: there is no value"),
        ("{a: 1,\n/* b", "line 2: a comment does not end"),
        ("{a: 'b\n'}", "line 1: a string goes on after the end of its line"),
        ("{a: 'b", "line 1: the text ends too early"),
        ("{a: 'b\\", "line 1: the text ends too early"),
        ("{a: '\\u12'}", "line 1: an escape in a string is no character"),
        ("{a: '\\ud800'}", "line 1: an escape in a string is no character"),
        ("{a: '\\u+123'}", "line 1: an escape in a string is no character"),
        ("{a: '\\x00'}", "line 1: an escape in a string is no character"),
        ("{a: '\\0'}", "line 1: there is no such escape in a string"),
        ("{a: 1}\n{}", "line 2: something follows the end"),
    ]

    @Test(arguments: flawed)
    func `LosslessCut's projects with a malformed line are refused with its number`(_ text: String, _ message: String) {
        #expect(flaw(text) == message)
    }

    @Test func `LosslessCut's projects have limits on nesting and on the number of values`() {
        let message = "line 1: there are too many values, or too many in each other"
        #expect(flaw("{a:" + String(repeating: "[", count: 1_000_000)) == message)
        #expect(flaw("{a:[" + String(repeating: "0,", count: 1 << 18)) == message)
    }
}
