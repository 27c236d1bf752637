import Foundation
import MediaTestSupport
import Testing

/// Films with a rate that no decimal number hits, made by `ffmpeg`, which also says when their frames are.
private struct OddFilm: Sendable, CustomTestStringConvertible {
    let name: String
    let options: [String]

    var testDescription: String { name }

    static let all = [
        OddFilm(name: "ntsc.mp4", options: ["-r", "30000/1001", "-t", "1"]),
        OddFilm(name: "film.mkv", options: ["-r", "24000/1001", "-t", "1"]),
        OddFilm(name: "twelve.avi", options: ["-r", "12", "-t", "2"]),
        OddFilm(name: "slow.mov", options: ["-r", "1/3", "-t", "30"]),
        OddFilm(
            name: "fast.mp4",
            options: ["-r", "240000/1001", "-t", "0.2", "-c:v", "mjpeg", "-video_track_timescale", "240000"]),
        OddFilm(name: "tens.ts", options: ["-r", "60000/1001", "-t", "0.5", "-c:v", "mpeg2video"]),
        OddFilm(
            name: "variable.mp4",
            options: ["-t", "2", "-vf", "fps=30,select='not(mod(n,7))+not(mod(n,11))'", "-fps_mode", "vfr"]),
    ]

    func make(in folder: WorkFolder) async throws {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=240", "-c:v", "mpeg4", "-bf", "0"] + options
                + [folder.path(name)])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }
}

