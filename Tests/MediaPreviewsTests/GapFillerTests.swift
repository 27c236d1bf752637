import ImageGeneration
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import MediaPreviews

@Suite struct `Intervals without a picture` {
    private func picture(at seconds: Int64) async throws -> TilePicture {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: Fixture("movie.mov").url))
        for await result in generator.stills(for: [CMTime(value: seconds, timescale: 1)]) {
            return try TilePicture(result.get(), size: PixelSize(width: 320, height: 240), jpegQuality: nil)
        }
        throw CancellationError()
    }

    private func failure(at seconds: Int64, _ error: any Error = AVError(.decodeFailed, reason: "no key"))
        -> Stills<TilePicture>.Element
    {
        .failure(
            StillFailure(index: 0, requestedTime: CMTime(value: seconds, timescale: 1), error: error))
    }

    @Test func `Intervals without an image get the one before, or the first`() async throws {
        let (one, other) = (try await picture(at: 2), try await picture(at: 4))
        var filler = GapFiller()
        #expect(try filler.pictures(from: failure(at: 0), accepting: true).isEmpty)
        #expect(try filler.pictures(from: failure(at: 1), accepting: true).isEmpty)
        #expect(filler.count == 2)
        #expect(try filler.pictures(from: .success(one), accepting: true).map(\.tile.actualTime.seconds) == [2, 2, 2])
        #expect(try filler.pictures(from: failure(at: 3), accepting: true).map(\.tile.actualTime.seconds) == [2])
        #expect(try filler.pictures(from: .success(other), accepting: true).map(\.tile.actualTime.seconds) == [4])
        let tiles = try filler.finish()
        #expect(tiles.map(\.requestedTime.seconds) == [0, 1, 2, 3, 4])
        #expect(tiles.map(\.gap) == ["no key", "no key", nil, "no key", nil])
    }

    @Test func `Intervals without an image are an error where there is none at all`() throws {
        var filler = GapFiller()
        _ = try filler.pictures(from: failure(at: 0), accepting: true)
        #expect(throws: AVError.self) { try filler.finish() }
    }

    @Test func `Intervals without an image are an error unless accepted, as are all other errors`() throws {
        var filler = GapFiller()
        #expect(throws: AVError.self) { try filler.pictures(from: failure(at: 0), accepting: false) }
        #expect(throws: CancellationError.self) {
            try filler.pictures(from: failure(at: 0, CancellationError()), accepting: true)
        }
    }
}
