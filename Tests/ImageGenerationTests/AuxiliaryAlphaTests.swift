import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// Stills of animated AVIF came out without their alpha, which is a track of its own.
@Suite(.serialized) struct `Alpha in a track of its own` {
    private let asset = Fixture("alpha-animated.avif").asset

    @Test func `An alpha track is no video track`() async throws {
        let description = try await asset.loadDescription()
        #expect(description.tracks.map(\.mediaType) == [.video, .auxiliaryPicture])
        #expect(description.videoTrack?.video?.hasAlpha == true)
    }

    /// The file was made of the frames of an animated PNG, whose alpha FFmpeg gives.
    @Test func `Alpha of an auxiliary track belongs to the frame of its time`() async throws {
        let original = try await CommandRun.ffmpegPixels(
            of: Fixture("animated.png").path, options: ["-fps_mode", "passthrough"], format: "rgba")
        let size = 160 * 120 * 4
        try #require(original.count == 8 * size)
        let times = (0..<8).map { CMTime(value: Int64($0), timescale: 25) }
        for (number, still) in try await exactGenerator(of: asset).allStills(for: times).enumerated() {
            let image = still.image
            try #require(image.hasAlpha && image.pixels.count == size)
            #expect(still.actualTime == times[number])
            #expect(image.frameNumber == number)
            let expected = original[(number * size)..<((number + 1) * size)]
            let worst = zip(image.pixels, expected).enumerated().filter { $0.offset % 4 == 3 }
                .map { abs(Int($0.element.0) - Int($0.element.1)) }.max()
            #expect(try #require(worst) <= 2, "frame \(number)")
        }
    }

    @Test func `Alpha of an auxiliary track keeps its place when the image is made smaller`() async throws {
        let generator = exactGenerator(of: asset)
        let whole = try await generator.image(at: .zero).image
        generator.maximumSize = CGSize(width: 40, height: 0)
        let small = try await generator.image(at: .zero).image
        #expect(small.hasAlpha && small.width == 40 && small.height == 30)
        // Rows below the bars: alpha rises from left to right.
        for x in stride(from: 2, to: 38, by: 5) {
            let (here, there) = (small.pixels[(20 * 40 + x) * 4 + 3], whole.pixels[(80 * 160 + 4 * x + 2) * 4 + 3])
            #expect(abs(Int(here) - Int(there)) <= 20, "\(x): \(here) for \(there)")
        }
    }
}
