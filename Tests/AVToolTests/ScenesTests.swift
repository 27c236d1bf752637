import Foundation
import MediaTestSupport
import Testing

/// Makes a film of shots that are joined at frames 50 and 90, of 150 frames at 25 a second.
private func makeFilm(_ name: String, in folder: WorkFolder) async throws {
    let graph =
        "[0]trim=end_frame=50,setsar=1[a];[1]trim=end_frame=40,setsar=1[b];[2]trim=end_frame=60,setsar=1[c];"
        + "[a][b][c]concat=n=3,format=yuv420p[v]"
    let run = try await Tool.system(
        "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-f", "lavfi", "-i",
        "color=c=orange:s=160x120:r=25", "-f", "lavfi", "-i", "smptebars=s=160x120:r=25", "-filter_complex", graph,
        "-map", "[v]", "-c:v", "libx264", "-preset", "ultrafast", name, in: folder)
    try #require(run.exitCode == 0, "\(run)")
}

@Suite struct `Scenes on the command line` {
    let folder: WorkFolder

    init() async throws {
        folder = try WorkFolder()
        try await makeFilm("film.mp4", in: folder)
    }

    @Test func `text names each scene's number, start, end, duration and first frame`() async throws {
        let run = try await Tool.run("scenes", "film.mp4", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        let cells = run.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(
            cells == [
                ["scene", "start", "end", "duration", "frame"], ["1", "0", "2", "2", "0"],
                ["2", "2", "3.6", "1.6", "50"], ["3", "3.6", "6", "2.4", "90"],
            ])
    }

    @Test func `CSV has a line for each scene of all files, and one with names`() async throws {
        try await makeFilm("b, \"2\".mp4", in: folder)
        let run = try await Tool.run(
            "scenes", "--method", "content", "--format", "csv", "film.mp4", "b, \"2\".mp4", in: folder)
        #expect(run.exitCode == 0)
        let lines = run.text.components(separatedBy: "\r\n")
        #expect(lines.count == 8)
        #expect(lines[0] == "source,scene,start,end,duration,first_frame,last_frame,opening,score")
        #expect(lines[2].hasPrefix("film.mp4,2,2,3.6,1.6,50,89,cut,"))
        #expect(lines[6].hasPrefix("\"b, \"\"2\"\".mp4\",3,3.6,6,2.4,90,149,cut,"))
    }

    @Test func `JSON has one object for each film`() async throws {
        let run = try await Tool.run("scenes", "--json", "--min-length", "500ms", "film.mp4", in: folder)
        let film = try #require(try run.json().first)
        #expect(film["frames"] as? Int == 150)
        #expect(film["damagedFrames"] as? Int == 0)
        #expect(film["method"] as? String == "adaptive")
        #expect(film["threshold"] as? Double == 3)
        let scenes = try #require(film["scenes"] as? [[String: Any]])
        #expect(scenes.map { $0["firstFrame"] as? Int } == [0, 50, 90])
        #expect(scenes.map { $0["opening"] as? String } == ["start", "cut", "cut"])
        let start = try #require(scenes[2]["start"] as? [String: Any])
        // 3.6 s in the track's 12800 ticks.
        #expect(start["value"] as? Int == 46080)
        #expect(start["timescale"] as? Int == 12800)
    }

    @Test func `an edit decision list counts in frames`() async throws {
        let run = try await Tool.run("scenes", "--format", "edl", "film.mp4", in: folder)
        #expect(
            run.text == """
                TITLE: film.mp4
                FCM: NON-DROP FRAME

                001  AX       V     C        00:00:00:00 00:00:02:00 00:00:00:00 00:00:02:00
                * FROM CLIP NAME: film.mp4
                002  AX       V     C        00:00:02:00 00:00:03:15 00:00:02:00 00:00:03:15
                * FROM CLIP NAME: film.mp4
                003  AX       V     C        00:00:03:15 00:00:06:00 00:00:03:15 00:00:06:00
                * FROM CLIP NAME: film.mp4

                """)
    }

