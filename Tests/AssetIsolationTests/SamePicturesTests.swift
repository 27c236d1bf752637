import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// How a generator is set, with a name for it.
struct GeneratorSetup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (AVAssetImageGenerator) -> Void

    static let all: [GeneratorSetup] = [
        GeneratorSetup(testDescription: "usual") { _ in },
        GeneratorSetup(testDescription: "exact") { $0.setExact() },
        GeneratorSetup(testDescription: "upright in a box") { generator in
            generator.setExact()
            generator.appliesPreferredTrackTransform = true
            generator.maximumSize = CGSize(width: 48, height: 40)
        },
        GeneratorSetup(testDescription: "coded pixels, damaged too") { generator in
            generator.setExact()
            generator.apertureMode = .encodedPixels
            generator.allowsDamagedPictures = true
        },
        GeneratorSetup(testDescription: "several sizes, padded") { generator in
            generator.setExact()
            generator.sizes = [PixelSize(width: 64, height: 64), PixelSize(width: 20, height: 90)]
            generator.fit = .pad
            generator.backgroundColor = RGBColor(red: 200, green: 3, blue: 77)
        },
        GeneratorSetup(testDescription: "covering a box") { generator in
            generator.sizes = [PixelSize(width: 40, height: 40)]
            generator.fit = .cover
        },
        GeneratorSetup(testDescription: "a part") { generator in
            generator.setExact()
            generator.cropRect = PixelRect(x: 2, y: 4, width: 10, height: 8)
        },
        GeneratorSetup(testDescription: "in its own range") { generator in
            generator.setExact()
            generator.dynamicRangePolicy = .matchSource
        },
        GeneratorSetup(testDescription: "representative") { generator in
            generator.representativeWindow = CMTime(value: 1, timescale: 4)
        },
        GeneratorSetup(testDescription: "a box without sense") { generator in
            generator.maximumSize = CGSize(width: 10, height: 0)
            generator.fit = .cover
        },
    ]
}

extension AVAssetImageGenerator {
    fileprivate func setExact() {
        requestedTimeToleranceBefore = .zero
        requestedTimeToleranceAfter = .zero
    }
}

/// Stills that a worker makes are those that this process makes, pixel for pixel.
@Suite struct `Stills of an isolated asset` {
    /// Films of every kind in some settings, and some films in all.
    private static let cases: [(Fixture, GeneratorSetup)] = {
        let kinds = [
            "movie.mp4", "rotate-90.mp4", "10bit.mp4", "alpha-vp9.webm", "anamorphic.mp4", "clean-aperture.mov",
            "alpha-prores.mov", "alpha-animated.avif", "h264-open-gop.ts", "damaged.mp4", "truncated.mp4", "vfr.mp4",
            "odd-33x17.mp4", "interlaced-tff.mp4", "long-gop.mp4", "audio-only.m4a", "empty.mp4", "animated.gif",
            "mpeg2.ps",
        ].map(Fixture.init)
        return kinds.flatMap { kind in GeneratorSetup.all.prefix(3).map { (kind, $0) } }
            + kinds.prefix(4).flatMap { kind in GeneratorSetup.all.dropFirst(3).map { (kind, $0) } }
    }()

    private static let times = [
        CMTime.zero, CMTime(value: 1, timescale: 25), CMTime(value: 7, timescale: 10), CMTime(value: 7, timescale: 10),
        CMTime(value: 3, timescale: 10), CMTime(value: -1, timescale: 1), .positiveInfinity, .invalid,
        CMTime(value: 1, timescale: 0), CMTime(value: 100_000, timescale: 1),
    ]

    private func told(_ generator: AVAssetImageGenerator, _ times: [CMTime] = Self.times) async -> [String] {
        var lines: [String] = []
        for await result in generator.stills(for: times) {
            switch result {
            case .success(let still):
                let images = still.images.map {
                    "\($0.width)×\($0.height) \($0.bitsPerComponent) \($0.hasAlpha) \($0.bitmapInfo) "
                        + "\($0.colorSpace?.name ?? "-") \($0.bytesPerRow) \($0.pixels.hashValue)"
                }
                lines.append(
                    "\(still.index) \(still.requestedTime) \(still.actualTime) \(still.duration) \(still.isSyncSample) "
                        + "\(still.isExact) \(still.damage ?? "-") \(still.choice?.reason ?? "-") "
                        + "\(String(describing: still.choice?.offset)) \(images)")
            case .failure(let failure):
                lines.append("\(failure.index) \(failure.requestedTime) \(AssetIsolationTests.told(failure.error))")
            }
        }
        return lines
    }

    @Test(.timeLimit(.minutes(2)), arguments: Tier.some(cases, 16))
    func `Stills of an isolated asset are those of any asset`(
        _ fixture: Fixture, _ setup: GeneratorSetup
    ) async throws {
        let own = AVAssetImageGenerator(asset: fixture.asset)
        let isolated = AVAssetImageGenerator(asset: try fixture.asset.isolated())
        for generator in [own, isolated] { setup.apply(generator) }
        let (expected, found) = (await told(own), await told(isolated))
        #expect(expected.count == Self.times.count)
        #expect(expected == found)
    }

