import Foundation
import MediaTestSupport
import Testing

/// What is looked for was put there by ffmpeg, and is looked for in the bytes of what comes out.
@Suite(.timeLimit(.minutes(5))) struct `Sharing on the command line` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private static let marks = [
        "ZqUserDataPlant", "ZqTrackPlant", "ZqOwnerPlant", "ZqTextPlant", "47.1234", "ZqReelPlant",
    ]

    /// A movie with user data among its pictures, a track's name, an owner, and subtitles with positions.
    private func plant(_ name: String) async throws {
        try Data("1\n00:00:00,000 --> 00:00:01,000\nGPS (8.5678,47.1234,19) ZqTextPlant\n".utf8)
            .write(to: folder.url.appendingPathComponent("gps.srt"))
        let user = "086f3693-b7b3-4f2c-9653-21492feee5b8+ZqUserDataPlant+47.1234+008.5678"
        let run = try await Tool.system(
            "ffmpeg", "-v", "error", "-i", Fixture("h264-intra-refresh.mp4").path, "-i", "gps.srt", "-map", "0:v:0",
            "-map", "1:s", "-c:v", "copy", "-c:s", name.hasSuffix(".mkv") ? "srt" : "mov_text", "-bsf:v",
            "h264_metadata=sei_user_data=" + user, "-metadata", "owner=ZqOwnerPlant", "-metadata", "title=A title",
            "-metadata", "creation_time=2019-03-17T09:41:05Z", "-metadata:s:v", "handler_name=ZqTrackPlant",
            "-metadata:s:v", "title=ZqTrackPlant", "-metadata", "location=+47.1234+008.5678/", name, in: folder)
        #expect(run.exitCode == 0, "\(run)")
    }

    private func pictures(_ name: String) async throws -> [Substring] {
        let run = try await Tool.system(
            "ffmpeg", "-v", "error", "-i", name, "-map", "0:v:0", "-f", "framehash", "-", in: folder)
        return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last
        }
    }

    private func expectClean(_ name: String, like source: String) async throws {
        let data = try folder.data(name)
        for mark in Self.marks {
            #expect(data.range(of: Data(mark.utf8)) == nil, "\(mark) in \(name)")
            #expect(data.range(of: mark.data(using: .utf16LittleEndian) ?? Data()) == nil, "\(mark) in \(name)")
        }
        #expect(try await pictures(name) == pictures(source), "\(name)")
    }

    @Test(arguments: ["a.mp4", "a.mov", "a.mkv"]) func `nothing of what was planted is left`(_ source: String)
        async throws
    {
        try await plant(source)
        for mark in Self.marks.prefix(2) {
            #expect(try folder.data(source).range(of: Data(mark.utf8)) != nil, "\(mark)")
        }
        for ending in ["mp4", "mov", "mkv", "ts"] {
            let name = "shared.\(ending)"
            let run = try await Tool.run(
                "export", "--preset", "passthrough", "--share-safe", "--force", "-o", name, source, in: folder)
            #expect(run.exitCode == 0, "\(run)")
            #expect(run.text.contains("left out: message"), "\(run)")
            #expect(run.text.contains("left out: track"), "\(run)")
            try await expectClean(name, like: source)
        }
        let run = try await Tool.run(
            "metadata", "remove", "--share-safe", "-o", "removed-" + source, source, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.text.contains("removed: message"), "\(run)")
        try await expectClean("removed-" + source, like: source)
    }

    @Test func `private details are listed with their places`() async throws {
        try await plant("a.mp4")
        let run = try await Tool.run("metadata", "show", "--private", "--json", "a.mp4", in: folder)
        struct Shown: Decodable {
            struct Detail: Decodable {
                let kind: String
                let place: String
                let count: Int
            }
            let `private`: [Detail]
        }
        let shown = try JSONDecoder().decode(Shown.self, from: Data(run.text.utf8))
        let kinds = Set(shown.private.map(\.kind))
        #expect(kinds.isSuperset(of: ["metadata", "track", "message", "name", "date"]), "\(shown)")
        #expect(shown.private.contains { $0.place.contains("track 2") })
    }

    // MARK: What is hidden

    private struct Event: Decodable {
        struct Part: Decodable { let frames: Int }
        struct Hidden: Decodable {
            let mediaType: String
            let start: Part
            let end: Part
        }
        let event: String
        let hidden: [Hidden]?
    }

    /// Pictures that ffprobe says are decoded and not shown.
    private func discarded(_ name: String) async throws -> Int {
        let run = try await Tool.system(
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=flags", "-of", "csv=p=0", name,
            in: folder)
        return run.text.split(separator: "\n").filter { $0.contains("D") }.count
    }

    @Test(arguments: ["1.5s+1s", "0.3s..2.02s", "2s.."]) func `a trim tells how much it hides`(_ range: String)
        async throws
    {
        for source in ["movie.mov", "long-gop.mp4", "h264-open-gop.mp4"] {
            let run = try await Tool.run(
                "export", "--preset", "passthrough", "--range", range, "--json", "--force", "-o", "cut.mp4",
                Fixture(source).path, in: folder)
            #expect(run.exitCode == 0, "\(run)")
            let events = try run.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            let expected = try await discarded("cut.mp4")
            for name in ["plan", "completed"] {
                let event = try #require(events.first { $0.event == name })
                let video = (event.hidden ?? []).filter { $0.mediaType == "video" }
                #expect(video.reduce(0) { $0 + $1.start.frames + $1.end.frames } == expected, "\(source) \(name)")
            }
            let text = try await Tool.run(
                "export", "--preset", "passthrough", "--range", range, "--dry-run", "-o", "other.mp4",
                Fixture(source).path, in: folder)
            #expect(text.text.contains("hidden by the edit list") == (expected > 0), "\(text)")
        }
    }

    @Test func `what would be hidden is not shared`() async throws {
        let movie = Fixture("long-gop.mp4").path
        let run = try await Tool.run(
            "export", "--preset", "passthrough", "--range", "1.5s+1s", "--share-safe", "-o", "cut.mp4", movie,
            in: folder)
        #expect(run.exitCode == 65, "\(run)")
        #expect(run.diagnostics.contains("high"), "\(run)")
        #expect(try folder.names.isEmpty)
        let encoded = try await Tool.run(
            "export", "--preset", "low", "--range", "1.5s+1s", "--share-safe", "-o", "cut.mp4", movie, in: folder)
        #expect(encoded.exitCode == 0, "\(encoded)")
        #expect(try await discarded("cut.mp4") == 0)
        for ending in ["mp4", "mkv", "ts"] {
            let hidden = try await Tool.run(
                "export", "--preset", "passthrough", "--share-safe", "-o", "whole.\(ending)",
                Fixture("edit-list-trim.mp4").path, in: folder)
            #expect(hidden.exitCode == 65, "\(ending): \(hidden)")
        }
    }
}
