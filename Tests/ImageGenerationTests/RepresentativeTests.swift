import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
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
    func `A representative frame is none of those that show little`(
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

    @Test func `A representative frame lies within the window and is decoded exactly`() async throws {
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

    @Test func `A representative frame exists even where all is black, which the report says`() async throws {
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

    @Test func `A representative frame without a window is the frame shown at the time`() async throws {
        let folder = try TemporaryFolder()
        let still = try await still(of: makeScenes(in: folder), at: 0.5, window: 0)
        #expect(still.actualTime.seconds == 0.48)
        #expect(still.choice == nil)
        #expect(still.isExact)
    }

    /// Fog between black bars was taken for the sharpest picture, because of the bars' edges.
    @Test func `A representative frame is not fog between black bars`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fog.mp4")
        // A scene that fog hides for the first two of four seconds, all but a faint trace of it.
        let filter =
            "[0]eq=contrast=0.06:brightness=0.25:enable='lt(t,2)',gblur=sigma=2:enable='lt(t,2)',"
            + "format=yuv420p,pad=320:240:0:52"
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x136:r=25:d=4", "-filter_complex", filter, "-c:v",
                "libx264", "-crf", "15", file.path,
            ])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        for time in [0.9, 1.5, 1.9] {
            let still = try await still(of: file, at: time)
            #expect(still.actualTime.seconds >= 2, "taken at \(still.actualTime.seconds) s")
            #expect(still.choice?.flaw == nil)
        }
    }

    /// Two times chose the frame halfway between them, and a sheet had a hole.
    @Test(arguments: [1.0, 0.5, 0.26])
    func `A representative frame is another one for each time`(_ gap: Double) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fades.mp4")
        // Between black there is one bright moment, halfway between two of the times.
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-vf",
                "eq=brightness=-0.9:contrast=0.1:enable='gt(mod(t,\(gap)),0.08)'", "-c:v", "libx264", file.path,
            ])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let times = (0..<5).map { CMTime(seconds: gap * (Double($0) + 0.5), preferredTimescale: 12800) }
        let generator = exactGenerator(of: AVURLAsset(url: file))
        generator.representativeWindow = AVAssetImageGenerator.representativeWindow(seconds(2), for: times)
        let found = try await generator.allStills(for: times).map(\.actualTime)
        #expect(Set(found).count == times.count, "\(found.map(\.seconds))")
    }

    /// The last picture was taken before its time, so that the last time had none of its own.
    @Test func `A representative frame is not the only one left for the next time`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("held.mp4")
        // Darkness with a bright last picture, which is held for two more seconds under the sound.
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-f", "lavfi", "-i", "sine=d=4",
                "-vf",
                "eq=brightness=-0.5:contrast=0.5:enable='lt(t,1.9)'", "-c:v", "libx264", file.path,
            ])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let times = [seconds(3, 2), seconds(5, 2)]
        let generator = exactGenerator(of: AVURLAsset(url: file))
        generator.representativeWindow = AVAssetImageGenerator.representativeWindow(seconds(2), for: times)
        let found = try await generator.allStills(for: times).map(\.actualTime)
        #expect(found[0] < found[1])
        #expect(found[1].seconds == 1.96)
    }

    @Test func `A representative frame is searched for at most halfway to the next time, exactly`() {
        func window(_ times: [CMTime]) -> CMTime { AVAssetImageGenerator.representativeWindow(seconds(2), for: times) }
        #expect(window([seconds(0), seconds(1)]) == seconds(1, 2))
        #expect(window([seconds(0), seconds(1, 25), seconds(3)]) == seconds(1, 50))
        #expect(window([seconds(0), seconds(10)]) == seconds(2))
        let odd = window([seconds(0), CMTime(value: 3, timescale: Int32.max)])
        #expect(odd + odd <= CMTime(value: 3, timescale: Int32.max) && odd > .zero)
    }

    // MARK: The measures

    @Test func `Coverage counts how much of a frame shows something, bars left out`() {
        let board = measure(64, 64) { x, y in (x / 3 + y / 3) % 2 * 200 + 20 }
        #expect(board.coverage == 1)
        let corner = measure(64, 64) { x, y in x < 16 && y < 16 ? (x + y) % 2 * 200 + 40 : 90 }
        #expect(corner.coverage > 0.03 && corner.coverage < 0.15)
        let fog = measure(64, 64) { x, y in 150 + (x + y) % 3 }
        let barred = measure(64, 64) { x, y in y < 12 || y >= 52 ? 0 : 150 + (x + y) % 3 }
        #expect(fog.isFlat && barred.isFlat)
        #expect(barred.sharpness < board.sharpness / 20)
        #expect(abs(barred.brightness - fog.brightness) < 1)
    }

    private func measure(_ width: Int = 32, _ height: Int = 32, _ luma: (Int, Int) -> Int) -> PictureMeasure {
        let samples = (0..<(width * height)).map { UInt8(clamping: luma($0 % width, $0 / width)) }
        return PictureMeasure(luma: samples, width: width, height: height)
    }

    @Test func `Measures tell black, flat and busy frames apart`() {
        #expect(measure { _, _ in 0 }.isBlack)
        #expect(measure { x, _ in 14 + x % 3 }.isBlack)
        #expect(measure { _, _ in 200 }.isFlat)
        #expect(!measure { _, _ in 200 }.isBlack)
        let board = measure { x, y in (x / 4 + y / 4) % 2 * 255 }
        #expect(!board.isFlat && !board.isBlack)
        #expect(abs(board.brightness - 127.5) < 0.001)
        #expect(abs(board.contrast - 127.5) < 0.001)
    }

    @Test func `A ramp measures less sharp than an edge`() {
        let edge = measure { x, _ in x < 16 ? 0 : 255 }
        let ramp = measure { x, _ in x * 8 }
        #expect(ramp.sharpness < edge.sharpness / 10)
        #expect(edge.difference(from: edge) == 0)
        #expect(measure { _, _ in 10 }.difference(from: measure { _, _ in 17 }) == 7)
    }

    @Test func `A frame without a pixel inside has no sharpness`() {
        #expect(measure(1, 1) { _, _ in 9 }.sharpness == 0)
        #expect(measure(2, 40) { _, y in y * 6 }.sharpness == 0)
    }
}
