import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Stopping and sharing` {
    private static let times = (0..<3000).map { seconds(Int64($0), 300) }

    /// How many files this process has open under a name.
    private static func openFiles(named name: String) -> Int {
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (descriptors ?? []).count { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target?.hasSuffix("/" + name) ?? false
        }
    }

    /// A copy of a fixture under a name that no other test opens.
    private static func copy(_ name: String, in folder: TemporaryFolder) throws -> (asset: AVURLAsset, name: String) {
        let own = "\(UUID().uuidString).mp4"
        try FileManager.default.copyItem(atPath: Fixture(name).path, toPath: folder.path(own))
        return (AVURLAsset(url: folder.url.appendingPathComponent(own)), own)
    }

    @Test func `Leaving the loop of stills stops the work and closes the file`() async throws {
        let folder = try TemporaryFolder()
        let name: String
        do {
            let copy = try Self.copy("movie.mp4", in: folder)
            name = copy.name
            var count = 0
            for await _ in exactGenerator(of: copy.asset).stills(for: Self.times) {
                count += 1
                if count == 3 { break }
            }
        }
        #expect(await eventually(within: .seconds(20)) { Self.openFiles(named: name) == 0 })
    }

    @Test func `Cancelling the task of a loop of stills ends it soon`() async throws {
        let folder = try TemporaryFolder()
        let name: String
        do {
            let copy = try Self.copy("movie.mp4", in: folder)
            name = copy.name
            let asset = copy.asset
            let task = Task {
                var count = 0
                for await result in exactGenerator(of: asset).stills(for: Self.times) {
                    if case .success = result { count += 1 }
                    if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return count
            }
            #expect(await task.value < Self.times.count / 10)
        }
        #expect(await eventually(within: .seconds(20)) { Self.openFiles(named: name) == 0 })
    }

    @Test func `A single request of a cancelled task throws a cancellation`() async throws {
        let generator = Fixture("movie.mp4").generator
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await generator.image(at: seconds(5))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `A generator can be used again after a cancellation`() async throws {
        let generator = Fixture("movie.mp4").generator
        for await _ in generator.stills(for: Self.times) { break }
        #expect(try await generator.image(at: seconds(9)).image.frameNumber == 225)
    }

    @Test func `Ten generators on one asset do not disturb each other`() async throws {
        let asset = Fixture("movie.mp4").asset
        try await withThrowingTaskGroup(of: [Bool].self) { group in
            for seed in 0..<10 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    let numbers = (0..<20).map { _ in Int.random(in: 0..<250, using: &random) }
                    let stills = try await exactGenerator(of: asset)
                        .allStills(for: numbers.map { seconds(Int64($0), 25) })
                    return stills.map { $0.image.frameNumber == numbers[$0.index] }
                }
            }
            var rights: [Bool] = []
            for try await part in group { rights += part }
            #expect(rights.count == 200)
            #expect(rights.allSatisfy { $0 })
        }
    }

    @Test func `Slow readers of stills do not hold up others`() async throws {
        // Each iterator that is not read on keeps its decoder waiting.
        let start = ContinuousClock.now
        var waiting: [Stills<Still>.Iterator] = []
        for _ in 0..<12 {
            var iterator = Fixture("movie.mp4").generator.stills(for: Self.times).makeAsyncIterator()
            _ = await iterator.next()
            waiting.append(iterator)
        }
        _ = try await Fixture("movie.mp4").generator.image(at: seconds(1))
        // One after the other they take some 100 ms; held up, they would take for ever. The machine may be busy.
        #expect(ContinuousClock.now - start < .seconds(60))
        for index in waiting.indices {
            let next = await waiting[index].next()
            #expect(next != nil)
        }
    }

    @Test func `Single requests for stills succeed one after another`() async throws {
        // Symptom: now and then a request failed as cancelled, because the end of the one before it
        // interrupted the file that both used.
        let generator = Fixture("transpose.mp4").generator
        for round in 0..<400 {
            let error = await generator.failure(at: seconds(Int64(round % 8), 25))
            #expect(error == nil, "request \(round)")
            if error != nil { return }
        }
    }

    @Test func `Settings of a request are those at its start`() async throws {
        let generator = Fixture("movie.mp4").generator
        generator.maximumSize = CGSize(width: 32, height: 24)
        let stills = generator.stills(for: [.zero, seconds(1)])
        generator.maximumSize = .zero
        for await result in stills { #expect(try result.get().image.width == 32) }
        #expect(try await generator.image(at: .zero).image.width == 320)
    }
}
