import Foundation
import MediaTestSupport
import Testing

/// A request that must fail: what is asked, the exit code, words of the message.
struct Refusal: Sendable, CustomTestStringConvertible {
    let file: String
    let at: String
    let exitCode: Int32
    let words: [String]

    init(_ file: String, at: String = "0", _ exitCode: Int32, _ words: String...) {
        (self.file, self.at, self.exitCode, self.words) = (file, at, exitCode, words)
    }

    var testDescription: String { "\(file) at \(at): \(exitCode)" }
}

@Suite struct `Stills that cannot be had` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    @Test(arguments: [
        Refusal("missing.mp4", 66, "no such file"),
        Refusal("expected", 66, "directory"),
        Refusal("empty.mp4", 65, "empty"),
        Refusal("text.mp4", 65, "not a media file"),
        Refusal("truncated-no-moov.mp4", 65, "moov"),
        Refusal("huge-header.mkv", 75, "100000x100000"),
        Refusal("audio-only.m4a", 65, "no video track"),
        Refusal("audio-only.mp3", 65, "no video track"),
        Refusal("attached-picture.m4a", 65, "no video track"),
        Refusal("attached-picture.mp3", 65, "no video track"),
        Refusal("zero-frames.mp4", 65),
        Refusal("movie.mov", at: "11", 65, "11", "10"),
        Refusal("movie.mov", at: "#250", 65, "250 frames"),
        Refusal("vfr.mp4", at: "1000s", 65, "beyond the end"),
        Refusal("hls-named.mp4", 65, "not allowed"),
        Refusal("concat-named.mp4", 65, "not allowed"),
    ])
    func `is one line, the documented code and no file`(_ c: Refusal) async throws {
        let run = try await Tool.run("thumbs", "--at", c.at, Fixture(c.file).path, in: folder)
        #expect(run.exitCode == c.exitCode)
        #expect(run.output.isEmpty)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.hasPrefix("avtool: \(Fixture(c.file).path): "))
        for word in c.words { #expect(run.diagnostics.contains(word)) }
        #expect(try folder.names.isEmpty)
    }

    @Test(
        .enabled(if: Tool.has("strace"), "strace is not installed"),
        arguments: [("hls-named.mp4", "h264.ts"), ("concat-named.mp4", "movie.mp4")])
    func `a playlist under a film's name never opens the other file`(_ name: String, _ other: String) async throws {
        try folder.copy(name, as: name)
        try folder.copy(other, as: other)
        let run = try await Tool.shell(
            "strace -f -e trace=open,openat,openat2,stat,newfstatat -o trace \"$AVTOOL\" thumbs --at 0 \(name)",
            in: folder)
        let trace = String(decoding: try folder.data("trace"), as: UTF8.self)
        #expect(run.exitCode == 65)
        #expect(trace.contains(name))
        #expect(!trace.contains(other))
    }

    @Test func `a cut file gives what it has and refuses the rest`() async throws {
        let run = try await Tool.run("thumbs", "--at", "end,0,2", Fixture("truncated.mp4").path, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines == ["0 → 0  truncated-2.png", "2 → 2  truncated-3.png"])
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names == ["truncated-2.png", "truncated-3.png"])
    }

    @Test func `a damaged picture is refused unless it is asked for`() async throws {
        // Frame 140 lies among the broken ones; 0 does not.
        let file = Fixture("damaged.mp4").path
        let strict = try await Tool.run("thumbs", "--at", "0,#140", file, in: folder)
        #expect(strict.exitCode == 65)
        #expect(try folder.names == ["damaged-1.png"])
        let lax = try await Tool.run(
            "thumbs", "--at", "0,#140", "--allow-damaged", "--json", "--force", file, in: folder)
        #expect(lax.exitCode == 0)
        #expect(try lax.json().map { $0["damaged"] as? Bool } == [false, true])
    }

    @Test(arguments: [
        ("0,1:99", "99"), ("0,abc", "abc"), ("1,,2", "empty"), ("-1", "-1"), ("1/0", "zero"), ("101%", "101"),
        ("#x", "x"),
        ("1w", "w"), ("", "empty"), ("0,\u{1b}[31m", "\\u{1b}"),
    ])
    func `a malformed list is a usage error that names the part`(_ list: String, _ part: String) async throws {
        let option = list.isEmpty ? ["--at", ""] : ["--at=\(list)"]
        let run = try await Tool.run(try Tool.executable(), ["thumbs"] + option + [movie], in: folder, limit: 20)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains(part))
        #expect(!run.diagnostics.contains("\u{1b}"))
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [
        ["thumbs", "x.mov"], ["thumbs", "--at", "0"], ["thumbs", "--at", "0", "--count", "1", "x.mov"],
        ["thumbs", "--count", "0", "x.mov"], ["thumbs", "--at", "0", "--window", "1s", "x.mov"],
        ["thumbs", "--at", "0", "--representative", "--tolerance", "1s", "x.mov"],
        ["thumbs", "--at", "0", "--representative", "--window", "0", "x.mov"],
        ["thumbs", "--at", "0", "--hdr", "--format", "webp", "x.mov"], ["thumbs", "--every", "0", "x.mov"],
        ["thumbs", "--at", "0", "--size", "0x0", "x"],
        ["thumbs", "--at", "0", "--quality", "101", "x"], ["thumbs", "--at", "0", "--format", "bmp", "x"], ["info"],
        ["verify", "--samples", "0", "x"], ["nonsense"],
    ])
    func `wrong use is told apart from bad files`(_ arguments: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), arguments, in: folder, limit: 20)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(!run.diagnostics.isEmpty)
    }

    @Test(arguments: ["nowhere/{name}.png", "file/{name}.png", "/proc/{name}.png"])
    func `a folder that takes no files is a failure of the output`(_ pattern: String) async throws {
        try folder.write("x", to: "file")
        let run = try await Tool.run("thumbs", "--at", "0", "-o", pattern, movie, in: folder)
        #expect(run.exitCode == 73)
        #expect(run.output.isEmpty)
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names == ["file"])
    }

    @Test func `a full disk leaves no partial file`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
        let mount = try await Tool.shell("mount -t tmpfs -o size=8k none disk", in: folder)
        guard mount.exitCode == 0 else {
            try Test.cancel("no small file system can be mounted here")
        }
        let run = try await Tool.run("thumbs", "--at", "0", "-o", "disk/", movie, in: folder)
        let left = try await Tool.shell("ls -A disk; umount disk", in: folder)
        #expect(run.exitCode == 74)
        #expect(run.diagnosticLines.count == 1)
        #expect(left.output.isEmpty)
    }
}
