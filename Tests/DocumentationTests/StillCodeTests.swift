import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The code of the articles on time, stills and damage.
///
/// Frames tell their numbers by bars.
@Suite struct `Code on stills` {
    let url = Fixture("movie.mp4").url

    @Test func `Documented code makes an exact still`() async throws {
        // code: exact
        let asset = AVURLAsset(url: url)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let (image, actualTime) = try await generator.image(at: CMTime(value: 10, timescale: 3))
        // end of code
        #expect(image.frameNumber == 83)
        #expect(actualTime == CMTime(value: 83, timescale: 25))
    }

    @Test func `Documented code makes many stills`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        let times = (0..<10).map { CMTime(value: $0, timescale: 1) }
        var numbers: [Int?] = []
        // code: many
        for await result in generator.images(for: times) {
            switch result {
            case .success(let requestedTime, let image, let actualTime):
                print(requestedTime.seconds, actualTime.seconds, image.width, image.height)
            case .failure(let requestedTime, let error):
                print(requestedTime.seconds, error.localizedDescription)
            }
        }
        // end of code
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        for await result in generator.images(for: times) { numbers.append(try result.image.frameNumber) }
        #expect(numbers == (0..<10).map { $0 * 25 })
    }

    @Test func `Documented code makes stills of two sizes with their details`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let times = [CMTime(value: 3, timescale: 1)]
        var sizes: [Int] = []
        // code: stills
        generator.sizes = [PixelSize(width: 160, height: 0), PixelSize(width: 80, height: 0)]
        for await result in generator.stills(for: times) {
            let still = try result.get()
            print(still.actualTime.seconds, still.duration.seconds, still.isSyncSample, still.damage ?? "undamaged")
            sizes = still.images.map(\.width)
        }
        // end of code
        #expect(sizes == [160, 80])
    }

    @Test func `Documented code refuses damaged frames unless they are allowed`() async throws {
        let damaged = Fixture("damaged.mp4").url
        var refused = 0
        // code: damage
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: damaged))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let times = (130..<152).map { CMTime(value: $0, timescale: 25) }
        for await result in generator.stills(for: times) {
            if case .failure(let failure) = result {
                refused += 1
                print(failure.requestedTime, failure.error)
            }
        }
        generator.allowsDamagedPictures = true
        // end of code
        var delivered = 0
        for await result in generator.stills(for: times) where (try? result.get())?.damage != nil { delivered += 1 }
        // The fixture's README: 134 to 149 differ from the intact film.
        #expect(refused == 16)
        #expect(delivered == 16)
    }

    @Test func `Documented code parses times as people write them`() async throws {
        let asset = AVURLAsset(url: url)
        // code: times
        let third = try await asset.loadTime(of: TimeExpression.parse("1/3"))
        let frame = try await asset.loadTime(of: TimeExpression.parse("#120"))
        let range = try await asset.loadTimeRange(of: TimeRangeExpression.parse("1s+3s"))
        // end of code
        #expect(third == CMTime(value: 10, timescale: 3))
        #expect(frame == CMTime(value: 120, timescale: 25))
        #expect(range == CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 3, timescale: 1)))
    }

    @Test func `Documented code calculates with exact times`() {
        // code: exact-times
        let frame = CMTime(value: 1001, timescale: 30000)
        let hundredth = CMTimeMultiply(frame, multiplier: 100)
        let range = CMTimeRange(start: hundredth, duration: frame)
        // end of code
        #expect(hundredth == CMTime(value: 100_100, timescale: 30000))
        #expect(range.containsTime(hundredth))
        #expect(!range.containsTime(range.end))
    }

    @Test func `Documented code lists the segments of a track`() async throws {
        let asset = Fixture("edit-list-empty.mp4").asset
        var gaps = 0
        // code: segments
        for track in try await asset.loadTracks(withMediaType: .video) {
            for segment in try await track.load(.segments) {
                print(segment.timeMapping.source, segment.timeMapping.target, segment.isEmpty)
                if segment.isEmpty { gaps += 1 }
            }
        }
        // end of code
        #expect(gaps == 1)
    }

    @Test func `Documented code verifies random access`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        // code: verify
        let verification = try await generator.verifyFrames(samples: 20)
        print(verification.frames, verification.asked, verification.wrong, verification.isPassed)
        // end of code
        #expect(verification.isPassed)
    }
}
