import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: CMTime(value: start, timescale: 25), duration: CMTime(value: count, timescale: 25))
}

@Suite(.serialized) struct `Stills of compositions` {
    /// The picture shown at each time has the number of the source's frame in its bars.
    @Test func `Stills of a composition are the frames of its segments`() async throws {
        let composition = AVMutableComposition()
        let pieces: [(String, Int64, Int64)] = [("movie.mp4", 100, 7), ("long-gop.mp4", 3, 5), ("movie.mp4", 11, 4)]
        var expected: [Int] = []
        for (name, start, count) in pieces {
            try await composition.insertTimeRange(frames(start, count), of: Fixture(name).asset, at: .invalid)
            expected += (start..<(start + count)).map { Int($0) }
        }
        let generator = AVAssetImageGenerator(asset: composition)
        generator.requestedTimeToleranceBefore = .zero
        let times = expected.indices.map { CMTime(value: 2 * CMTimeValue($0) + 1, timescale: 50) }
        let stills = try await generator.allStills(for: times.reversed())
        #expect(stills.map(\.image.frameNumber) == expected)
        #expect(stills.map(\.actualTime) == expected.indices.map { CMTime(value: CMTimeValue($0), timescale: 25) })
        #expect(stills.map(\.requestedTime) == times)
        #expect(stills.allSatisfy { $0.duration == CMTime(value: 1, timescale: 25) && $0.isExact })
    }

    /// The source's next frame begins where a piece ends, and was cut out.
    @Test func `Stills at a segment's end are its last frame`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(50, 10), of: Fixture("movie.mp4").asset, at: .zero)
        composition.insertEmptyTimeRange(frames(5, 2))
        let generator = AVAssetImageGenerator(asset: composition)
        let stills = try await generator.allStills(for: [0, 4, 5, 6, 7, 12].map { CMTime(value: $0, timescale: 25) })
        #expect(stills.map(\.image.frameNumber) == [50, 54, nil, nil, 55, 59])
    }

    @Test func `Stills of a composition begin and end with its segments, and follow their speed`() async throws {
        let composition = AVMutableComposition()
        let half = CMTimeRange(start: CMTime(value: 201, timescale: 50), duration: CMTime(value: 3, timescale: 50))
        try await composition.insertTimeRange(half, of: Fixture("movie.mp4").asset, at: .zero)
        composition.scaleTimeRange(
            CMTimeRange(start: .zero, duration: half.duration), toDuration: CMTime(value: 6, timescale: 50))
        let generator = AVAssetImageGenerator(asset: composition)
        let stills = try await generator.allStills(for: [0, 1, 2, 3, 4, 5].map { CMTime(value: $0, timescale: 50) })
        #expect(stills.map(\.image.frameNumber) == [100, 100, 101, 101, 101, 101])
        #expect(stills[0].actualTime == .zero && stills[0].duration == CMTime(value: 2, timescale: 50))
        #expect(stills[2].actualTime == CMTime(value: 2, timescale: 50))
    }

    @Test func `Stills of a composition's gaps are black, and all stills have its size`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(0, 25), of: Fixture("movie.mp4").asset, at: .zero)
        composition.insertEmptyTimeRange(frames(10, 10))
        try await composition.insertTimeRange(frames(0, 5), of: Fixture("anamorphic.mp4").asset, at: .invalid)
        let generator = AVAssetImageGenerator(asset: composition)
        let stills = try await generator.allStills(for: [9, 15, 20, 36].map { CMTime(value: $0, timescale: 25) })
        #expect(stills.map(\.image.frameNumber).prefix(3) == [9, nil, 10])
        #expect(stills[1].image.color(x: 160, y: 120) == [0, 0, 0])
        #expect(Set(stills.map(\.image.size)) == [[320, 240]])
        let last = try await generator.image(at: CMTime(value: 2, timescale: 1))
        #expect(last.actualTime == CMTime(value: 39, timescale: 25))
        generator.requestedTimeToleranceBefore = .zero
        await #expect(throws: (any Error).self) { try await generator.image(at: CMTime(value: 2, timescale: 1)) }
        await #expect(throws: (any Error).self) { try await generator.image(at: CMTime(value: -1, timescale: 1)) }
    }

    @Test func `Stills of a composition are turned by its transform, joined files each by their own`() async throws {
        let film = Fixture("rotate-90.mp4").asset
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
        let source = film.tracks(withMediaType: .video)[0]
        try track.insertTimeRange(source.timeRange, of: source, at: .zero)
        let generator = AVAssetImageGenerator(asset: composition)
        generator.appliesPreferredTrackTransform = true
        #expect(try await generator.image(at: .zero).image.size == [160, 120])
        track.preferredTransform = source.preferredTransform
        let turned = try await generator.image(at: .zero).image
        #expect(turned.size == [120, 160])
        #expect(turned.pixels == (try await Self.upright(film).image(at: .zero).image.pixels))
        let joined = try await AVMutableComposition(joining: [.init(Fixture("movie.mp4").asset), .init(film)])
        let image = try await Self.upright(joined).image(at: CMTime(value: 251, timescale: 25)).image
        #expect(image.size == [320, 240])
        let middle = try #require(image.part(x: 70, y: 0, width: 180, height: 240))
        let own = try await Self.upright(film).image(at: CMTime(value: 1, timescale: 25)).image
        let scaled = try own.scaled(width: 180, height: 240)
        let difference = zip(middle.pixels, scaled.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(difference / middle.pixels.count < 4)
    }

    private static func upright(_ asset: AVAsset) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        return generator
    }
}
