import Foundation
import MediaTestSupport
import Testing

@Suite struct `Standard input and pipes` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func object(_ script: String) async throws -> [String: Any] {
        let run = try await Tool.shell(script, in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        return try #require(try run.json().first)
    }

    // "-: no such file" was said of standard input.
    @Test(arguments: [
        "movie.mp4", "vp9.webm", "movie.mov", "fragmented.mp4", "h264.avi", "cues.mkv", "no-cues.mkv", "h264.ts",
        "mpeg2.ps", "audio-only.mp3", "attached-picture.mp3", "audio-only.flac", "theora.ogv", "h264.flv", "wmv2.asf",
    ])
    func `info tells of a pipe what it tells of the file`(_ name: String) async throws {
        let path = Fixture(name).path
        var piped = try await object("cat '\(path)' | \"$AVTOOL\" info --precise --json -")
        var file = try await object("\"$AVTOOL\" info --precise --json '\(path)'")
        for key in ["source"] { (piped[key], file[key]) = (nil, nil) }
        #expect(NSDictionary(dictionary: piped) == NSDictionary(dictionary: file))
    }

    @Test(arguments: ["movie.mp4", "vp9.webm", "h264.ts", "no-cues.mkv", "mpeg2.ps", "h264.flv"])
    func `stills of a pipe are those of the file`(_ name: String) async throws {
        let path = Fixture(name).path
        let times = ["0,0.5,1.7", "1/3,end,25%", "end"]
        for at in times {
            let run = try await Tool.shell(
                """
                cat '\(path)' | "$AVTOOL" thumbs --force --at \(at) - && \
                "$AVTOOL" thumbs --force --at \(at) -o 'file-{index}.png' '\(path)' && \
                for i in $(seq 1 $(echo \(at) | tr , '\\n' | wc -l)); do
                  ffmpeg -v error -y -i stdin-$i.png -f rawvideo a.raw && ffmpeg -v error -y -i file-$i.png -f rawvideo b.raw && cmp a.raw b.raw || exit 1
                done
                """, in: folder, limit: 60)
            #expect(run.exitCode == 0, "\(at): \(run.text) \(run.diagnostics)")
        }
    }

    // A movie whose index stands at its end could not be read from a pipe.
    @Test(.enabled(if: Tool.has("ffmpeg")))
    func `a movie with its index at the end works, and information does not wait for the end of others`() async throws {
        let run = try await Tool.shell(
            """
            ffmpeg -v error -i '\(Fixture("movie.mp4").path)' -map 0:v -c copy last.mp4 && ! head -c 100000 last.mp4 | grep -q moov \
            ; cat last.mp4 | "$AVTOOL" thumbs --at 1 - && cat last.mp4 | "$AVTOOL" info - \
            ; mkfifo endless; (cat '\(Fixture("movie.mp4").path)'; exec sleep 60) > endless 2> /dev/null &
            timeout 20 "$AVTOOL" info - < endless | head -2; kill $!
            """, in: folder, limit: 40)
        #expect(run.text.contains("stdin-1.png"))
        #expect(run.lines.filter { $0.contains("0:00:10.000") }.count == 2, "\(run.text) \(run.diagnostics)")
    }

    // 39 hours were said of a fragmented movie of a second: what its header says of times is not to be believed.
    @Test(arguments: [
        Fixture("fragmented.mp4").path, Fixture("fragmented-sidx.mp4").path, "bbb5s_aac_sidx.mp4",
        "sample_fragmented.mp4", "sample_fragmented_seekable_multiple_sidx.mp4",
    ])
    func `info tells of a fragmented movie in a pipe what it tells of the file`(_ name: String) async throws {
        guard let corpus = Fixture.corpus?.appendingPathComponent("fragmented") else { return }
        let path = name.hasPrefix("/") ? name : corpus.appendingPathComponent(name).path
        var piped = try await object("cat '\(path)' | \"$AVTOOL\" info --json -")
        var file = try await object("\"$AVTOOL\" info --json '\(path)'")
        (piped["source"], file["source"]) = (nil, nil)
        #expect(NSDictionary(dictionary: piped) == NSDictionary(dictionary: file))
    }

