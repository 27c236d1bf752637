import Foundation
import MediaTestSupport
import Testing

@Suite struct `Options that are always wanted` {
    let folder: WorkFolder

    init() throws {
        folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "movie.mp4")
    }

    private func run(_ config: String, _ arguments: String) async throws -> ToolRun {
        try folder.write(config, to: "config")
        return try await Tool.shell("AVTOOL_CONFIG=config \"$AVTOOL\" \(arguments)", in: folder)
    }

    @Test func `hold where the command line says nothing else`() async throws {
        let config = "# mine\n[all]\nsandbox = auto\n\n[thumbs]\nformat = jpeg\n--size = 64x0\n; done\n"
        #expect(try await run(config, "thumbs --at 1 movie.mp4").text.hasSuffix("movie-1.jpg\n"))
        #expect(try await pictureSize("movie-1.jpg", in: folder) == "mjpeg,64,48")
        #expect(try await run(config, "-q thumbs --at 1 --format=png --size 32x0 movie.mp4").exitCode == 0)
        #expect(try await pictureSize("movie-1.png", in: folder) == "png,32,24")
        #expect(try await run(config, "thumbs --no-config --at 2 -o plain.png movie.mp4").exitCode == 0)
        #expect(try await pictureSize("plain.png", in: folder) == "png,320,240")
        #expect(try await run(config, "plan -o p thumbs --at 1 movie.mp4").exitCode == 0)
        #expect(String(decoding: try folder.data("p"), as: UTF8.self).contains("\"--size=64x0\""))
    }

    @Test(arguments: ["metadata show movie.mp4", "metadata movie.mp4"])
    func `are those of the command that is meant`(_ command: String) async throws {
        #expect(try await run("[metadata show]\nidentifiers = yes\n", command).text.contains("itsk/%A9nam"))
        #expect(try await !run("[metadata show]\nidentifiers = no\n", command).text.contains("itsk/%A9nam"))
        #expect(try await !run("[metadata show]\nidentifiers = yes\n", "--no-config " + command).text.contains("itsk/"))
    }

    @Test(arguments: [
        ("x = 1", "config:1: options come after"), ("[thumbz]", "config:1: there is no command 'thumbz'"),
        ("[thumbs", "config:1: a section"), ("[thumbs]\nsize", "config:2: an option is written"),
        ("[all]\nsize = 1x1", "config:2: [all] takes"),
        ("[thumbs]\nevry = 2s", "do you mean --every?"), ("[thumbs]\nevery = 2s", "(options of config count too)"),
    ])
    func `are told where they make no sense`(_ config: String, _ words: String) async throws {
        let run = try await run(config, "thumbs --at 1 movie.mp4")
        #expect(run.exitCode == 64)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
        #expect(try folder.names == ["config", "movie.mp4"])
    }

    @Test func `come from the user's folder, where there need be none`() async throws {
        let run = try await Tool.shell(
            """
            mkdir -p c/avtool; export XDG_CONFIG_HOME=$PWD/c; unset AVTOOL_CONFIG
            "$AVTOOL" metadata get title movie.mp4
            printf '[metadata]\\n' >c/avtool/config; "$AVTOOL" metadata get title movie.mp4
            printf '[thumbs]\\nsize = 16x0\\n' >c/avtool/config; "$AVTOOL" thumbs --at 0 movie.mp4
            AVTOOL_CONFIG= "$AVTOOL" thumbs --at 0 -o big.png movie.mp4
            XDG_CONFIG_HOME=$PWD/movie.mp4 "$AVTOOL" metadata get title movie.mp4
            AVTOOL_CONFIG=none "$AVTOOL" --version; echo $?
            """, in: folder)
        #expect(run.lines.count { $0 == "Counting bars" } == 3)
        #expect(run.lines.last == "64")
        #expect(try await pictureSize("movie-1.png", in: folder) == "png,16,12")
        #expect(try await pictureSize("big.png", in: folder) == "png,320,240")
    }
}

@Suite struct `What is told besides results` {
    @Test func `is failures only, or how the work is done`() async throws {
        let folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "movie.mp4")
        let warned = try await Tool.shell("\"$AVTOOL\" export --preset hls -o a movie.mp4", in: folder)
        #expect(warned.diagnostics.contains("lost: chapters"))
        for words in ["-q export --preset hls -o b movie.mp4", "export --quiet --preset hls -o c movie.mp4"] {
            let quiet = try await Tool.shell("\"$AVTOOL\" \(words)", in: folder)
            #expect(quiet.exitCode == 0 && quiet.diagnostics.isEmpty && !quiet.text.isEmpty)
        }
        let failed = try await Tool.shell("\"$AVTOOL\" info -q none.mp4", in: folder)
        #expect(failed.diagnostics == "avtool: none.mp4: no such file\n")
        let verbose = try await Tool.shell("\"$AVTOOL\" -v thumbs --at 0 movie.mp4", in: folder)
        #expect(verbose.diagnostics.contains("libavcodec ") && verbose.diagnostics.contains("isolation: "))
        #expect(verbose.diagnosticLines.last?.hasPrefix("avtool: 1 file in ") == true)
    }
}