@Suite struct `Times on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    private func ticks(_ time: Any?) -> [Int64] {
        let time = time as? [String: Any]
        return ["value", "timescale"].compactMap { (time?[$0] as? NSNumber)?.int64Value }
    }

    /// How ffprobe times the frames, in ticks of the track.
    private func frameTicks(_ name: String) async throws -> [Int64] {
        let run = try await Tool.system(
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts", "-of", "csv=p=0", name,
            in: folder)
        return run.lines.compactMap { Int64($0.prefix { $0.isNumber }) }.sorted()
    }

    // 2/3 of 1 s was rounded up to the track's ticks of 1/25 s, and gave frame 17, which begins at 0.68 s.
    @Test func `a fraction of the duration is not rounded to the frame after it`() async throws {
        let run = try await Tool.run(
            "thumbs", "--at", "2/3,1/3", "--size", "32x0", "--json", Fixture("mjpeg.avi").path, in: folder)
        let info = try await Tool.run("info", "--json", Fixture("mjpeg.avi").path)
        let duration = try ticks(#require(info.json().first)["duration"])
        try #require(duration.count == 2)
        for (object, numerator) in zip(try run.json(), [1, 2] as [Int64]) {
            let (requested, actual) = (ticks(object["requested"]), ticks(object["actual"]))
            try #require(requested.count == 2 && actual.count == 2)
            #expect(requested[0] * duration[1] * 3 == duration[0] * requested[1] * numerator)
            #expect(actual[1] == 25)
            // Frames are a tick apart.
            #expect(actual[0] == duration[0] * numerator * 25 / (duration[1] * 3))
        }
    }

    // The printed 0.083333 of a frame at 1/12 s gave the frame before; seconds of JSON had "too many digits".
    @Test(arguments: OddFilm.all)
    private func `what is printed of a frame's time names that frame`(_ film: OddFilm) async throws {
        try await film.make(in: folder)
        let count = try await frameTicks(film.name).count
        try #require(count > 5)
        let list = (0..<count).map { "#\($0)" }.joined(separator: ",")
        let options = ["--size", "16x0", "--force", "-o", "x_{index}_{actual}.png", film.name]
        let asked = try await Tool.run(
            try Tool.executable(), ["thumbs", "--json", "--at", list] + options, in: folder, limit: 30)
        let frames = try asked.json()
        #expect(frames.count == count)
        let names = frames.compactMap { ($0["file"] as? String)?.split(separator: "_").last?.dropLast(4) }
        let printed = try await Tool.run(
            try Tool.executable(), ["thumbs", "--at", list] + options, in: folder, limit: 30)
        let words = printed.lines.map { $0.split(separator: " ")[2] }
        #expect(words == names)
        let seconds = frames.compactMap { ($0["actual"] as? [String: Any])?["seconds"] as? Double }
        let lists = [
            names.map(String.init), seconds.map { "\($0)" }, seconds.map { String(format: "%.17g", $0) },
        ]
        for texts in lists {
            let again = try await Tool.run(
                try Tool.executable(), ["thumbs", "--json", "--at", texts.joined(separator: ",")] + options, in: folder,
                limit: 30)
            #expect(try again.json().map { ticks($0["actual"]) } == frames.map { ticks($0["actual"]) })
            #expect(try again.json().map { $0["index"] as? Int } == frames.map { $0["index"] as? Int })
        }
    }

    // One `#N` or `end-20s` out of range made the whole list fail.
    @Test func `a time that is not in the film fails alone`() async throws {
        let run = try await Tool.run(
            "thumbs", "--at", "1, #99999,end-20s,2s,01:00:00:00,1000", "--size", "32x0", movie, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines == ["1 → 1  movie-1.png", "2 → 2  movie-4.png"])
        #expect(run.diagnosticLines.count == 4)
        for words in ["250 frames", "lies before the start", "is not in the film", "beyond the end"] {
            #expect(run.diagnostics.contains(words))
        }
        #expect(try folder.names == ["movie-1.png", "movie-4.png"])
    }

    @Test func `JSON names the times that are not in the film as they were written`() async throws {
        let run = try await Tool.run(
            "thumbs", "--json", "--at", "#99999, 2s,end-20s ", "--size", "32x0", movie, in: folder)
        #expect(run.exitCode == 65)
        let objects = try run.json()
        try #require(objects.count == 3)
        #expect(objects.map { $0["index"] as? Int } == [1, 3, 2])
        #expect(objects.map { $0["requested"] as? String } == ["#99999", "end-20s", nil])
        let codes = objects.map { ($0["error"] as? [String: Any])?["code"] as? String }
        #expect(codes == ["noImageAtTime", "invalidTime", nil])
        #expect(objects[2]["file"] as? String == "movie-2.png")
    }

    @Test(arguments: [["--at", "-1s"], ["--at=-1s"], ["--at", "1,-1s"], ["--every", "-1s"], ["--every=-1s"]])
    func `a negative time is told as that`(_ options: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), ["thumbs"] + options + [movie], in: folder, limit: 30)
        #expect(run.exitCode == 64)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("must not be negative"))
    }

    @Test(arguments: [
        (".5", "0.5 → 0.48"), ("1e0", "1 → 1"), ("0h0m2s", "2 → 2"), ("0m1.5s", "1.5 → 1.48"),
        ("00:00:04:07", "4.28 → 4.28"),
        ("25%", "2.5 → 2.48"),
    ])
    func `every form of a time has its frame`(_ text: String, _ times: String) async throws {
        let run = try await Tool.run("thumbs", "--at", text, "--size", "32x0", movie, in: folder)
        #expect(run.lines == ["\(times)  movie-1.png"])
    }

    // The sound of this film goes on for two seconds, the pictures end after one: half of the stills were the last one.
    @Test func `even stills are spread over the time that has pictures`() async throws {
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i",
                "sine=duration=2", "-c:v", "mpeg4", folder.path("long-sound.mp4"),
            ])
        try #require(made.exitCode == 0)
        let run = try await Tool.run("thumbs", "--count", "4", "--size", "32x0", "--json", "long-sound.mp4", in: folder)
        // Frames 3, 9, 15 and 21 are shown at 0.125, 0.375, 0.625 and 0.875 s.
        let actual = try run.json().map { ticks($0["actual"]) }
        try #require(actual.allSatisfy { $0.count == 2 })
        #expect(actual.map { (time: [Int64]) -> Int64 in time[0] * 25 / time[1] } == [3, 9, 15, 21])
        let half = try await Tool.run(
            "thumbs", "--at", "1/4", "--size", "32x0", "--force", "long-sound.mp4", in: folder)
        #expect(half.lines.first?.hasPrefix("0.5") == true)
    }

    @Test func `timecodes are those of the film's timecode track`() async throws {
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30000/1001:duration=4", "-timecode",
                "01:00:58;00", "-c:v", "mpeg4", folder.path("drop.mov"),
            ])
        try #require(made.exitCode == 0)
        let info = try await Tool.run("info", "drop.mov", in: folder)
        #expect(info.lines.dropFirst().first?.contains("timecode 01:00:58;00") == true)
        #expect(
            try await Tool.run("info", "--json", "drop.mov", in: folder).json().first?["timecode"] as? String
                == "01:00:58;00")
        let run = try await Tool.run(
            "thumbs", "--json", "--size", "32x0", "--at", "01:00:58;00,01:00:59;29,01:01:00;02,01:01:00;00,01:00:59:00",
            "drop.mov",
            in: folder)
        let objects = try run.json()
        // Frames 0, 59 and 60: 01:01:00;00 and ;01 are left out.
        let actual = objects.map { ticks($0["actual"]) }.filter { $0.count == 2 }
        let frames = actual.map { (time: [Int64]) -> Int64 in time[0] * 30000 / (time[1] * 1001) }
        #expect(frames == [0, 59, 60])
        #expect(run.diagnostics.contains("is a number that drop frame leaves out"))
        #expect(run.diagnostics.contains("write ; before the frames"))
    }

    // Fractions of export were rounded to the track's ticks as well.
    @Test func `ranges of an export are exact`() async throws {
        let run = try await Tool.run(
            "export", "--preset", "passthrough", "--range", "1/3..2/3", "--json", "--dry-run", "-o", "x.mov", movie,
            in: folder)
        #expect(run.exitCode == 0)
        let range = try run.json().first?["requestedRange"] as? [String: Any]
        let (start, length) = (ticks(range?["start"]), ticks(range?["duration"]))
        try #require(start.count == 2 && length.count == 2)
        #expect(start[0] * 3 == start[1] * 10)
        #expect(length[0] * 3 == length[1] * 10)
        let negative = try await Tool.run("export", "--preset", "passthrough", "--range", "-1s..2s", movie, in: folder)
        #expect(negative.exitCode == 64)
        #expect(negative.diagnostics.contains("must not be negative"))
    }
}
