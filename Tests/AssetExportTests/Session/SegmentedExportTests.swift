import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `An export in segments` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func session(_ preset: String, _ fixture: Fixture = Fixture("movie.mp4")) throws -> AVAssetExportSession {
        try #require(AVAssetExportSession(asset: fixture.asset, presetName: preset))
    }

    /// The presets' keyframes are 4 and 5 seconds apart; ffprobe: the film lasts for 10 s, the long one for 12.
    @Test(arguments: [
        ("high", 1.0, [0.0, 4]), ("high", 4.5, [0]), ("hevc-high", 4, [0, 4]), ("prores-422", 2.5, [0, 2.5, 5, 7.5]),
    ])
    func `An export in segments is divided between keyframes, as far as these are fixed`(
        preset: String, length: Double, starts: [Double]
    ) async throws {
        let session = try session(preset)
        session.pictureSegmentLength = seconds(length)
        let plan = try await session.plan(for: preset.hasPrefix("prores") ? .mov : .mp4)
        #expect(plan.segmentStartTimes.map(\.seconds) == starts)
    }

    @Test(arguments: [("webm-vp9", [0.0, 5]), ("webm-av1", []), ("gif", [])])
    func `A session chooses segments where an encoder leaves cores idle`(
        preset: String, starts: [Double]
    ) async throws {
        let session = try session(preset)
        let plan = try await session.plan(for: preset == "gif" ? .gif : .webM)
        #expect(plan.segmentStartTimes.map(\.seconds) == starts)
    }

    @Test(arguments: [
        ("passthrough", "none are encoded"), ("m4a", "none are encoded"), ("gif", "palette"),
        ("hls", "segments of its own"),
    ])
    func `An export in segments is refused where frames depend on one another`(
        preset: String, reason: String
    ) async throws {
        let session = try session(preset)
        session.pictureSegmentLength = seconds(2)
        let fileTypes: [String: AVFileType] = ["gif": .gif, "m4a": .m4a, "hls": .hls]
        let error = await #expect(throws: AVError.self) { try await session.plan(for: fileTypes[preset] ?? .mp4) }
        #expect(error?.localizedDescription.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `An export in segments is refused below a limit on the file's length`() async throws {
        let session = try session("high")
        (session.pictureSegmentLength, session.fileLengthLimit) = (seconds(2), 1_000_000)
        await #expect(throws: AVError.self) { try await session.plan(for: .mp4) }
    }

    @Test func `An export in segments has the frames, the audio and the length of its source`() async throws {
        let session = try session("webm-vp9")
        let url = folder.url.appendingPathComponent("out.webm")
        try await session.export(to: url, as: .webM)
        #expect(session.result?.losses.filter { !$0.isForeseen }.isEmpty == true)
        #expect(session.result?.warnings.isEmpty == true)
        let counts = try await Reading.probe(
            url.path, ["-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets"])
        #expect(counts == [["250"]])
        #expect(try await Reading.numbers(url.path) == (0..<250).map { $0 })
    }
}
