import Foundation
import MediaTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Changes of a preset on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mp4").path

    init() throws { folder = try WorkFolder() }

    private func export(_ arguments: [String]) async throws -> ToolRun {
        try await Tool.run(try Tool.executable(), ["export"] + arguments, in: folder, limit: 60)
    }

    @Test(arguments: [
        (["--preset", "passthrough", "--quality", "20"], "--quality: the preset passthrough encodes no pictures"),
        (["--preset", "high", "--quality", "52"], "--quality: must be from 0 to 51"),
        (["--preset", "high", "--quality", "20", "--bitrate", "1M"], "Give one of --quality and --bitrate"),
        (["--preset", "high", "--bitrate", "1k"], "--bitrate: must be from 10000 to 1000000000"),
        (["--preset", "high", "--bitrate", "x"], "The value 'x' is invalid"),
        (["--preset", "prores-422", "--bitrate", "1M"], "--bitrate: the encoder has no bit rate to choose"),
        (["--preset", "high", "--fps", "0"], "--fps: must be from 1 to 1000"),
        (["--preset", "high", "--size", "1x1"], "--size: must be from 2 to 16384"),
        (["--preset", "high", "--size", "100"], "The value '100' is invalid"),
        (["--preset", "high", "--rotate", "45"], "--rotate: must be one of 0, 90, 180, 270"),
        (["--preset", "high", "--crop", "10x10"], "The value '10x10' is invalid"),
        (["--preset", "m4a", "--crop", "10x10+0+0"], "--crop: the preset m4a encodes no pictures"),
        (["--preset", "flac", "--audio-bitrate", "64k"], "--audio-bitrate: flac has no bit rate that could be chosen"),
        (["--preset", "opus", "--audio-bitrate", "2M"], "audio.bitRates: "),
        (["--preset", "high", "--tracks", "a"], "The value 'a' is invalid"),
        (["--preset", "hls", "-o", "x.m3u8"], "the preset hls makes a folder"),
    ])
    func `that are not possible are one line, and no file`(_ options: [String], _ text: String) async throws {
        let run = try await export(options + [movie])
        #expect(run.exitCode == 64, "\(run)")
        #expect(run.diagnosticLines.count == 1 && run.diagnostics.contains(text), "\(run)")
        #expect(try folder.names.isEmpty)
    }

    @Test func `take the place of what it says`() async throws {
        let run = try await export([
            "--preset", "high", "--size", "160x160", "--fps", "12.5", "--bitrate", "200k", "--audio-bitrate", "64k",
            "--range", "..4s", "-o", "new.mp4", movie,
        ])
        #expect(run.exitCode == 0, "\(run)")
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height,avg_frame_rate", "-select_streams", "v",
            "-of", "csv=p=0", "new.mp4", in: folder)
        #expect(probe.lines == ["160,120,25/2"])
        let rates = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "stream=bit_rate", "-of", "csv=p=0", "new.mp4", in: folder)
        let numbers = rates.lines.compactMap { Double($0) }
        #expect(abs(numbers[0] / 200_000 - 1) < 0.25 && abs(numbers[1] / 64_000 - 1) < 0.1, "\(numbers)")
    }

    @Test func `and tracks left out are no loss`() async throws {
        let languages = Fixture("languages.mp4").path
        for (options, count) in [(["--no-audio"], 2), (["--no-subtitles"], 4), (["--tracks", "1,3"], 2)] {
            let name = "\(count)\(options[0]).mp4"
            let run = try await export(["--preset", "passthrough"] + options + ["-o", name, languages])
            #expect(run.exitCode == 0 && run.diagnostics.isEmpty, "\(run)")
            let probe = try await Tool.system(
                "ffprobe", "-v", "error", "-show_entries", "stream=index", "-of", "csv=p=0", name, in: folder)
            #expect(probe.lines.count == count, "\(options)")
        }
        let run = try await export(["--preset", "passthrough", "--tracks", "9", "-o", "x.mp4", languages])
        #expect(run.exitCode == 65 && run.diagnostics.contains("there is no track 9"), "\(run)")
    }

    @Test func `a stream is a folder beside the others`() async throws {
        for force in [[], ["--force"]] {
            let run = try await export(["--preset", "hls", "--no-audio", "--range", "..1s"] + force + [movie])
            #expect(run.exitCode == 0 && run.lines.first?.hasPrefix("movie-hls: 0 s to 1 s") == true, "\(run)")
            #expect(try folder.names == ["movie-hls"])
        }
        let again = try await export(["--preset", "hls", movie])
        #expect(again.exitCode == 73 && again.diagnostics.contains("--force replaces it"), "\(again)")
        let dry = try await export(["--preset", "hls", "--dry-run", "-o", "other", movie])
        #expect(dry.exitCode == 0, "\(dry)")
        #expect(try folder.names == ["movie-hls"])
    }
}
