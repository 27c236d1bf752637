import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("Damaged movies that are to be joined")
struct MovieJoinDamageTests {
    private static let film: [UInt8] = {
        let video = MovieBuilder.Track(
            durations: Array(repeating: 10, count: 12), offsets: (0..<12).map { $0 % 3 == 1 ? 20 : 0 },
            syncSamples: [1, 7],
            edits: [
                .init(duration: 300, mediaTime: 25), .init(duration: 200, mediaTime: -1),
                .init(duration: 400, mediaTime: 60),
            ],
            samples: numbered(12), chunks: [(0, 1), (5, 1), (9, 1)])
        let sound = MovieBuilder.Track(
            id: 2, handler: "soun", timescale: 1000,
            entries: [("mp4a", MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(20))],
            durations: Array(repeating: 20, count: 50), edits: [.init(duration: 900, mediaTime: 33)],
            samples: numbered(50, "a"))
        return MovieBuilder(tracks: [video, sound]).bytes
    }()

    /// Numbers of 32 bits at all places, of which some are counts, times, sizes and places.
    @Test(arguments: Tier.some([0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32], 2))
    func `Damaged movies that are joined give an error or a movie`(number: UInt32) throws {
        let whole = MovieJoin.Segment(
            RandomAccessFile(bytes: Self.film), tracks: [1, 2], duration: CMTime(value: 9, timescale: 10))
        for position in stride(from: 0, to: Self.film.count - 4, by: 3) {
            var bytes = Self.film
            bytes.set(bigEndian: number, at: position)
            let file = RandomAccessFile(bytes: bytes)
            let broken = MovieJoin.Segment(file, tracks: [1, 2], duration: CMTime(value: 1001, timescale: 1000))
            let pieces = [broken, .init(gapLasting: milliseconds(30)), whole, broken]
            guard let plan = try? MovieJoin(pieces).plan() else { continue }
            #expect(plan.rewrite().byteCount == plan.byteCount)
        }
    }
}
