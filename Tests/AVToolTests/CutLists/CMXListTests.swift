import MediaCore
import Testing
import avtool_worker

@Suite struct `CMX 3600 lists` {
    /// What DaVinci Resolve and Premiere write, put together.
    private static let sample = """
        TITLE: Interview v3
        FCM: NON-DROP FRAME

        001  AX       V     C        01:00:00:00 01:00:05:00 00:00:00:00 00:00:05:00
        * FROM CLIP NAME: interview.mov
        * LOC: 01:00:02:00 RED  check

        002  AX       AA/V  C        01:00:10:12 01:00:20:00 00:00:05:00 00:00:14:13
        AUD  3    4
        * from clip name:  B-roll, "wide"
        003  A 017    V     C        01:10:00:00 01:10:00:01 00:00:14:13 00:00:14:14
        003  A 017    A2    C        01:10:00:00 01:10:00:01 00:00:14:13 00:00:14:14
        003  A 017    NONE  C        01:10:00:00 01:10:00:01 00:00:14:13 00:00:14:14
        """

    @Test func `CMX 3600 lists count from the media file's timecode`() throws {
        let list = try read(Self.sample, "x.edl", try frames(25, from: "01:00:00:00"))
        #expect(list.format == .cmx3600)
        #expect(list.meaning == .keep)
        #expect(
            list.segments == [
                s(.zero, t(5), "interview.mov", line: 4), s(t(262, 25), t(20), "B-roll, \"wide\"", line: 8),
                s(t(600), t(15001, 25), line: 11),
            ])
    }

    @Test func `CMX 3600 lists count from zero where they begin before the media file's timecode`() throws {
        let text = "001 AX V C 01:00:00:00 01:00:05:00 00:00:00:00 00:00:05:00\n"
        #expect(try read(text, "x.edl", try frames(25)).segments == [s(t(3600), t(3605), line: 1)])
        #expect(try read(text, "x", try frames(25, from: "02:00:00:00")).segments == [s(t(3600), t(3605), line: 1)])
        let early = "002 AX V C 00:59:59:24 01:00:00:00 00:00:05:00 00:00:05:01\n"
        let list = try read(text + early, "x", try frames(25, from: "01:00:00:00"))
        #expect(list.segments == [s(t(3600), t(3605), line: 1), s(t(89_999, 25), t(3600), line: 2)])
    }

    @Test(arguments: [
        ("", "01:00:00;00 01:10:00;00"), ("FCM: DROP FRAME\n", "01:00:00:00 01:10:00:00"),
        ("FCM: DROP FRAME\nFCM: NON DROP FRAME\n", "01;00;00;00 01;10;00;00"),
    ])
    func `CMX 3600 lists skip the numbers that drop frame skips`(_ head: String, _ times: String) throws {
        let text = "TITLE: x\n\(head)001 AX B C \(times) 00:00:00:00 00:10:00:00"
        // By SMPTE ST 12-1 an hour has 107892 frames, ten minutes 17982.
        let fromZero = try read(text, "x", try frames(30000, 1001)).segments[0]
        #expect(fromZero.start == t(107_892 * 1001, 30000))
        #expect(fromZero.end == t(125_874 * 1001, 30000))
        let ofFilm = try read(text, "x", try frames(30000, 1001, from: "01:00:00;00")).segments[0]
        #expect(ofFilm.start == .zero)
        #expect(ofFilm.end == t(17982 * 1001, 30000))
    }

    @Test func `CMX 3600 lists of audio only keep each segment once`() throws {
        let text = """
            TITLE: podcast
            001 AX A  C 00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00
            001 AX A2 C 00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00
            002 AX A  C 00:00:03:00 00:00:04:00 00:00:01:00 00:00:02:00
            """
        #expect(try read(text, "x", try frames(25)).segments == [s(t(1), t(2), line: 2), s(t(3), t(4), line: 4)])
    }

    @Test func `CMX 3600 lists name their source if there is only one`() throws {
        let event = "001 AX V C 00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00\n* SOURCE FILE: a.mov\n"
        #expect(try read(event, "x", try frames(25)).mediaFileName == "a.mov")
        #expect(try read(event + event + "* SOURCE FILE: b.mov", "x", try frames(25)).mediaFileName == nil)
    }

    private static let record = "00:00:00:00 00:00:01:00"

    private static let undoable: [(text: String, message: String)] = [
        ("V D 030 00:00:01:00 00:00:02:00", "the event is a dissolve (D); only cuts (C) can be done here"),
        ("V W001 030 00:00:01:00 00:00:02:00", "the event is a wipe (W001); only cuts (C) can be done here"),
        ("V K B 00:00:01:00 00:00:02:00", "the event is a key (K); only cuts (C) can be done here"),
        ("V K O 030 00:00:01:00 00:00:02:00", "the event is a key (K); only cuts (C) can be done here"),
        ("V KB 030 00:00:01:00 00:00:02:00", "the event is a key (KB); only cuts (C) can be done here"),
        ("V X 00:00:01:00 00:00:02:00", "\"X\" is no kind of edit; only cuts (C) can be done here"),
        (
            "V 00:00:01:00 00:00:02:00",
            "an event needs a number, a reel, channels, a kind of edit and four timecodes"
        ),
        ("Q C 00:00:01:00 00:00:02:00", "\"Q\" is no kind of channels such as V, A, B or AA/V"),
        ("V C 00:00:01:00 00:00:01:00", "the end at 1 s is not after the start at 1 s"),
        ("V C 00:00:01:00 00:00:00:24", "the end at 0.96 s is not after the start at 1 s"),
        ("V C 00:00:01 00:00:02:00", "\"00:00:01\" is no timecode such as 01:00:00:00"),
        ("V C 00:00:01:0x 00:00:02:00", "\"00:00:01:0x\" is no timecode such as 01:00:00:00"),
        ("V C 24:00:00:00 24:00:02:00", "\"24:00:00:00\" is no timecode such as 01:00:00:00"),
        ("V C -1:00:00:00 24:00:02:00", "\"-1:00:00:00\" is no timecode such as 01:00:00:00"),
        (
            "V C 00:00:01:25 00:00:02:00",
            "\"00:00:01:25\" has no such frame: at 25 frames per second they go from 0 to 24"
        ),
        (
            "V C 00:00:01;00 00:00:02;00",
            "\"00:00:01;00\" is drop frame, which is for 29.97 frames per second and multiples of it"
        ),
        (
            "A C 00:00:11:00 00:00:12:00",
            "the event takes sound where no event takes the same pictures, which cannot be done here"
        ),
    ]

    @Test(arguments: undoable)
    func `CMX 3600 lists with unsupported events are refused with the event's line`(
        _ event: String, _ reason: String
    ) throws {
        let before = "TITLE: x\n001 AX V C 00:00:03:00 00:00:04:00 00:00:00:00 00:00:01:00\n\n"
        let text = before + "002 AX \(event) \(Self.record)"
        #expect(flaw(text, "x.edl", try frames(25)) == "line 4: \(reason)")
    }

    private static let flawedLines: [(text: String, message: String)] = [
        ("002 BL V C 00:00:00:00 00:00:01:00", "the event is black (BL), which no film holds"),
        (
            "M2   AX       012.5                01:00:00:00",
            "the event before changes the speed (M2), which cannot be done here"
        ),
        ("FCM: SOMETIMES", "FCM is neither DROP FRAME nor NON-DROP FRAME"),
        ("what is this", "\"what is this\" is neither an event nor a remark of an EDL"),
    ]

    @Test(arguments: flawedLines)
    func `CMX 3600 lists with a malformed line are refused with its number`(_ line: String, _ reason: String) throws {
        let text = "TITLE: x\n001 AX V C 00:00:03:00 00:00:04:00 00:00:00:00 00:00:01:00\n\(line) \(Self.record)\n"
        let message = flaw(
            text.replacing("SOMETIMES \(Self.record)", with: "SOMETIMES")
                .replacing("this \(Self.record)", with: "this"), "x.edl", try frames(25))
        #expect(message == "line 3: \(reason)")
    }

    @Test func `CMX 3600 lists report the dissolve, not the empty cut before it`() throws {
        let text = """
            TITLE: x
            002  AX V C        00:00:03:00 00:00:03:00 00:00:00:00 00:00:00:00
            002  BX V D    025 00:00:08:00 00:00:09:00 00:00:00:00 00:00:01:00
            """
        #expect(
            flaw(text, "x", try frames(25))
                == "line 3: the event is a dissolve (D); only cuts (C) can be done here")
    }

    @Test func `CMX 3600 lists need a frame rate and the media file's kind of timecode`() throws {
        let text = "TITLE: x\n001 AX V C 01:00:03:00 01:00:04:00 00:00:00:00 00:00:01:00\n"
        #expect(flaw(text) == "line 2: timecodes need the film's frame rate, which is not known")
        #expect(
            flaw(text, "x", try frames(30000, 1001, from: "01:00:00;00"))
                == "line 2: \"01:00:03:00\" counts every number, but this film's timecode is drop frame: "
                + "write ; before the frames")
        #expect(flaw("TITLE: x\n") == "there are no segments in this CMX 3600 EDL")
    }
}
