import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// What a program gets whose worker was taken over by a film, or crashes over it.
@Suite(.timeLimit(.minutes(2))) struct `An asset whose worker misbehaves` {
    /// A film whose name makes the worker misbehave.
    private func asset(_ act: String) throws -> AVURLAsset {
        let isolation = AssetIsolation(executable: try AssetIsolation.built("misbehaving-worker"))
        return AVURLAsset(url: URL(fileURLWithPath: "/films/\(act)"), options: [AVURLAssetIsolationKey: isolation])
    }

    private func failure(_ body: () async throws -> some Any) async throws -> AVError {
        do {
            let value = try await body()
            Issue.record("no error, but \(value)")
            return AVError(.unknown)
        } catch {
            return try #require(error as? AVError)
        }
    }

    @Test(arguments: [
        ("crash", AssetIsolationError.Kind.crashed), ("abort", .crashed), ("moves", .crashed),
        ("exit", .vanished), ("close", .vanished), ("garbage", .crashed), ("numbers", .crashed), ("nothing", .crashed),
        ("end", .crashed), ("unknown", .crashed),
        ("long", .crashed), ("less", .crashed), ("descriptors", .crashed), ("pipe", .crashed), ("growing", .crashed),
        ("large", .crashed), ("deep", .crashed),
    ])
    func `An asset whose worker misbehaves fails with the kind of the fault`(
        _ act: String, _ kind: AssetIsolationError.Kind
    ) async throws {
        let asset = try asset(act)
        let error = try await failure { try await asset.load(.duration) }
        #expect(error.code == .mediaServicesWereReset)
        let cause = try #require(error.underlying as? AssetIsolationError)
        #expect(cause.kind == kind)
        // A failure is remembered, and does not start another worker.
        #expect(try await failure { try await asset.load(.duration) } == error)
        // Others go on: another film of the same program.
        #expect(try await Fixture("movie.mp4").asset.isolated().load(.duration).isNumeric)
    }

    @Test(arguments: [
        "still-fewer-bytes", "still-more-bytes", "still-without-pixels", "still-huge", "still-overflow",
        "still-negative", "still-empty", "still-deep", "still-grey", "still-no-space", "still-two", "still-none",
        "still-other", "still-no-timescale", "still-infinite", "crash", "garbage", "close", "end", "large",
    ])
    func `An asset whose worker sends malformed stills gives no stills`(_ act: String) async throws {
        let generator = AVAssetImageGenerator(asset: try asset(act))
        let times = [CMTime.zero, CMTime(value: 1, timescale: 1)]
        var errors: [AVError] = []
        for await result in generator.images(for: times) {
            switch result {
            case .success: Issue.record("there is a picture")
            case .failure(_, let error): errors.append(try #require(error as? AVError))
            }
        }
        #expect(errors.count == times.count)
        for error in errors {
            #expect(error.code == .mediaServicesWereReset)
            #expect(error.underlying is AssetIsolationError)
        }
    }

    /// The counterpart of the above: what makes sense is taken.
    @Test func `A well-formed still of a worker is delivered`() async throws {
        let image = try await AVAssetImageGenerator(asset: try asset("still-good")).image(at: .zero).image
        #expect(image.width == 64 && image.height == 36)
        #expect(image.pixels == [UInt8](repeating: 200, count: 64 * 36 * 3))
    }

    @Test func `A worker cannot open another file`() async throws {
        let asset = try asset("steal")
        let error = try await failure { try await asset.load(.duration) }
        #expect(error.code == .decodeFailed)
        #expect(error.reason == "Permission denied")
    }

    @Test func `Control characters in a worker's message do not reach the error's text`() async throws {
        let asset = try asset("control")
        let error = try await failure { try await asset.load(.duration) }
        #expect(!error.localizedDescription.unicodeScalars.contains { $0.value < 0x20 })
        #expect(error.reason.contains("gone"))
    }

    /// A task that is cancelled waits no longer, whatever the worker does.
    @Test func `A cancelled task does not wait for a worker that hangs`() async throws {
        let asset = try asset("hang")
        let loading = Task { try await asset.load(.duration) }
        let making = Task { try await AVAssetImageGenerator(asset: asset).image(at: .zero) }
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        loading.cancel()
        making.cancel()
        await #expect(throws: CancellationError.self) { try await loading.value }
        await #expect(throws: CancellationError.self) { try await making.value }
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `Workers that misbehave leave no open files in the program`() async throws {
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        for act in ["descriptors", "crash"] { _ = try? await asset(act).load(.duration) }
        let before = try count()
        for _ in 0..<5 {
            for act in ["descriptors", "pipe", "growing", "crash"] { _ = try? await asset(act).load(.duration) }
        }
        try await Task.sleep(for: .seconds(1))
        // Other tests have files open as well.
        #expect(try count() < before + 60)
    }
}
