import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

/// A GIF tells for how many hundredths of a second each picture is shown.
///
/// ffprobe reads them as players do: what is shorter than two becomes ten.
@Suite(.timeLimit(.minutes(10))) struct `The pictures of a GIF` {
    private struct Shown: Equatable {
        var number: Int?
        var start: Int
        var length: Int
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(
        _ source: String, _ range: Range<CMTime>? = nil, maximumFrameRate: Double? = nil
    ) async throws -> [Shown] {
        let preset = try builtIn("gif") { $0.maximumFrameRate = maximumFrameRate }
        let session = AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: source)), preset: preset)
        if let range { session.timeRange = CMTimeRange(start: range.lowerBound, end: range.upperBound) }
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).gif")
        try await session.export(to: url, as: .gif)
        let numbers = try await Reading.pictures(url.path).map(\.number)
        let packets = try await Reading.probe(url.path, ["-show_entries", "packet=pts,duration"])
        try #require(numbers.count == packets.count)
        return try zip(numbers, packets).map {
            Shown(number: $0, start: try #require(Int($1[0])), length: try #require(Int($1[1])))
        }
    }

    private func hundredths(_ time: CMTime) -> Int { Int((time.seconds * 100).rounded()) }

    /// The second picture of every film was lost, the others moved where two were close, and the last one was shown
    /// as long as the one before it.
    @Test func `Frames of a GIF keep their times where these are irregular`() async throws {
        let shown = try await export(Fixture("vfr.mp4").path)
        // 0, 0.04, 0.08, 0.085, 0.1851, 0.2251, 0.258467, 1.758467 s: the third and the fourth are half a hundredth
        // apart.
        #expect(shown.prefix(6).map(\.number) == [0, 1, 3, 4, 5, 6])
        #expect(shown.prefix(6).map(\.start) == [0, 4, 8, 19, 23, 26])
        #expect(shown.prefix(6).map(\.length) == [4, 4, 11, 4, 3, 150])
        // ffprobe: the last one comes at 11.979333 s, and the film lasts for 12.02 s.
        #expect(shown.last == Shown(number: 99, start: 1198, length: 4))
        let film = try Sidecar.load(Fixture("vfr.mp4")).shownFrames
        let starts = film.map { hundredths($0.time) } + [1202]
        let expected = film.indices.filter { starts[$0 + 1] - starts[$0] >= 2 }.map { index in
            (film[index].number, index > 0 && starts[index] - starts[index - 1] < 2 ? starts[index - 1] : starts[index])
        }
        #expect(shown.map(\.number) == expected.map(\.0))
        #expect(shown.map(\.start) == expected.map(\.1))
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.start + $0.length == $1.start })
    }

    /// A picture cannot be told to last longer than 655.35 s.
    @Test func `Frames of a GIF are shown for as long as in the source`() async throws {
        let source = folder.path("slow.mp4")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:r=1/700", "-frames:v", "2", "-c:v", "libx264", "-preset", "ultrafast",
            source,
        ])
        let shown = try await export(source)
        #expect(shown.last.map { $0.start + $0.length } == 140_000)
        #expect(shown.map(\.start) == [0, 65_535, 70_000, 135_535])
    }

    /// Each picture had a palette of its own, so that none could leave out what the one before it shows.
    @Test(.enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)))
    func `Frames of a GIF need no more bytes than ffmpeg's with one palette`() async throws {
        let source = Fixture("movie.mp4").path
        _ = try await export(source)
        let made = try #require(try folder.contents().first { $0.hasSuffix(".gif") })
        let other = folder.path("other")
        try await Reading.ffmpeg([
            "-i", source, "-vf",
            "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-f", "gif", other,
        ])
        let sizes = try [folder.path(made), other].map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
        #expect(Double(sizes[0]) <= Double(sizes[1]) * 1.05, "\(sizes)")
    }

    @Test func `Frames of a GIF last to the end of a range`() async throws {
        let shown = try await export(Fixture("vfr.mp4").path, seconds(2.7)..<seconds(9.5))
        // ffprobe: the one on screen at 2.7 s is from 2.662333 s on, the next one comes at 4.162333 s.
        #expect(shown.first == Shown(number: 26, start: 0, length: 146))
        #expect(shown.last.map { $0.start + $0.length } == 680)
        // One of two: every 0.08 s, and the last one alone.
        let thinned = try await export(Fixture("movie.mp4").path, seconds(1)..<seconds(2), maximumFrameRate: 15)
        #expect(thinned.map(\.number) == (0..<13).map { 25 + 2 * $0 })
        #expect(thinned.map(\.length) == [Int](repeating: 8, count: 12) + [4])
    }

    /// The rate was taken for a fixed one below the limit, and all pictures stayed.
    @Test func `Frames of a GIF come no more often than is wanted, where they are irregular too`() async throws {
        let shown = try await export(Fixture("vfr.mp4").path, maximumFrameRate: 15)
        // In fifteenths: 0, 0.6, 1.2, 1.28, 2.78, 3.38, 3.88, 26.38, 26.98 and so on; one for each, which may be early
        // by a quarter.
        #expect(shown.prefix(7).map(\.number) == [0, 2, 4, 5, 6, 7, 8])
        #expect(shown.prefix(6).map(\.start) == [0, 8, 19, 23, 26, 176])
        #expect(shown.count < 80)
        #expect(shown.last.map { $0.start + $0.length } == 1202)
    }

    @Test(
        arguments: Tier.some(
            [
                // 3.34 hundredths each: the 90th comes at 3.003 s.
                ("30000/1001", 91, 91, 304), ("50", 50, 50, 100),
                // Two of them are as long as one in a GIF; where one remains, it takes from the pair before it, or is too much.
                ("100", 100, 50, 100), ("100", 101, 50, 101), ("240", 240, 50, 100), ("1000", 996, 50, 100),
            ], 2))
    func `Frames of a GIF end when the video does`(
        _ rate: String, _ count: Int, _ pictures: Int, _ end: Int
    ) async throws {
        let source = folder.path("film.mp4")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:r=\(rate)", "-frames:v", "\(count)", "-c:v", "libx264", "-preset",
            "ultrafast", source,
        ])
        let shown = try await export(source)
        #expect(shown.last.map { $0.start + $0.length } == end)
        #expect(shown.allSatisfy { $0.length >= 2 })
        #expect(shown.count == pictures)
    }
}
