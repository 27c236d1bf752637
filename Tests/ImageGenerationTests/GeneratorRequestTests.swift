import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Synchronization
import Testing

/// What a completion handler was called with.
private struct Call: Sendable {
    let requested: CMTime
    let number: Int?
    let actual: CMTime
    let result: AVAssetImageGenerator.Result
}

private func exactGenerator(_ name: String) -> AVAssetImageGenerator { exactGenerator(of: Fixture(name).asset) }

@Suite(.timeLimit(.minutes(5))) struct `Requests with completion handlers` {
    @Test func `Each requested time gets one call, in ascending order`() async {
        let times = [seconds(7), seconds(1), seconds(3), seconds(1)]
        let calls: [Call] = await withCheckedContinuation { continuation in
            let calls = Mutex<[Call]>([])
            exactGenerator("movie.mov").generateCGImagesAsynchronously(forTimes: times.map(NSValue.init(time:))) {
                requested, image, actual, result, _ in
                let call = Call(requested: requested, number: image?.frameNumber, actual: actual, result: result)
                let all = calls.withLock { all in
                    all.append(call)
                    return all
                }
                if all.count == times.count { continuation.resume(returning: all) }
            }
        }
        #expect(calls.map(\.requested) == times.sorted())
        #expect(calls.map(\.number) == [25, 25, 75, 175])
        #expect(calls.allSatisfy { $0.result == .succeeded && $0.actual == $0.requested })
    }

    @Test func `Cancelling calls the handler once for each time that is missing`() async throws {
        let count = 2000
        let times = (0..<count).map { seconds(Int64($0) * 10 / 2, 1000) }
        let generator = exactGenerator("movie.mov")
        let calls = Mutex<[Call]>([])
        let total: Duration = await withCheckedContinuation { continuation in
            let start = Mutex<ContinuousClock.Instant?>(nil)
            generator.generateCGImagesAsynchronously(forTimes: times.map(NSValue.init(time:))) {
                requested, _, actual, result, _ in
                let done = calls.withLock { all in
                    all.append(Call(requested: requested, number: nil, actual: actual, result: result))
                    return all.count
                }
                if done == 10 {
                    start.withLock { $0 = .now }
                    generator.cancelAllCGImageGeneration()
                }
                if done == count {
                    continuation.resume(returning: start.withLock { $0.map { ContinuousClock.now - $0 } ?? .zero })
                }
            }
        }
        let all = calls.withLock { $0 }
        #expect(all.count == count)
        #expect(Set(all.map(\.requested)).count == count)
        #expect(all.count { $0.result == .cancelled } > count / 2)
        #expect(all.filter { $0.result == .cancelled }.allSatisfy { !$0.actual.isValid })
        // Far above what it takes, so that a busy machine does not fail the test.
        #expect(total < .seconds(60))
    }

    @Test func `A time without an image fails with the reason`() async {
        let (image, time, error): (Bool, CMTime, String?) = await withCheckedContinuation { continuation in
            exactGenerator("movie.mov").generateCGImageAsynchronously(for: seconds(11)) { image, time, error in
                continuation.resume(returning: (image != nil, time, (error as? AVError)?.reason))
            }
        }
        #expect(!image)
        #expect(!time.isValid)
        #expect(error?.contains("10 s") == true)
    }

    @Test func `The blocking request gives the frame and its time`() throws {
        var actual = CMTime.invalid
        let image = try exactGenerator("movie.mov").copyCGImage(at: seconds(333, 100), actualTime: &actual)
        #expect(image.frameNumber == 83)
        #expect(actual == seconds(83, 25))
    }

    @Test(arguments: [CMTime.zero, seconds(-5, 3), .indefinite, .positiveInfinity, .invalid])
    func `A time survives in an object`(_ time: CMTime) {
        let back = NSValue(time: time).timeValue
        #expect(back == time && back.flags == time.flags && back.timescale == time.timescale)
        #expect(!NSNumber(value: 3).timeValue.isValid)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Images as a sequence` {
    @Test func `A sequence of images has one element for each time, in ascending order`() async throws {
        var numbers: [Int?] = []
        for await element in exactGenerator("movie.mov").images(for: [seconds(2), seconds(12), seconds(1)]) {
            switch element {
            case .success(let requested, let image, let actual):
                #expect(actual == requested)
                numbers.append(image.frameNumber)
            case .failure(let requested, let error):
                #expect(requested == seconds(12))
                #expect((error as? AVError)?.code == .noImageAtTime)
                #expect(throws: AVError.self) { _ = try element.image }
                numbers.append(nil)
            }
        }
        #expect(numbers == [25, 50, nil])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Tolerances` {
    private func still(_ name: String, at time: CMTime, before: CMTime, after: CMTime) async throws -> Still {
        let generator = AVAssetImageGenerator(asset: Fixture(name).asset)
        generator.requestedTimeToleranceBefore = before
        generator.requestedTimeToleranceAfter = after
        for await result in generator.stills(for: [time]) { return try result.get() }
        throw CancellationError()
    }

    // Sync samples lie at each whole second.
    @Test func `A sync sample at or before the time is taken within the tolerance`() async throws {
        let still = try await still("movie.mov", at: seconds(74, 10), before: seconds(1), after: .zero)
        #expect(still.image.frameNumber == 175)
        #expect(still.isSyncSample && !still.isExact)
    }

    @Test func `The next sync sample is taken where the one before lies too far back`() async throws {
        let still = try await still("movie.mov", at: seconds(78, 10), before: seconds(1, 10), after: seconds(1, 2))
        #expect(still.image.frameNumber == 200)
    }

    @Test(arguments: ["movie.mov", "h264.ts", "cues.mkv", "no-cues.mkv", "vp9.webm", "fragmented.mp4", "h264.flv"])
    func `The next sync sample is taken in any container, just before it`(_ name: String) async throws {
        let sidecar = try Sidecar.load(Fixture(name))
        let keys = zip(sidecar.frames ?? [], sidecar.shownFrames).filter(\.0.key).map(\.1).dropFirst()
        #expect(!keys.isEmpty)
        for key in keys {
            let still = try await still(
                name, at: key.time - seconds(1, 10), before: seconds(1, 20), after: seconds(1, 5))
            #expect(still.image.frameNumber == key.number)
            #expect(still.isSyncSample)
        }
    }

    @Test(arguments: ["movie.mov", "h264.ts", "cues.mkv", "fragmented.mp4"])
    func `Many times without a sync sample near cost one seek for each GOP`(_ name: String) async throws {
        let generator = AVAssetImageGenerator(asset: Fixture(name).asset)
        generator.requestedTimeToleranceBefore = seconds(1, 100)
        generator.requestedTimeToleranceAfter = seconds(1, 100)
        let shown = try Sidecar.load(Fixture(name)).shownFrames
        // Past the end it is the last frame, again and again.
        for await result in generator.stills(
            for: (0..<200).map { seconds(Int64($0), 100) + shown[shown.count - 1].time })
        {
            if case .success(let still) = result { #expect(still.image.frameNumber == shown.last?.number) }
        }
        #expect(generator.statistics.entries < 12)
    }

    @Test func `The exact frame is taken where no sync sample is near`() async throws {
        let still = try await still("movie.mov", at: seconds(75, 10), before: seconds(1, 10), after: seconds(1, 10))
        #expect(still.image.frameNumber == 187)
        #expect(still.isExact && !still.isSyncSample)
    }

    @Test(arguments: [
        "movie.mov", "h264.ts", "cues.mkv", "no-cues.mkv", "hevc-open-gop.mp4", "h264-open-gop.ts", "vp9.webm",
    ])
    func `A request with infinite tolerances gives a sync sample, which is undamaged`(_ name: String) async throws {
        let fixture = Fixture(name)
        let shown = try Sidecar.load(fixture).shownFrames
        for tenth in [3, 14, 27, 36] {
            let still = try await still(
                name, at: seconds(Int64(tenth), 10), before: .positiveInfinity, after: .positiveInfinity)
            #expect(still.isSyncSample)
            let expected = try #require(shown.first { $0.time == still.actualTime })
            #expect(still.image.frameNumber == expected.number)
        }
    }
}
