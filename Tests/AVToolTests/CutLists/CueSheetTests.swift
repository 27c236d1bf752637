import MediaCore
import Testing
import avtool_worker

@Suite struct `Cue sheets` {
    @Test func `Cue sheets keep each track up to the start of the next`() throws {
        let list = try read(
            """
            REM GENRE Live
            REM DATE 1999
            PERFORMER "The Band"
            TITLE "The Album"
            FILE "The "Album".wav" WAVE
              TRACK 01 AUDIO
                TITLE "First"
                PERFORMER "The Band"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE Second one
                PERFORMER "A Guest"
                FLAGS DCP
                INDEX 00 03:24:00
                INDEX 01 03:25:74
                INDEX 02 04:00:00
              track 03 audio
                index 01 123:00:15
            """, "album.cue")
        #expect(list.format == .cueSheet)
        #expect(list.meaning == .keep)
        #expect(list.mediaFileName == "The \"Album\".wav")
        #expect(
            list.segments == [
                s(.zero, t(205 * 75 + 74, 75), "First", line: 6),
                s(t(205 * 75 + 74, 75), t(7380 * 75 + 15, 75), "A Guest - Second one", line: 10),
                s(t(7380 * 75 + 15, 75), nil, "Track 03", line: 17),
            ])
    }

    @Test func `Cue sheets may name their file without quotation marks`() throws {
        #expect(try read("FILE my album.wav WAVE\nTRACK 1 AUDIO\nINDEX 1 0:00:00").mediaFileName == "my album.wav")
    }

    private static let head = "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:10:00\n"

    private static let flawed: [(text: String, message: String)] = [
        ("\(head)FILE \"b.wav\" WAVE", "line 4: there is another FILE, but the tracks of one film can be cut only"),
        ("\(head)TRACK 02 MODE1/2352", "line 4: \"MODE1/2352\" is no type of track that can be cut; AUDIO is"),
        ("\(head)TRACK 2x AUDIO", "line 4: a TRACK needs a number of two digits and its type"),
        ("\(head)TRACK 02", "line 4: a TRACK needs a number of two digits and its type"),
        ("\(head)TRACK 02 AUDIO\nINDEX 00 00:20:00", "line 4: the track has no INDEX 01"),
        ("\(head)TRACK 02 AUDIO\nINDEX 01 00:10:00", "line 5: \"00:10:00\" is not after the track before"),
        ("\(head)INDEX 01 00:20:00", "line 4: the track has another INDEX 01"),
        ("\(head)INDEX 02", "line 4: an INDEX needs a number of two digits and a time"),
        ("\(head)INDEX 02 1 2", "line 4: an INDEX needs a number of two digits and a time"),
        ("\(head)INDEX 02 00:00:75", "line 4: \"00:00:75\" is no time such as 03:25:74 in minutes, seconds and 75ths"),
        ("\(head)INDEX 02 00:60:00", "line 4: \"00:60:00\" is no time such as 03:25:74 in minutes, seconds and 75ths"),
        ("\(head)INDEX 02 00:00", "line 4: \"00:00\" is no time such as 03:25:74 in minutes, seconds and 75ths"),
        ("\(head)INDEX 02 -1:00:00", "line 4: \"-1:00:00\" is no time such as 03:25:74 in minutes, seconds and 75ths"),
        ("\(head)INDEX 02 99999:00:00", "line 4: \"99999:00:00\" is more than 1000 hours"),
        (
            "\(head)INDEX 02 9999999999999999999999:00:00",
            "line 4: \"9999999999999999999999:00:00\" is more than 1000 hours"
        ),
        ("\(head)TITLE \"x", "line 4: a quotation mark is missing"),
        ("\(head)TITLE \"x\" y", "line 4: \"y\" must not follow the text"),
        ("\(head)LYRICS \"x\"", "line 4: \"LYRICS\" is no command of a cue sheet"),
        ("REM\nFILE \"a.wav\"", "line 2: a FILE needs a name and a type such as WAVE"),
        ("REM\nFILE a.wav", "line 2: a FILE needs a name and a type such as WAVE"),
        ("REM\nINDEX 01 00:00:00", "line 2: there is no TRACK that the INDEX could be of"),
        ("REM\n", "there are no segments in this cue sheet"),
    ]

    @Test(arguments: flawed)
    func `Cue sheets with a malformed line are refused with its number`(_ text: String, _ message: String) {
        #expect(flaw(text) == message)
    }

    @Test func `Cue sheets hold at most 99 tracks`() throws {
        let tracks = (1...99).map { "TRACK \($0) AUDIO\nINDEX 01 \($0):00:00\n" }.joined()
        #expect(try read(tracks).segments.count == 99)
        #expect(flaw(tracks + "TRACK 99 AUDIO") == "line 199: there are more than 99 tracks")
    }
}
