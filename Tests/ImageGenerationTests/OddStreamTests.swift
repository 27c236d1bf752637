import Foundation
import ImageGeneration
import MediaAsset
import MediaEngine
import MediaTestSupport
import Testing

/// A stream that a program of its own makes for the test, with what makes it odd.
private struct OddStream: Sendable, CustomTestStringConvertible {
    let oddity: String
    let fileName: String
    /// ffmpeg's arguments after the input.
    let arguments: String

    var testDescription: String { oddity }

    static let all = [
        // B-pictures that the decoder leaves out, depending on where it was entered.
        OddStream(
            oddity: "interlaced MPEG-4", fileName: "a.mp4", arguments: "-c:v mpeg4 -flags +ilme+ildct -bf 2 -g 20"),
        // Every packet is flagged as a keyframe.
        OddStream(oddity: "H.263 in AVI", fileName: "a.avi", arguments: "-s 176x144 -c:v h263 -g 25"),
        OddStream(oddity: "H.263 in Matroska", fileName: "a.mkv", arguments: "-s 176x144 -c:v h263 -g 25"),
        OddStream(oddity: "H.261 in QuickTime", fileName: "a.mov", arguments: "-s 176x144 -c:v h261 -g 25"),
        // Times that depend on when decoding began.
        OddStream(oddity: "MPEG-1 in AVI", fileName: "b.avi", arguments: "-c:v mpeg1video -bf 2 -g 15"),
        // The last pictures do not come out of a decoder that was entered late.
        OddStream(
            oddity: "intra refresh with B-pictures", fileName: "a.ts",
            arguments: "-c:v libx264 -x264-params intra-refresh=1:keyint=30:bframes=3:ref=4"),
        OddStream(
            oddity: "open GOPs with many references", fileName: "b.ts",
            arguments: "-c:v libx264 -x264-params open-gop=1:keyint=30:bframes=4:ref=5:b-pyramid=strict"),
    ]
}

@Suite(.timeLimit(.minutes(5))) struct `Streams that mislead a reader` {
    private let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4"]

    @Test(arguments: OddStream.all)
    fileprivate func `Streams that mislead a reader give the frames of a linear decode`(
        _ stream: OddStream
    ) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent(stream.fileName)
        let made = try await CommandRun.run(
            "ffmpeg", source + stream.arguments.split(separator: " ").map(String.init) + [file.path])
        try #require(made.exitCode == 0)
        let asset = AVURLAsset(url: file, options: [AVURLAssetAllowedFormatsKey: ["h261"]])
        let report = try await exactGenerator(of: asset).verifyFrames(samples: 60)
        #expect(report.frames >= 99)
        #expect(report.wrong == 0 && report.refused == 0, "\(report.findings.prefix(3))")
    }

    @Test func `A copy cut in the middle of an open GOP gives its frames`() async throws {
        let folder = try TemporaryFolder()
        let whole = folder.url.appendingPathComponent("whole.mkv")
        let cut = folder.url.appendingPathComponent("cut.mkv")
        let encode = "-c:v libx264 -x264-params open-gop=1:keyint=30:bframes=3:ref=3".split(separator: " ").map(
            String.init)
        #expect(try await CommandRun.run("ffmpeg", source + encode + [whole.path]).exitCode == 0)
        let copy = ["-v", "error", "-ss", "1.6", "-i", whole.path, "-c", "copy", cut.path]
        #expect(try await CommandRun.run("ffmpeg", copy).exitCode == 0)
        let report = try await exactGenerator(of: AVURLAsset(url: cut)).verifyFrames(samples: 80)
        #expect(report.wrong == 0 && report.refusedInVain == 0, "\(report.findings.prefix(3))")
        #expect(report.refused == 0)
    }

    // A search in the second part reached the end of the file and took its last picture.
    @Test func `A transport stream whose times go back gives its later frames`() async throws {
        let folder = try TemporaryFolder()
        var bytes = Data()
        for (name, seconds) in [("long.ts", "6"), ("short.ts", "3")] {
            let part = folder.url.appendingPathComponent(name)
            let input = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=\(seconds)"]
            #expect(
                try await CommandRun.run("ffmpeg", input + ["-c:v", "libx264", "-g", "25", part.path]).exitCode == 0)
            bytes += try Data(contentsOf: part)
        }
        let joined = folder.url.appendingPathComponent("joined.ts")
        try bytes.write(to: joined)
        let generator = exactGenerator(of: AVURLAsset(url: joined))
        #expect(try await generator.image(at: seconds(552, 100)).actualTime == seconds(552, 100))
    }
}
