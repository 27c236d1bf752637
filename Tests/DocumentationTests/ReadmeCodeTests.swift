// code: readme
import Foundation
// end of code
import MediaTestSupport
// code: readme
import OpenAVFoundation
// end of code
import Testing

/// The code of the README.
@Suite struct `Code of the README` {
    @Test func `a still of a film`() async throws {
        // A reader runs it in the repository's folder; the tests may run elsewhere.
        func URL(fileURLWithPath path: String) -> Foundation.URL { Fixture.root.appendingPathComponent(path) }
        // code: readme

        let asset = AVURLAsset(url: URL(fileURLWithPath: "Fixtures/movie.mov"))
        let (duration, tracks) = try await asset.load(.duration, .tracks)

        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let (image, actualTime) = try await generator.image(at: CMTime(value: 10, timescale: 3))
        print(duration.seconds, tracks.count, actualTime, image.width, image.height)
        // end of code
        #expect(duration == CMTime(value: 10, timescale: 1))
        #expect(actualTime == CMTime(value: 83, timescale: 25))
        #expect(image.frameNumber == 83)
    }
}
