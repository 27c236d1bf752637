import Foundation
import MediaAsset
import MediaImage
import MediaTestSupport
import Testing

@testable import MediaPreviews

@Suite struct `A sheet's header` {
    /// The rows as lines of text.
    private func lines(_ asset: AVAsset, _ name: String) async throws -> [String] {
        try await SheetFilm(asset, name: name).facts.rows.map { ([$0.name] + $0.facts).joined(separator: " | ") }
    }

    private func lines(_ name: String) async throws -> [String] { try await lines(Fixture(name).asset, name) }

    @Test func `A sheet's header describes the file and its tracks`() async throws {
        // Sizes, rates and languages as ffprobe has them.
        #expect(
            try await lines("movie.mov") == [
                "File | 0:00:10.000 | 126 kB (126,287 bytes) | QuickTime | 101 kb/s",
                "Video | H.264 (High) | 320 × 240 | 25 fps | 44 kb/s", "Audio | AAC | 48 kHz | stereo | 47 kb/s",
                "Chapters | 3",
            ])
        #expect(try await SheetFilm(Fixture("movie.mov").asset, name: "movie.mov").facts.title == "Counting bars")
    }

    @Test func `A sheet's header names languages`() async throws {
        let lines = try await lines("languages.mkv")
        #expect(lines[0].contains("| Matroska |"))
        #expect(lines.filter { $0.contains("AAC") }.count == 3)
        for (line, language) in zip(lines[2...], ["English", "German", "French"]) { #expect(line.contains(language)) }
        #expect(lines.last == "Subtitles | German")
    }

    @Test(arguments: [
        ("anamorphic.mp4", "524 × 288 (coded 360 × 288)"), ("rotate-90.mp4", "120 × 160 (coded 160 × 120)"),
        ("vfr.mp4", "8.362 fps on average, variable"), ("interlaced.ts", "| interlaced"), ("10bit.mp4", "| 10 bits"),
        ("alpha-png.mov", "| alpha"), ("av1.webm", "AV1"),
    ])
    func `A sheet's header describes unusual shape, rate, depth and alpha`(
        _ name: String, _ words: String
    ) async throws {
        let video = try await lines(name).first { $0.hasPrefix("Video") }
        #expect(video?.contains(words) == true, "\(video ?? "")")
    }

    @Test(arguments: [
        ("30000/1001", "smpte2084", "29.97 fps | HDR (PQ)"), ("24000/1001", "arib-std-b67", "23.976 fps | HDR (HLG)"),
        ("60", "bt709", "60 fps | 10 bits"),
    ])
    func `A sheet's header describes HDR and fractional frame rates`(
        _ rate: String, _ transfer: String, _ words: String
    ) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=gray:s=64x64:r=\(rate):d=0.2", "-c:v", "libx265",
                "-x265-params", "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc",
                "-pix_fmt", "yuv420p10le", "-color_trc", transfer, "-color_primaries", "bt2020", "-colorspace",
                "bt2020nc", folder.path("a.mp4"),
            ])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.path("a.mp4")))
        let video = try await lines(asset, "a.mp4").first { $0.hasPrefix("Video") }
        #expect(video?.contains(words) == true, "\(video ?? "")")
        // The sheet itself is SDR.
        let sheet = try await ContactSheet.make(of: asset, name: "a.mp4")
        #expect(sheet.image.bitsPerComponent == 8)
        #expect(sheet.image.colorSpace?.usesITUR_2100TF == false)
    }

    @Test(arguments: [
        (Int64(999), "999 bytes"), (1000, "1.00 kB (1,000 bytes)"), (999_499, "999 kB (999,499 bytes)"),
        (1_331_439_861, "1.33 GB (1,331,439,861 bytes)"), (999_999_999, "1.00 GB (999,999,999 bytes)"),
        (Int64.max, "9.22 EB (9,223,372,036,854,775,807 bytes)"),
    ])
    func `A sheet's header writes sizes rounded and exactly`(_ bytes: Int64, _ text: String) {
        #expect(FilmFacts.sizeText(bytes) == text)
    }
}
