import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport

/// A generator of the frames that are shown at the requested times.
func exactGenerator(of asset: AVAsset) -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    return generator
}

extension Fixture {
    /// Fixtures that are refused, damaged or have no bar code.
    private static let unreadable: Set<String> = [
        "1x1.mp4", "damaged.mp4", "damaged.ts", "truncated.mp4", "hls-named.mp4", "concat-named.mp4", "huge-header.mkv",
    ]

    /// The undamaged fixtures with a frame number in every picture.
    static let numbered: [Fixture] = all.filter { fixture in
        guard !unreadable.contains(fixture.name), let frames = try? Sidecar.load(fixture).frames else { return false }
        return !frames.isEmpty
    }

    /// The fixtures with video that can be opened, the damaged ones among them.
    static let video: [Fixture] = all.filter { fixture in
        let isRefused = ["hls-named.mp4", "concat-named.mp4", "huge-header.mkv"].contains(fixture.name)
        guard !isRefused, let frames = try? Sidecar.load(fixture).frames else { return false }
        return !frames.isEmpty
    }

    /// Every fixture that has a sidecar, by name.
    private static let all: [Fixture] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("expected").path)
        return (names ?? []).sorted().map { Fixture(String($0.dropLast(5))) }
    }()

    /// A generator of whole pictures as they are coded, where the bars fill the width.
    func generator(of asset: AVAsset) -> AVAssetImageGenerator {
        let generator = exactGenerator(of: asset)
        generator.apertureMode = .productionAperture
        return generator
    }

    var generator: AVAssetImageGenerator { generator(of: asset) }
}

extension AVAsset {
    /// The asset's duration, or the last frame's time where the file does not tell.
    func shownDuration(_ frames: [Sidecar.ShownFrame]) async throws -> CMTime {
        let duration = try await load(.duration)
        return duration.isNumeric ? duration : frames.last?.time ?? .zero
    }
}

extension AVAssetImageGenerator {
    /// All results for a list of times, in the order in which they came.
    func results(for times: [CMTime]) async -> [Swift.Result<Still, StillFailure>] {
        var results: [Swift.Result<Still, StillFailure>] = []
        for await result in stills(for: times) { results.append(result) }
        return results
    }

    /// All stills for a list of times.
    func allStills(for times: [CMTime]) async throws -> [Still] { try await results(for: times).map { try $0.get() } }

    /// The error that a single request ends with, `nil` if it succeeds.
    func failure(at time: CMTime) async -> (any Error)? {
        do {
            _ = try await image(at: time)
            return nil
        } catch {
            return (error as? StillFailure)?.error ?? error
        }
    }
}

/// Reads each picture's number once, since requests for one frame share it.
struct NumberReader {
    private var last: (image: CGImage, number: Int?)?

    mutating func number(of image: CGImage) -> Int? {
        if let last, last.image === image { return last.number }
        let number = image.frameNumber
        last = (image, number)
        return number
    }
}

extension [Sidecar.ShownFrame] {
    /// Each frame's first instant, middle and last instant, up to a duration.
    func boundaries(through duration: CMTime) -> [CMTime] {
        var times: [CMTime] = []
        for index in indices {
            times.append(self[index].time)
            guard index + 1 < count else { continue }
            let next = self[index + 1].time
            times.append(self[index].time + CMTimeMultiplyByRatio(next - self[index].time, multiplier: 1, divisor: 2))
            // A thousandth of a tick before the next frame.
            times.append(CMTime(value: next.value * 1000 - 1, timescale: next.timescale * 1000))
        }
        return times.filter { $0 >= .zero && $0 <= duration }
    }

    /// Random times from zero to a duration.
    static func randomTimes(_ count: Int, through duration: CMTime, seed: UInt64) -> [CMTime] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            CMTime(value: Int64.random(in: 0...duration.value, using: &random), timescale: duration.timescale)
        }
    }
}

/// A number of seconds as an exact time.
func seconds(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }
