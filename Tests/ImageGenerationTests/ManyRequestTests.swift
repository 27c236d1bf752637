import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaImage
import MediaTestSupport
import Synchronization
import Testing

private struct Weak {
    weak var generator: AVAssetImageGenerator?
    init(_ generator: AVAssetImageGenerator?) { self.generator = generator }
}

/// Servers ask for many stills at once, each with an asset and a generator of its own.
@Suite(.timeLimit(.minutes(5))) struct `Many requests at once` {
    @Test func `Each of hundreds of requests gets its own picture`() async throws {
        let count = 300
        let numbers = await withTaskGroup(of: (Int, Int?).self) { group in
            for index in 0..<count {
                group.addTask {
                    let generator = exactGenerator(of: Fixture("movie.mov").asset)
                    let image = try? await generator.image(at: seconds(Int64(index % 250), 25)).image
                    return (index, image?.frameNumber)
                }
            }
            return await group.reduce(into: [Int: Int?]()) { $0[$1.0] = $1.1 }
        }
        #expect(numbers.count == count)
        for (index, number) in numbers { #expect(number == index % 250) }
    }

    @Test func `Requests that wait are cancelled at once`() async throws {
        let asset = Fixture("movie.mov").asset
        let loops = (0..<20).map { _ in exactGenerator(of: asset) }
        let outcomes = Mutex<[AVAssetImageGenerator.Result]>([])
        let times = (0..<200).map { NSValue(time: seconds(Int64($0), 25)) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            for generator in loops {
                generator.generateCGImagesAsynchronously(forTimes: times) { _, _, _, result, _ in
                    let count = outcomes.withLock { all in
                        all.append(result)
                        return all.count
                    }
                    if count == 20 * 200 { continuation.resume() }
                }
            }
            for generator in loops { generator.cancelAllCGImageGeneration() }
        }
        #expect(outcomes.withLock { $0.count { $0 == .cancelled } } > 10 * 200)
    }

    @Test func `Loops within loops do not wait for each other`() async throws {
        let asset = Fixture("movie.mov").asset
        var depth = 0
        func descend(_ level: Int) async throws {
            guard level < 12 else { return }
            for await result in exactGenerator(of: asset).images(for: (0..<5).map { seconds($0) }) {
                _ = try result.image
                depth = max(depth, level)
                try await descend(level + 1)
                break
            }
        }
        try await descend(0)
        #expect(depth == 11)
    }

    @Test func `Code of the caller's may ask for other stills`() async throws {
        let asset = Fixture("movie.mov").asset
        let inner = exactGenerator(of: asset)
        let widths = await withTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let stills = exactGenerator(of: asset).stills(for: [seconds(Int64(index))]) { _ in
                        try inner.copyCGImage(at: seconds(1), actualTime: nil).width
                    }
                    var sum = 0
                    for await still in stills { sum += (try? still.get()) ?? 0 }
                    return sum
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(widths.count == 8)
        #expect(widths.allSatisfy { $0 > 0 })
    }

    @Test func `Requests with handlers leave nothing behind`() async throws {
        let left = Mutex(Weak(nil))
        do {
            let generator = exactGenerator(of: Fixture("movie.mov").asset)
            left.withLock { $0 = Weak(generator) }
            _ = try generator.copyCGImage(at: seconds(1), actualTime: nil)
            await withCheckedContinuation { continuation in
                generator.generateCGImageAsynchronously(for: seconds(2)) { _, _, _ in continuation.resume() }
            }
            generator.generateCGImagesAsynchronously(forTimes: []) { _, _, _, _, _ in }
        }
        let isGone = await eventually(within: .seconds(20)) { left.withLock { $0.generator == nil } }
        #expect(isGone)
    }
}
