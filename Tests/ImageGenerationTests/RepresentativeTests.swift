import Foundation
import MediaAsset
import MediaImage
import MediaTestSupport
import MediaTime
import Testing

@testable import ImageGeneration

@Suite(.serialized, .timeLimit(.minutes(5))) struct `A representative frame` {
    /// One second of black, one of fading in, two of a sharp picture, two of a blurred one, then
    /// a dissolve of one second to another picture, three seconds long.
    private func makeScenes(in folder: TemporaryFolder) async throws -> URL {
        let file = folder.url.appendingPathComponent("scenes.mp4")
        let filter =
            "[0]fade=in:st=1:d=1,boxblur=luma_radius=12:enable='between(t,4,6)'[a];[1]hflip,negate[b];"
            + "[a][b]xfade=transition=fade:duration=1:offset=6"
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=7", "-f", "lavfi", "-i",
                "testsrc=s=320x180:r=25:d=4", "-filter_complex", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p",
                "-g", "50", file.path,
            ])
        try #require(made.exitCode == 0)
        return file
    }

    private func still(of file: URL, at seconds: Double, window: Double = 2) async throws -> Still {
        let generator = exactGenerator(of: AVURLAsset(url: file))
        generator.representativeWindow = CMTime(seconds: window, preferredTimescale: 1000)
        let time = CMTime(seconds: seconds, preferredTimescale: 1000)
        for await result in generator.stills(for: [time]) { return try result.get() }
        throw CancellationError()
    }

    @Test(arguments: [
        (0.0, 1.4...2.0, RepresentativeChoice.Flaw.black), (0.5, 1.4...2.5, .black), (4.8, 2.8...4.0, .blurred),
        (6.4, 7.0...8.4, .blurred),
    ])
    func `is none of those that show little`(
        _ time: Double, _ taken: ClosedRange<Double>, _ flaw: RepresentativeChoice.Flaw
    ) async throws {
        let folder = try TemporaryFolder()
        let still = try await still(of: makeScenes(in: folder), at: time)
        #expect(taken.contains(still.actualTime.seconds), "taken at \(still.actualTime.seconds) s")
        let choice = try #require(still.choice)
        #expect(choice.passedOver[flaw, default: 0] > 0, "\(choice)")
        #expect(choice.flaw == nil)
        #expect(choice.reason.contains(flaw.rawValue))
        #expect((choice.offset - (still.actualTime - still.requestedTime)) == .zero)
    }

    @Test func `lies within the window and is decoded exactly`() async throws {
        let folder = try TemporaryFolder()
        let file = try await makeScenes(in: folder)
        for (time, window) in [(0.9, 0.3), (3.0, 0.5), (9.9, 2.0), (10.0, 1.0)] {
            let still = try await still(of: file, at: time, window: window)
            #expect(abs(still.actualTime.seconds - time) <= window + 0.001)
            let exact = try await exactGenerator(of: AVURLAsset(url: file)).image(at: still.actualTime)
            #expect(exact.actualTime == still.actualTime)
            #expect(exact.image.pixels == still.image.pixels)
        }
    }

    @Test func `is there even where all is black, which the report says`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("black.mp4")
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=black:s=160x120:r=25:d=3", file.path])
        try #require(made.exitCode == 0)
        let choice = try #require(try await still(of: file, at: 1.5, window: 1).choice)
        #expect(choice.flaw == .black)
        #expect(choice.considered >= 8)
        #expect(choice.reason.contains("black"))
    }

    @Test func `is the frame shown at the time without a window`() async throws {
        let folder = try TemporaryFolder()
        let still = try await still(of: makeScenes(in: folder), at: 0.5, window: 0)
        #expect(still.actualTime.seconds == 0.48)
        #expect(still.choice == nil)
        #expect(still.isExact)
    }

    // MARK: The measures

    private func measure(_ width: Int = 32, _ height: Int = 32, _ luma: (Int, Int) -> Int) -> PictureMeasure {
        let samples = (0..<(width * height)).map { UInt8(clamping: luma($0 % width, $0 / width)) }
        return PictureMeasure(luma: samples, width: width, height: height)
    }

    @Test func `tells black, flat and busy pictures apart`() {
        #expect(measure { _, _ in 0 }.isBlack)
        #expect(measure { x, _ in 14 + x % 3 }.isBlack)
        #expect(measure { _, _ in 200 }.isFlat)
        #expect(!measure { _, _ in 200 }.isBlack)
        let board = measure { x, y in (x / 4 + y / 4) % 2 * 255 }
        #expect(!board.isFlat && !board.isBlack)
        #expect(abs(board.brightness - 127.5) < 0.001)
        #expect(abs(board.contrast - 127.5) < 0.001)
    }

    @Test func `sees that a ramp is softer than an edge`() {
        let edge = measure { x, _ in x < 16 ? 0 : 255 }
        let ramp = measure { x, _ in x * 8 }
        #expect(ramp.sharpness < edge.sharpness / 10)
        #expect(edge.difference(from: edge) == 0)
        #expect(measure { _, _ in 10 }.difference(from: measure { _, _ in 17 }) == 7)
    }

    @Test func `of pictures without a pixel inside has no sharpness`() {
        #expect(measure(1, 1) { _, _ in 9 }.sharpness == 0)
        #expect(measure(2, 40) { _, y in y * 6 }.sharpness == 0)
    }
}
