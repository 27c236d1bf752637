import Foundation
import MediaTestSupport
import Testing

/// `movie.mov` has 250 frames, 25 a second, with a sync sample every second.
@Suite struct `A part of a film` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    private func frames(_ run: ToolRun, _ key: String = "actual") throws -> [Int] {
        try run.json().map { object in
            let time = try #require(object[key] as? [String: Any])
            return try frame(time)
        }
    }

    private func frame(_ time: [String: Any]) throws -> Int {
        let (value, timescale) = (try #require(time["value"] as? Int), try #require(time["timescale"] as? Int))
        return value * 25 / timescale
    }

    @Test(arguments: [
        (["--every", "1s", "--from", "2.5s", "--to", "5s"], [62, 87, 112]),
        (["--every", "1s", "--from", "end-2s"], [200, 225]),
        (["--every", "1s", "--to", "#50"], [0, 25]),
        (["--count", "2", "--from", "50%", "--to", "9s"], [150, 200]),
        (["--keyframes", "--from", "2s", "--to", "4s"], [50, 75]),
        (["--keyframes", "--from", "2.01s", "--to", "100s"], [75, 100, 125, 150, 175, 200, 225]),
    ])
    func `gives stills of that part only`(_ arguments: [String], _ wanted: [Int]) async throws {
        let run = try await Tool.run(
            try Tool.executable(), ["thumbs", "--json", "--size", "32x0"] + arguments + [movie], in: folder, limit: 30)
        #expect(run.exitCode == 0, "\(run)")
        #expect(try frames(run) == wanted)
    }

    @Test func `gives a sheet of that part only`() async throws {
        let run = try await Tool.run(
            "sheet", "--json", "--count", "4", "--from", "2s", "--to", "6s", "--tile", "32x0", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let tiles = try #require(try run.json().first?["tiles"] as? [[String: Any]])
        // The middles of four seconds.
        #expect(try tiles.map { try frame(try #require($0["actual"] as? [String: Any])) } == [62, 87, 112, 137])
        // Chapters begin at 0, 3 and 6 s.
        let chapters = try await Tool.run(
            "sheet", "--json", "--chapters", "--from", "2s", "--to", "6s", "--tile", "32x0", "-o", "c.png", movie,
            in: folder)
        let starts = try #require(try chapters.json().first?["tiles"] as? [[String: Any]])
        #expect(starts.count == 1, "\(chapters)")
    }

    @Test func `gives a storyboard whose cues cover that part only`() async throws {
        let run = try await Tool.run(
            "storyboard", "--json", "--every", "1s", "--from", "2.5s", "--to", "5.2s", "-o", "set", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let vtt = String(decoding: try folder.data("set/storyboard.vtt"), as: UTF8.self)
        let cues = vtt.split(separator: "\n").filter { $0.contains("-->") }.map(String.init)
        // Sync samples lie at whole seconds; that of 5 s lies within half a second of 4.5 s.
        #expect(
            cues == [
                "00:00:02.500 --> 00:00:03.480", "00:00:03.480 --> 00:00:04.480", "00:00:04.480 --> 00:00:05.200",
            ])
        let document = try #require(
            try JSONSerialization.jsonObject(with: folder.data("set/storyboard.json")) as? [String: Any])
        for object in [document, try #require(try run.json().first)] {
            let part = try #require(object["part"] as? [String: [String: Any]])
            #expect(part["start"]?["seconds"] as? Double == 2.5)
            #expect(part["end"]?["seconds"] as? Double == 5.2)
        }
        let again = try await Tool.run(
            "storyboard", "--if-newer", "--every", "1s", "--from", "2.5s", "--to", "5.2s", "-o", "set", movie,
            in: folder)
        #expect(again.text == "set: up to date\n")
        let other = try await Tool.run("storyboard", "--if-newer", "--every", "1s", "-o", "set", movie, in: folder)
        #expect(other.text.hasPrefix("set: 10 tiles"))
    }

    @Test func `never shows a frame from behind its end`() async throws {
        // The sync sample of 3 s lies within half an interval of 2.8 s, but behind the part.
        let run = try await Tool.run(
            "storyboard", "--every", "1s", "--from", "0.8s", "--to", "2.9s", "-o", "set", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: folder.data("set/storyboard.json")) as? [String: Any])
        let tiles = try #require(document["tiles"] as? [[String: Any]])
        #expect(try tiles.map { try frame(try #require($0["actual"] as? [String: Any])) } == [20, 50, 70])
    }

    @Test func `is verified alone`() async throws {
        let run = try await Tool.run(
            "verify", "--json", "--samples", "300", "--from", "2s", "--to", "3s", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let object = try #require(try run.json().first)
        #expect(object["frames"] as? Int == 25)
        #expect(object["asked"] as? Int == 100)  // first and last instant of each, in two orders
        #expect(object["wrong"] as? Int == 0)
    }

    @Test func `leaves damage elsewhere unnoticed`() async throws {
        let damaged = Fixture("damaged.mp4").path
        let whole = try await Tool.run("verify", "--json", damaged, in: folder)
        #expect(whole.exitCode == 65)
        let part = try await Tool.run("verify", "--json", "--to", "0.5s", damaged, in: folder)
        #expect(part.exitCode == 0, "\(part)")
    }

    @Test(arguments: ["thumbs --count 2", "sheet", "storyboard", "verify"])
    func `has to lie in the film, and its ends in order`(_ command: String) async throws {
        for (arguments, code): ([String], Int32) in [
            (["--from", "3s", "--to", "3s"], 64), (["--from", "5s", "--to", "1"], 64), (["--from", "x"], 64),
            (["--from", "75%", "--to", "#10"], 64), (["--from", "1,2"], 64), (["--from", "20s"], 65),
        ] {
            let run = try await Tool.run(
                try Tool.executable(), command.split(separator: " ").map(String.init) + arguments + [movie], in: folder,
                limit: 30)
            #expect(run.exitCode == code, "\(arguments): \(run)")
            #expect(run.diagnosticLines.count == 1, "\(run)")
            #expect(try folder.names.isEmpty)
        }
    }

    @Test func `goes neither with named times nor with what counts from the film's start`() async throws {
        for arguments in [
            ["thumbs", "--at", "1", "--from", "0"], ["sheet", "--at", "1", "--to", "5s"],
            ["storyboard", "--bif", "--from", "1s"], ["storyboard", "--hls", "--to", "5s"],
            ["storyboard", "--dash", "--to", "5s"], ["storyboard", "--jellyfin", "--to", "5s"],
        ] {
            let run = try await Tool.run(try Tool.executable(), arguments + [movie], in: folder, limit: 30)
            #expect(run.exitCode == 64, "\(arguments): \(run)")
        }
        #expect(try folder.names.isEmpty)
    }
}
