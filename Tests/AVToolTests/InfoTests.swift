import Foundation
import MediaTestSupport
import Testing

/// The fixtures that ffprobe and the tool both open.
private let readable: [Fixture] = {
    let refused = ["hls-named.mp4", "concat-named.mp4", "huge-header.mkv"]
    let folder = Fixture.folder.appendingPathComponent("expected")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.map { String($0.dropLast(5)) }.sorted().filter { name in
        !refused.contains(name) && (try? sidecar(name))?["error"] == nil
    }.map(Fixture.init)
}()

/// Where ffprobe's duration is not that of the asset's timeline, and why.
private let durations: [String: Double] = [
    // ffprobe has none. 8 frames at 25 a second; the end of the last packet; 50 frames at 25 a second.
    "animated.png": 0.32, "no-cues.mkv": 4.021, "raw.m2v": 2,
    // The header counts from zero, the asset from its first sample to the end of its last packet: 7.021 - 3.021,
    // 4.090 - 0.059 and (48600 + 100 * 3600 - 47698)/90000.
    "nonzero-start.mkv": 4, "h264.flv": 4.031, "mpeg2.ps": 4.010022,
    // FFmpeg leaves out the last frame, whose time it does not know: 100 frames at 25 a second; 100 packets without any time.
    "mpeg2-ps-sparse-pts.mpg": 4, "raw.h264": 4,
    // FFmpeg leaves out the sound after the last time in the stream; the ends of the last packets of sound are
    // (494160 - 131280)/90000, and (494160 - 163920)/90000.
    "h264.ts": 4.032, "damaged.ts": 4.032, "h264-cut.ts": 3.669333,
]
/// No samples: nothing to measure.
private let withoutDuration = ["zero-frames.mp4"]

@Suite struct `Information on the command line` {
    @Test func `there are fixtures to compare`() { #expect(readable.count > 60) }

    @Test(arguments: readable)
    func `agrees with ffprobe on tracks, codecs, sizes, rates and rotation`(_ file: Fixture) async throws {
        let run = try await Tool.run("info", "--json", file.path)
        #expect(run.exitCode == 0)
        let object = try #require(try run.json().first)
        let expected = try sidecar(file.name)
        let streams = try #require(expected["streams"] as? [[String: Any]])
        let tracks = try #require(object["tracks"] as? [[String: Any]])
        // Cover art is a stream to FFmpeg; whether it is a track is a matter of taste.
        let playing = tracks.filter { $0["attachedPicture"] as? Bool != true }
        let streamed = streams.filter { ($0["disposition"] as? [String: Int])?["attached_pic"] != 1 }
        try #require(playing.count == streamed.count)
        let frames = (expected["frames"] as? [Any])?.count ?? 0
        for (track, stream) in zip(playing, streamed) { expectAgreement(track, stream, frames: frames) }
        #expect((object["chapters"] as? [Any])?.count == (expected["chapters"] as? [Any])?.count)
        let format = try #require(expected["format"] as? [String: Any])
        #expect(object["container"] as? String == format["format_name"] as? String)
        #expect((object["size"] as? Int).map(String.init) == format["size"] as? String)
        let duration = (object["duration"] as? [String: Any])?["seconds"] as? Double
        if withoutDuration.contains(file.name) {
            #expect(duration == nil)
        } else {
            let probed = try durations[file.name] ?? #require((format["duration"] as? String).flatMap(Double.init))
            #expect(abs(try #require(duration) - probed) < 0.001)
        }
    }

    /// - Parameter frames: How many pictures ffprobe counted, for streams that it knows no average rate of.
    private func expectAgreement(_ track: [String: Any], _ stream: [String: Any], frames: Int) {
        #expect(track["codec"] as? String == stream["codec_name"] as? String)
        let size = track["codedSize"] as? [String: Int]
        #expect(size?["width"] == stream["width"] as? Int)
        #expect(size?["height"] == stream["height"] as? Int)
        #expect((track["sampleRate"] as? Int).map(String.init) == stream["sample_rate"] as? String)
        #expect(track["channels"] as? Int == stream["channels"] as? Int)
        #expect(track["pixelFormat"] as? String == stream["pix_fmt"] as? String)
        let language = (stream["tags"] as? [String: String])?["language"]
        #expect(track["language"] as? String == (language == "und" ? nil : language))
        guard stream["codec_type"] as? String == "video" else { return }
        let rate = ((stream["avg_frame_rate"] as? String) ?? "0/0").split(separator: "/").compactMap { Double($0) }
        let duration = (stream["duration"] as? String).flatMap(Double.init)
        let counted = frames > 0 ? duration.map { Double(frames) / $0 } ?? 0 : 0
        #expect((track["nominalFrameRate"] as? Double ?? 0) == (rate[1] > 0 ? rate[0] / rate[1] : counted))
        let matrices = (stream["side_data_list"] as? [[String: Any]]) ?? []
        let turn = matrices.compactMap { $0["rotation"] as? Int }.first ?? 0
        #expect(track["rotation"] as? Int == (360 - turn) % 360)
    }

    @Test func `tells chapters with their titles`() async throws {
        let object = try #require(try await Tool.run("info", "--json", Fixture("movie.mov").path).json().first)
        let chapters = try #require(object["chapters"] as? [[String: Any]])
        #expect(chapters.map { $0["title"] as? String } == ["Opening", "Middle", "Ending"])
        #expect(chapters.map { ($0["start"] as? [String: Any])?["seconds"] as? Double } == [0, 3, 7])
        #expect(chapters.map { ($0["duration"] as? [String: Any])?["seconds"] as? Double } == [3, 4, 3])
        let text = try await Tool.run("info", Fixture("movie.mov").path)
        #expect(text.lines.filter { $0.hasPrefix("  chapter ") }.count == 3)
        #expect(text.text.contains("Opening"))
    }

    @Test func `tells edit lists`() async throws {
        let object = try #require(
            try await Tool.run("info", "--json", Fixture("edit-list-empty.mp4").path).json().first)
        let track = try #require((object["tracks"] as? [[String: Any]])?.first)
        let edits = try #require(track["editList"] as? [[String: Any]])
        try #require(edits.count == 2)
        #expect(edits[0]["mediaTime"] == nil)
        #expect((edits[0]["duration"] as? [String: Any])?["value"] as? Int == 1000)
        #expect((edits[1]["mediaTime"] as? [String: Any])?["value"] as? Int == 1024)
        #expect((edits[1]["start"] as? [String: Any])?["seconds"] as? Double == 1)
    }

