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
    let image: CGImage?
    let actual: CMTime
    let result: AVAssetImageGenerator.Result
    let hasError: Bool
    let code: AVError.Code?
}

/// Counts the calls of completion handlers, and wakes up who waits for them.
private final class CallLog: Sendable {
    private struct State {
        var calls: [Call] = []
        var first: ContinuousClock.Instant?
        var last: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    var calls: [Call] { state.withLock { $0.calls } }
    var count: Int { state.withLock { $0.calls.count } }
    /// From the mark to the last call.
    var elapsed: Duration? {
        state.withLock { state in state.first.flatMap { first in state.last.map { $0 - first } } }
    }

    /// Starts a request for pictures, and tells the number of calls after each of them.
    func start(
        _ generator: AVAssetImageGenerator, _ times: [CMTime], _ body: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        generator.generateCGImagesAsynchronously(forTimes: times.map(NSValue.init(time:))) {
            [self] requested, image, actual, result, error in
            let call = Call(
                requested: requested, image: image, actual: actual, result: result, hasError: error != nil,
                code: (error as? AVError)?.code)
            let count = state.withLock { state in
                state.calls.append(call)
                state.last = .now
                return state.calls.count
            }
            body(count)
        }
    }

    /// Starts the clock.
    func mark() { state.withLock { $0.first = .now } }

    /// Waits for a number of calls, then a little for calls too many.
    func wait(for count: Int) async -> Bool {
        guard await eventually(within: .seconds(30), { self.count >= count }) else { return false }
        try? await Task.sleep(for: .milliseconds(100))
        return self.count == count
    }
}

/// Everything that can be set.
private struct Settings: Sendable {
    var appliesTransform: Bool
    var size: CGSize
    var aperture: AVAssetImageGenerator.ApertureMode
    var range: AVAssetImageGenerator.DynamicRangePolicy
    var tolerance: CMTime
    var window: CMTime
    var allowsDamage: Bool

    func apply(to generator: AVAssetImageGenerator) {
        generator.appliesPreferredTrackTransform = appliesTransform
        generator.maximumSize = size
        generator.apertureMode = aperture
        generator.dynamicRangePolicy = range
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.representativeWindow = window
        generator.allowsDamagedPictures = allowsDamage
    }

