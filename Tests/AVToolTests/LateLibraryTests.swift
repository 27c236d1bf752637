import Foundation
import MediaTestSupport
import Testing

/// FFmpeg's libraries, which take longer to load than all the rest, are loaded when something is asked of them.
@Suite struct `Libraries that are loaded late` {
    /// Runs the tool where each of FFmpeg's libraries is an empty file, which cannot be loaded.
    private func runWithoutLibraries(_ arguments: String...) async throws -> ToolRun {
        let folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "movie.mp4")
        try folder.copy("cues.mkv", as: "cues.mkv")
        try folder.copy("audio-only.flac", as: "audio-only.flac")
        try folder.copy("attached-picture.mp3", as: "attached-picture.mp3")
        try folder.copy("h264.ts", as: "h264.ts")
        let script = """
            mkdir libraries
            worker=$(dirname "$(realpath "$AVTOOL")")/avtool-worker
            grep -aoE 'lib(av|sw)[a-z]+[.]so[.][0-9]+' "$worker" | sort -u | while read -r name; do : > "libraries/$name"; done
            LD_LIBRARY_PATH=$PWD/libraries "$AVTOOL" \(arguments.joined(separator: " "))
            """
        return try await Tool.shell(script, in: folder)
    }

    @Test func `none of them is linked`() async throws {
        let worker = try Tool.executable().deletingLastPathComponent().appendingPathComponent("avtool-worker").path
        let run = try await Tool.shell("LD_TRACE_LOADED_OBJECTS=1 '\(worker)'", in: try WorkFolder())
        #expect(run.text.contains("libc.so"))
        #expect(!run.text.contains(/lib(av|swscale|pango|cairo)/))
    }

    @Test(arguments: [
        "metadata show movie.mp4 cues.mkv audio-only.flac attached-picture.mp3", "metadata get title movie.mp4",
        "metadata set title=New movie.mp4", "metadata set title=New cues.mkv", "metadata remove --all audio-only.flac",
        "metadata artwork movie.mp4", "chapters remove --dry-run movie.mp4",
    ])
    func `what reads boxes and tags needs none`(command: String) async throws {
        let run = try await runWithoutLibraries(command)
        #expect(run.exitCode == 0, "\(run.testDescription)")
        #expect(run.diagnostics.isEmpty)
        #expect(!run.text.isEmpty)
    }

    @Test(arguments: ["info movie.mp4", "thumbs --at 0 movie.mp4", "metadata show h264.ts"])
    func `what needs one that cannot be loaded says so in a line`(command: String) async throws {
        let run = try await runWithoutLibraries(command)
        #expect(run.exitCode == 70)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("libavformat.so."), "\(run.diagnostics)")
        #expect(run.text.isEmpty)
    }
}