    // What is read is not all of the file: what the rest would tell is left out or marked, and the rest is the same.
    @Test(arguments: [
        "movie.mp4", "movie.mov", "vp9.webm", "cues.mkv", "no-cues.mkv", "h264.ts", "mpeg2.ps", "h264.avi",
        "audio-only.flac", "audio-only.mp3", "theora.ogv", "wmv2.asf", "animated.gif",
    ])
    func `info of a pipe is not wrong about what it has not read`(_ name: String) async throws {
        let path = Fixture(name).path
        let piped = try await object("cat '\(path)' | \"$AVTOOL\" info --json -")
        let file = try await object("\"$AVTOOL\" info --json '\(path)'")
        #expect(piped["size"] == nil && piped["bitRate"] == nil)
        func seconds(_ object: [String: Any]) -> Double? {
            (object["duration"] as? [String: Any])?["seconds"] as? Double
        }
        if let length = seconds(piped) {
            #expect(length == seconds(file) || piped["durationIsEstimate"] as? Bool == true)
        } else {
            #expect(piped["durationIsEstimate"] as? Bool == true)
        }
        let (some, all) = (piped["tracks"] as? [[String: Any]] ?? [], file["tracks"] as? [[String: Any]] ?? [])
        #expect(some.count == all.count)
        // Tracks of chapters are known as such only where their samples can be read.
        for (one, other) in zip(some, all) where ["video", "audio"].contains(other["mediaType"] as? String) {
            for key in [
                "id", "mediaType", "codec", "codecTag", "width", "height", "language", "sampleRate", "channels",
            ] {
                #expect(String(describing: one[key]) == String(describing: other[key]), "\(key)")
            }
        }
    }

    @Test func `a file that is redirected is read as a file`() async throws {
        let run = try await object("\"$AVTOOL\" info --json - < '\(Fixture("movie.mp4").path)'")
        #expect(run["size"] as? Int == (try Data(contentsOf: Fixture("movie.mp4").url)).count)
        #expect(run["source"] as? String == "-")
    }

    @Test func `every command takes a pipe, and names results after it`() async throws {
        let run = try await Tool.shell(
            """
            f='\(Fixture("movie.mp4").path)'
            cat "$f" | "$AVTOOL" sheet --columns 2 --rows 2 - && cat "$f" | "$AVTOOL" storyboard --every 2s - \
            && cat "$f" | "$AVTOOL" export --preset passthrough - && cat "$f" | "$AVTOOL" verify --samples 5 - \
            && cat "$f" | "$AVTOOL" metadata show - && "$AVTOOL" chapters show <(cat "$f") && "$AVTOOL" thumbs --at 1/2 <(cat "$f")
            """, in: folder, limit: 120)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        #expect(Set(try folder.names).isSuperset(of: ["stdin-sheet.png", "stdin-storyboard"]))
        #expect(try folder.names.contains { $0.hasPrefix("stdin-passthrough.") })
    }

    @Test func `standard input is given once, and not from a terminal`() async throws {
        let twice = try await Tool.run("info", "-", "/dev/stdin")
        #expect(twice.exitCode == 64 && twice.diagnosticLines.count == 1)
        let empty = try await Tool.shell("true | \"$AVTOOL\" info -", in: folder)
        #expect(empty.exitCode == 65 && empty.diagnosticLines.count == 1)
    }

    @Test func `temporary copies are not left behind`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
        let run = try await Tool.shell(
            "cat '\(Fixture("movie.mp4").path)' | TMPDIR=tmp \"$AVTOOL\" verify --samples 1 - && ls -A tmp", in: folder)
        #expect(run.exitCode == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
        let full = try await Tool.shell(
            "cat '\(Fixture("movie.mp4").path)' | TMPDIR=none \"$AVTOOL\" verify --samples 1 -", in: folder)
        #expect(full.exitCode == 74 && full.diagnostics.contains("none"))
    }
}

