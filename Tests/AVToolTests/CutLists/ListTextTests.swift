import MediaCore
import Testing
import avtool_worker

@Suite struct `Texts of cut lists` {
    private static let expected = [s(t(1), t(2), "é", line: 1), s(t(3), t(4), "x", line: 3)]

    private static func readBytes(_ bytes: [UInt8]) throws(CutListError) -> CutList {
        try CutList(reading: bytes, fileName: "a.b.csv", frames: nil)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `Cut lists may be UTF-8 or UTF-16 with any line endings`(_ end: String) throws {
        let text = "1,2,é\(end)\(end)3,4,x"
        let units = Array(text.utf16)
        let encodings: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
            [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ]
        for bytes in encodings { #expect(try Self.readBytes(bytes).segments == Self.expected) }
    }

    @Test(
        arguments: [
            ([0x31, 0x2C, 0x32, 0x0A, 0xE9], "line 2: this is not UTF-8"),
            ([0x31, 0x2C, 0x32, 0x0A, 0x00], "line 2: a zero byte: this is no text"),
            ([0xFF, 0xFE, 0x31], "the text ends within a character of UTF-16"),
            ([0xFF, 0xFE, 0x00, 0xD8], "the text is not valid UTF-16"),
        ] as [([UInt8], String)])
    func `Cut lists in other encodings are refused`(_ bytes: [UInt8], _ message: String) {
        let error = #expect(throws: CutListError.self) { try Self.readBytes(bytes) }
        #expect(error?.description == message)
    }

    @Test func `Cut lists have limits on their size and on the length of a line`() {
        let error = #expect(throws: CutListError.self) {
            try Self.readBytes(Array(repeating: UInt8(ascii: "\n"), count: (16 << 20) + 1))
        }
        #expect(error?.description == "files with more than 16 MiB are not read")
        let name = String(repeating: "a", count: 1 << 16)
        #expect(flaw("1,2,a\n3,4,\(name)") == "line 2: the line has more than 64 KiB")
        #expect(flaw("{\(name): 1}") == "line 1: there is no key")
    }

    @Test(arguments: ["", "\n\n", "What is this?", "x 6", "0 5 name", "# nothing\n* but remarks"])
    func `Cut lists of an unknown kind are refused with the kinds that are known`(_ text: String) {
        #expect(
            flaw(text)
                == "this is no cut list of a known kind: LosslessCut CSV, LosslessCut TSV, LosslessCut project, "
                + "CMX 3600 EDL, MPlayer EDL, mpv EDL, comskip list, cue sheet")
    }

    @Test func `Cut lists whose text leaves the kind open are read as their extension says`() {
        #expect(flaw("x", "a.csv").hasPrefix("line 1: there is no end: commas"))
        #expect(flaw("x", "a.TSV").hasPrefix("line 1: there is no end: tabs"))
        #expect(flaw("x", "a.llc") == "line 1: the text ends too early")
        #expect(flaw("x", "a.edl") == "line 1: there must be a start, an end and an action between spaces")
        #expect(flaw("x", "a.cue") == "line 1: \"x\" is no command of a cue sheet")
        #expect(flaw("x", "csv").hasPrefix("this is no cut list"))
    }

    @Test func `Times in cut lists are the nearest that a CMTime holds`() throws {
        // Frames' times as JavaScript prints them: each is that frame's time again.
        for (numerator, denominator) in [(30, 1), (24, 1), (30000, 1001), (24000, 1001), (60000, 1001), (90000, 1)] {
            for frame in [1, 2, 7, 155, 688, 40_003, 1_234_567] {
                let seconds = Double(frame) * Double(denominator) / Double(numerator)
                let list = try read("\(seconds),,")
                #expect(list.segments[0].start == t(Int64(frame * denominator), Int32(numerator)), "\(seconds)")
            }
        }
        for (text, time) in [
            ("0.0000001", t(1, 10_000_000)), ("1e-9", t(1, 1_000_000_000)), ("1e-400", .zero), ("-0.0", .zero),
            ("0.999999999999999999", t(1)), ("12.000000000000000", t(12)), ("1.1234567891", nil),
            ("000000000000000000001", t(1)), ("0.1e1", t(1)), ("100e-2", t(1)), ("3600000", t(3_600_000)), ("5.", t(5)),
        ] {
            let start = try read("\(text),,x").segments[0].start
            #expect(time == nil || start == time, "\(text)")
            #expect(start.hasBeenRounded == (time == nil || text.hasPrefix("0.99")))
        }
    }
}

