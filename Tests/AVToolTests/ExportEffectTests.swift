import Foundation
import MediaTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Effects on the command line` {
    private let folder: WorkFolder
    private let movie = Fixture("movie.mp4").path

    init() throws { folder = try WorkFolder() }

    /// What ffmpeg's filter says of a file's sound: its loudness in LUFS.
    private func loudness(_ name: String) async throws -> Double {
        let run = try await CommandRun.run(
            "ffmpeg", ["-hide_banner", "-i", folder.path(name), "-af", "ebur128", "-f", "null", "-"])
        let line = try #require(run.errorOutput.split(separator: "\n").last { $0.contains("I: ") })
        return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }

    private func probe(_ name: String, _ entries: String) async throws -> String {
        try await Tool.system(
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0", name,
            in: folder
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `are done to one film and to several`() async throws {
        let image = folder.path("logo.png")
        _ = try await Tool.system(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=red:s=8x8", "-frames:v", "1", image, in: folder)
        var run = try await Tool.run(
            "export", "--preset", "high", "--volume", "-16LUFS", "--fade-in", "1s", "--fade-out", "500ms", "--overlay",
            image, "--overlay-at", "-1,0", "--overlay-width", "25%", "--overlay-opacity", "0.5", "-o", "one.mp4", movie,
            in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(abs(try await loudness("one.mp4") + 16) < 0.8)
        run = try await Tool.run(
            "join", "--preset", "high", "--volume", "normalize", "-o", "two.mp4", movie, movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(abs(try await loudness("two.mp4") + 23) < 0.5)
    }

    @Test func `change the speed, the number of pictures staying`() async throws {
        for (factor, duration) in [("2", "5.000000"), ("0.5", "20.000000"), ("25/24", "9.600000")] {
            let run = try await Tool.run(
                "export", "--force", "--preset", "high", "--speed", factor, "-o", "fast.mp4", movie, in: folder)
            #expect(run.exitCode == 0, "\(run)")
            #expect(try await probe("fast.mp4", "stream=nb_frames,duration") == "\(duration),250")
        }
    }

    @Test(
        arguments: [
            (["--preset", "passthrough", "--fade-in", "1s"], 65), (["--preset", "high", "--fade-in", "11s"], 65),
            (["--preset", "high", "--volume", "loud"], 64), (["--preset", "high", "--speed", "0"], 64),
            (["--preset", "high", "--overlay", "missing.png"], 66), (["--preset", "high", "--overlay-at", "top"], 64),
            (["--preset", "gif", "--fade-out", "1s"], 65),
        ] as [([String], Int32)])
    func `that cannot be are one line, the documented code and no file`(_ options: [String], _ code: Int32) async throws
    {
        let ending = options.contains("gif") ? "gif" : "mp4"
        let run = try await Tool.run(
            try Tool.executable(), ["export"] + options + ["-o", "new.\(ending)", movie], in: folder, limit: 30)
        #expect(run.exitCode == code, "\(run)")
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names.isEmpty)
    }
}