@Suite struct `Odd names on the command line` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    // Bytes that are not UTF-8 were replaced, and the file was not found.
    @Test func `a name that is not UTF-8 works in every command`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        let run = try await Tool.shell(
            """
            set -e; name=$(printf 'caf\\351'); mv movie.mp4 "$name.mp4"
            "$AVTOOL" info "$name.mp4"; "$AVTOOL" info --json "$name.mp4" | python3 -c 'import json,sys; print(json.load(sys.stdin)["source"])'
            "$AVTOOL" thumbs --at 0 "$name.mp4"; test -f "$name-1.png"
            "$AVTOOL" sheet --columns 2 --rows 2 "$name.mp4"; test -f "$name-sheet.png"
            "$AVTOOL" storyboard --every 5s "$name.mp4"; test -f "$name-storyboard/storyboard.vtt"
            "$AVTOOL" storyboard --force --every 2s "$name.mp4"
            "$AVTOOL" export --preset passthrough -o "$name.mov" "$name.mp4"; test -f "$name.mov"
            ln -s "$name.mp4" link.mp4; "$AVTOOL" metadata set name=New link.mp4; test -L link.mp4
            "$AVTOOL" metadata show "$name.mp4" | grep New; "$AVTOOL" chapters remove "$name.mp4"
            "$AVTOOL" verify --samples 3 "$name.mp4"
            """, in: folder, limit: 120)
        #expect(run.exitCode == 0, "\(run.text) \(run.diagnostics)")
        #expect(run.lines.contains("caf\\xE9.mp4"))
        #expect(run.lines.filter { $0 == #"caf\xE9.mp4"# }.count >= 2, "\(run.text)")
    }

    // Help was printed, with exit code 0, for "-h.mp4".
    @Test(arguments: ["-h.mp4", "-film.mp4", "--version.mp4", "-o.mp4", "-film"])
    func `a name like an option is told`(_ name: String) async throws {
        try folder.copy("one-frame.mp4", as: name)
        let run = try await Tool.run("info", name, in: folder)
        #expect(run.exitCode == 64 && run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("./\(name)") && run.diagnostics.contains("--"))
        let right = try await Tool.run("info", "--", name, in: folder)
        #expect(right.exitCode == 0)
        let help = try await Tool.run("info", "-h", in: folder)
        #expect(help.exitCode == 0)
    }

    // "no such file" was all that was said of an address.
    @Test(arguments: ["http://127.0.0.1:9/x.mp4", "https://127.0.0.1:9/x.mp4", "rtsp://127.0.0.1:9/x"])
    func `an address names the option that allows it`(_ address: String) async throws {
        let run = try await Tool.run("info", address, in: folder)
        #expect(run.exitCode == 66 && run.diagnostics.contains("--allow-network") && run.diagnosticLines.count == 1)
        let allowed = try await Tool.run("info", "--allow-network", address, in: folder)
        #expect([65, 66].contains(allowed.exitCode) && !allowed.diagnostics.contains("--allow-network"))
    }

    @Test(arguments: [
        ("%PDF-1.4 and so on", "PDF"), ("<!DOCTYPE html><html></html>", "web page"), ("<svg/>", "SVG"),
        ("plain text", "known format"),
    ])
    func `what a file is that cannot be read is told`(_ text: String, _ word: String) async throws {
        try folder.write(text, to: "film.mp4")
        let run = try await Tool.run("info", "film.mp4", in: folder)
        #expect(run.exitCode == 65 && run.diagnostics.contains(word), "\(run.diagnostics)")
    }

    @Test func `an animated WebP picture and an encrypted film are told`() async throws {
        guard let corpus = Fixture.corpus else { return }
        for (file, word) in [("animation/webp-animated.webp", "animated WebP"), ("odd/short-cenc.mp4", "encrypted")] {
            let run = try await Tool.run("thumbs", "--at", "0", corpus.appendingPathComponent(file).path, in: folder)
            #expect(run.exitCode == 65 && run.diagnostics.contains(word), "\(run.diagnostics)")
        }
    }

    @Test func `information is in words that people use`() async throws {
        func text(_ name: String) async throws -> String { try await Tool.run("info", Fixture(name).path).text }
        let movie = try await text("movie.mp4")
        #expect(movie.contains("  MP4, 0:00:10.000 (10 s), ") && movie.contains("video: H.264 (High)"))
        #expect(movie.contains("#3 chapters: ") && movie.contains("chapter 0:00:03.000 + 0:00:04.000  Middle"))
        #expect(movie.contains("audio: AAC"))
        #expect(try await text("movie.mov").contains("  QuickTime, "))
        #expect(try await text("vp9.webm").contains("  WebM, "))
        #expect(try await text("h264.ts").contains("  MPEG-TS, "))
        #expect(try await text("h264.ts").contains("first timestamp 1.4"))
        #expect(try await text("interlaced-tff.mp4").contains("interlaced, top field first"))
        #expect(try await text("rotate-90.mp4").contains("turned clockwise by 90°"))
        #expect(try await text("flip-h.mp4").contains("mirrored"))
        #expect(try await text("alpha-prores.mov").contains("alpha"))
        #expect(try await text("vfr.mp4").contains("variable, "))
        #expect(!movie.contains("variable"))
        // Ticks of the container were printed as a rate: "1000 fps".
        guard let corpus = Fixture.corpus else { return }
        let bunny = try await Tool.run("info", corpus.appendingPathComponent("webm/bunny.webm").path).text
        #expect(!bunny.contains("1000 fps"), "\(bunny)")
    }

    @Test func `information in JSON has the same facts`() async throws {
        func track(_ name: String) async throws -> [String: Any] {
            let object = try #require(try await Tool.run("info", "--json", Fixture(name).path).json().first)
            #expect(object["isEncrypted"] as? Bool == false && object["origin"] != nil)
            return try #require((object["tracks"] as? [[String: Any]])?.first)
        }
        #expect(try await track("vfr.mp4")["isVariableFrameRate"] as? Bool == true)
        #expect(try await track("movie.mp4")["isVariableFrameRate"] as? Bool == false)
        #expect(try await track("alpha-prores.mov")["hasAlpha"] as? Bool == true)
        guard let corpus = Fixture.corpus else { return }
        let hdr = corpus.appendingPathComponent("hdr/sample_with_colr_mdcv_and_clli.mp4").path
        #expect(try await Tool.run("info", hdr).text.contains("HDR10"))
    }
}
