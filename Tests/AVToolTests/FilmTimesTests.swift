import Foundation
import MediaTestSupport
import Testing

/// What a storyboard's times have to be is what a browser shows: the frames' numbers are in their pixels.
@Suite struct `Storyboards of films that begin late` {
    /// A film that begins late, and how it is made.
    struct Film: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var testDescription: String { name }
    }

    private static let movie = Fixture("movie.mp4").path
    private static let ffmpeg = "ffmpeg -nostdin -v error"

    /// The later half of a fragmented movie, behind the header of the whole, whose edit lists are taken out.
    private static func fragments(_ maps: String, to name: String) -> String {
        """
        mkdir f && cd f && \(ffmpeg) -i '\(movie)' \(maps) -c copy -dn -map_chapters -1 -f hls -hls_time 5 \
        -hls_playlist_type vod -hls_segment_type fmp4 -hls_segment_filename s%d.m4s x.m3u8
        LC_ALL=C sed s/edts/free/g init.mp4 | cat - s1.m4s > ../\(name) && cd .. && rm -r f
        """
    }

    static let films = [
        Film(
            name: "late.webm",
            script: "\(ffmpeg) -i '\(Fixture("vp9.webm").path)' -map 0:v -c copy -output_ts_offset 4.986 late.webm"),
        Film(
            name: "late-sound.mkv",
            script: "\(ffmpeg) -i '\(movie)' -map 0:v -map 0:a -c copy -output_ts_offset 5 late-sound.mkv"),
        Film(
            name: "late-picture.mkv",
            script: "\(ffmpeg) -itsoffset 3 -i '\(movie)' -i '\(movie)' -map 0:v -map 1:a -c copy late-picture.mkv"),
        Film(
            name: "empty-edit.mp4",
            script: "\(ffmpeg) -i '\(movie)' -map 0:v -c copy -output_ts_offset 3 empty-edit.mp4"),
        Film(
            name: "empty-edit-and-sound.mp4",
            script: "\(ffmpeg) -itsoffset 3 -i '\(movie)' -i '\(movie)' -map 0:v -map 1:a -c copy "
                + "empty-edit-and-sound.mp4"),
        Film(name: "fragments.mp4", script: fragments("-map 0:v", to: "fragments.mp4")),
        Film(name: "fragments-and-sound.mp4", script: fragments("-map 0:v -map 0:a", to: "fragments-and-sound.mp4")),
        // Sound from 7 ms before zero on.
        Film(name: "vp9.webm", script: "cp '\(Fixture("vp9.webm").path)' ."),
        // Chromium lets this one stand at 0 until it is played, and still counts from the container's zero.
        Film(name: "nonzero-start.mkv", script: "cp '\(Fixture("nonzero-start.mkv").path)' ."),
        Film(name: "trimmed.mp4", script: "cp '\(Fixture("edit-list-trim.mp4").path)' trimmed.mp4"),
    ]

    // A WebM whose first timestamp is 5 s was given cues from 0 on, and every preview was 5 s late in Chromium.
    @Test func `show in Chromium what the film shows`() async throws {
        let folder = try WorkFolder()
        for film in Self.films {
            let made = try await Tool.shell("set -e; \(film.script)", in: folder)
            #expect(made.exitCode == 0, "\(film.name): \(made)")
            let run = try await Tool.run(
                "storyboard", "--every", "1s", "--with-player", "-o", "of-{name}", film.name, in: folder)
            #expect(run.exitCode == 0, "\(run)")
        }
        let pairs = Self.films.map { "\($0.name)=of-\(($0.name as NSString).deletingPathExtension)" }
        for options in [[], ["--page"]] { try await Self.check(options, folder, pairs) }
    }

    // Firefox and Safari let films that begin late begin at zero; here the film itself is shifted instead.
    @Test func `have a page that follows a player that shifts the film`() async throws {
        let folder = try WorkFolder()
        let film = Self.films[0].name
        #expect(try await Tool.shell("set -e; \(Self.films[0].script)", in: folder).exitCode == 0)
        let run = try await Tool.run(
            "storyboard", "--every", "1s", "--with-player", "-o", "set", film, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let shift = "\(Self.ffmpeg) -i \(film) -c copy shifted.webm && mv shifted.webm \(film)"
        #expect(try await Tool.shell(shift, in: folder).exitCode == 0)
        try await Self.check(["--page"], folder, ["\(film)=set"])
    }

    private static func check(_ options: [String], _ folder: WorkFolder, _ pairs: [String]) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Acceptance/browser/storyboard_film.py").standardizedFileURL.path
        let check = try await CommandRun.run(
            "python3", [script] + options + [folder.url.path] + pairs, limit: .seconds(600))
        let bad = check.output.split(separator: "\n").filter { !$0.hasPrefix("ok ") }.joined(separator: "\n")
        #expect(check.exitCode == 0, "\(bad)\n\(check.errorOutput)")
    }

    @Test func `count as they are told to, and tell the origin`() async throws {
        let folder = try WorkFolder()
        let film = Self.films[0]
        #expect(try await Tool.shell("set -e; \(film.script)", in: folder).exitCode == 0)
        for (times, first) in [("container", "00:00:06.000"), ("asset", "00:00:01.000")] {
            let run = try await Tool.run(
                "storyboard", "--every", "1s", "--times", times, "--json", "-o", times, film.name, in: folder)
            #expect(run.exitCode == 0, "\(run)")
            let vtt = String(decoding: try folder.data("\(times)/storyboard.vtt"), as: UTF8.self)
            #expect(vtt.contains("\n00:00:00.000 --> \(first)\n"))
            let document = try #require(
                try JSONSerialization.jsonObject(with: folder.data("\(times)/storyboard.json")) as? [String: Any])
            for object in [document, try #require(try run.json().first)] {
                #expect(object["times"] as? String == times)
                #expect((object["origin"] as? [String: Any])?["seconds"] as? Double == 5)
            }
        }
        let sheets = try await Tool.run(
            "sheet", "--json", "--at", "1", "--times", "container", film.name, in: folder)
        let tile = try #require((try sheets.json().first?["tiles"] as? [[String: Any]])?.first)
        #expect(tile["label"] as? String == "0:00:06.000")
        #expect((tile["actual"] as? [String: Any])?["seconds"] as? Double == 1)
    }

    // Players of transport streams put the first picture at zero, whatever its timestamp.
    @Test func `of what browsers cannot open count from the first moment`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run("storyboard", "--every", "1s", "-o", "set", Fixture("h264.ts").path, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: folder.data("set/storyboard.json")) as? [String: Any])
        #expect(document["times"] as? String == "asset")
        let cues = try #require(document["cues"] as? [[String: Any]])
        // Sound begins 22 ms before the first picture; the first timestamp is 1.4 s.
        #expect(cues.count > 1 && cues[1]["start"] as? Int == 1022)
    }
}