    static let plain = Settings(
        appliesTransform: false, size: .zero, aperture: .encodedPixels, range: .forceSDR, tolerance: .zero,
        window: .zero, allowsDamage: false)
    static let other = Settings(
        appliesTransform: true, size: CGSize(width: 60, height: 60), aperture: .cleanAperture, range: .matchSource,
        tolerance: .positiveInfinity, window: seconds(1, 2), allowsDamage: true)
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `What a request under way keeps to` {
    private static let times = [seconds(9, 25), seconds(17, 25), seconds(44, 25)]

    /// An HDR clip that is turned, has pixels that are not square, and sync samples a second apart.
    private static func makeClip(in folder: TemporaryFolder) async throws -> AVURLAsset {
        let filter =
            "setsar=3/2,format=yuv420p10le,"
            + "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084"
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2.4"]
        let first = source + ["-vf", filter, "-c:v", "libx265", "-preset", "ultrafast"]
        let second = ["-x265-params", "log-level=0:keyint=25:min-keyint=25:scenecut=0", "plain.mp4"]
        let made = try await CommandRun.run("ffmpeg", first + second, in: folder.url)
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        try turnTracks(of: folder.url.appendingPathComponent("plain.mp4"), by: 90)
        return folder.asset("plain.mp4")
    }

    /// What the pictures of one setting are, from a generator that nobody changes.
    private static func expected(_ settings: Settings, _ asset: AVURLAsset) async throws -> [Still] {
        let generator = AVAssetImageGenerator(asset: asset)
        settings.apply(to: generator)
        return try await generator.allStills(for: times)
    }

    @Test(arguments: [true, false])
    func `A request with a handler is not affected by later changes to properties`(_ startsPlain: Bool) async throws {
        let folder = try TemporaryFolder()
        let asset = try await Self.makeClip(in: folder)
        let (before, after): (Settings, Settings) = startsPlain ? (.plain, .other) : (.other, .plain)
        let expected = try await Self.expected(before, asset)
        let generator = AVAssetImageGenerator(asset: asset)
        before.apply(to: generator)
        let log = CallLog()
        log.start(generator, Self.times)
        after.apply(to: generator)
        #expect(await log.wait(for: Self.times.count))
        for (call, still) in zip(log.calls, expected) {
            #expect(call.requested == still.requestedTime && call.actual == still.actualTime)
            #expect(call.image?.pixels == still.image.pixels)
            #expect(call.image?.size == still.image.size && call.image?.colorSpace == still.image.colorSpace)
        }
    }

    @Test(arguments: [true, false])
    func `A sequence of images is not affected by later changes to properties`(_ startsPlain: Bool) async throws {
        let folder = try TemporaryFolder()
        let asset = try await Self.makeClip(in: folder)
        let (before, after): (Settings, Settings) = startsPlain ? (.plain, .other) : (.other, .plain)
        let expected = try await Self.expected(before, asset)
        let generator = AVAssetImageGenerator(asset: asset)
        before.apply(to: generator)
        let images = generator.images(for: Self.times)
        after.apply(to: generator)
        var index = 0
        for await element in images {
            #expect(try element.actualTime == expected[index].actualTime)
            #expect(try element.image.pixels == expected[index].image.pixels)
            after.apply(to: generator)
            index += 1
        }
        #expect(index == expected.count)
    }

    @Test(arguments: [true, false])
    func `A request under way keeps allowing damaged frames, or refusing them`(_ isAllowed: Bool) async throws {
        let asset = Fixture("damaged.mp4").asset
        // Frames 134 to 149 are damaged.
        let times = (120..<160).map { seconds(Int64($0), 25) }
        var counts: [Int] = []
        for changes in [false, true] {
            let generator = exactGenerator(of: asset)
            generator.allowsDamagedPictures = isAllowed
            let log = CallLog()
            log.start(generator, times)
            if changes { generator.allowsDamagedPictures = !isAllowed }
            #expect(await log.wait(for: times.count))
            counts.append(log.calls.count { $0.result == .failed && $0.code == .decodeFailed })
        }
        #expect(counts == (isAllowed ? [0, 0] : [16, 16]))
    }

    /// The two settings of the tests above really give other pictures.
    @Test func `The two settings of these tests give different images`() async throws {
        let folder = try TemporaryFolder()
        let asset = try await Self.makeClip(in: folder)
        let (plain, other) = try await (Self.expected(.plain, asset), Self.expected(.other, asset))
        #expect(plain.map(\.actualTime) == Self.times)
        #expect(plain.allSatisfy { $0.image.size == [160, 96] && $0.image.bitsPerComponent == 8 })
        // 240 × 96 in square pixels, turned and brought into 60 × 60.
        #expect(other.map(\.image.size) == [[24, 60], [24, 60], [24, 60]])
        #expect(other.allSatisfy { $0.image.bitsPerComponent == 16 })
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Unusual times` {
    private static let usual = [seconds(7), seconds(1), seconds(3), seconds(1), seconds(1), seconds(7), .zero]
    private static let unusual: [CMTime] = [
        seconds(-1), seconds(-1, 1000), seconds(11), seconds(1_000_000), .invalid, .indefinite, .positiveInfinity,
        .negativeInfinity, seconds(11), .invalid,
    ]

    /// Each time, as often as it is asked for.
    private func tally(_ times: [CMTime]) -> [CMTime: Int] { times.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    @Test(arguments: ["movie.mov", "movie.mp4"])
    func `Unusual times get one call each among usual ones`(_ name: String) async throws {
        let times = zip(Self.unusual, Self.usual + Self.usual).flatMap { [$0, $1] }
        let log = CallLog()
        log.start(exactGenerator(of: Fixture(name).asset), times)
        #expect(await log.wait(for: times.count))
        let calls = log.calls
        #expect(tally(calls.map(\.requested)) == tally(times))
        #expect(calls.map(\.requested) == times.sorted())
        for call in calls {
            if Self.usual.contains(call.requested) {
                #expect(call.result == .succeeded && !call.hasError && call.actual == call.requested)
                #expect(call.image?.frameNumber == Int(call.requested.seconds * 25))
            } else {
                #expect(call.result == .failed && call.code == .noImageAtTime, "\(call.requested)")
                #expect(call.image == nil && !call.actual.isValid)
            }
        }
    }

    @Test func `Unusual times get one call each on their own`() async throws {
        let log = CallLog()
        log.start(exactGenerator(of: Fixture("movie.mov").asset), Self.unusual)
        #expect(await log.wait(for: Self.unusual.count))
        #expect(log.calls.allSatisfy { $0.result == .failed && $0.code == .noImageAtTime && $0.image == nil })
    }

    @Test func `An empty list of times gets no call`() async throws {
        let log = CallLog()
        log.start(exactGenerator(of: Fixture("movie.mov").asset), [])
        try await Task.sleep(for: .milliseconds(300))
        #expect(log.count == 0)
    }

    @Test(arguments: ["missing.mp4", "audio-only.mp3", "README.md"])
    func `Every time gets one call where there is no video`(_ name: String) async throws {
        let times = Self.usual + [.invalid]
        let log = CallLog()
        log.start(exactGenerator(of: Fixture(name).asset), times)
        #expect(await log.wait(for: times.count))
        #expect(log.calls.allSatisfy { $0.result == .failed && $0.hasError && $0.image == nil })
        #expect(tally(log.calls.map(\.requested)) == tally(times))
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Cancelling many stills` {
    /// Ten thousand times, each a frame of its own or a moment of it.
    private static let times = (0..<10_000).map { seconds(Int64($0), 1000) }

    @Test(arguments: ["movie.mov", "long-gop.mp4"])
    func `Cancelling many stills reports each time once, soon`(_ name: String) async throws {
        let generator = exactGenerator(of: Fixture(name).asset)
        let log = CallLog()
        log.start(generator, Self.times) { count in
            guard count == 10 else { return }
            log.mark()
            generator.cancelAllCGImageGeneration()
        }
        #expect(await log.wait(for: Self.times.count))
        let calls = log.calls
        #expect(Set(calls.map(\.requested)).count == Self.times.count)
        #expect(calls.prefix(10).allSatisfy { $0.result == .succeeded })
        // What was ready is delivered, all else is not.
        #expect(calls.count { $0.result == .cancelled } > Self.times.count - 100)
        #expect(calls.allSatisfy { $0.result != .cancelled || ($0.image == nil && $0.code == .operationCancelled) })
        #expect(try #require(log.elapsed) < .seconds(30))
    }

    @Test func `Cancelling many stills reaches all requests under way`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        let logs = [CallLog(), CallLog()]
        let others = Self.times.map { $0 + seconds(1, 3000) }
        // Cancelled by whichever request comes third as the last one: a test that looks now and then may look too late.
        let areUnderWay = Mutex([false, false])
        for (index, wanted) in [Self.times, others].enumerated() {
            logs[index].start(generator, wanted) { count in
                guard count == 3 else { return }
                let isLast = areUnderWay.withLock { flags in
                    flags[index] = true
                    return flags == [true, true]
                }
                if isLast { generator.cancelAllCGImageGeneration() }
            }
        }
        for (log, times) in zip(logs, [Self.times, others]) {
            #expect(await log.wait(for: times.count))
            #expect(Set(log.calls.map(\.requested)) == Set(times))
            #expect(log.calls.allSatisfy { [.succeeded, .cancelled].contains($0.result) })
            #expect(log.calls.count { $0.result == .cancelled } > times.count / 2)
        }
    }

    @Test func `Cancelling many stills from several threads at once is harmless`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        for _ in 0..<20 {
            let log = CallLog()
            log.start(generator, Array(Self.times.prefix(100)))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { generator.cancelAllCGImageGeneration() } }
            }
            #expect(await log.wait(for: 100))
        }
        #expect(try await generator.image(at: seconds(1)).image.frameNumber == 25)
    }

