import MediaCore
import Testing
import avtool_worker

@Suite struct `MPlayer's lists` {
    @Test func `MPlayer's lists name what to cut in seconds, clock times and frames`() throws {
        let list = try read(
            """
            ## made by hand
            # as MPlayer has it
            5.3   7.1    0
            #127\t#170\t0
              00:07:00.5 13:42 3
            1     4:15.3 2
            12:00.1      2
            """, "x.edl", try frames(30000, 1001))
        #expect(list.format == .mplayer)
        #expect(list.meaning == .cut)
        #expect(
            list.segments == [
                s(t(53, 10), t(71, 10), line: 3), s(t(127 * 1001, 30000), t(170 * 1001, 30000), line: 4),
                s(t(841, 2), t(822), line: 5),
            ])
    }

    @Test func `Tab-separated lists of comskip are read as MPlayer's`() throws {
        let list = try read("0.00\t51.20\t0\n700.50\t800.00\t3\n", "recording.txt")
        #expect(list.format == .mplayer)
        #expect(list.segments == [s(.zero, t(512, 10), line: 1), s(t(7005, 10), t(800), line: 2)])
    }

    private static let flawed: [(text: String, message: String)] = [
        ("5 6 0\n5.3 7.1 1", "line 2: the action is to mute the sound (1), which cannot be done here"),
        ("5 6 0\n5.3 7.1 4", "line 2: \"4\" is no action: 0 cuts, 1 mutes, 2 marks a scene, 3 skips commercials"),
        ("5 6 0\n5.3 7.1 cut", "line 2: \"cut\" is no action: 0 cuts, 1 mutes, 2 marks a scene, 3 skips commercials"),
        ("5 6 0\n\n5.3", "line 3: there must be a start, an end and an action between spaces"),
        ("5 6 0\n5.3 0", "line 2: there must be a start, an end and an action between spaces"),
        ("5 6 0\n5.3 6 0 name", "line 2: there must be a start, an end and an action between spaces"),
        ("5 6 0\nx 6 0", "line 2: \"x\" is no time such as 83.5 or 00:01:23.5"),
        ("5 6 0\n6 5 0", "line 2: the end at 5 s is not after the start at 6 s"),
        ("5 6 0\n-6 5 0", "line 2: \"-6\" is before zero"),
        ("5 6 0\n#1x #5 0", "line 2: \"1x\" is no number of a frame"),
        ("5 6 0\n1 #99999999999999999999 0", "line 2: \"99999999999999999999\" is more than 1000 hours"),
        ("5 6 0\n1 #9999999999 0", "line 2: \"9999999999\" is more than 1000 hours"),
        ("5 6 0\n1 #9223372036854775807 0", "line 2: \"9223372036854775807\" is more than 1000 hours"),
        ("5 x 2", "line 1: \"x\" is no time such as 83.5 or 00:01:23.5"),
        ("5 6 2", "there are no segments in this MPlayer EDL"),
    ]

    @Test(arguments: flawed)
    func `MPlayer's lists with a malformed line are refused with its number`(_ text: String, _ message: String) throws {
        #expect(flaw(text, "x.edl", try frames(25)) == message)
    }

    @Test func `MPlayer's lists that count frames need a frame rate`() {
        #expect(flaw("#5 #6 0") == "line 1: \"#5\" is a frame, and the film's frame rate is not known")
    }
}