    /// Sixteen bits for each component, of films that are HDR.
    @Test(
        .enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)), .enabled(if: Fixture.corpus != nil),
        .timeLimit(.minutes(5)))
    func `Stills of an isolated HDR asset are as deep as the source`() async throws {
        let folder = try #require(Fixture.corpus).appendingPathComponent("hdr")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var deep = 0
        for file in files.sorted(by: { $0.path < $1.path }) {
            for policy in [AVAssetImageGenerator.DynamicRangePolicy.matchSource, .forceSDR] {
                let generators = [AVURLAsset(url: file), try AVURLAsset(url: file).isolated()]
                    .map { AVAssetImageGenerator(asset: $0) }
                for generator in generators { generator.dynamicRangePolicy = policy }
                let (own, isolated) = (await told(generators[0], [.zero]), await told(generators[1], [.zero]))
                #expect(own == isolated, "\(file.path)")
                if own.contains(where: { $0.contains(" 16 ") }) { deep += 1 }
            }
        }
        #expect(deep > 0)
    }

    @Test(arguments: ["attached-picture.mp3", "attached-picture.m4a", "movie.mp4"])
    func `Attached pictures of an isolated asset are those of any asset`(_ name: String) async throws {
        func told(_ asset: AVURLAsset) async -> String {
            do {
                let generator = AVAssetImageGenerator(asset: asset)
                generator.maximumSize = CGSize(width: 30, height: 0)
                return try await generator.attachedPictures().map { picture in
                    "\(picture.trackID) \(picture.images.map { "\($0.width) \($0.pixels.hashValue)" })"
                }.joined()
            } catch {
                return AssetIsolationTests.told(error)
            }
        }
        #expect(try await told(Fixture(name).asset) == told(Fixture(name).asset.isolated()))
    }

    @Test func `Stills of an isolated asset take as many seeks and decoded frames as any asset's`() async throws {
        let own = AVAssetImageGenerator(asset: Fixture("long-gop.mp4").asset)
        let isolated = AVAssetImageGenerator(asset: try Fixture("long-gop.mp4").asset.isolated())
        let times = (0..<4).map { CMTime(value: $0 * 5, timescale: 25) }
        for generator in [own, isolated] {
            generator.setExact()
            for await _ in generator.stills(for: times) {}
        }
        #expect(isolated.statistics == own.statistics)
        #expect(isolated.statistics.decoded > 0)
    }

    @Test func `Stills of an isolated asset go through the processing closure`() async throws {
        struct Refused: Error {}
        let generator = AVAssetImageGenerator(asset: try Fixture("movie.mp4").asset.isolated())
        let times = (0..<20).map { CMTime(value: $0, timescale: 25) }
        var widths: [Int?] = []
        for await result in generator.stills(
            for: times,
            process: { still in
                guard still.index != 3 else { throw Refused() }
                return still.image.width
            })
        {
            widths.append(try? result.get())
        }
        #expect(widths.count == 20)
        #expect(widths.indices.filter { widths[$0] == nil } == [3])
    }

    @Test func `Stills of an isolated asset come by completion handlers and blocking calls`() async throws {
        let generator = AVAssetImageGenerator(asset: try Fixture("movie.mp4").asset.isolated())
        generator.setExact()
        let own = AVAssetImageGenerator(asset: Fixture("movie.mp4").asset)
        own.setExact()
        let time = CMTime(value: 12, timescale: 25)
        let expected = try await own.image(at: time)
        let image: CGImage = try await withCheckedThrowingContinuation { continuation in
            generator.generateCGImageAsynchronously(for: time) { image, _, error in
                continuation.resume(with: image.map { .success($0) } ?? .failure(error ?? AVError(.unknown)))
            }
        }
        #expect(image.pixels == expected.image.pixels)
    }

    /// A loop that is left, and a task that is cancelled, end the worker's work.
    @Test(.timeLimit(.minutes(1)))
    func `Stills of an isolated asset stop when their loop is left or their task cancelled`() async throws {
        let asset = try Fixture("long-gop.mp4").asset.isolated()
        let generator = AVAssetImageGenerator(asset: asset)
        generator.setExact()
        let times = (0..<2000).map { CMTime(value: $0 % 250, timescale: 25) }
        for await result in generator.images(for: times) {
            _ = try result.image
            break
        }
        let task = Task {
            var count = 0
            for await _ in generator.images(for: times) { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value < times.count)
        // Far above what it takes, so that a busy machine does not fail the test.
        #expect(start.duration(to: .now) < .seconds(20))
        // The asset is as good as before.
        #expect(try await generator.image(at: .zero).image.width > 0)
    }
}