    @Test func `Cancelling the task ends its sequence of images`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        let times = Self.times
        let start = Mutex<ContinuousClock.Instant?>(nil)
        let task = Task {
            var count = 0
            for await _ in generator.images(for: times) {
                count += 1
                guard count == 10 else { continue }
                start.withLock { $0 = .now }
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        let count = await task.value
        let elapsed = try #require(start.withLock { $0 }.map { ContinuousClock.now - $0 })
        #expect((10..<100).contains(count))
        #expect(elapsed < .seconds(30))
    }

    @Test func `A sequence that starts cancelled gives nothing`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        let times = Self.times
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for await _ in generator.images(for: times) { count += 1 }
            return count
        }
        #expect(await task.value == 0)
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Blocking requests` {
    @Test func `Blocking requests may come from several threads at once`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        let found = Mutex<[[Int?]]>([])
        for thread in 0..<8 {
            Thread.detachNewThread {
                let numbers = (0..<12).map { (thread * 37 + $0 * 61) % 250 }
                let rights = numbers.map { number -> Int? in
                    var actual = CMTime.invalid
                    let image = try? generator.copyCGImage(at: seconds(Int64(number), 25), actualTime: &actual)
                    return actual == seconds(Int64(number), 25) && image?.frameNumber == number ? 1 : nil
                }
                found.withLock { $0.append(rights) }
            }
        }
        #expect(await eventually(within: .seconds(30)) { found.withLock { $0.count == 8 } })
        #expect(found.withLock { $0.allSatisfy { $0.allSatisfy { $0 == 1 } } })
    }

    @Test func `Blocking requests leave the time alone where they fail`() throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        var actual = seconds(5)
        #expect(throws: AVError.self) { try generator.copyCGImage(at: seconds(11), actualTime: &actual) }
        #expect(actual == seconds(5))
        #expect(try generator.copyCGImage(at: seconds(1), actualTime: nil).frameNumber == 25)
    }
}
