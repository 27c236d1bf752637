// code: readme
import Foundation
// end of code
import MediaTestSupport
// code: readme
import OpenAVFoundation
// end of code
// code: isolation
import OpenAVFoundationExtras
// end of code
import Testing

/// The code of the README.
@Suite struct `Code of the README` {
    @Test func `Code of the README makes a still`() async throws {
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

    /// The worker lies beside programs, not beside what runs tests: this has only to compile.
    private func isolatedAsset(of file: URL) async throws {
        // code: isolation

        let upload = AVURLAsset(url: file, options: [AVURLAssetIsolationKey: AssetIsolation.worker])
        do {
            let (tracks, metadata) = try await upload.load(.tracks, .metadata)
            let still = try await AVAssetImageGenerator(asset: upload).image(at: .zero).image
            print(tracks.count, metadata.count, still.width)
        } catch AVError.mediaServicesWereReset {
            print("the film made its reader crash; nothing else did")
        }
        // end of code
    }
}