@Suite struct `mpv's lists` {
    @Test func `mpv's lists hold a file, a start and a length for each segment`() throws {
        let list = try read(
            """
            # mpv EDL v0
            # a remark; still one
            !no_chapters
            %9%a,b;c.mkv,10,20

            file=%9%a,b;c.mkv,length=5,start=00:00:40.5,title=%8%Té, two;%9%a,b;c.mkv,title=All,100
            """)
        #expect(list.format == .mpv)
        #expect(list.meaning == .keep)
        #expect(list.mediaFileName == "a,b;c.mkv")
        #expect(
            list.segments == [
                s(t(10), t(30), line: 4), s(t(81, 2), t(91, 2), "Té, two", line: 6), s(.zero, t(100), "All", line: 6),
            ])
        #expect(try read("mpv EDL v0\nf.mkv").segments == [s(.zero, nil, line: 2)])
    }

    private static let flawed: [(text: String, message: String)] = [
        ("# mpv EDL v1\nf,1,2", "line 1: only version 0 of mpv's EDL is known: # mpv EDL v0"),
        ("# mpv EDL v0\nf,1,2\ng,1,2", "line 3: another file begins, but one film can be cut only"),
        ("# mpv EDL v0\nf,1,2,3", "line 2: there are more than a file, a start and a length without names"),
        ("# mpv EDL v0\nf,1,2,x=3", "line 2: \"x\" is no parameter that is known"),
        ("# mpv EDL v0\nf,1,start=3", "line 2: \"start\" stands twice"),
        ("# mpv EDL v0\nf,1,0", "line 2: the length is zero"),
        ("# mpv EDL v0\nf,1,-5", "line 2: \"-5\" is before zero"),
        ("# mpv EDL v0\nf,a", "line 2: \"a\" is no time such as 83.5 or 00:01:23.5"),
        ("# mpv EDL v0\nf,3000000,3000000", "line 2: \"start and length together\" is more than 1000 hours"),
        ("# mpv EDL v0\n,1,2", "line 2: there is no file"),
        ("# mpv EDL v0\n%90%f,1,2", "line 2: there is no text of as many bytes as the number after % says"),
        ("# mpv EDL v0\n%1%é,1,2", "line 2: there is no text of as many bytes as the number after % says"),
        ("# mpv EDL v0\n%%f,1,2", "line 2: there is no text of as many bytes as the number after % says"),
        ("# mpv EDL v0\n%1%fg,1,2", "line 2: something follows a text whose length is given"),
        ("# mpv EDL v0\n!mp4_dash,init=x", "line 2: \"!mp4_dash,init=x\" cannot be done here"),
        (
            "# mpv EDL v0\nf,1,2,timestamps=chapters",
            "line 2: times in \"chapters\" cannot be done here, only in seconds"
        ),
        ("# mpv EDL v0\nf" + String(repeating: ",", count: 40), "line 2: there are more than 32 parameters"),
        ("# mpv EDL v0\n\n", "there are no segments in this mpv EDL"),
    ]

    @Test(arguments: flawed)
    func `mpv's lists with a malformed line are refused with its number`(_ text: String, _ message: String) {
        #expect(flaw(text) == message)
    }
}

@Suite struct `comskip's lists` {
    @Test(arguments: [
        (2997, t(1001, 30000)), (2397, t(1001, 24000)), (2398, t(1001, 24000)), (5994, t(1001, 60000)),
        (2500, t(1, 25)), (5000, t(1, 50)), (1499, t(100, 1499)),
    ])
    func `comskip's lists count frames at a rate of their own`(_ rate: Int, _ frame: CMTime) throws {
        let list = try read(
            "FILE PROCESSING COMPLETE  54321 FRAMES AT  \(rate)\n-------------------\n1\t1500\n25000 30000\n")
        #expect(list.format == .comskip)
        #expect(list.meaning == .cut)
        func times(_ number: Int32) -> CMTime { CMTimeMultiply(frame, multiplier: number) }
        #expect(list.segments == [s(times(1), times(1500), line: 3), s(times(25000), times(30000), line: 4)])
    }

    @Test func `comskip's lists of old versions count frames at the media file's rate`() throws {
        let text = "FILE PROCESSING COMPLETE\n------------------------\n25 50\n"
        #expect(try read(text, "x.txt", try frames(25)).segments == [s(t(1), t(2), line: 3)])
        #expect(flaw(text) == "line 1: there is no frame rate, and the film's is not known")
    }

    private static let head = "FILE PROCESSING COMPLETE  54321 FRAMES AT  2997\n-------------------\n"

    private static let flawed: [(text: String, message: String)] = [
        ("\(head)1 2\n5", "line 4: there must be two numbers of frames"),
        ("\(head)1 2\n5 6 7", "line 4: there must be two numbers of frames"),
        ("\(head)1 2\n5 6.5", "line 4: \"6.5\" is no number of a frame"),
        ("\(head)1 2\n-5 6", "line 4: \"-5\" is no number of a frame"),
        ("\(head)1 2\n50 50", "line 4: the end at 1.668334 s is not after the start at 1.668334 s"),
        ("\(head)1 999999999999", "line 3: \"999999999999\" is more than 1000 hours"),
        ("\(head)", "there are no segments in this comskip list"),
        ("FILE PROCESSING COMPLETE 5 FRAMES\n1 2", "line 1: the line must end as 12345 FRAMES AT 2997 does"),
        ("FILE PROCESSING COMPLETE 5 FRAMES AT x\n1 2", "line 1: the line must end as 12345 FRAMES AT 2997 does"),
        ("FILE PROCESSING COMPLETE 5 FRAMES AT 0\n1 2", "line 1: \"0\" is no frame rate"),
        ("FILE PROCESSING COMPLETE 5 FRAMES AT 9999999\n1 2", "line 1: \"9999999\" is no frame rate"),
    ]

    @Test(arguments: flawed)
    func `comskip's lists with a malformed line are refused with its number`(_ text: String, _ message: String) {
        #expect(flaw(text) == message)
    }
}