    @Test func `timecode at 29.97 leaves out the first two numbers of a minute`() async throws {
        // Frame 1799 is 00:00:59;29, frame 1800 is 00:01:00;02 (SMPTE ST 12-1).
        let graph = "[0]trim=end_frame=1800,setsar=1[a];[1]trim=end_frame=60,setsar=1[b];[a][b]concat=n=2[v]"
        let made = try await Tool.system(
            "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=c=orange:s=64x64:r=30000/1001", "-f",
            "lavfi",
            "-i", "smptebars=s=64x64:r=30000/1001", "-filter_complex", graph, "-map", "[v]", "-c:v", "libx264",
            "-preset", "ultrafast", "ntsc.mov", in: folder)
        try #require(made.exitCode == 0, "\(made)")
        let run = try await Tool.run("scenes", "--format", "edl", "ntsc.mov", in: folder)
        #expect(run.lines.contains("FCM: DROP FRAME"))
        #expect(
            run.lines.contains(
                "002  AX       V     C        00:01:00;02 00:01:02;02 00:01:00;02 00:01:02;02"))
    }

    @Test func `the document of chapters can be set`() async throws {
        let run = try await Tool.shell(
            """
            "$AVTOOL" scenes --format chapters -o film.ffmetadata film.mp4 &&
            "$AVTOOL" chapters set --from film.ffmetadata film.mp4 >/dev/null && "$AVTOOL" chapters show --json film.mp4
            """, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.lines.first == "film.ffmetadata: 3 scenes")
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_chapters", "-of", "csv=p=0", "film.mp4", in: folder)
        let fields = probe.lines.map { $0.split(separator: ",").map(String.init) }
        #expect(fields.map(\.last) == ["Scene 1", "Scene 2", "Scene 3"])
        #expect(fields.map { Double($0[3]) } == [0, 2, 3.6])
    }

    @Test func `one still for each scene shows the frame in its middle`() async throws {
        let run = try await Tool.run("thumbs", "--scenes", "--size", "64x0", "--json", "film.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let ticks = try run.json().compactMap { ($0["actual"] as? [String: Any])?["value"] as? Int }
        let scales = try run.json().compactMap { ($0["actual"] as? [String: Any])?["timescale"] as? Int }
        #expect(zip(ticks, scales).map { $0 * 10 / $1 } == [10, 28, 48])
        #expect(try folder.names == ["film-1.png", "film-2.png", "film-3.png", "film.mp4"])
    }

    @Test func `a sheet of scenes has a tile for each`() async throws {
        let run = try await Tool.run("sheet", "--scenes", "--json", "film.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect((try run.json().first?["tiles"] as? [Any])?.count == 3)
    }

    @Test(arguments: [
        ["thumbs", "--scenes", "--count", "3", "film.mp4"],
        ["thumbs", "--scene-method", "content", "--at", "0", "film.mp4"],
        ["scenes", "--threshold", "0", "film.mp4"], ["scenes", "--min-length", "x", "film.mp4"],
        ["scenes", "--json", "--format", "csv", "film.mp4"], ["scenes", "--format", "edl", "film.mp4", "film.mp4"],
        ["scenes", "--force", "film.mp4"], ["scenes", "--method", "threshold", "film.mp4"],
        ["scenes", "-o", "a.txt", "film.mp4", "film.mp4"],
    ])
    func `mistakes on the command line are told`(_ arguments: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), arguments, in: folder, limit: 20)
        #expect(run.exitCode == 64, "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test func `what cannot be done has its code, and other files go on`() async throws {
        let sound = Fixture("audio-only.m4a").path
        let run = try await Tool.run("scenes", "--json", sound, "film.mp4", "none.mp4", in: folder)
        #expect(run.exitCode == 65)
        let objects = try run.json()
        #expect(objects.count == 3)
        #expect((objects[0]["error"] as? [String: Any])?["code"] as? String != nil)
        #expect(objects[1]["frames"] as? Int == 150)
        try folder.write("", to: "list.csv")
        #expect(
            try await Tool.run("scenes", "--format", "csv", "-o", "list.csv", "film.mp4", in: folder).exitCode == 73)
        #expect(
            try await Tool.run("scenes", "--format", "csv", "--force", "-o", "list.csv", "film.mp4", in: folder)
                .exitCode
                == 0)
        #expect(try folder.data("list.csv").count > 100)
        // The film itself is never written over.
        #expect(try await Tool.run("scenes", "--force", "-o", "film.mp4", "film.mp4", in: folder).exitCode == 73)
    }
}
