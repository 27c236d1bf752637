import Foundation
import MediaTestSupport
import OpenAVFoundation
import Testing

@Suite struct `The tutorial` {
    /// The program lies beside the test bundle that is running.
    private func program() throws -> String {
        let own = [
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(),
            URL(fileURLWithPath: CommandLine.arguments[0]),
        ]
        let found = own.map { $0.deletingLastPathComponent().appendingPathComponent("excerpt").path }
        return try #require(found.first { FileManager.default.isExecutableFile(atPath: $0) })
    }

    /// The program is what readers end with: it has to work.
    @Test func `The tutorial's program makes a still and an excerpt`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun.run(try program(), [Fixture("movie.mp4").path, "1.2", "2"], in: folder.url)
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        #expect(run.output.contains("the frame of 1.2 s: 320x240"))
        #expect(try folder.contents() == ["excerpt.mp4", "excerpt.png"])
        let excerpt = AVURLAsset(url: folder.url.appendingPathComponent("excerpt.mp4"))
        let generator = AVAssetImageGenerator(asset: excerpt)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        #expect(try await generator.image(at: .zero).image.frameNumber == 30)
        let probe = try await CommandRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format=duration:format_tags=title:stream_disposition=attached_pic",
                "-of", "csv=p=0", folder.path("excerpt.mp4"),
            ])
        #expect(probe.output.contains("2.0"))
        #expect(probe.output.contains("Excerpt"))
    }

    @Test func `The tutorial's program prints its usage if it has no arguments`() async throws {
        let run = try await CommandRun.run(try program(), [])
        #expect(run.exitCode == 64)
        #expect(run.output.hasPrefix("usage: excerpt"))
    }
}