    @Test func `tells the clean aperture and the size as shown`() async throws {
        let clap = try #require(try await firstTrack("clean-aperture.mov"))
        #expect(clap["cleanAperture"] as? [String: Int] == ["x": 12, "y": 4, "width": 304, "height": 228])
        #expect(clap["displaySize"] as? [String: Int] == ["width": 304, "height": 228])
        let wide = try #require(try await firstTrack("anamorphic.mp4"))
        #expect(wide["sampleAspectRatio"] as? [String: Int] == ["horizontal": 16, "vertical": 11])
        #expect(wide["displaySize"] as? [String: Int] == ["width": 524, "height": 288])
        let turned = try #require(try await firstTrack("rotate-90.mp4"))
        #expect(turned["displaySize"] as? [String: Int] == ["width": 120, "height": 160])
    }

    @Test func `text names tracks and languages, one line each`() async throws {
        let run = try await Tool.run("info", Fixture("languages.mp4").path)
        #expect(run.lines.count == 2 + 5)
        for language in ["eng", "deu", "fra"] { #expect(run.text.contains(language)) }
        #expect(run.text.contains("320x240") && run.text.contains("25 fps") && run.text.contains("48000 Hz"))
    }

    @Test func `a missing file does not hide the others`() async throws {
        let run = try await Tool.run("info", "--json", "missing.mp4", Fixture("one-frame.mp4").path)
        #expect(run.exitCode == 66)
        #expect(try run.json().map { $0["error"] != nil } == [true, false])
        #expect(run.diagnosticLines.count == 1)
    }

    private func firstTrack(_ name: String) async throws -> [String: Any]? {
        let object = try await Tool.run("info", "--json", Fixture(name).path).json().first
        return (object?["tracks"] as? [[String: Any]])?.first
    }
}

@Suite struct `Verification on the command line` {
    @Test(arguments: ["movie.mov", "hevc-open-gop.ts", "edit-list-trim.mp4"])
    func `an undamaged file is exact`(_ name: String) async throws {
        let run = try await Tool.run("verify", "--json", "--samples", "40", Fixture(name).path, limit: 60)
        #expect(run.exitCode == 0)
        let object = try #require(try run.json().first)
        let frames = try #require(try sidecar(name)["frames"] as? [Any])
        #expect(object["frames"] as? Int == frames.count)
        #expect(object["wrong"] as? Int == 0)
        #expect(object["refused"] as? Int == 0)
        #expect(object["passed"] as? Bool == true)
    }

    @Test func `a table has a head and a row for each file`() async throws {
        let run = try await Tool.run("verify", "--samples", "5", Fixture("one-frame.mp4").path, Fixture("vfr.mp4").path)
        #expect(run.exitCode == 0)
        try #require(run.lines.count == 3)
        #expect(run.lines[0].contains("frames") && run.lines[0].contains("wrong"))
        #expect(run.lines[1].hasSuffix("exact"))
        #expect(run.lines[2].contains("100") && run.lines[2].hasSuffix("exact"))
    }

    @Test func `a damaged file is refused in part and never wrong`() async throws {
        let run = try await Tool.run("verify", "--json", "--samples", "250", Fixture("damaged.mp4").path, limit: 60)
        let object = try #require(try run.json().first)
        #expect(run.exitCode == 65)
        #expect(object["wrong"] as? Int == 0)
        #expect((object["refused"] as? Int ?? 0) > 0)
        #expect(object["passed"] as? Bool == false)
    }

    @Test(
        arguments: [("missing.mp4", 66), ("text.mp4", 65), ("huge-header.mkv", 75), ("audio-only.m4a", 65)]
            as [(String, Int32)])
    func `what cannot be verified fails with the documented code`(_ name: String, _ code: Int32) async throws {
        let run = try await Tool.run("verify", Fixture(name).path)
        #expect(run.exitCode == code)
        #expect(run.diagnosticLines.count == 1)
    }
}
