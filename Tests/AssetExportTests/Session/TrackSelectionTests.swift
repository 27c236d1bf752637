import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// What the files hold is what ffprobe says, and the samples are what ffmpeg reads of the sources.
@Suite("Chosen tracks", .timeLimit(.minutes(5)))
struct TrackSelectionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var source: String
        var preset: String
        var file: String
        var tracks: Set<Int32>?
        var excluded: Set<AVMediaType> = []
        /// The kinds of tracks in the new file.
        var kinds: [String]
        /// The streams of the source that samples are copied from, by the stream that they come to.
        var copied: [Int: Int] = [:]
        var range: CMTimeRange?
        var testDescription: String { "\(preset): \(source) to \(file)" }
    }

    private static let part = CMTimeRange(start: seconds(1), duration: seconds(1.5))

    @Test(arguments: [
        Case(
            source: "languages.mp4", preset: "passthrough", file: "cut.mp4", tracks: [1, 4], kinds: ["video", "audio"],
            copied: [0: 0, 1: 3]),
        Case(
            source: "languages.mkv", preset: "passthrough", file: "remux.mkv", tracks: [1, 3, 5],
            kinds: ["video", "audio", "subtitle"], copied: [0: 0, 1: 2]),
        Case(
            source: "languages.mp4", preset: "passthrough", file: "mute.mov", excluded: [.audio],
            kinds: ["video", "subtitle"], copied: [0: 0]),
        Case(
            source: "languages.mp4", preset: "passthrough", file: "part.mp4",
            excluded: ExportTrackSelection.subtitleMediaTypes, kinds: ["video", "audio", "audio", "audio"], range: part),
        Case(source: "languages.mkv", preset: "low", file: "new.mp4", tracks: [1, 2], kinds: ["video", "audio"]),
        Case(
            source: "languages.mp4", preset: "copy-video-aac", file: "both.mkv", tracks: [1, 2],
            kinds: ["video", "audio"], copied: [0: 0]),
        Case(
            source: "movie.mov", preset: "passthrough", file: "sound.m4a", tracks: [2], kinds: ["audio", "data"],
            copied: [0: 1]),
    ])
    func `Chosen tracks are all that the new file has, and the others are no loss`(_ wanted: Case) async throws {
        let folder = try TemporaryFolder()
        let source = Fixture(wanted.source)
        let session = try #require(AVAssetExportSession(asset: source.asset, presetName: wanted.preset))
        session.trackSelection.trackIDs = wanted.tracks
        session.trackSelection.excludedMediaTypes = wanted.excluded
        if let range = wanted.range { session.timeRange = range }
        let url = folder.url.appendingPathComponent(wanted.file)
        let type = try #require(AVFileType(filenameExtension: url.pathExtension))
        #expect(try await session.plan(for: type).losses.filter { $0.kind == .track } == [])
        try await session.export(to: url, as: type)
        #expect(session.result?.losses.filter { $0.kind == .track } == [])
        let kinds = try await Reading.probe(url.path, ["-show_entries", "stream=codec_type"]).map { $0[0] }
        #expect(kinds == wanted.kinds)
        for (new, old) in wanted.copied {
            #expect(try await samples(url.path, new) == (try await samples(source.path, old)))
        }
        let decoded = try await Reading.run("ffmpeg", ["-v", "error", "-i", url.path, "-f", "null", "-"])
        #expect(decoded.errorOutput.isEmpty)
    }

    private func samples(_ path: String, _ stream: Int) async throws -> String {
        try await Reading.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "streamhash", "-"]
        ).output
    }

    /// Players show no track that is not enabled.
    @Test func `Chosen tracks are enabled although the source disabled them`() async throws {
        let folder = try TemporaryFolder()
        let session = try #require(
            AVAssetExportSession(asset: Fixture("languages.mp4").asset, presetName: "passthrough"))
        session.trackSelection.trackIDs = [1, 4]
        let url = folder.url.appendingPathComponent("french.mp4")
        try await session.export(to: url, as: .mp4)
        let shown = try await Reading.probe(
            url.path, ["-show_entries", "stream_disposition=default:stream_tags=language"])
        #expect(shown == [["1", "und"], ["1", "fra"]])
    }

    @Test func `Chosen tracks keep the chapters, whichever track named them`() async throws {
        let folder = try TemporaryFolder()
        for tracks in [Set<Int32>([1]), [2]] {
            let session = try #require(
                AVAssetExportSession(asset: Fixture("movie.mov").asset, presetName: "passthrough"))
            session.trackSelection.trackIDs = tracks
            let url = folder.url.appendingPathComponent("\(tracks.first ?? 0).mov")
            try await session.export(to: url, as: .mov)
            let entries = ["-show_entries", "chapter=start_time:chapter_tags=title"]
            let chapters = try await Reading.probe(url.path, entries)
            let source = try await Reading.probe(Fixture("movie.mov").path, entries)
            #expect(chapters == source && !source.isEmpty)
        }
    }

    @Test func `Missing tracks and an empty choice are errors`() async throws {
        for (tracks, excluded, text) in [
            (Set<Int32>([1, 9]), Set<AVMediaType>(), "there is no track 9; the file has 1 (video), 2 (audio)"),
            ([2], [.audio], "nothing is left of the tracks that were chosen"),
        ] {
            let session = try #require(
                AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: "passthrough"))
            session.trackSelection.trackIDs = tracks
            session.trackSelection.excludedMediaTypes = excluded
            let error = await #expect(throws: AVError.self) { try await session.plan(for: .mp4) }
            #expect(error?.reason.hasPrefix(text) == true, "\(String(describing: error))")
        }
    }
}
