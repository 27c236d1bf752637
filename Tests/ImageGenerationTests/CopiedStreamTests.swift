import Foundation
import ImageGeneration
import MediaAsset
import MediaEngine
import MediaTestSupport
import Testing

/// A copy of a fixture's coded pictures that `ffmpeg -c copy` makes, with the numbers that its pictures show.
private struct Copy: Sendable, CustomTestStringConvertible {
    let fixture: String
    /// ffmpeg's arguments before the input and after it.
    var before = ""
    var after = ""
    let fileName: String
    let numbers: Range<Int>

    var testDescription: String { "\(fixture) \(before) \(after) \(fileName)" }

    /// Copies that begin with pictures which refer to what was left out, and which no decoder gives (the numbers are
    /// those that `ffmpeg` shows of them).
    static let cut: [Copy] =
        ["cut.ts", "cut.mkv", "cut.hevc", "cut.avi"].map {
            Copy(fixture: "hevc-open-gop.mp4", before: "-ss 1.5", fileName: $0, numbers: 25..<100)
        } + [
            Copy(
                fixture: "hevc-open-gop.mp4", before: "-ss 1.5", after: "-movflags +frag_keyframe+empty_moov",
                fileName: "fragments.mp4", numbers: 25..<100),
            Copy(fixture: "h264-open-gop.mp4", before: "-ss 1.5", fileName: "cut.mkv", numbers: 25..<100),
            Copy(fixture: "mpeg2.ps", before: "-ss 1.5", fileName: "cut.mp4", numbers: 45..<100),
            // Here an edit list begins later than the first keyframe.
            Copy(fixture: "hevc-open-gop.mp4", before: "-ss 1.5", fileName: "cut.mov", numbers: 38..<100),
        ]

    /// Copies of files that store no presentation times into such as do: ffmpeg writes the decode times there.
    static let unordered: [Copy] = ["h264.avi", "mpeg4-b.avi", "packed-b.avi"].flatMap { name in
        [
            Copy(fixture: name, fileName: "copy.mp4", numbers: 0..<100),
            Copy(fixture: name, fileName: "copy.mov", numbers: 0..<100),
            Copy(
                fixture: name, after: "-movflags +frag_keyframe+empty_moov", fileName: "fragments.mp4",
                numbers: 0..<100),
        ]
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Copies of coded pictures` {
    // `#N` counted leading pictures that are never shown; frames of a movie copied from AVI were in decoding order.
    @Test(arguments: Copy.cut + Copy.unordered)
    fileprivate func `Frames of copied streams are numbered in presentation order`(_ copy: Copy) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent(copy.fileName)
        let arguments = [copy.before, "-i", Fixture(copy.fixture).url.path, "-map 0:v -c copy", copy.after]
        let words = arguments.flatMap { $0.hasPrefix("/") ? [$0] : $0.split(separator: " ").map(String.init) }
        let made = try await CommandRun.run("ffmpeg", ["-v", "error"] + words + [file.path])
        try #require(made.exitCode == 0)
        let generator = exactGenerator(of: AVURLAsset(url: file))
        let report = try await generator.verifyFrames(samples: 20)
        #expect(report.frames == copy.numbers.count)
        #expect(report.wrong == 0 && report.refused == 0 && report.wrongNumbers == 0, "\(report.findings.prefix(3))")
        for frame in [0, 1, 2, 3, copy.numbers.count / 2, copy.numbers.count - 1] {
            let time = try await generator.asset.loadTime(ofFrame: frame)
            let number = try await generator.image(at: time).image.frameNumber
            #expect(number == copy.numbers.lowerBound + frame)
        }
        await #expect(throws: (any Error).self) {
            _ = try await generator.asset.loadTime(ofFrame: copy.numbers.count)
        }
    }
}