@Suite struct `Damaged cut lists` {
    private static let samples = [
        "Start,End,Name\n,56.9568,One\n70,842.33,\"Two \"\"x\"\", y\"\n00:20:00.5,,Last\n",
        "00:00:00.000\t00:00:51.200\tOne\n00:01:00.000\t\tTwo\n",
        "{version:2,mediaFileName:'a.mp4',cutSegments:[{start:0,end:5.16,name:'One',tags:{a:\"\\u0041\"}},"
            + "/*c*/{start:7,end:8,selected:false,},\n],}",
        "TITLE: x\nFCM: DROP FRAME\n001 AX V C 01:00:00:00 01:00:05:00 00:00:00:00 00:00:05:00\n"
            + "* FROM CLIP NAME: a\n002 AX A C 01:00:00;00 01:00:05;00 00:00:00:00 00:00:05:00\n",
        "## x\n5.3 7.1 0\n#127 #170 3\n00:07:00 13:42.5 3\n12:00 2\n",
        "# mpv EDL v0\n%5%a.mkv,10,20\nfile=a.mkv,length=5;a.mkv,title=%3%x,y\n",
        "FILE PROCESSING COMPLETE  54321 FRAMES AT  2997\n-------------------\n1\t1500\n25000 30000\n",
        "REM x\nPERFORMER \"P\"\nFILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"T\"\nINDEX 01 00:00:00\n"
            + "TRACK 02 AUDIO\nINDEX 00 01:00:00\nINDEX 01 01:02:74\n",
    ]
    private static let pieces = [
        "", "\n", "\r", "\"", "'", ",", "\t", ":", ";", "%", "-", "0", "9", "99999999999999999999", "e", ".", "1e9",
        "{",
        "}", "[", "]", "\\", "\\u", "/*", "//", "#", "é", "\u{301}", "\u{2028}", "\0", "V", "D", "C", "M2", "INDEX",
        "TRACK", "NaN", " ", "  ", "01:00:00:00", "=", "!", "~",
    ]

    @Test func `Damaged cut lists are refused, or give ordered segments`() throws {
        var generator = SeededGenerator(seed: 57)
        let scales = [nil, try frames(25), try frames(30000, 1001, from: "01:00:00;00")]
        var readCount = 0
        for round in 0..<16_000 {
            var bytes = Array(Self.samples[round % Self.samples.count].utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let start = Int.random(in: 0...bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0...4, using: &generator))
                let piece = try #require(Self.pieces.randomElement(using: &generator))
                bytes.replaceSubrange(start..<end, with: Array(piece.utf8))
            }
            if Int.random(in: 0..<20, using: &generator) == 0 {
                bytes.insert(UInt8.random(in: 0...255, using: &generator), at: bytes.count / 2)
            }
            if Int.random(in: 0..<20, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            let names = ["x", "x.csv", "x.tsv", "x.edl", "x.llc", "x.cue"]
            let name = try #require(names.randomElement(using: &generator))
            let scale = try #require(scales.randomElement(using: &generator))
            let lineCount = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
            do throws(CutListError) {
                let list = try CutList(reading: bytes, fileName: name, frames: scale)
                readCount += 1
                expectSound(list, lineCount: lineCount)
            } catch {
                #expect(!error.reason.isEmpty && !error.description.contains("\n"))
                #expect(error.line.map { (1...lineCount).contains($0) } ?? true)
            }
        }
        #expect(readCount > 3000)
    }

    private func expectSound(_ list: CutList, lineCount: Int) {
        #expect(!list.segments.isEmpty)
        for segment in list.segments {
            #expect(segment.start >= .zero && segment.start <= t(3_600_000))
            #expect(segment.end.map { $0 > segment.start && $0 <= t(3_600_000) } ?? true)
            #expect(segment.name != "" && (1...lineCount).contains(segment.line))
        }
    }
}
